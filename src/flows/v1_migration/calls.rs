//! Which callers still use v1: the last time of each write, list and register-tenant call, by API key. Recorded in memory and
//! stored in batches, so that no request waits for it. It only helps hosts find their remaining v1 calls.

use super::store;
use crate::ground::{
    audit::Who,
    config::Settings,
    error::Result,
    periodic::Periodic,
    state::{App, Part},
    time::Timestamp,
};
use inlay_contract::ids::OrganizationId;
use std::time::Duration;
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};
use uuid::Uuid;

/// The maximum number of callers that are recorded between two stores. Others are recorded the next time.
const MOST: usize = 10_000;

/// One kind of call by one caller. Tenants and project users are recorded together under the nil id, because they all come from
/// the host's one page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct V1Caller {
    /// The organization.
    pub organization: OrganizationId,
    /// The kind of caller, as the audit log names it.
    pub kind: &'static str,
    /// The caller's id.
    pub id: Uuid,
    /// The end of the call's path, for example `create`.
    pub call: &'static str,
}

/// The calls since the last store.
#[derive(Debug, Default)]
pub struct V1Calls(Mutex<HashMap<V1Caller, Timestamp>>);

impl V1Calls {
    /// Records a call of v1 at the current time.
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

    /// Stores the recorded calls.
    ///
    /// # Errors
    /// The store is away. The recorded calls are lost until their callers call again.
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

/// Calls that list or sign in. The others write.
const READING: [&str; 3] = ["list-workspaces", "list-workspace-dashboards", "register-tenant"];

/// The last call of a kind by a caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastCall {
    /// The kind of caller, as the audit log names it.
    pub kind: String,
    /// The caller's name. `None` for tenants and project users, who are recorded together, and for deleted callers.
    pub name: Option<String>,
    /// The end of the call's path, for example `create`.
    pub call: String,
    /// When it was called last.
    pub at: Timestamp,
}

impl LastCall {
    /// Whether it writes dashboards, which v1 no longer allows once the migration is finalized.
    pub fn writes(&self) -> bool {
        !READING.contains(&self.call.as_str())
    }
}

impl Part for V1Calls {
    fn new(_: &Settings) -> Self {
        Self::default()
    }
}

/// Writes the callers of v1 down every minute.
pub const PERIODIC: Periodic = Periodic {
    failure: "the callers of v1 could not be stored",
    every: Duration::from_secs(60),
    at_stop: true,
    run: |app| Box::pin(async move { app.part::<V1Calls>().write_down(&app).await }),
};
