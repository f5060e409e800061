//! Makes a store from a backup.

use super::{
    BackupProblem, Counts, Looked, TableHead, look,
    own::{Own, Tables, on_own},
    reading::{Item, Reading},
};
use crate::ground::store::{
    Db,
    connect::{self, Opening},
    migrating,
    seal::Sealer,
};
use sqlx::{AssertSqlSafe, FromRow};
use std::{env, fs, os::unix::fs::DirBuilderExt, path::Path};
use uuid::Uuid;

/// Rows that are written by one statement: so many, or as many as have this many bytes.
const MOST_ROWS: usize = 500;
const MOST_BYTES: usize = 1024 * 1024;

/// Fills an empty store with a backup, all or nothing, and migrates it to this version.
///
/// # Errors
/// The store is not empty, or the backup is damaged, of a newer version or of another secret key. Nothing is changed then.
pub async fn restore(db: &Db, sealer: &Sealer, path: &Path) -> Result<Looked, BackupProblem> {
    // Before the store is touched.
    let looked = look(path, Some(sealer))?;
    fill(db, &looked, path).await?;
    Ok(looked)
}

/// Reads a backup and fills a store with it that is removed again.
///
/// # Errors
/// As [`restore`].
pub async fn try_out(sealer: Option<&Sealer>, path: &Path) -> Result<Looked, BackupProblem> {
    let looked = look(path, sealer)?;
    let folder = env::temp_dir().join(format!("inlay-restore-{}", Uuid::now_v7().simple()));
    fs::DirBuilder::new().mode(0o700).create(&folder).map_err(BackupProblem::file(&folder))?;
    let tried = async {
        let db = connect::open(&format!("sqlite:{}", folder.join("store.db").display()), Opening::default()).await?;
        let filled = fill(&db, &looked, path).await;
        db.close().await;
        filled
    };
    let tried = tried.await;
    fs::remove_dir_all(&folder).ok();
    tried.map(|()| looked)
}

async fn fill(db: &Db, looked: &Looked, path: &Path) -> Result<(), BackupProblem> {
    let mut own = Own::connect(db).await?;
    own.begin_writing().await?;
    if !own.tables().await?.is_empty() {
        return Err(BackupProblem::NotEmpty);
    }
    own.migrate(looked.migration).await?;
    let references = references(&mut own).await?;
    for reference in &references {
        own.run(format!("ALTER TABLE {} DROP CONSTRAINT \"{}\"", reference.of, reference.name)).await?;
    }
    let tables = own.tables().await?;
    // What migrations put into new tables is in the backup, too.
    for table in tables.keys() {
        own.run(format!("DELETE FROM \"{table}\"")).await?;
    }
    write(&mut own, &tables, path).await?;
    for Reference { of, name, rule } in &references {
        own.run(format!("ALTER TABLE {of} ADD CONSTRAINT \"{name}\" {rule}")).await?;
    }
    check(&mut own, &looked.counts).await?;
    own.migrate(migrating::newest()).await?;
    Ok(own.commit().await?)
}

/// A reference between tables, which PostgreSQL checks for each row.
#[derive(FromRow)]
struct Reference {
    of: String,
    name: String,
    rule: String,
}

async fn references(own: &mut Own) -> sqlx::Result<Vec<Reference>> {
    const SQL: &str = "SELECT CAST(CAST(conrelid AS regclass) AS TEXT) AS of, CAST(conname AS TEXT) AS name, \
        pg_get_constraintdef(oid) AS rule FROM pg_constraint \
        WHERE contype = 'f' AND connamespace = CAST(CAST(current_schema() AS TEXT) AS regnamespace)";
    match own {
        // Its connection does not check them.
        Own::Sqlite(_) => Ok(Vec::new()),
        Own::Postgres(conn) => sqlx::query_as(SQL).fetch_all(&mut **conn).await,
    }
}

async fn write(own: &mut Own, tables: &Tables, path: &Path) -> Result<(), BackupProblem> {
    let mut reading = Reading::open(path)?;
    let mut insert = String::new();
    let (mut rows, mut many) = (String::new(), 0);
    loop {
        let item = reading.next()?;
        let is_full = many >= MOST_ROWS || rows.len() >= MOST_BYTES;
        if many > 0 && (is_full || !matches!(item, Some(Item::Row(_)))) {
            let (sql, text) = (insert.clone(), format!("[{rows}]"));
            on_own!(&mut *own, |c| sqlx::query(AssertSqlSafe(sql)).bind(text).execute(c).await.map(drop))?;
            rows.clear();
            many = 0;
        }
        match item {
            Some(Item::Table(table)) => insert = insertion(&table, tables, own.is_sqlite())?,
            Some(Item::Row(row)) => {
                if many > 0 {
                    rows.push(',');
                }
                rows.push_str(&row);
                many += 1;
            }
            None => return Ok(()),
        }
    }
}

/// The statement that writes rows of a table, given as a JSON array of rows.
fn insertion(head: &TableHead, tables: &Tables, is_sqlite: bool) -> Result<String, BackupProblem> {
    let TableHead { table, columns } = head;
    let known = tables.get(table).ok_or_else(|| BackupProblem::Different(format!("no version has a table {table}")))?;
    let mut values = Vec::new();
    for (number, name) in columns.iter().enumerate() {
        let column = known.iter().find(|column| column.column_name == *name);
        let column = column.ok_or_else(|| BackupProblem::Different(format!("{table} has no column {name}")))?;
        values.push(value_of(&column.data_type, number, is_sqlite));
    }
    let (names, values) = (columns.join("\", \""), values.join(", "));
    let rows = if is_sqlite { "json_each($1)" } else { "json_array_elements(CAST($1 AS json)) AS given (value)" };
    Ok(format!("INSERT INTO \"{table}\" (\"{names}\") SELECT {values} FROM {rows}"))
}

/// A value from its text.
fn value_of(data_type: &str, number: usize, is_sqlite: bool) -> String {
    let text = format!("(value ->> {number})");
    match (is_sqlite, data_type) {
        (true, "blob") => format!("UNHEX{text}"),
        (true, "boolean") => format!("({text} = 'true')"),
        (true, "text") => text,
        (true, _) => format!("CAST({text} AS INTEGER)"),
        (false, "bytea") => format!("DECODE({text}, 'hex')"),
        (false, other) => format!("CAST({text} AS {other})"),
    }
}

/// Compares what was written with what the backup holds, and checks the references that were not checked before.
async fn check(own: &mut Own, counts: &Counts) -> Result<(), BackupProblem> {
    for (table, expected) in counts {
        let sql = format!("SELECT COUNT(*) FROM \"{table}\"");
        let found: i64 = on_own!(&mut *own, |c| sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(c).await)?;
        if u64::try_from(found) != Ok(*expected) {
            return Err(BackupProblem::Different(format!("{table} has {found} rows instead of {expected}")));
        }
    }
    if let Own::Sqlite(conn) = own {
        const DANGLING: &str = "SELECT \"table\" FROM pragma_foreign_key_check LIMIT 1";
        if let Some(table) = sqlx::query_scalar::<_, String>(DANGLING).fetch_optional(&mut **conn).await? {
            return Err(BackupProblem::Different(format!("{table} refers to rows that are missing")));
        }
    }
    Ok(())
}
