//! The query engine: the only way to customers' databases, configured by the settings.

use crate::{
    concepts::connections::answers::SharedAnswers,
    ground::{
        config::Settings,
        memory::{self, Shares},
        store::{Db, seal::Sealer},
    },
};
use inlay_query::{AnswerCache, Engine, EngineOptions, Limits};
use std::sync::Arc;

/// Creates the query engine of a node: with the limits, the allowed locations of sources, Inlay's own store blocked, and query
/// results shared between nodes where there can be several.
pub fn engine(settings: &Settings, db: &Db, sealer: &Sealer) -> Engine {
    let shared = |db: &Db| {
        let most_bytes = settings.retention.shared_answers_bytes;
        Arc::new(SharedAnswers::new(db.clone(), sealer.clone(), most_bytes)) as Arc<dyn AnswerCache>
    };
    let shares = Shares::of_settings(settings);
    let limits = Limits { cache_bytes: shares.cache, memory: memory::of_results(&shares), ..settings.limits.for_queries() };
    Engine::open(EngineOptions {
        limits,
        addresses: settings.sources.addresses().with_own_store(settings.own_store()),
        shared_answers: matches!(db, Db::Postgres(_)).then(|| shared(db)),
    })
}
