//! Changed SQL of a semantic model, probed in the database without reading a row.

use super::change::{Change, To};
use crate::{
    concepts::catalog::{CatalogTable, modelled},
    flows::{catalogues::Catalogues, model_checks::Flaw},
    ground::{problems::Problems, state::App},
};
use chrono::Utc;
use inlay_contract::model::{ModelGroup, ModelQuery};
use inlay_query::{Catalog, Model, Probed, Source, compile};

/// Notes what the database refuses of a change. A database that does not respond refuses nothing: later queries check again.
pub(super) async fn probe(app: &App, before: &Catalogues, after: &Catalogues, change: &Change, problems: &mut Problems) {
    match change {
        Change::Table(..) => dimensions(app, before, after, change, problems).await,
        Change::Measure(_, _, name, To::New(_) | To::Changed(_)) => measure(app, after, change, name, problems).await,
        Change::Metric(name, To::New(_) | To::Changed(_)) => metric(app, after, change, name, problems).await,
        Change::Measure(..) | Change::Metric(..) => {}
    }
}

/// What queries of a connection may name. Closed tables are part of it, because the change may come before they are opened.
struct Place<'a> {
    app: &'a App,
    source: &'a Source,
    catalog: Catalog,
    model: Model,
}

impl<'a> Place<'a> {
    fn of(app: &'a App, source: &'a Source, tables: &[CatalogTable], after: &Catalogues) -> Self {
        let catalog = Catalog::new(tables.iter().map(CatalogTable::as_queried).collect());
        Self { app, source, catalog, model: modelled(tables, &after.metrics) }
    }

    /// Why the database refuses a query. A query without a meaning of its own is not probed.
    async fn refuses(&self, query: &ModelQuery) -> Option<String> {
        let compiled = compile(self.source.kind, &self.model, query, Utc::now().date_naive()).ok()?;
        match self.app.engine.probe(self.source, &self.catalog, &compiled.sql).await {
            Probed::Refused(told) => Some(format!("is refused: {told}")),
            Probed::Gives(_) | Probed::Unasked => None,
        }
    }
}

async fn dimensions(app: &App, before: &Catalogues, after: &Catalogues, change: &Change, problems: &mut Problems) {
    let Some((source, table)) = change.table(after) else { return };
    let known = change.table(before).map(|(_, table)| &table.model.dimensions);
    let Some((_, tables)) = after.connections.iter().find(|(one, _)| one.id == source.id) else { return };
    let place = Place::of(app, source, tables, after);
    for (name, dimension) in &table.model.dimensions {
        let before = known.and_then(|known| known.get(name)).filter(|before| before.sql == dimension.sql);
        // Its values are compared with a declared order.
        if before.is_some_and(|before| before.order == dimension.order) {
            continue;
        }
        let group = ModelGroup::of(format!("{}.{name}", table.name));
        if let Some(why) = place.refuses(&ModelQuery { dimensions: vec![group], ..ModelQuery::default() }).await {
            let part = if before.is_some() { "order" } else { "sql" };
            problems.add(&format!("dimensions.{name}.{part}"), why);
        }
    }
}

async fn measure(app: &App, after: &Catalogues, change: &Change, name: &str, problems: &mut Problems) {
    let Some((source, table)) = change.table(after) else { return };
    let Some((_, tables)) = after.connections.iter().find(|(one, _)| one.id == source.id) else { return };
    let mut place = Place::of(app, source, tables, after);
    let query = ModelQuery { measures: vec![name.to_owned()], ..ModelQuery::default() };
    let Some(why) = place.refuses(&query).await else { return };
    let own = place.model.tables.get_mut(&table.name).and_then(|table| table.model.measures.get_mut(name));
    let condition = own.and_then(|own| own.condition.take());
    // Without its condition it is refused for what it aggregates.
    let is_condition = condition.is_some() && place.refuses(&query).await.is_none();
    problems.add(if is_condition { "where" } else { "of" }, why);
}

async fn metric(app: &App, after: &Catalogues, change: &Change, name: &str, problems: &mut Problems) {
    let query = ModelQuery { measures: vec![name.to_owned()], ..ModelQuery::default() };
    for (source, tables) in &after.connections {
        let place = Place::of(app, source, tables, after);
        if !place.model.holds(source.kind, name) {
            continue;
        }
        if let Some(why) = place.refuses(&query).await {
            let flaw = Flaw { table: None, at: format!("metrics.{name}"), why };
            if let Some(field) = change.field(after, &flaw) {
                problems.add(&field, flaw.why);
            }
        }
        return;
    }
}
