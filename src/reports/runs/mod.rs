//! Runs of reports: what each came to, and the mails of each.

pub mod store;

use crate::time::Timestamp;
use inlay_contract::{
    ids::{ReportId, RunId},
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
    /// What its alert said, once the number was read; it is not read twice for a run.
    pub raised: Option<bool>,
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
