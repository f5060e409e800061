//! What the dialog of scheduled reports calls.

use super::edit::Target;
use inlay_contract::{
    ids::ReportId,
    report::{Report, ReportEdit, Reports, Run},
};
use serde::{Deserialize, Serialize};

page_calls! {
    /// What the dialog of scheduled reports calls. The method verifies the token first, then checks what the organization and the
    /// user's role allow now.
    trait ReportCalls;

    /// Reads or changes the viewer's scheduled reports on a dashboard.
    ask_reports "reports" (target: Target, ask: Ask) -> Answer;
}

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
