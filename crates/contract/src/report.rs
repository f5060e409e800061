//! Scheduled reports and alerts, as page and server exchange them. An alert is a report with a condition. It is checked on
//! schedule, and mail is sent when its state changes.

use crate::{
    ids::{ChartId, ReportId, RunId},
    page::Filters,
};
use serde::{Deserialize, Serialize};

/// The content of a report's mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// A link to a snapshot of the dashboard.
    Link,
    /// The dashboard as a PDF.
    Pdf,
    /// Each chart's rows as a CSV file.
    Csv,
    /// Each chart's rows as a sheet of an Excel workbook.
    Xlsx,
}

impl Format {
    /// All formats, the simplest first.
    pub const ALL: [Self; 4] = [Self::Link, Self::Pdf, Self::Csv, Self::Xlsx];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Pdf => "pdf",
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
        }
    }

    /// The format with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// The condition of an alert: a chart's number is beyond a threshold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AlertCondition {
    /// A chart of the dashboard that shows a single number.
    pub chart: ChartId,
    /// The side of the threshold.
    pub side: Side,
    /// The threshold. A number that equals it is not beyond it.
    pub threshold: f64,
}

/// A side of a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The number is greater.
    Above,
    /// The number is less.
    Below,
}

impl AlertCondition {
    /// Whether a number is beyond the threshold.
    #[must_use]
    pub fn holds(&self, number: f64) -> bool {
        match self.side {
            Side::Above => number > self.threshold,
            Side::Below => number < self.threshold,
        }
    }
}

/// The settings of a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReportEdit {
    /// Its name.
    pub name: String,
    /// The email addresses of the recipients.
    pub recipients: Vec<String>,
    /// The schedule: a cron expression with five fields.
    pub cron: String,
    /// IANA name of the time zone for `cron` and relative dates.
    pub timezone: String,
    /// BCP 47, for numbers and dates.
    pub locale: String,
    /// The mail's subject.
    pub subject: String,
    /// The owner's message. May be empty.
    pub message: String,
    /// The format.
    pub format: Format,
    /// The filters, taken from the page when the report was created or updated. Relative dates are calculated at each run.
    pub filters: Filters,
    /// The condition of an alert.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<AlertCondition>,
}

/// Whether a report runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReportState {
    /// It runs on schedule.
    Active,
    /// Paused by its owner.
    Paused,
    /// Stopped, because its owner lost the permission. It restarts when they have it again and save the report.
    Stopped,
}

impl ReportState {
    /// Its name in the store.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Paused => "paused",
            Self::Stopped => "stopped",
        }
    }

    /// The state with this name. An unknown one does not run.
    #[must_use]
    pub fn named(name: &str) -> Self {
        match name {
            "active" => Self::Active,
            "paused" => Self::Paused,
            _ => Self::Stopped,
        }
    }
}

/// The state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// In progress, or waiting to retry.
    Waiting,
    /// Mail was sent.
    Done,
    /// Nothing was sent: the alert's state has not changed.
    Quiet,
    /// It failed.
    Failed,
}

impl RunState {
    /// Its name in the store.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Done => "done",
            Self::Quiet => "quiet",
            Self::Failed => "failed",
        }
    }

    /// The state with this name.
    #[must_use]
    pub fn named(name: &str) -> Self {
        match name {
            "waiting" => Self::Waiting,
            "done" => Self::Done,
            "quiet" => Self::Quiet,
            _ => Self::Failed,
        }
    }
}

/// A report, as its owner sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Its id.
    pub id: ReportId,
    /// Its settings.
    pub edit: ReportEdit,
    /// Its state.
    pub state: ReportState,
    /// Why it was stopped.
    pub problem: Option<String>,
    /// Whether the alert was raised at its last check.
    pub raised: Option<bool>,
    /// When it runs next, as text.
    pub next: Option<String>,
    /// Recipients who have unsubscribed.
    pub unsubscribed: Vec<String>,
    /// Its newest run.
    pub last: Option<Run>,
}

/// A run of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// Its id.
    pub id: RunId,
    /// When it was due, as text.
    pub at: String,
    /// Whether its owner started it.
    pub by_hand: bool,
    /// Its state.
    pub state: RunState,
    /// The error.
    pub problem: Option<String>,
    /// The number of mails sent.
    pub sent: u32,
    /// The recipients whose mail failed, with the reason.
    pub failed: Vec<(String, String)>,
}

/// A user's reports on a dashboard, as the page shows them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reports {
    /// The reports, oldest first.
    pub reports: Vec<Report>,
    /// The allowed domains of recipients. Empty allows any.
    pub domains: Vec<String>,
    /// The most recipients of a report.
    pub most_recipients: u32,
    /// The dashboard's charts with a single number, for alerts: id and name.
    pub numbers: Vec<(ChartId, String)>,
    /// Whether the service can send mail.
    pub mail: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_itself_is_not_beyond_it() {
        let condition = |side| AlertCondition { chart: ChartId::generate(), side, threshold: 5.0 };
        let beyond = |side| [4.9, 5.0, 5.1, f64::NAN].map(|number| condition(side).holds(number));
        assert_eq!(beyond(Side::Above), [false, false, true, false]);
        assert_eq!(beyond(Side::Below), [true, false, false, false]);
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        assert!(Format::ALL.iter().all(|format| Format::named(format.name()) == Some(*format)));
        let states = [RunState::Waiting, RunState::Done, RunState::Quiet, RunState::Failed];
        assert!(states.iter().all(|state| RunState::named(state.name()) == *state));
        let states = [ReportState::Active, ReportState::Paused, ReportState::Stopped];
        assert!(states.iter().all(|state| ReportState::named(state.name()) == *state));
        assert_eq!(ReportState::named("?"), ReportState::Stopped);
    }
}
