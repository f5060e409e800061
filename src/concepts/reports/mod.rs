//! Scheduled reports: a dashboard as its owner sees it, mailed when it falls due. The owner's filters stand in the report; who may see
//! what is asked anew at each run, through the same door as the page, so a report never shows more than its owner would see then.
//! An alert is a report with a condition (`src/alerts`).

pub mod alert;

pub mod cadence;
pub mod consent;
pub mod ending;
pub mod links;
pub mod problems;
pub mod runs;
pub mod sealed;
pub mod standing;
mod store;

#[cfg(test)]
mod tests;

pub use standing::{enabled, require_enabled};
pub use store::Rules;

#[cfg(test)]
pub(crate) use store::{ReportRow, rules};
pub use store::{
    contents_of_project, count, delete, due, find, insert, move_on, of_owner, set_content, stop, unsubscribed, update,
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
    /// What it shows; for the owner of a copy the shared dashboard's id stands for the copy.
    pub dashboard: DashboardId,
    /// Whose it is, and when they said what it says.
    pub grant: Grant,
    /// What its owner says of it.
    pub edit: ReportEdit,
    /// Whether it runs.
    pub state: ReportState,
    /// Why it was stopped.
    pub problem: Option<String>,
    /// Whether its alert was raised when it was checked last.
    pub raised: Option<bool>,
    /// When it runs next.
    pub next_at: Option<Timestamp>,
}
