//! Who still calls v1: the last time of each of its writes and lists and of register-tenant, by API key. Noted in memory and written
//! down in batches, so that no request waits for it. It helps a host to find what calls v1 still, and decides nothing.

use super::store;
use crate::ground::{audit::Who, error::Result, state::App, time::Timestamp};
use inlay_contract::ids::OrganizationId;
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};
use uuid::Uuid;

/// The most callers that are noted between two times of writing down; others are noted the next time.
const MOST: usize = 10_000;

/// One kind of call of one caller. Tenants and project users are many, and the host's one page is behind all of them: they
/// are noted together, under the nil id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct V1Caller {
    /// The organization.
    pub organization: OrganizationId,
    /// What kind of caller that is, as the audit log names it.
    pub kind: &'static str,
    /// Which one.
    pub id: Uuid,
    /// The end of the call's path, as in `create`.
    pub call: &'static str,
}

/// What was noted since it was last written down.
#[derive(Debug, Default)]
pub struct V1Calls(Mutex<HashMap<V1Caller, Timestamp>>);

impl V1Calls {
    /// Notes that somebody calls v1 now.
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
            store::note_call(&mut tx.conn(), &caller, at).await?;
        }
        tx.commit().await
    }
}

/// The calls that find or sign in; the others write.
const READING: [&str; 3] = ["list-workspaces", "list-workspace-dashboards", "register-tenant"];

/// The last call of a kind by a caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastCall {
    /// What kind of caller, as the audit log names it.
    pub kind: String,
    /// What the caller is called; none for tenants and project users, who are told together, and for those who are gone.
    pub name: Option<String>,
    /// The end of the call's path, as in `create`.
    pub call: String,
    /// When it was called last.
    pub at: Timestamp,
}

impl LastCall {
    /// Whether it writes dashboards, which v1 does not do once the migration is finalized.
    pub fn writes(&self) -> bool {
        !READING.contains(&self.call.as_str())
    }
}
