//! The query that a new chart starts with, so that the builder opens with a chart: how many rows, month by month. Pure.

use super::model::choices;
use inlay_contract::{
    chart::question::{Dimension, Grain, Measure, Question},
    data::ColumnType,
    edit::{OfferedColumn, OfferedSource, OfferedTable},
    model::{ModelQuery, OfferedModel, OfferedModelTable, OfferedNumber},
};
use std::cmp::Reverse;

/// A query of the semantic model.
#[must_use]
pub fn modelled(model: &OfferedModel) -> ModelQuery {
    let measures = main_number(model).map(|number| number.name.clone()).into_iter().collect();
    let mut query = ModelQuery { measures, ..ModelQuery::default() };
    let first = choices::free_place(&choices::places(model, &query), &query);
    query.dimensions.extend(first.map(|place| place.group()));
    query
}

/// A question about a table.
#[must_use]
pub fn asked(table: &OfferedTable) -> Question {
    let first = free_column(table, &[]).map(dimension);
    Question {
        table: table.name.clone(),
        measures: vec![Measure::count()],
        dimensions: first.into_iter().collect(),
        ..Question::default()
    }
}

/// The table that the data is about: that of most measures, otherwise the first one with dates.
#[must_use]
pub fn main_table(source: &OfferedSource) -> Option<&OfferedTable> {
    let named = |name: &str| source.tables.iter().find(|table| table.name == name);
    let main = source.model.as_ref().and_then(main_fact).and_then(|fact| named(&fact.name));
    let has_days = |table: &&OfferedTable| table.columns.iter().any(|column| is_day(column.kind));
    main.or_else(|| source.tables.iter().find(has_days)).or_else(|| source.tables.first())
}

/// A column that a question is not grouped by yet: a date if there is no group, then words, then anything.
#[must_use]
pub fn free_column<'a>(table: &'a OfferedTable, groups: &[Dimension]) -> Option<&'a OfferedColumn> {
    let free = || table.columns.iter().filter(|column| !groups.iter().any(|group| group.column == column.name));
    let day = || free().find(|column| groups.is_empty() && is_day(column.kind));
    day().or_else(|| free().find(|column| column.kind != ColumnType::Number)).or_else(|| free().next())
}

/// A group of a question: a date by month.
#[must_use]
pub fn dimension(column: &OfferedColumn) -> Dimension {
    Dimension { grain: is_day(column.kind).then_some(Grain::Month), ..Dimension::of(&*column.name) }
}

/// Whether values are days or moments.
#[must_use]
pub const fn is_day(kind: ColumnType) -> bool {
    matches!(kind, ColumnType::Date | ColumnType::Timestamp)
}

/// How many rows the main table has, if the model counts them; otherwise its first number.
fn main_number(model: &OfferedModel) -> Option<&OfferedNumber> {
    let main = main_fact(model);
    let own = || model.numbers.iter().filter(|number| main.is_some_and(|table| is_about(number, table)));
    own().find(|number| number.counts_rows).or_else(|| own().next()).or_else(|| model.numbers.first())
}

/// The table that most numbers are about: one with a default time before others.
fn main_fact(model: &OfferedModel) -> Option<&OfferedModelTable> {
    let count = |table: &OfferedModelTable| model.numbers.iter().filter(|number| is_about(number, table)).count();
    let facts = model.tables.iter().filter(|table| count(table) > 0);
    facts.min_by_key(|table| (table.time.is_none(), Reverse(count(table))))
}

fn is_about(number: &OfferedNumber, table: &OfferedModelTable) -> bool {
    matches!(&number.facts[..], [only] if *only == table.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn source(model: Value) -> OfferedSource {
        let column = |name: &str, kind: &str| json!({"name": name, "label": name, "kind": kind});
        let table = |name: &str, columns: Value| json!({"name": name, "label": name, "columns": columns});
        serde_json::from_value(json!({
            "connection": "01890000-0000-7000-8000-000000000001", "name": "warehouse", "dialect": "sqlite", "model": model,
            "tables": [
                table("airports", json!([column("seats", "number"), column("city", "text")])),
                table("flights", json!([column("origin", "text"), column("delay", "number"), column("day", "date")])),
            ],
        }))
        .expect("a source")
    }

    fn model() -> OfferedModel {
        let number = |name: &str, facts: &[&str], counts: bool| json!({"name": name, "label": name, "facts": facts, "countsRows": counts});
        let column = |name: &str, kind: &str| json!({"name": name, "label": name, "kind": kind});
        let table = |name: &str, time: Option<&str>, dimensions: Value| json!({"name": name, "label": name, "time": time, "dimensions": dimensions, "ways": [{"table": name, "via": "", "isOnly": true}]});
        serde_json::from_value(json!({
            "numbers": [
                number("airports", &["airports"], true), number("delay", &["flights"], false), number("flights", &["flights"], true),
                number("seats", &["airports"], false), number("runways", &["airports"], false),
            ],
            "tables": [
                table("airports", None, json!([column("city", "text")])),
                table("flights", Some("day"), json!([column("origin", "text"), column("day", "date")])),
            ],
        }))
        .expect("a model")
    }

    #[test]
    fn a_chart_of_the_model_starts_with_the_rows_of_each_month() {
        let query = modelled(&model());
        assert_eq!(query.measures, ["flights"], "a table with a time comes before one with more numbers");
        assert_eq!((&*query.dimensions[0].name, query.dimensions[0].grain), ("time", Some(Grain::Month)));
        let mut timeless = model();
        for table in &mut timeless.tables {
            table.time = None;
        }
        let query = modelled(&timeless);
        assert_eq!((&*query.measures[0], &*query.dimensions[0].name), ("airports", "airports.city"));
        for number in &mut timeless.numbers {
            number.counts_rows = false;
        }
        assert_eq!(modelled(&timeless).measures, ["airports"], "the first of the table");
        assert_eq!(modelled(&OfferedModel { numbers: vec![], tables: vec![] }), ModelQuery::default());
    }

    #[test]
    fn a_question_starts_with_the_main_table_by_month() {
        let with = |model| main_table(&source(model)).map(|table| table.name.clone());
        assert_eq!(with(Value::Null).as_deref(), Some("flights"), "the first with dates");
        let mut of_airports = model();
        of_airports.numbers.retain(|number| number.facts == ["airports"]);
        assert_eq!(with(serde_json::to_value(of_airports).expect("JSON")).as_deref(), Some("airports"));
        let source = source(Value::Null);
        let question = asked(&source.tables[1]);
        assert_eq!((&*question.table, &question.measures[..]), ("flights", &[Measure::count()][..]));
        assert_eq!((&*question.dimensions[0].column, question.dimensions[0].grain), ("day", Some(Grain::Month)));
        let question = asked(&source.tables[0]);
        assert_eq!((&*question.dimensions[0].column, question.dimensions[0].grain), ("city", None));
    }

    #[test]
    fn a_group_that_is_added_is_not_there_yet() {
        let source = source(Value::Null);
        let (table, mut groups) = (&source.tables[1], Vec::new());
        while let Some(column) = free_column(table, &groups) {
            groups.push(dimension(column));
        }
        let names: Vec<&str> = groups.iter().map(|group| &*group.column).collect();
        assert_eq!(names, ["day", "origin", "delay"]);
    }
}
