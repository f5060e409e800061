//! The columns of tables, as their sources tell them. They are remembered for a while, and for longer while a source is away.

use super::Engine;
use crate::{
    cache::{Digest, Fingerprint, of_source},
    error::QueryError,
    limits::Limits,
    name::{TableKey, fold},
    schema::{SourceColumn, find},
    source::Source,
};
use futures::FutureExt as _;
use inlay_contract::data::Column;
use moka::future::Cache;
use std::{sync::Arc, time::Duration};

/// The most tables whose columns are remembered.
const MOST: u64 = 10_000;

/// How long the columns of a table are known while its source is away.
const KEPT: Duration = Duration::from_secs(24 * 3600);

/// How long a query waits for columns whose time is over, while it can go on with them.
const GRACE: Duration = Duration::from_millis(300);

type Key = (Fingerprint, String);

/// The columns of a table, as its source reported them.
#[derive(Clone)]
pub(super) struct Described {
    pub(super) columns: Arc<[SourceColumn]>,
    /// A hash of the columns.
    pub(super) fingerprint: Fingerprint,
}

/// The columns that are remembered.
pub(super) struct KnownColumns {
    /// Those that need not be asked for.
    fresh: Cache<Key, Described>,
    /// All of them.
    kept: Cache<Key, Described>,
}

impl KnownColumns {
    pub(super) fn new(limits: &Limits) -> Self {
        let cache = |time: Duration| Cache::builder().max_capacity(MOST).time_to_live(time).build();
        Self { fresh: cache(limits.schema_ttl), kept: cache(KEPT) }
    }

    /// Forgets a table that may have changed.
    pub(super) async fn forget(&self, source: &Source, table: &str) {
        let key = (of_source(source), table.to_owned());
        self.fresh.invalidate(&key).await;
        self.kept.invalidate(&key).await;
    }

    /// How many are remembered.
    pub(super) fn count(&self) -> u64 {
        self.kept.entry_count()
    }
}

impl Engine {
    /// The current columns of a table, for checking a project file.
    ///
    /// # Errors
    /// [`QueryError::Failed`] if there is no such table, [`QueryError::SourceUnavailable`].
    pub async fn describe(&self, source: &Source, table: &str) -> Result<Vec<Column>, QueryError> {
        async move {
            self.0.columns.fresh.invalidate(&(of_source(source), table.to_owned())).await;
            let columns = self.asked_columns(source, table, 0).await?.columns;
            Ok(columns.iter().map(|column| Column { name: column.name.clone(), kind: column.class.column_type() }).collect())
        }
        .boxed()
        .await
    }

    /// Whether a table has a column, from the cache if possible. A page's filter on an unknown column is dropped.
    ///
    /// # Errors
    /// See [`Engine::describe`].
    pub async fn has_column(&self, source: &Source, table: &str, column: &str) -> Result<bool, QueryError> {
        let columns = self.columns(source, table, 0).await?.columns;
        Ok(find(source.kind, &columns, &fold(source.kind, column)).is_some())
    }

    /// The columns of a table. Those of a source that is away are the ones that it told last.
    pub(super) async fn columns(&self, source: &Source, table: &str, share: u128) -> Result<Described, QueryError> {
        let key = (of_source(source), table.to_owned());
        if let Some(fresh) = self.0.columns.fresh.get(&key).await {
            return Ok(fresh);
        }
        let Some(kept) = self.0.columns.kept.get(&key).await else { return self.asked_columns(source, table, share).await };
        let (engine, source, table) = (self.clone(), source.clone(), table.to_owned());
        // The question goes on when nobody waits for it any more.
        let asked = tokio::spawn(async move { engine.asked_columns(&source, &table, share).await });
        match tokio::time::timeout(GRACE, asked).await {
            Ok(Ok(Err(problem))) if !problem.may_pass() => Err(problem),
            Ok(Ok(Ok(fresh))) => Ok(fresh),
            Ok(_) | Err(_) => Ok(kept),
        }
    }

    /// The same from the source. Those who ask at once wait for one question.
    async fn asked_columns(&self, source: &Source, table: &str, share: u128) -> Result<Described, QueryError> {
        let key = (of_source(source), table.to_owned());
        let ask = async {
            let missing = || QueryError::failed(format!("connection {} has no table {table}", source.name));
            let spelled = TableKey::spelled(source.kind, table).ok_or_else(missing)?;
            let limits = self.0.limits_of(source);
            let held = self.0.connections.of(source, &limits).await?;
            let (_place, limits) = held.enter(source, share, limits).await?;
            let columns = held.ask(source, &limits, held.pool.describe(&spelled, &limits)).await?;
            if columns.is_empty() {
                return Err(missing());
            }
            Ok(Described { fingerprint: Digest::default().debug(&columns).end(), columns: columns.into() })
        };
        let told = self.0.columns.fresh.try_get_with(key.clone(), ask).await;
        match told.map_err(|problem: Arc<QueryError>| QueryError::clone(&problem)) {
            Ok(described) => {
                self.0.columns.kept.insert(key, described.clone()).await;
                Ok(described)
            }
            Err(problem) => {
                if !problem.may_pass() {
                    self.0.columns.kept.invalidate(&key).await;
                }
                Err(problem)
            }
        }
    }
}
