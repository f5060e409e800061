//! Runs of reports: what each came to, and the mails of each.

pub(in crate::concepts::reports) mod store;

#[cfg(test)]
pub(crate) use store::{DeliveryRow, MailCountRow, RunRow, UnsubscribedRow};
pub use store::{
    add_delivery, by_link, by_unsubscribe, count_mails, deliveries, find, forget, forget_counts, insert, letter, newest, note,
    set_delivery, set_letter, set_snapshot, unsubscribe,
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
    /// When it fell due.
    pub due_at: Timestamp,
    /// Whether the owner asked for it.
    pub by_hand: bool,
    /// How it ended.
    pub state: RunState,
    /// What went wrong.
    pub problem: Option<String>,
    /// What its alert says in the mail that was written for it.
    pub raised: Option<bool>,
}

/// The page that a run's links open.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct StoredPage {
    /// The run.
    #[sqlx(rename = "id")]
    pub run: RunId,
    /// Its report.
    #[sqlx(rename = "report_id")]
    pub report: ReportId,
    /// The page, sealed.
    #[sqlx(rename = "snapshot")]
    pub sealed: Vec<u8>,
    /// The API key that had signed its owner in.
    #[sqlx(rename = "key_id")]
    pub key: Option<ApiKeyId>,
    /// When its owner had asked for it: what was cut off since opens no more, whatever they asked for later.
    pub authorized_at: Timestamp,
}

/// A mail of a run.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// To whom.
    pub address: String,
    /// Whether it was sent; none while it waits.
    pub sent: Option<bool>,
    /// Why it was not.
    pub problem: Option<String>,
}
