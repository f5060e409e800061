//! Converts the page's filter keys to conditions on tables (docs/spec/contract.md, sections 6, 10 and 11).

use super::Dashboard;
use crate::{
    concepts::connections::{self, OpenConnection},
    ground::{
        error::{Error, Result},
        state::App,
        store::holding::watched,
    },
};
use futures::future::join_all;
use inlay_app::filters::words;
use inlay_contract::{
    filter::{CONTROLLED, FilterDefinition, FilterValue, OMNIBAR},
    ids::ConnectionId,
    page::Filters,
};
use inlay_query::{Engine, Filter};
use serde_json::{Map, Value};
use std::{collections::BTreeSet, sync::Arc, time::Duration};

/// Reads the `filters` of a request: full key → raw JSON.
///
/// # Errors
/// 400 for a value that is not in one of the forms of a filter.
pub fn read(raw: &Map<String, Value>) -> Result<Filters> {
    let read = |(key, value): (&String, &Value)| {
        let value = FilterValue::from_json(value.clone());
        value
            .map(|value| (key.clone(), value))
            .map_err(|problem| Error::invalid(&format!("filters.{key}"), problem.to_string()))
    };
    raw.iter().filter(|(_, value)| !value.is_null()).map(read).collect()
}

/// The column path of a full key: the column of one of the dashboard's own filters, or the omnibar's.
pub fn column_path<'a>(own: &'a [FilterDefinition], key: &'a str) -> Option<&'a str> {
    if let Some(named) = key.strip_prefix(CONTROLLED) {
        return own.iter().find(|filter| filter.key == named).map(|filter| filter.column.as_str());
    }
    key.strip_prefix(OMNIBAR)
}

/// The filters of a request that belong to a dashboard.
pub fn known(dashboard: &Dashboard, mut filters: Filters) -> Filters {
    filters.retain(|key, _| column_path(&dashboard.filters, key).is_some());
    filters
}

/// The active filters with their full keys and labels: the dashboard's label of a filter on that column, otherwise the column's. Includes
/// every filter that narrows the dashboard's rows.
pub fn named<'a>(
    own: &'a [FilterDefinition],
    active: &'a Filters,
) -> impl Iterator<Item = (&'a str, &'a str, &'a FilterValue)> {
    active.iter().filter_map(move |(key, value)| {
        let path = column_path(own, key)?;
        let named = key.strip_prefix(CONTROLLED);
        let same = |filter: &&FilterDefinition| named.map_or(filter.column == path, |named| filter.key == named);
        let label = own.iter().find(same).map(|filter| filter.label.as_str());
        Some((key.as_str(), label.unwrap_or_else(|| words::column(path)), value))
    })
}

/// The conditions of filters on the tables of one connection. Unknown keys, hidden and unknown columns, and other connections'
/// columns give none, because a filter can only narrow.
pub async fn conditions(
    engine: &Engine,
    own: &[FilterDefinition],
    connection: &OpenConnection,
    filters: &Filters,
) -> Result<Vec<Filter>> {
    let mut conditions = Vec::new();
    for (key, value) in filters {
        let Some(path) = column_path(own, key) else { continue };
        conditions.extend(condition(engine, connection, path, value).await?);
    }
    Ok(conditions)
}

/// The keys of filters on columns and dimensions that viewers cannot see in the connections of a dashboard's charts. A dashboard's own filter
/// is never one of them. Columns pass while their source is unreachable, and if it does not tell them within this time.
pub async fn without_column(app: &App, dashboard: &Dashboard, filters: &Filters, wait: Duration) -> Result<Vec<String>> {
    let on_columns: Vec<(&String, &str)> = filters.keys().filter_map(|key| Some((key, key.strip_prefix(OMNIBAR)?))).collect();
    if on_columns.is_empty() {
        return Ok(Vec::new());
    }
    let placed = super::store::charts_on(&mut app.db.read().await?.conn(), dashboard.id).await?;
    let ids: BTreeSet<ConnectionId> = placed.into_iter().map(|placed| placed.chart.connection).collect();
    let mut opened = Vec::new();
    for id in ids {
        opened.push(connections::open(app, id).await?);
    }
    let is_known = |connection: &Arc<OpenConnection>, key: &String, path: &str| {
        let (connection, key, path) = (Arc::clone(connection), key.clone(), path.to_owned());
        watched(async move {
            if connection.is_time(&path) || connection.dimension(&path).is_some() {
                return Some(key);
            }
            let (table, column) = connection.column(&path)?;
            let asked = app.engine.has_column(&connection.source, &table.name, column);
            let is_there = tokio::time::timeout(wait, asked).await.map_or(true, |told| told.unwrap_or(true));
            is_there.then_some(key)
        })
    };
    let all = opened.iter().flat_map(|connection| on_columns.iter().map(|(key, path)| is_known(connection, key, path)));
    let known: BTreeSet<String> = join_all(all).await.into_iter().flatten().collect();
    Ok(on_columns.into_iter().filter(|(key, _)| !known.contains(*key)).map(|(key, _)| key.clone()).collect())
}

/// The condition of a filter on a column path. `None` when the viewer cannot see the column here.
pub async fn condition(
    engine: &Engine,
    connection: &OpenConnection,
    path: &str,
    value: &FilterValue,
) -> Result<Option<Filter>> {
    let Some((table, column)) = connection.column(path) else { return Ok(None) };
    let is_there = engine.has_column(&connection.source, &table.name, column).await?;
    Ok(is_there.then(|| Filter { table: table.name.clone(), column: column.to_owned(), value: value.clone() }))
}
