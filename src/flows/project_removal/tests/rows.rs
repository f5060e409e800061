//! Every row of every table, read through the store's own schema, so that tables of later migrations are included.

use crate::{ground::store::Conn, on};
use inlay_contract::ids::{OrganizationId, ProjectId};
use serde_json::Value;
use sqlx::AssertSqlSafe;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// A column: its name, its type in lower case, whether it is required, and the table that it references.
#[derive(Clone, Debug)]
pub(super) struct Column {
    name: String,
    kind: String,
    required: bool,
    refers: Option<String>,
}

/// A row's values as text. Ids look the same on both stores.
pub(super) type Row = Vec<String>;

/// All tables with their columns, and all their rows in a fixed order.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) tables: BTreeMap<String, Vec<Column>>,
    pub(super) rows: BTreeMap<String, Vec<Row>>,
}

/// Tables that keep rows of deleted projects.
const KEPT: [&str; 1] = ["audit_events"];

/// An id in the form of [`Rows`].
pub(super) fn shown(id: Uuid) -> String {
    format!("#{}", id.simple())
}

async fn texts(conn: &mut Conn<'_>, sql: String) -> Vec<Vec<Value>> {
    let rows: Vec<String> = on!(conn, |c| sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(c).await).expect("read");
    rows.iter().map(|row| serde_json::from_str(row).expect("JSON")).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

async fn columns(conn: &mut Conn<'_>, table: &str) -> Vec<Column> {
    let (columns, references) = match conn {
        Conn::Sqlite(_) => (
            format!(
                "SELECT json_array(name, lower(type), \"notnull\" AND dflt_value IS NULL) FROM pragma_table_info('{table}') ORDER BY cid"
            ),
            format!("SELECT json_array(\"from\", \"table\") FROM pragma_foreign_key_list('{table}')"),
        ),
        Conn::Postgres(_) => (
            format!(
                "SELECT json_build_array(a.attname, t.typname, CASE WHEN a.attnotnull AND NOT a.atthasdef THEN 1 ELSE 0 END)::text \
                 FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid \
                 WHERE a.attrelid = '{table}'::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum"
            ),
            format!(
                "SELECT json_build_array(a.attname, c.confrelid::regclass)::text FROM pg_constraint c \
                 JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1] \
                 WHERE c.contype = 'f' AND c.conrelid = '{table}'::regclass"
            ),
        ),
    };
    let references: BTreeMap<String, String> =
        texts(conn, references).await.iter().map(|pair| (text(&pair[0]), text(&pair[1]))).collect();
    let column = |one: &Vec<Value>| Column {
        name: text(&one[0]),
        kind: text(&one[1]),
        required: one[2] == 1,
        refers: references.get(&text(&one[0])).cloned(),
    };
    texts(conn, columns).await.iter().map(column).collect()
}

async fn rows(conn: &mut Conn<'_>, table: &str, columns: &[Column]) -> Vec<Row> {
    let (read, call) = match conn {
        Conn::Sqlite(_) => (columns.iter().map(|one| format!("quote(\"{}\")", one.name)).collect::<Vec<_>>(), "json_array"),
        Conn::Postgres(_) => {
            (columns.iter().map(|one| format!("CAST(\"{}\" AS text)", one.name)).collect(), "json_build_array")
        }
    };
    let sql = format!("SELECT CAST({call}({}) AS TEXT) FROM {table}", read.join(", "));
    let cell = |value: &Value| {
        let text = text(value);
        let id = text.strip_prefix("X'").and_then(|hex| hex.strip_suffix('\'')).unwrap_or(&text);
        Uuid::try_parse(id).map_or_else(|_| text.clone(), shown)
    };
    let mut all: Vec<Row> = texts(conn, sql).await.iter().map(|row| row.iter().map(cell).collect()).collect();
    all.sort();
    all
}

impl Rows {
    /// Reads the whole store.
    pub(super) async fn read(conn: &mut Conn<'_>) -> Self {
        let names = match conn {
            Conn::Sqlite(_) => {
                "SELECT json_array(name) FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name NOT LIKE '!_sqlx%' ESCAPE '!'"
            }
            Conn::Postgres(_) => {
                "SELECT json_build_array(tablename)::text FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE '!_sqlx%' ESCAPE '!'"
            }
        };
        let (mut tables, mut all) = (BTreeMap::new(), BTreeMap::new());
        for name in texts(conn, names.to_owned()).await {
            let name = text(&name[0]);
            let columns = columns(conn, &name).await;
            all.insert(name.clone(), rows(conn, &name, &columns).await);
            tables.insert(name, columns);
        }
        Self { tables, rows: all }
    }

    /// The tables with rows that belong to projects: by foreign keys, over any number of tables, or by a project column.
    pub(super) fn of_projects(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::from(["projects".to_owned()]);
        loop {
            let is_one = |columns: &[Column]| {
                columns
                    .iter()
                    .any(|one| one.name == "project_id" || one.refers.as_ref().is_some_and(|table| found.contains(table)))
            };
            let more: BTreeSet<String> = self
                .tables
                .iter()
                .filter(|(name, columns)| !KEPT.contains(&name.as_str()) && is_one(columns))
                .map(|(name, _)| name.clone())
                .collect();
            if more.is_subset(&found) {
                return found;
            }
            found.extend(more);
        }
    }

    /// The ids of a project and of everything in it. Rows with such an id belong to the project.
    pub(super) fn ids_of(&self, project: ProjectId) -> BTreeSet<String> {
        let mut ids = BTreeSet::from([shown(project.0)]);
        loop {
            let before = ids.len();
            for (name, columns) in self.tables.iter().filter(|(name, _)| !KEPT.contains(&name.as_str())) {
                let Some(own) = columns.iter().position(|one| one.name == "id") else { continue };
                let found: Vec<String> =
                    self.rows[name].iter().filter(|row| holds(row, &ids)).map(|row| row[own].clone()).collect();
                ids.extend(found.into_iter().filter(|id| id.starts_with('#')));
            }
            if ids.len() == before {
                return ids;
            }
        }
    }

    /// The rows of a table with one of these ids.
    pub(super) fn with(&self, table: &str, ids: &BTreeSet<String>) -> Vec<Row> {
        self.rows[table].iter().filter(|row| holds(row, ids)).cloned().collect()
    }

    /// The rows of a table with none of these ids.
    pub(super) fn without(&self, table: &str, ids: &BTreeSet<String>) -> Vec<Row> {
        self.rows[table].iter().filter(|row| !holds(row, ids)).cloned().collect()
    }

    /// A statement that inserts a row of a project: references point to the project's other rows, other columns get a value.
    fn made_up(
        &self,
        table: &str,
        organization: OrganizationId,
        ids: &BTreeSet<String>,
        project: ProjectId,
        hex: fn(&str) -> String,
    ) -> Option<String> {
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for column in &self.tables[table] {
            let value = match (&column.refers, column.name.as_str(), column.kind.as_str()) {
                (Some(other), ..) if other == "organizations" => hex(&shown(organization.0)),
                (Some(other), ..) if self.of_projects().contains(other) => {
                    let own = self.tables[other].iter().position(|one| one.name == "id")?;
                    hex(&self.with(other, ids).first()?[own])
                }
                (None, "project_id", _) => hex(&shown(project.0)),
                (None, "organization_id", _) => hex(&shown(organization.0)),
                _ if !column.required => continue,
                (_, _, "uuid") => hex(&shown(Uuid::new_v4())),
                (_, name, "blob") if name == "id" || name.ends_with("_id") => hex(&shown(Uuid::new_v4())),
                (_, _, "blob" | "bytea") => format!("'{}'", Uuid::new_v4()),
                (_, _, "bigint" | "int8") => "1".to_owned(),
                (_, _, "boolean" | "bool") => "TRUE".to_owned(),
                (_, _, "json" | "jsonb") => "'{}'".to_owned(),
                _ => format!("'{}'", Uuid::new_v4()),
            };
            names.push(column.name.clone());
            values.push(value);
        }
        Some(format!("INSERT INTO {table} ({}) VALUES ({})", names.join(", "), values.join(", ")))
    }
}

fn holds(row: &Row, ids: &BTreeSet<String>) -> bool {
    row.iter().any(|cell| ids.contains(cell))
}

/// Inserts a row of a project into every table that can have one.
pub(super) async fn fill(conn: &mut Conn<'_>, organization: OrganizationId, project: ProjectId) {
    let hex: fn(&str) -> String = match conn {
        Conn::Sqlite(_) => |id| format!("X'{}'", &id[1..]),
        Conn::Postgres(_) => |id| format!("'{}'", &id[1..]),
    };
    loop {
        let all = Rows::read(conn).await;
        let ids = all.ids_of(project);
        let empty: Vec<String> = all.of_projects().into_iter().filter(|table| all.with(table, &ids).is_empty()).collect();
        let made = empty.iter().find_map(|table| all.made_up(table, organization, &ids, project, hex));
        match made {
            Some(sql) => on!(&mut *conn, |c| sqlx::query(AssertSqlSafe(sql.clone())).execute(c).await.map(drop))
                .unwrap_or_else(|fault| panic!("{sql}: {fault}")),
            None => return assert_eq!(empty, Vec::<String>::new(), "tables that stay empty"),
        }
    }
}
