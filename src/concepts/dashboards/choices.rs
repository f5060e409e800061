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
    model::{Aggregate, Measure, ModelGroup, ModelOrder, ModelQuery},
    page::Choice,
};
use inlay_query::{Model, Query, SecurityContext, Today, compile};
use serde_json::Value;
use std::collections::BTreeMap;

/// The measure of how many rows have a value.
const FREQUENCY: &str = "frequency";
/// The measures of the ends of a range.
const LEAST: &str = "least";
const GREATEST: &str = "greatest";
/// The column of the values.
const CHOICE: &str = "choice";

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
    let rows = asked(app, connection, viewer, &model, &by_frequency(&format!("{table}.{dimension}"), most), today).await?;
    let choice = |row: &Vec<Value>| {
        let value = row.first().filter(|value| !value.is_null())?.clone();
        Some(Choice { value, count: row.get(1)?.as_u64()? })
    };
    Ok(rows.iter().filter_map(choice).collect())
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
    today: Today,
) -> Result<Option<(Value, Value)>> {
    let declared = connection.model.tables.get(table).and_then(|table| table.model.dimensions.get(dimension));
    let Some(sql) = declared.map(|declared| declared.sql.clone()) else { return Ok(None) };
    let end = |aggregate| Measure::new(aggregate, Some(sql.clone()));
    let model = with_measures(&connection.model, table, [(LEAST, end(Aggregate::Min)), (GREATEST, end(Aggregate::Max))]);
    let query = ModelQuery { measures: vec![LEAST.to_owned(), GREATEST.to_owned()], ..ModelQuery::default() };
    let rows = asked(app, connection, viewer, &model, &query, today).await?;
    Ok(rows.into_iter().next().and_then(|row| <[Value; 2]>::try_from(row).ok()).map(|[least, greatest]| (least, greatest)))
}

/// The rows of a query of the model.
async fn asked(
    app: &App,
    connection: &OpenConnection,
    viewer: &SecurityContext,
    model: &Model,
    query: &ModelQuery,
    today: Today,
) -> Result<Vec<Vec<Value>>> {
    let gone = |_| Error::new(Code::FilterUnavailable, "The values of this filter cannot be listed.");
    let compiled = compile(connection.source.kind, model, query, today.day).map_err(gone)?;
    let asked = Query::new(compiled.sql, today);
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
