//! What the dialog of scheduled reports asks of the server, in one server function.
#![expect(missing_docs, reason = "the macro makes a field of each argument and cannot document it")]

#[cfg(feature = "ssr")]
use super::service::reporter;
use super::{Refusal, client::BearerClient, editing::Target};
use inlay_contract::{
    ids::ReportId,
    report::{Report, ReportEdit, Reports, Run},
};
use leptos::{prelude::*, server_fn::codec::Json};
use serde::{Deserialize, Serialize};

/// A question, or something to be done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Ask {
    /// The viewer's reports on the dashboard.
    List,
    /// Makes a report, or changes one.
    Save {
        /// The one to change.
        id: Option<ReportId>,
        /// What its owner says of it.
        edit: Box<ReportEdit>,
    },
    /// Lets a report rest, or run again.
    Pause {
        /// Which one.
        id: ReportId,
        /// Whether it rests.
        rests: bool,
    },
    /// Removes a report.
    Remove {
        /// Which one.
        id: ReportId,
    },
    /// Makes a report run now.
    RunNow {
        /// Which one.
        id: ReportId,
    },
    /// A report's runs.
    History {
        /// Which one.
        id: ReportId,
    },
    /// The next runs of a cadence.
    Coming {
        /// Five fields of cron.
        cron: String,
        /// An IANA name.
        timezone: String,
    },
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Answer {
    /// To `List`.
    Reports(Box<Reports>),
    /// To whatever leaves a report.
    Report(Box<Report>),
    /// To `Remove`.
    Removed,
    /// To `History`, newest first.
    Runs(Vec<Run>),
    /// To `Coming`, in words.
    Coming(Vec<String>),
}

/// Asks about the viewer's scheduled reports on a dashboard, or changes them.
///
/// # Errors
/// The token is refused, the organization has no scheduled reports, the role does not allow them, or the request does not fit.
#[server(prefix = "/share/fn", endpoint = "reports", input = Json, output = Json, client = BearerClient)]
pub async fn ask_reports(target: Target, ask: Ask) -> Result<Answer, Refusal> {
    let (backend, token) = reporter()?;
    backend.reports(&token, target, ask).await.map_err(Refusal)
}
