//! Scheduled reports and alerts, as the page and the server exchange them. An alert is a report with a condition: it is checked when it
//! falls due, and mail goes out when what it says changes.

use crate::{
    ids::{ChartId, ReportId, RunId},
    page::Filters,
};
use serde::{Deserialize, Serialize};

/// What a report's mail brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// A link to a page that shows the dashboard as it was.
    Link,
    /// The dashboard as a PDF.
    Pdf,
    /// Each chart's rows as a CSV file.
    Csv,
    /// Each chart's rows as a sheet of an Excel workbook.
    Xlsx,
}

impl Format {
    /// Every format, the plainest first.
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

    /// The format of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// When an alert is raised: while a chart's number is beyond a threshold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// A chart of the dashboard that shows one number.
    pub chart: ChartId,
    /// On which side of the threshold.
    pub side: Side,
    /// The threshold itself is not beyond it.
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

impl Condition {
    /// Whether a number is beyond the threshold.
    #[must_use]
    pub fn holds(&self, number: f64) -> bool {
        match self.side {
            Side::Above => number > self.threshold,
            Side::Below => number < self.threshold,
        }
    }
}

/// What its owner says of a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReportEdit {
    /// What it is called.
    pub name: String,
    /// To whom it goes: mail addresses.
    pub recipients: Vec<String>,
    /// When: five fields of cron.
    pub cron: String,
    /// Whose clock `cron` and relative dates go by: an IANA name.
    pub timezone: String,
    /// For numbers and dates: BCP 47.
    pub locale: String,
    /// The mail's subject.
    pub subject: String,
    /// What its owner has to say; may be empty.
    pub message: String,
    /// What the mail brings.
    pub format: Format,
    /// The filters: those of the page when the report was begun, or taken over from it later; relative dates are those of each run.
    pub filters: Filters,
    /// What makes it an alert.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<Condition>,
}

/// Whether a report runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReportState {
    /// When it falls due.
    Active,
    /// Not until its owner lets it.
    Paused,
    /// Its owner may not have it any more; it starts again when they may, and save it.
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

    /// The state of a name; one that is unknown runs nothing.
    #[must_use]
    pub fn named(name: &str) -> Self {
        match name {
            "active" => Self::Active,
            "paused" => Self::Paused,
            _ => Self::Stopped,
        }
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// It has not ended.
    Waiting,
    /// Mail went out.
    Done,
    /// There was nothing to tell: an alert's number is where it was.
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

    /// The state of a name.
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

/// A report as its owner sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Its id.
    pub id: ReportId,
    /// What its owner says of it.
    pub edit: ReportEdit,
    /// Whether it runs.
    pub state: ReportState,
    /// Why it was stopped.
    pub problem: Option<String>,
    /// Whether the alert was raised when it was checked last.
    pub raised: Option<bool>,
    /// When it runs next, in words.
    pub next: Option<String>,
    /// Recipients who want no more of it.
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
    /// When it fell due, in words.
    pub at: String,
    /// Whether its owner asked for it.
    pub by_hand: bool,
    /// How it ended.
    pub state: RunState,
    /// What went wrong.
    pub problem: Option<String>,
    /// To how many it was sent.
    pub sent: u32,
    /// To whom it was not, and why.
    pub failed: Vec<(String, String)>,
}

/// What the page shows of a user's reports on a dashboard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reports {
    /// Theirs, oldest first.
    pub reports: Vec<Report>,
    /// The only domains that recipients may have; any when there is none.
    pub domains: Vec<String>,
    /// Most recipients of a report.
    pub most_recipients: u32,
    /// The dashboard's charts of one number, which alerts may watch: id and name.
    pub numbers: Vec<(ChartId, String)>,
    /// Whether the service can send mail at all.
    pub mail: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_itself_is_not_beyond_it() {
        let condition = |side| Condition { chart: ChartId::generate(), side, threshold: 5.0 };
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
