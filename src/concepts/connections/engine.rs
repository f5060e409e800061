//! The query engine: the only way to customers' databases, configured by the settings.

use crate::{
    concepts::connections::answers::SharedAnswers,
    ground::{
        config::Settings,
        store::{Db, seal::Sealer},
    },
};
use inlay_query::{AnswerCache, Engine, EngineOptions};
use std::sync::Arc;

/// Creates the query engine of a node: with the limits, the allowed locations of sources, Inlay's own store blocked, and query results shared between
/// nodes where there can be several.
pub fn engine(settings: &Settings, db: &Db, sealer: &Sealer) -> Engine {
    let shared = |db: &Db| Arc::new(SharedAnswers::new(db.clone(), sealer.clone())) as Arc<dyn AnswerCache>;
    Engine::open(EngineOptions {
        limits: settings.limits.for_queries(),
        addresses: settings.sources.addresses().with_own_store(settings.own_store()),
        shared_answers: matches!(db, Db::Postgres(_)).then(|| shared(db)),
    })
}
