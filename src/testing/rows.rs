//! Tables as the store describes them, and rows with a different value in every column.

use crate::{
    concepts::{isolation::Findings, key_checks, workspaces::WorkspaceSettings},
    ground::store::{Conn, Tx},
    on,
};
use inlay_contract::{chart::definition::ChartDefinition, report::ReportEdit};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, FromRow};
use std::collections::BTreeMap;
use uuid::Uuid;

/// The columns of each table, in order.
pub(crate) type Schema = BTreeMap<String, Vec<Column>>;

/// A column as the store describes it.
#[derive(Clone, Debug, FromRow)]
pub(crate) struct Column {
    table_name: String,
    /// Its name.
    pub(crate) column_name: String,
    /// Its type.
    pub(crate) data_type: String,
    /// Whether it may be null.
    pub(crate) is_nullable: bool,
}

/// The text of each column of a row.
pub(crate) type Texts = BTreeMap<String, Option<Value>>;

/// The tables of a store.
pub(crate) async fn schema(conn: &mut Conn<'_>) -> Schema {
    const SQLITE: &str = "SELECT m.name AS table_name, p.name AS column_name, LOWER(p.type) AS data_type, p.\"notnull\" = 0 AS is_nullable \
        FROM sqlite_master m JOIN pragma_table_info(m.name) p WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' \
        AND m.name <> '_sqlx_migrations' ORDER BY m.name, p.cid";
    const POSTGRES: &str = "SELECT CAST(table_name AS TEXT) AS table_name, CAST(column_name AS TEXT) AS column_name, \
        CAST(data_type AS TEXT) AS data_type, is_nullable = 'YES' AS is_nullable FROM information_schema.columns \
        WHERE table_schema = 'public' AND table_name <> '_sqlx_migrations' ORDER BY table_name, ordinal_position";
    let sql = if matches!(conn, Conn::Sqlite(_)) { SQLITE } else { POSTGRES };
    let columns: Vec<Column> = on!(conn, |c| sqlx::query_as(sql).fetch_all(c).await).expect("the tables are described");
    let mut schema = Schema::new();
    for column in columns {
        schema.entry(column.table_name.clone()).or_default().push(column);
    }
    schema
}

/// Disables foreign keys until the transaction ends, which must be rolled back.
pub(crate) async fn without_references(tx: &mut Tx) {
    let sql = match tx {
        Tx::Sqlite(_) => "PRAGMA defer_foreign_keys = ON",
        Tx::Postgres(_) => "SET LOCAL session_replication_role = replica",
    };
    run(&mut tx.conn(), sql.to_owned()).await;
}

/// Inserts a row with a value of its own in every column; named columns get the given SQL.
pub(crate) async fn fill(conn: &mut Conn<'_>, schema: &Schema, table: &str, given: &[(&str, String)]) {
    let columns = &schema[table];
    let value = |(number, column): (usize, &Column)| {
        let given = given.iter().find(|(name, _)| *name == column.column_name).map(|(_, sql)| sql.clone());
        given.unwrap_or_else(|| own_value(matches!(conn, Conn::Sqlite(_)), column, number + 2))
    };
    let values: Vec<String> = columns.iter().enumerate().map(value).collect();
    let names: Vec<&str> = columns.iter().map(|column| column.column_name.as_str()).collect();
    run(conn, format!("INSERT INTO {table} ({}) VALUES ({})", names.join(", "), values.join(", "))).await;
}

/// An id as SQL.
pub(crate) fn id_in_sql(conn: &Conn<'_>, id: Uuid) -> String {
    bytes_in_sql(matches!(conn, Conn::Sqlite(_)), "uuid", id)
}

fn bytes_in_sql(in_sqlite: bool, data_type: &str, id: Uuid) -> String {
    match (in_sqlite, data_type) {
        (true, _) => format!("x'{}'", id.simple()),
        (false, "uuid") => format!("'{id}'"),
        (false, _) => format!("'\\x{}'", id.simple()),
    }
}

fn own_value(in_sqlite: bool, column: &Column, number: usize) -> String {
    let Column { table_name, column_name, data_type, .. } = column;
    if let Some(sample) = sample(table_name, column_name) {
        return format!("'{}'", sample.to_string().replace('\'', "''"));
    }
    match data_type.as_str() {
        "blob" | "uuid" | "bytea" => bytes_in_sql(in_sqlite, data_type, Uuid::from_u128(number as u128 + (7 << 64))),
        "text" => format!("'{column_name} {number}'"),
        "bigint" => number.to_string(),
        "boolean" => "TRUE".to_owned(),
        other => panic!("{table_name}.{column_name} is of the type {other}: say what a value of it is"),
    }
}

/// A sample value of a JSON column, as its type serializes it.
fn sample(table: &str, column: &str) -> Option<Value> {
    let chart = || written::<ChartDefinition>(json!({"title": "Sales", "type": "bar", "encoding": {"x": "month"}}));
    Some(match (table, column) {
        ("organizations", "reports") => json!({"recipientDomains": ["host.example"]}),
        ("identity_providers", "keys") => json!({"keys": []}),
        ("projects", "allowed_origins") => json!(["https://host.example"]),
        ("roles", "permissions") | ("tenants", "editing_permissions") => json!({"addChart": true}),
        ("customers" | "project_users", "properties") | ("tenants", "prefilters") => json!({"tier": "gold"}),
        ("tenants", "custom_metadata") => json!({"note": "moved"}),
        ("connections", "database_auth") => json!({"verifiedByDatabase": {"setting": "app.token"}}),
        ("connections", "limits") => json!({"cacheSeconds": 5}),
        ("catalog_tables", "columns") => json!({"total": {"label": "Total"}}),
        ("catalog_tables", "synonyms") => json!(["orders"]),
        ("catalog_tables", "model") => json!({"key": "id", "measures": {"orders": {"aggregate": "count"}}}),
        ("projects", "metrics") => json!({"share": {"ratio": ["late", "orders"]}}),
        ("workspace_versions", "settings") => written::<WorkspaceSettings>(json!({"instructions": "Ask about sales."})),
        ("workspace_evaluations", "misses") => json!([{"question": "How many?", "why": "Seven are wrong."}]),
        ("isolation_runs", "findings") => written::<Findings>(json!({"tables": {"ruled": ["warehouse.orders"], "open": [],
            "partly": [], "closed": []}, "ways": {}, "leaks": 0, "gaps": 0, "leaked": [], "missing": []})),
        ("key_checks", "findings") => written::<key_checks::Findings>(json!({"counted": 1, "repeated": [{"key":
            {"connection": "warehouse", "table": "orders", "columns": ["id"]}, "values": 2, "countedAt": "2026-11-25T03:00:00.000Z"}],
            "gaps": 0, "missing": []})),
        ("verified_answers", "query") => json!({"sql": "select count(*) from orders"}),
        ("charts" | "chart_versions" | "chat_pins", "definition") => chart(),
        ("chart_versions", "query_columns") => json!(["month", "total"]),
        ("applications", "theme") => json!({"primary": "#0b5fff"}),
        ("dashboards", "filters") => json!([{"key": "m", "label": "M", "column": "a.b.c", "control": "text"}]),
        ("saved_views", "filters") => json!({"filter_region": ["north", "south"]}),
        ("audit_events", "details") => json!({"from": 1}),
        ("chat_messages", "steps") => json!([{"name": "Reading", "status": "done"}]),
        ("chat_messages", "results") => json!([{"toolName": "generateChart", "result": 7}]),
        ("chat_messages", "problem") => json!({"code": "CODE", "message": "It failed."}),
        ("language_models", "prices") => json!({"input": 1.5, "output": 2.5}),
        ("language_models", "budgets") => json!({"tokens": 7}),
        ("reports", "content") => {
            written::<ReportEdit>(json!({"name": "Weekly", "recipients": ["a@b.example"], "cron": "0 8 * * 1",
            "timezone": "UTC", "locale": "en", "subject": "Sales", "message": "Hello", "format": "pdf", "filters": {}}))
        }
        ("rate_counts", "counts") => json!([[2, "01890000-0000-7000-8000-000000000000", 30]]),
        ("webhooks", "events") => json!(["dashboard.saved"]),
        _ => return None,
    })
}

/// A value as its type serializes it, with all defaults.
fn written<T: DeserializeOwned + Serialize>(value: Value) -> Value {
    json!(serde_json::from_value::<T>(value).expect("a value of the type"))
}

/// The only row of a table that meets a condition.
pub(crate) async fn texts(conn: &mut Conn<'_>, schema: &Schema, table: &str, condition: &str) -> Texts {
    let mut texts = Texts::new();
    for column in &schema[table] {
        let name = &column.column_name;
        let text = if column.data_type == "blob" { format!("HEX({name})") } else { format!("CAST({name} AS TEXT)") };
        let sql = format!("SELECT {text} FROM {table} WHERE {condition}");
        let text: Option<String> =
            on!(&mut *conn, |c| sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(c).await).expect("one row");
        let value = |text: String| match sample(table, name) {
            Some(_) => serde_json::from_str(&text).expect("JSON"),
            None => Value::String(text),
        };
        texts.insert(name.clone(), text.map(value));
    }
    texts
}

/// Runs a statement.
pub(crate) async fn run(conn: &mut Conn<'_>, sql: String) {
    let told = sql.clone();
    let done = on!(conn, |c| sqlx::query(AssertSqlSafe(sql)).execute(c).await.map(drop));
    done.unwrap_or_else(|problem| panic!("{told}: {problem}"));
}

/// The columns in which two rows of a table differ.
pub(crate) fn differing(one: &Texts, other: &Texts) -> Vec<String> {
    one.iter().filter(|(name, text)| other[*name] != **text).map(|(name, _)| name.clone()).collect()
}
