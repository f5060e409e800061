//! The values that a filter on a declared dimension of the semantic model offers: those of a select, and the ends of a range.

use super::data;
use crate::{
    concepts::connections::OpenConnection,
    ground::{
        error::{Code, Error, Result},
        state::App,
    },
};
use inlay_contract::{
    filter::{FilterValue, Scalar},
    model::{Aggregate, Measure, ModelFilter, ModelGroup, ModelOrder, ModelQuery},
    page::Choice,
};
use inlay_query::{Freshness, Model, Query, SecurityContext, Today, compile};
use serde_json::Value;
use std::collections::BTreeMap;

/// The measure of how many rows have a value.
const FREQUENCY: &str = "frequency";
/// The measures of the ends of a range.
const LEAST: &str = "least";
const GREATEST: &str = "greatest";
/// The column of the values.
const CHOICE: &str = "choice";
/// The column of their names.
const NAME: &str = "name";

/// The values of a declared dimension in the viewer's rows of its table, most frequent first.
///
/// # Errors
/// 422 `FILTER_UNAVAILABLE` when the dimension has no meaning; the errors of a query otherwise.
pub async fn of_dimension(
    app: &App,
    connection: &OpenConnection,
    viewer: &SecurityContext,
    (table, dimension): (&str, &str),
    today: Today,
    most: u32,
) -> Result<Vec<Choice>> {
    let model = with_measures(&connection.model, table, [(FREQUENCY, Measure::new(Aggregate::Count, None))]);
    let rows = asked(
        app,
        connection,
        viewer,
        &model,
        &by_frequency(&format!("{table}.{dimension}"), most),
        (today, Freshness::default()),
    )
    .await?;
    let choice = |row: &Vec<Value>| {
        let value = row.first().filter(|value| !value.is_null())?.clone();
        Some(Choice { value, name: None, count: row.get(1)?.as_u64()? })
    };
    Ok(rows.iter().filter_map(choice).collect())
}

/// Whether people read names instead of a column's values: it is the key of a table of the model that says what its key is displayed
/// as, or refers to one.
pub fn has_names(connection: &OpenConnection, place: (&str, &str)) -> bool {
    Display::of(&connection.model, place).is_some()
}

/// The values of a column in the viewer's rows of its table, most frequent first; with their names, if they have any that this viewer
/// may read.
///
/// # Errors
/// See [`inlay_query::Engine::run`]. A hidden or unknown column is refused.
pub async fn of_column(
    app: &App,
    connection: &OpenConnection,
    viewer: &SecurityContext,
    place: (&str, &str),
    today: Today,
    most: u32,
) -> Result<Vec<Choice>> {
    if has_names(connection, place) {
        match with_names(app, connection, viewer, place, today, most).await {
            // The values can be chosen without the names of another table.
            Err(problem) if matches!(problem.code, Code::FilterUnavailable | Code::RowRuleUnresolved | Code::QueryFailed) => {
                tracing::debug!(%problem, "lists a filter's values without their names");
            }
            found => return found,
        }
    }
    let ((table, column), (source, catalog)) = (place, (&connection.source, &connection.catalog));
    Ok(app.engine.choices(source, catalog, viewer, table, column, &[], today, most as usize).await?)
}

async fn with_names(
    app: &App,
    connection: &OpenConnection,
    viewer: &SecurityContext,
    (table, column): (&str, &str),
    today: Today,
    most: u32,
) -> Result<Vec<Choice>> {
    let Some(display) = Display::of(&connection.model, (table, column)) else { return Ok(Vec::new()) };
    let model = with_measures(&connection.model, table, [(FREQUENCY, Measure::new(Aggregate::Count, None))]);
    let mut query = by_frequency(&format!("{table}.{column}"), most);
    query.dimensions.push(ModelGroup { via: display.via, ..display.group });
    let rows = asked(app, connection, viewer, &model, &query, (today, Freshness::default())).await?;
    let choice = |row: &Vec<Value>| {
        let value = row.first().filter(|value| !value.is_null())?.clone();
        Some(Choice { value, name: row.get(1).and_then(text), count: row.get(2)?.as_u64()? })
    };
    Ok(rows.iter().filter_map(choice).collect())
}

/// The names of some values of a column, as far as the viewer's rows have them.
///
/// # Errors
/// As [`of_dimension`].
pub async fn names(
    app: &App,
    connection: &OpenConnection,
    viewer: &SecurityContext,
    place: (&str, &str),
    values: Vec<Scalar>,
    today: Today,
) -> Result<Vec<(Value, String)>> {
    let Some(Display { key, group, .. }) = Display::of(&connection.model, place) else { return Ok(Vec::new()) };
    let query = ModelQuery {
        dimensions: vec![ModelGroup { alias: Some(CHOICE.to_owned()), ..ModelGroup::of(&*key) }, group],
        filters: vec![ModelFilter::of(key, FilterValue::AnyOf(values))],
        ..ModelQuery::default()
    };
    let rows = asked(app, connection, viewer, &connection.model, &query, (today, Freshness::default())).await?;
    let name = |row: Vec<Value>| Some((row.first()?.clone(), row.get(1).and_then(text)?));
    Ok(rows.into_iter().filter_map(name).collect())
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// Where the names of a column's values come from.
struct Display {
    /// The key of the table that has the names, as `table.column`.
    key: String,
    /// The names as a group of a query.
    group: ModelGroup,
    /// The column that leads to that table from the column's own.
    via: Option<String>,
}

impl Display {
    fn of(model: &Model, (table, column): (&str, &str)) -> Option<Self> {
        let own = model.tables.get(table).filter(|own| own.columns.contains_key(column))?;
        let to = own.references.get(column);
        let named = |table: &str, key: &str, via: Option<String>| {
            let found = model.tables.get(table).filter(|found| matches!(&found.model.key[..], [only] if only == key))?;
            let display = found.model.display.as_ref()?;
            // A hidden column names nothing.
            let is_open = found.columns.contains_key(key)
                && (found.columns.contains_key(display) || found.model.dimensions.contains_key(display));
            let group = ModelGroup::of(format!("{table}.{display}"));
            if !is_open {
                return None;
            }
            Some(Self { key: format!("{table}.{key}"), group: ModelGroup { alias: Some(NAME.to_owned()), ..group }, via })
        };
        named(table, column, None).or_else(|| to.and_then(|to| named(&to.table, &to.column, Some(column.to_owned()))))
    }
}

/// The least and the greatest value of a declared dimension in the viewer's rows of its table. Both are null without rows.
///
/// # Errors
/// As [`of_dimension`].
pub async fn ends_of_dimension(
    app: &App,
    connection: &OpenConnection,
    viewer: &SecurityContext,
    (table, dimension): (&str, &str),
    (today, freshness): (Today, Freshness),
) -> Result<Option<(Value, Value)>> {
    let declared = connection.model.tables.get(table).and_then(|table| table.model.dimensions.get(dimension));
    let Some(sql) = declared.map(|declared| declared.sql.clone()) else { return Ok(None) };
    let end = |aggregate| Measure::new(aggregate, Some(sql.clone()));
    let model = with_measures(&connection.model, table, [(LEAST, end(Aggregate::Min)), (GREATEST, end(Aggregate::Max))]);
    let query = ModelQuery { measures: vec![LEAST.to_owned(), GREATEST.to_owned()], ..ModelQuery::default() };
    let rows = asked(app, connection, viewer, &model, &query, (today, freshness)).await?;
    Ok(rows.into_iter().next().and_then(|row| <[Value; 2]>::try_from(row).ok()).map(|[least, greatest]| (least, greatest)))
}

/// The rows of a query of the model.
async fn asked(
    app: &App,
    connection: &OpenConnection,
    viewer: &SecurityContext,
    model: &Model,
    query: &ModelQuery,
    (today, freshness): (Today, Freshness),
) -> Result<Vec<Vec<Value>>> {
    let gone = |_| Error::new(Code::FilterUnavailable, "The values of this filter cannot be listed.");
    let compiled = compile(connection.source.kind, model, query, today.day).map_err(gone)?;
    let asked = Query::new(compiled.sql, today).fresh(freshness);
    let answer = data::ask(app, &connection.source, &connection.catalog, viewer, &asked).await?;
    Ok(answer.table().rows.clone())
}

fn by_frequency(dimension: &str, most: u32) -> ModelQuery {
    ModelQuery {
        measures: vec![FREQUENCY.to_owned()],
        dimensions: vec![ModelGroup { alias: Some(CHOICE.to_owned()), ..ModelGroup::of(dimension) }],
        sort: vec![ModelOrder { by: FREQUENCY.to_owned(), descending: true }],
        limit: Some(most),
        ..ModelQuery::default()
    }
}

/// The model with measures of one table alone, and no other measure or metric that could have their names.
fn with_measures<const N: usize>(model: &Model, table: &str, measures: [(&str, Measure); N]) -> Model {
    let mut made = Model { tables: model.tables.clone(), metrics: BTreeMap::new() };
    for one in made.tables.values_mut() {
        one.model.measures.clear();
    }
    if let Some(one) = made.tables.get_mut(table) {
        one.model.measures.extend(measures.map(|(name, measure)| (name.to_owned(), measure)));
    }
    made
}
