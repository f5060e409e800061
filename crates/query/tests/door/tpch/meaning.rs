//! Those questions of TPC-H that the semantic model can say, said by measures and dimensions: the same rows as by SQL. The others
//! compare rows with numbers of other rows, or measure one table by the values of another.

use super::{queries, rows, scripts};
use crate::databases::{Database, rule, today};
use inlay_contract::model::ModelQuery;
use inlay_query::{Limits, Model, ModelTable, Reference, compile};
use serde_json::{Value, json};

/// The number of a question, its query, and the places of the answer's columns in SQL's order.
fn said() -> [(usize, Value, Vec<usize>); 4] {
    let group = |name: &str| json!({"name": name});
    let filter = |dimension: &str, value: Value| json!({"dimension": dimension, "value": value});
    let customers = ["c_custkey", "c_name", "c_acctbal"].map(|name| group(&format!("customer.{name}")));
    let more = ["c_address", "c_phone", "c_comment"].map(|name| group(&format!("customer.{name}")));
    let nation = json!({"name": "nation.n_name", "via": "l_orderkey.o_custkey.c_nationkey"});
    let customers: Vec<Value> = customers.into_iter().chain([nation]).chain(more).collect();
    [
        (
            1,
            json!({"measures": ["sum_qty", "sum_base_price", "revenue", "sum_charge", "avg_qty", "avg_price", "avg_disc", "lines"],
                "dimensions": [group("lineitem.l_returnflag"), group("lineitem.l_linestatus")],
                "filters": [filter("time", json!({"to": "1998-09-03"}))]}),
            (0..10).collect(),
        ),
        (
            3,
            json!({"measures": ["revenue"],
                "dimensions": [group("lineitem.l_orderkey"), group("orders.o_orderdate"), group("orders.o_shippriority")],
                "filters": [filter("customer.c_mktsegment", json!("BUILDING")), filter("orders.o_orderdate", json!({"to": "1995-03-15"})),
                    filter("time", json!({"from": "1995-03-16"}))],
                "sort": [{"by": "revenue", "descending": true}, {"by": "o_orderdate"}], "limit": 10}),
            vec![0, 3, 1, 2],
        ),
        (
            6,
            json!({"measures": ["discounts"],
                "filters": [filter("time", json!({"from": "1994-01-01", "to": "1995-01-01"})),
                    filter("lineitem.l_discount", json!({"from": 0.05, "to": 0.0701})), filter("lineitem.l_quantity", json!({"to": 24}))]}),
            vec![0],
        ),
        (
            10,
            json!({"measures": ["revenue"], "dimensions": customers,
                "filters": [filter("orders.o_orderdate", json!({"from": "1993-10-01", "to": "1994-01-01"})), filter("lineitem.l_returnflag", json!("R"))],
                "sort": [{"by": "revenue", "descending": true}], "limit": 20}),
            vec![0, 1, 7, 2, 3, 4, 5, 6],
        ),
    ]
}

fn model() -> Model {
    let table = |name: &str, columns: &str, model: Value| {
        let mut made = ModelTable { model: serde_json::from_value(model).expect("a table's model"), ..ModelTable::default() };
        for (column, to) in columns.split(' ').map(|column| column.split_once('>').unwrap_or((column, ""))) {
            made.columns.insert(column.to_owned(), None);
            made.references.extend(Reference::read(to).map(|to| (column.to_owned(), to)));
        }
        (name.to_owned(), made)
    };
    let sum = |of: &str| json!({"aggregate": "sum", "of": of});
    let average = |of: &str| json!({"aggregate": "average", "of": of});
    let measures = json!({"sum_qty": sum("l_quantity"), "sum_base_price": sum("l_extendedprice"),
        "revenue": sum("l_extendedprice * (1 - l_discount)"), "sum_charge": sum("l_extendedprice * (1 - l_discount) * (1 + l_tax)"),
        "discounts": sum("l_extendedprice * l_discount"), "avg_qty": average("l_quantity"), "avg_price": average("l_extendedprice"),
        "avg_disc": average("l_discount"), "lines": {"aggregate": "count"}});
    let lines =
        "l_orderkey>orders.o_orderkey l_suppkey>supplier.s_suppkey l_quantity l_discount l_returnflag l_linestatus l_shipdate";
    let customers = "c_custkey c_name c_address c_nationkey>nation.n_nationkey c_phone c_acctbal c_mktsegment c_comment";
    let tables = [
        table("lineitem", lines, json!({"time": "l_shipdate", "measures": measures})),
        table("orders", "o_orderkey o_custkey>customer.c_custkey o_orderdate o_shippriority", json!({"key": "o_orderkey"})),
        table("customer", customers, json!({"key": "c_custkey"})),
        table("supplier", "s_suppkey s_nationkey>nation.n_nationkey", json!({"key": "s_suppkey"})),
        table("nation", "n_nationkey n_name", json!({"key": "n_nationkey"})),
    ];
    Model { tables: tables.into(), ..Model::default() }
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
    // MariaDB cuts the decimals of whole numbers' means, and in floats 0.06 + 0.01 is less than 0.07.
    let exact = [("avg(l_", "avg(1e0 * l_"), ("0.06 - 0.01 and 0.06 + 0.01", "0.05 and 0.07")];
    let in_exact_words = |sql: &String| exact.iter().fold(sql.clone(), |sql, (from, to)| sql.replace(from, to));
    let by_sql: Vec<String> = queries(database.source.kind).iter().map(in_exact_words).collect();
    for (number, query, places) in said() {
        let query: ModelQuery = serde_json::from_value(query).expect("a query");
        let compiled =
            compile(database.source.kind, &model(), &query, today()).unwrap_or_else(|problem| panic!("{number}: {problem}"));
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
