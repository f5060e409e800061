//! A large made store: every table with thousands of rows, spread over many organizations and projects as in an installation
//! that has grown.

use super::rows::{Column, Schema, run, schema};
use crate::ground::store::Conn;
use std::collections::BTreeMap;

/// The rows of each table.
pub(crate) const ROWS: usize = 12_000;

/// How many rows of these tables others refer to, so that each has its share of them. Rows of other tables are referred to evenly.
const OWNERS: [(&str, usize); 8] = [
    ("organizations", 200),
    ("projects", 400),
    ("applications", 800),
    ("connections", 800),
    ("workspaces", 800),
    ("roles", 1_000),
    ("customers", 2_000),
    ("tenants", 2_000),
];

/// What a column refers to, by its name.
const REFERENCES: [(&str, &str); 24] = [
    ("organization_id", "organizations"),
    ("project_id", "projects"),
    ("application_id", "applications"),
    ("connection_id", "connections"),
    ("workspace_id", "workspaces"),
    ("role_id", "roles"),
    ("customer_id", "customers"),
    ("tenant_id", "tenants"),
    ("user_id", "project_users"),
    ("owner_id", "project_users"),
    ("project_user_id", "project_users"),
    ("created_by", "project_users"),
    ("dashboard_id", "dashboards"),
    ("default_dashboard_id", "dashboards"),
    ("replaces_id", "dashboards"),
    ("chart_id", "charts"),
    ("origin_id", "charts"),
    ("thread_id", "chat_threads"),
    ("account_id", "accounts"),
    ("member_id", "members"),
    ("report_id", "reports"),
    ("run_id", "report_runs"),
    ("webhook_id", "webhooks"),
    ("provider_id", "sign_in_providers"),
];

/// Fills a PostgreSQL store, whose references must be disabled, and lets it look at what it holds. Leaves out the tables that stay small.
pub(crate) async fn fill(conn: &mut Conn<'_>, small: &[&str]) -> Schema {
    let schema = schema(conn).await;
    let large: BTreeMap<_, _> = schema.into_iter().filter(|(table, _)| !small.contains(&table.as_str())).collect();
    for (table, columns) in &large {
        let names: Vec<&str> = columns.iter().map(|column| column.column_name.as_str()).collect();
        let values: Vec<String> = columns.iter().map(|column| value(table, column)).collect();
        let (names, values) = (names.join(", "), values.join(", "));
        run(
            conn,
            format!("INSERT INTO {table} ({names}) SELECT {values} FROM generate_series(1, {ROWS}) g ON CONFLICT DO NOTHING"),
        )
        .await;
    }
    run(conn, "ANALYZE".to_owned()).await;
    large
}

fn value(table: &str, column: &Column) -> String {
    let name = column.column_name.as_str();
    let value = match (column.data_type.as_str(), name) {
        ("uuid", "id") => format!("md5('{table}' || g)::uuid"),
        ("uuid", _) => match REFERENCES.iter().find(|(column, _)| *column == name) {
            Some((_, owners)) => {
                let many = OWNERS.iter().find(|(table, _)| table == owners).map_or(ROWS, |(_, many)| *many);
                format!("md5('{owners}' || (1 + (hashtext('{table}.{name}' || g) & 2147483647) % {many}))::uuid")
            }
            None => format!("md5('{table}.{name}' || g)::uuid"),
        },
        ("text", "day") => "to_char(DATE '2026-01-01' + (g % 90), 'YYYY-MM-DD')".to_owned(),
        ("text", "kind" | "state" | "role" | "place" | "action" | "event" | "actor_kind" | "subject_kind") => {
            format!("'{name} ' || (g % 5)")
        }
        ("text", _) => format!("'{name} ' || g"),
        ("bytea", _) => format!("decode(md5('{table}.{name}' || g), 'hex')"),
        ("boolean", _) => "g % 2 = 0".to_owned(),
        (json @ ("jsonb" | "json"), _) => format!("'{{}}'::{json}"),
        _ => "g".to_owned(),
    };
    if column.is_nullable { format!("CASE WHEN hashtext('{table}.{name}.null' || g) % 2 = 0 THEN {value} END") } else { value }
}
