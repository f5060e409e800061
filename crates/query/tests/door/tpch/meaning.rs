//! Those questions of TPC-H that the semantic model can say, said by measures and dimensions: the same rows as by SQL. Why it cannot
//! say the others is in docs/model.md.

use super::{queries, rows, scripts};
use crate::databases::{Database, rule, today};
use inlay_contract::model::ModelQuery;
use inlay_query::{Limits, Model, ModelTable, Reference, SourceKind, compile};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The model and the questions, as a file that the benchmark of compiling reads, too.
#[derive(Deserialize)]
struct Said {
    tables: BTreeMap<String, SaidTable>,
    questions: Vec<Question>,
}

/// Columns have what they refer to behind `>`.
#[derive(Deserialize)]
struct SaidTable {
    columns: String,
    model: Value,
}

#[derive(Deserialize)]
struct Question {
    number: usize,
    query: ModelQuery,
    /// The places of the answer's columns in SQL's order.
    places: Vec<usize>,
}

impl SaidTable {
    fn in_model(self) -> ModelTable {
        let mut made =
            ModelTable { model: serde_json::from_value(self.model).expect("a table's model"), ..ModelTable::default() };
        for (column, to) in self.columns.split(' ').map(|column| column.split_once('>').unwrap_or((column, ""))) {
            made.columns.insert(column.to_owned(), None);
            made.references.extend(Reference::read(to).map(|to| (column.to_owned(), to)));
        }
        made
    }
}

fn said(kind: SourceKind) -> (Model, Vec<Question>) {
    let said: Said = serde_json::from_str(&in_words_of(kind, include_str!("meaning.json").to_owned())).expect("the file");
    let tables = said.tables.into_iter().map(|(name, table)| (name, table.in_model())).collect();
    (Model { tables, ..Model::default() }, said.questions)
}

/// SQLite has no `extract`.
fn in_words_of(kind: SourceKind, text: String) -> String {
    let years = ["l_shipdate", "o_orderdate"]
        .map(|day| (format!("extract(year from {day})"), format!("cast(strftime('%Y', {day}) as integer)")));
    match kind {
        SourceKind::Sqlite => years.iter().fold(text, |text, (from, to)| text.replace(from, to)),
        _ => text,
    }
}

/// Rows whose columns stand in another order.
fn ordered(rows: Vec<String>, places: &[usize]) -> Vec<String> {
    let ordered = |row: String| {
        let values: Vec<&str> = row.split(" | ").collect();
        places.iter().map(|place| values[*place]).collect::<Vec<_>>().join(" | ")
    };
    let mut rows: Vec<String> = rows.into_iter().map(ordered).collect();
    rows.sort();
    rows
}

async fn agree(database: Database) {
    let own = rule("tenant = {{organization.company}}");
    // MariaDB cuts the decimals of whole numbers' means and of quotients, and in floats 0.06 + 0.01 is less than 0.07.
    let exact = [
        ("avg(l_", "avg(1e0 * l_"),
        ("0.06 - 0.01 and 0.06 + 0.01", "0.05 and 0.07"),
        ("select 100.00 * sum", "select 1e2 * sum"),
        ("o_year, sum(case", "o_year, 1e0 * sum(case"),
    ];
    let in_exact_words = |sql: &String| exact.iter().fold(sql.clone(), |sql, (from, to)| sql.replace(from, to));
    let by_sql: Vec<String> = queries(database.source.kind).iter().map(in_exact_words).collect();
    let (model, questions) = said(database.source.kind);
    assert_eq!(questions.len(), 13);
    for Question { number, query, places } in questions {
        let compiled =
            compile(database.source.kind, &model, &query, today()).unwrap_or_else(|problem| panic!("{number}: {problem}"));
        let said = ordered(rows(&database, &own, &compiled.sql).await, &places);
        assert_eq!(said, rows(&database, &own, &by_sql[number - 1]).await, "question {number}: {}", compiled.sql);
        assert!(!said.is_empty(), "question {number} has no rows");
    }
    database.remove().await;
}

#[tokio::test]
async fn sqlite_answers_by_measures_as_by_sql() {
    agree(Database::sqlite(&scripts().0, Limits::default()).await).await;
}

#[tokio::test]
async fn postgres_answers_by_measures_as_by_sql() {
    agree(Database::postgres(&scripts().0, Limits::default()).await).await;
}

#[tokio::test]
async fn mariadb_answers_by_measures_as_by_sql() {
    agree(Database::mysql(&scripts().0, Limits::default()).await).await;
}

#[cfg(feature = "duckdb")]
#[tokio::test]
async fn duckdb_answers_by_measures_as_by_sql() {
    agree(Database::duckdb(&scripts().0, Limits::default())).await;
}
