//! Surveys that are remembered, for the next questions of those who see the same rows.

use super::{World, survey::survey};
use crate::{
    data::{Assumed, Data, DataError, ModelRows, Sight},
    scope::Scope,
};
use async_trait::async_trait;
use inlay_contract::{chart::question::Question, data::ChartData, model::ModelQuery};
use moka::future::Cache;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// How long a survey is used.
const KEPT: Duration = Duration::from_secs(60);

/// What was found out about viewers' data: only for equal rights, and for a minute. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Surveys(Cache<[u8; 32], Arc<World>>);

/// Why a survey is not remembered.
enum Unkept {
    /// There is none.
    Failed(DataError),
    /// A query failed, so it lacks a part.
    Partial(Arc<World>),
}

impl Surveys {
    /// Room for about this many bytes. Without any, nothing is remembered.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        let weigher = |_: &[u8; 32], world: &Arc<World>| u32::try_from(world.weight()).unwrap_or(u32::MAX);
        Self(Cache::builder().max_capacity(bytes).weigher(weigher).time_to_live(KEPT).build())
    }

    /// How many surveys are remembered, and about how many bytes they take.
    #[must_use]
    pub fn held(&self) -> (u64, u64) {
        (self.0.entry_count(), self.0.weighted_size())
    }

    /// Everything that must be known about a scope. Of questions that come at once with equal rights, one reads the data.
    ///
    /// # Errors
    /// The source is not reachable, or the viewer has lost access.
    pub(crate) async fn survey(&self, scope: &Scope, data: &dyn Data) -> Result<Arc<World>, DataError> {
        let Some(sight) = data.sight().await? else { return survey(scope, data).await.map(Arc::new) };
        let own = AtomicBool::new(false);
        let read = async {
            own.store(true, Ordering::Relaxed);
            let watched = Watched { data, failed: AtomicBool::new(false) };
            let world = survey(scope, &watched).await.map(Arc::new).map_err(Unkept::Failed)?;
            if watched.failed.into_inner() { Err(Unkept::Partial(world)) } else { Ok(world) }
        };
        match self.0.try_get_with(key(sight, scope), read).await {
            Ok(world) => Ok(world),
            // Somebody else's reading failed, perhaps because they alone lost access.
            Err(_) if !own.load(Ordering::Relaxed) => survey(scope, data).await.map(Arc::new),
            Err(unkept) => match &*unkept {
                Unkept::Failed(problem) => Err(problem.clone()),
                Unkept::Partial(world) => Ok(Arc::clone(world)),
            },
        }
    }
}

/// What a survey depends on: what its viewer sees, and what the catalogue and the semantic model say of it.
fn key(Sight(sight): Sight, scope: &Scope) -> [u8; 32] {
    let known = serde_json::json!([scope.dialect, scope.tables, scope.model]).to_string();
    Sha256::new().chain_update(sight).chain_update(known).finalize().into()
}

/// Rows whose failures are noted.
struct Watched<'a> {
    data: &'a dyn Data,
    failed: AtomicBool,
}

impl Watched<'_> {
    fn note<T>(&self, answer: Result<T, DataError>) -> Result<T, DataError> {
        self.failed.fetch_or(answer.is_err(), Ordering::Relaxed);
        answer
    }
}

#[async_trait]
impl Data for Watched<'_> {
    async fn query(&self, sql: &str) -> Result<ChartData, DataError> {
        self.note(self.data.query(sql).await)
    }

    async fn query_model(&self, query: &ModelQuery, assumed: &Assumed) -> Result<ModelRows, DataError> {
        self.note(self.data.query_model(query, assumed).await)
    }

    async fn values(&self, table: &str, column: &str) -> Result<Vec<Value>, DataError> {
        self.note(self.data.values(table, column).await)
    }

    fn sql_of(&self, question: &Question) -> Result<String, DataError> {
        self.data.sql_of(question)
    }

    fn containment(&self, column: (&str, &str), key: (&str, &str)) -> Result<String, DataError> {
        self.data.containment(column, key)
    }
}
