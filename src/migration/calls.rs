//! Who still writes dashboards through v1: the last time of each kind of write, by API key. Noted in memory and written down in
//! batches, so that no request waits for it. It helps a host to find what calls v1 still, and decides nothing.

use super::store;
use crate::{audit::Who, error::Result, state::App, time::Timestamp};
use inlay_contract::ids::OrganizationId;
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};
use uuid::Uuid;

/// The most callers that are noted between two times of writing down; others are noted the next time.
const MOST: usize = 10_000;

/// One kind of write of one caller. Tenants and project users are many, and the host's one page is behind all of them: they
/// are noted together, under the nil id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct V1Caller {
    /// The organization.
    pub organization: OrganizationId,
    /// What kind of caller that is, as the audit log names it.
    pub kind: &'static str,
    /// Which one.
    pub id: Uuid,
    /// The write, as in `create`.
    pub call: &'static str,
}

/// What was noted since it was last written down.
#[derive(Debug, Default)]
pub struct V1Writes(Mutex<HashMap<V1Caller, Timestamp>>);

impl V1Writes {
    /// Notes that somebody calls a v1 write now.
    pub fn note(&self, organization: OrganizationId, who: Who, call: &'static str) {
        let id = match who {
            Who::Tenant(_) | Who::User(_) => None,
            other => other.id(),
        };
        let caller = V1Caller { organization, kind: who.kind(), id: id.unwrap_or_default(), call };
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.len() < MOST || noted.contains_key(&caller) {
            noted.insert(caller, Timestamp::now());
        }
    }

    /// Writes down what was noted.
    ///
    /// # Errors
    /// The store is away; what was noted is lost until the caller calls again.
    pub async fn write_down(&self, app: &App) -> Result<()> {
        let noted = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        if noted.is_empty() {
            return Ok(());
        }
        let mut tx = app.db.write().await?;
        for (caller, at) in noted {
            store::note_write(&mut tx.conn(), &caller, at).await?;
        }
        tx.commit().await
    }
}

/// The last write of a kind by a caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastWrite {
    /// What kind of caller, as the audit log names it.
    pub kind: String,
    /// What the caller is called; none for tenants and project users, who are told together, and for those who are gone.
    pub name: Option<String>,
    /// The write, as in `create`.
    pub call: String,
    /// When it was called last.
    pub at: Timestamp,
}
