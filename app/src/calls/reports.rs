//! The calls of the dialog for scheduled reports.

use super::scope::Target;
use inlay_contract::{
    ids::ReportId,
    report::{Report, ReportEdit, Reports, Run},
};
use serde::{Deserialize, Serialize};

page_calls! {
    /// The calls of the dialog for scheduled reports. The method first verifies the token, then checks what the organization
    /// and the user's role allow now.
    trait ReportCalls;

    /// Reads or changes the viewer's scheduled reports on a dashboard.
    ask_reports "reports" (target: Target, ask: Ask) -> Answer;
}

/// A request about reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Ask {
    /// The viewer's reports on the dashboard.
    List,
    /// Creates a report, or changes one.
    Save {
        /// The report to change. `None` creates one.
        id: Option<ReportId>,
        /// The settings.
        edit: Box<ReportEdit>,
    },
    /// Pauses or resumes a report.
    Pause {
        /// The report.
        id: ReportId,
        /// True pauses, false resumes.
        rests: bool,
    },
    /// Deletes a report.
    Remove {
        /// The report.
        id: ReportId,
    },
    /// Runs a report now.
    RunNow {
        /// The report.
        id: ReportId,
    },
    /// Lists a report's runs.
    History {
        /// The report.
        id: ReportId,
    },
    /// Previews the next runs of a schedule.
    Coming {
        /// A cron expression with five fields.
        cron: String,
        /// The time zone's IANA name.
        timezone: String,
    },
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Answer {
    /// Answers `List`.
    Reports(Box<Reports>),
    /// Answers each request that changes a report: its new state.
    Report(Box<Report>),
    /// Answers `Remove`.
    Removed,
    /// Answers `History`, newest first.
    Runs(Vec<Run>),
    /// Answers `Coming`: the times as text.
    Coming(Vec<String>),
}
