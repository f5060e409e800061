//! The measures of the semantic model, asked as the API asks them.

use super::{
    judging::{Asked, Check},
    strangers::Scene,
    ways::Way,
};
use crate::{concepts::catalog::modelled, flows::model_query};
use futures::FutureExt;
use inlay_contract::model::{ModelGroup, ModelQuery};
use inlay_query::{Model, Query, SecurityContext, compile};

/// How many queries are asked of a connection.
pub(super) const MOST_QUERIES: usize = 100;

impl Check {
    /// Each measure of a table with a rule, alone and by each dimension that the table declares, and each metric.
    pub(super) async fn models(&mut self) {
        for scene in self.scenes.clone() {
            let model = modelled(&scene.open.tables, &self.project.metrics);
            let kind = scene.open.source.kind;
            for (place, query) in queries(&scene, &model).into_iter().take(MOST_QUERIES) {
                // A metric of another connection's measures has no meaning here.
                let Ok(compiled) = compile(kind, &model, &query, self.today.day) else { continue };
                let query = Query::compiled(compiled.sql, self.today);
                let (app, open) = (self.app.clone(), &scene.open);
                let ask = |context: SecurityContext| {
                    let (app, query) = (&app, &query);
                    async move { Ok(model_query::rows(app, open, &context, query).await?.into_data()) }.boxed()
                };
                let asked =
                    Asked { way: Way::ModelQuery, place: &place, scene: &scene, query: query.clone(), has_to_answer: false };
                self.rows(&asked, &ask).await;
            }
        }
    }
}

/// Each measure, alone and by each declared dimension, and each metric; each with its name in findings.
pub(super) fn queries(scene: &Scene, model: &Model) -> Vec<(String, ModelQuery)> {
    let mut queries = Vec::new();
    let number = |name: &String| ModelQuery { measures: vec![name.clone()], ..ModelQuery::default() };
    for table in scene.ruled() {
        let Some(one) = model.tables.get(table) else { continue };
        for measure in one.model.measures.keys() {
            queries.push((format!("{}.{measure}", scene.place(table)), number(measure)));
            for dimension in one.model.dimensions.keys() {
                let dimensions = vec![ModelGroup::of(format!("{table}.{dimension}"))];
                let place = format!("{}.{measure} by {dimension}", scene.place(table));
                queries.push((place, ModelQuery { dimensions, ..number(measure) }));
            }
        }
    }
    queries.extend(model.metrics.keys().map(|metric| (format!("{}.{metric}", scene.open.source.name), number(metric))));
    queries
}
