//! What the tools of editing offer of a connection: tables, columns, and the semantic model.

use crate::{
    concepts::{catalog::ColumnSettings, connections::OpenConnection, dashboards::Filterable},
    ground::state::App,
};
use chrono::NaiveDate;
use inlay_contract::{
    data::ColumnType,
    edit::{OfferedColumn, OfferedSource, OfferedTable},
    model::{
        Dimension, ModelGroup, ModelQuery, OfferedDimension, OfferedModel, OfferedModelTable, OfferedNumber, OfferedWords,
    },
};
use inlay_query::{Probed, RowAccess, SourceKindExt, compile};
use std::collections::BTreeMap;

/// The types of the dimensions that tables declare, by table and name, as far as the source tells them.
type Types = BTreeMap<(String, String), ColumnType>;

/// What a connection offers, and of it what the dashboard can be filtered by.
pub(super) async fn of_source(app: &App, open: &OpenConnection, filterable: &Filterable) -> OfferedSource {
    let mut tables = tables_of(app, open).await;
    let types = types_of(app, open, &tables).await;
    for table in tables.iter_mut().filter(|table| filterable.tables.contains(&table.name)) {
        table.dimensions = dimensions_of(open, &table.name, &types);
    }
    let (dialect, model) = (open.source.kind.name().to_owned(), model_of(open, &tables, &types));
    let (connection, name, time) = (open.source.id, open.source.name.clone(), filterable.time);
    OfferedSource { connection, name, dialect, tables, model, time }
}

/// The tables that have a rule. A table whose source does not respond is left out.
async fn tables_of(app: &App, connection: &OpenConnection) -> Vec<OfferedTable> {
    let mut offered = Vec::with_capacity(connection.tables.len());
    for table in connection.tables.iter().filter(|table| table.rows != RowAccess::Nothing) {
        let Ok(columns) = app.engine.describe(&connection.source, &table.name).await else { continue };
        let columns = columns.into_iter().filter_map(|column| {
            let settings = table.columns.get(&column.name);
            let label = settings.and_then(|settings| settings.label.clone()).unwrap_or_else(|| column.name.clone());
            let hidden = settings.is_some_and(|settings| settings.hidden);
            (!hidden).then_some(OfferedColumn { name: column.name, label, kind: column.kind })
        });
        let label = table.label.clone().unwrap_or_else(|| table.name.clone());
        offered.push(OfferedTable { name: table.name.clone(), label, columns: columns.collect(), dimensions: Vec::new() });
    }
    offered
}

/// Asks the source for the types of declared dimensions, without reading a row.
async fn types_of(app: &App, open: &OpenConnection, tables: &[OfferedTable]) -> Types {
    let mut types = Types::new();
    for table in tables {
        let Some(known) = open.model.tables.get(&table.name) else { continue };
        let group = |(at, name): (usize, &String)| {
            let alias = Some(format!("d{at}"));
            ModelGroup { alias, ..ModelGroup::of(format!("{}.{name}", table.name)) }
        };
        let dimensions: Vec<ModelGroup> = known.model.dimensions.keys().enumerate().map(group).collect();
        let query = ModelQuery { dimensions, ..ModelQuery::default() };
        let compiled = compile(open.source.kind, &open.model, &query, NaiveDate::default());
        let Some(compiled) = compiled.ok().filter(|_| !known.model.dimensions.is_empty()) else { continue };
        let Probed::Gives(columns) = app.engine.probe(&open.source, &open.catalog, &compiled.sql).await else { continue };
        let named = known.model.dimensions.keys().zip(columns);
        types.extend(named.map(|(name, column)| ((table.name.clone(), name.clone()), column.kind)));
    }
    types
}

/// The dimensions that a table declares. Those of unknown type are filtered by a list of their values.
fn dimensions_of(connection: &OpenConnection, table: &str, types: &Types) -> Vec<OfferedColumn> {
    let declared = connection.model.tables.get(table).into_iter().flat_map(|table| &table.model.dimensions);
    let offered = |(name, dimension): (&String, &Dimension)| {
        let label = dimension.label.clone().unwrap_or_else(|| name.clone());
        let kind = types.get(&(table.to_owned(), name.clone())).copied().unwrap_or(ColumnType::Text);
        OfferedColumn { name: name.clone(), label, kind }
    };
    declared.map(offered).collect()
}

/// What the model offers of tables that respond. `None` without measures.
fn model_of(connection: &OpenConnection, tables: &[OfferedTable], declared: &Types) -> Option<OfferedModel> {
    let (model, kind) = (&connection.model, connection.source.kind);
    let words = |table: &str, column: &str| {
        let settings = connection.tables.iter().find(|one| one.name == table).and_then(|one| one.columns.get(column));
        let known =
            |one: &ColumnSettings| OfferedWords { description: one.description.clone(), synonyms: one.synonyms.clone() };
        settings.map(known).unwrap_or_default()
    };
    let of_table = |table: &OfferedTable| {
        let known = model.tables.get(&table.name)?;
        let types = |column: &str| {
            let found = table.columns.iter().find(|one| kind.same_name(&one.name, column)).map(|one| one.kind);
            let is_time = known.model.time.as_deref().is_some_and(|time| kind.same_name(time, column));
            // SQLite keeps days as text.
            if is_time { found.filter(|kind| *kind == ColumnType::Timestamp).or(Some(ColumnType::Date)) } else { found }
        };
        let dimensions = known.model.dimensions.iter().map(|(name, dimension)| OfferedDimension {
            name: name.clone(),
            label: dimension.label.clone().unwrap_or_else(|| name.clone()),
            kind: types(dimension.sql.trim()).or_else(|| declared.get(&(table.name.clone(), name.clone())).copied()),
            words: OfferedWords { description: dimension.description.clone(), synonyms: dimension.synonyms.clone() },
        });
        let columns =
            known.columns.iter().filter(|(name, _)| !known.model.dimensions.contains_key(*name)).map(|(name, label)| {
                let label = label.clone().unwrap_or_else(|| name.clone());
                OfferedDimension { name: name.clone(), label, kind: types(name), words: words(&table.name, name) }
            });
        Some(OfferedModelTable {
            name: table.name.clone(),
            label: table.label.clone(),
            time: known.model.time.clone(),
            dimensions: dimensions.chain(columns).collect(),
            ways: model.offered_ways(&table.name),
        })
    };
    let tables: Vec<OfferedModelTable> = tables.iter().filter_map(of_table).collect();
    let responds = |fact: &String| tables.iter().any(|table| table.name == *fact);
    let numbers = model.offered_numbers(kind).into_iter().filter(|number| number.facts.iter().all(responds));
    let numbers: Vec<OfferedNumber> = numbers.collect();
    (!numbers.is_empty()).then_some(OfferedModel { numbers, tables })
}
