//! Scheduled reports: a dashboard as its owner sees it, mailed on a schedule. The owner's filters are stored with the report.
//! Permissions and row rules are applied anew at each run, through the same query engine as the page, so a report never shows
//! more than its owner may see at that time. An alert is a report with a condition (`alert`).

pub mod alert;
pub mod cadence;
pub mod checks;
pub mod consent;
pub mod eligibility;
pub mod ending;
pub mod links;
pub mod runs;
pub mod sealed;
mod store;

#[cfg(test)]
mod tests;

pub use eligibility::{enabled, require_enabled};
pub use store::Rules;

#[cfg(test)]
pub(crate) use store::{ReportRow, rules};
pub use store::{
    contents_of_project, count, delete, due, failing, find, insert, locked, move_on, of_owner, owned_by, ran_well, set_content,
    stop, unsubscribed, update,
};

use crate::{concepts::access::Grant, ground::time::Timestamp};
use inlay_contract::{
    ids::{ApplicationId, DashboardId, ReportId},
    report::{ReportEdit, ReportState},
};

/// A report as it is stored.
#[derive(Clone, Debug)]
pub struct StoredReport {
    /// Its id.
    pub id: ReportId,
    /// The application of its dashboard.
    pub application: ApplicationId,
    /// The dashboard. For the owner of a copy, the shared dashboard's id means the copy.
    pub dashboard: DashboardId,
    /// The owner, and when they last saved it.
    pub grant: Grant,
    /// The owner's settings.
    pub edit: ReportEdit,
    /// Whether it is active.
    pub state: ReportState,
    /// Why it was stopped.
    pub problem: Option<String>,
    /// Whether its alert was raised at the last check.
    pub raised: Option<bool>,
    /// When it runs next.
    pub next_at: Option<Timestamp>,
}
