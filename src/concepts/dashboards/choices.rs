//! The values that a filter on a declared dimension of the semantic model offers.

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
    let gone = |_| Error::new(Code::FilterUnavailable, "The values of this filter cannot be listed.");
    let (model, query) = (with_frequency(&connection.model, table), query(&format!("{table}.{dimension}"), most));
    let compiled = compile(connection.source.kind, &model, &query, today.day).map_err(gone)?;
    let asked = Query::new(compiled.sql, today);
    let answer = data::ask(app, &connection.source, &connection.catalog, viewer, &asked).await?;
    let choice = |row: &Vec<Value>| {
        let value = row.first().filter(|value| !value.is_null())?.clone();
        Some(Choice { value, count: row.get(1)?.as_u64()? })
    };
    Ok(answer.table().rows.iter().filter_map(choice).collect())
}

fn query(dimension: &str, most: u32) -> ModelQuery {
    ModelQuery {
        measures: vec![FREQUENCY.to_owned()],
        dimensions: vec![ModelGroup { alias: Some(CHOICE.to_owned()), ..ModelGroup::of(dimension) }],
        sort: vec![ModelOrder { by: FREQUENCY.to_owned(), descending: true }],
        limit: Some(most),
        ..ModelQuery::default()
    }
}

/// The model with a measure that counts the rows of a table, and no other measure or metric that could have its name.
fn with_frequency(model: &Model, table: &str) -> Model {
    let mut made = Model { tables: model.tables.clone(), metrics: BTreeMap::new() };
    for (name, one) in &mut made.tables {
        one.model.measures.clear();
        if name == table {
            let counts = Measure {
                aggregate: Aggregate::Count,
                of: None,
                condition: None,
                fraction: None,
                take: None,
                label: None,
                description: None,
                synonyms: Vec::new(),
                format: None,
                lower_is_better: false,
            };
            one.model.measures.insert(FREQUENCY.to_owned(), counts);
        }
    }
    made
}
