//! Runs of reports: their results and mails.

pub(in crate::concepts::reports) mod store;

#[cfg(test)]
pub(crate) use store::{DeliveryRow, MailCountRow, RunRow, UnsubscribedRow};
pub use store::{
    TIDY, add_delivery, by_link, by_unsubscribe, count_mails, deliveries, find, insert, letter, newest, note, set_delivery,
    set_letter, set_snapshot, unsubscribe,
};

use crate::ground::time::Timestamp;
use inlay_contract::{
    ids::{ApiKeyId, ReportId, RunId},
    report::RunState,
};

/// A run.
#[derive(Clone, Debug)]
pub struct StoredRun {
    /// Its id.
    pub id: RunId,
    /// Its report.
    pub report: ReportId,
    /// When it was due.
    pub due_at: Timestamp,
    /// Whether the owner started it.
    pub by_hand: bool,
    /// Its state.
    pub state: RunState,
    /// What went wrong.
    pub problem: Option<String>,
    /// The alert's state in the mail that was written for it.
    pub raised: Option<bool>,
}

/// The page of a run's links.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct StoredPage {
    /// The run.
    #[sqlx(rename = "id")]
    pub run: RunId,
    /// Its report.
    #[sqlx(rename = "report_id")]
    pub report: ReportId,
    /// The page, encrypted.
    #[sqlx(rename = "snapshot")]
    pub sealed: Vec<u8>,
    /// The API key that had signed its owner in.
    #[sqlx(rename = "key_id")]
    pub key: Option<ApiKeyId>,
    /// When its owner last saved the report. A later revocation closes the page, even if the owner saves the report again.
    pub authorized_at: Timestamp,
}

/// A mail of a run.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// The recipient.
    pub address: String,
    /// Whether it was sent. `None` while it waits.
    pub sent: Option<bool>,
    /// Why it was not.
    pub problem: Option<String>,
}
