//! Writes a backup.

use super::{
    BackupProblem, Counts, End, FORMAT, Head, TableHead,
    own::{Column, Own, on_own},
    proof,
};
use crate::ground::{
    store::{Db, migrating::Standing, seal::Sealer},
    time::Timestamp,
};
use futures::TryStreamExt;
use serde::Serialize;
use sha2::{Digest, Sha256};
use sqlx::AssertSqlSafe;
use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

/// Writes everything that the store holds now into a new file, which its owner alone may read.
///
/// # Errors
/// The store is empty or fails, or the file exists or cannot be written: then there is no file.
pub async fn take(db: &Db, sealer: &Sealer, path: &Path) -> Result<Counts, BackupProblem> {
    if db.standing().await? == Standing::Empty {
        return Err(BackupProblem::Empty);
    }
    let taken = path.try_exists().and_then(|there| if there { Err(io::ErrorKind::AlreadyExists.into()) } else { Ok(()) });
    taken.map_err(BackupProblem::file(path))?;
    // The file has its name when it is whole.
    let part = part_of(path);
    let mut writing = Writing::create(&part).map_err(BackupProblem::file(&part))?;
    let written = match write(db, sealer, &mut writing).await {
        Ok(counts) => writing.end().and_then(|()| fs::rename(&part, path)).map_err(BackupProblem::file(path)).map(|()| counts),
        Err(Problem::Store(problem)) => Err(problem),
        Err(Problem::File(problem)) => Err(BackupProblem::file(&part)(problem)),
    };
    if written.is_err() {
        fs::remove_file(&part).ok();
    }
    written
}

fn part_of(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".part");
    name.into()
}

enum Problem {
    Store(BackupProblem),
    File(io::Error),
}

impl<T: Into<BackupProblem>> From<T> for Problem {
    fn from(problem: T) -> Self {
        Self::Store(problem.into())
    }
}

async fn write(db: &Db, sealer: &Sealer, writing: &mut Writing) -> Result<Counts, Problem> {
    let mut own = Own::connect(db).await?;
    own.begin_reading().await?;
    let migration = own.newest_migration().await?;
    let head = Head { inlay_backup: FORMAT, migration, made: Timestamp::now().to_string(), key: proof(sealer)? };
    writing.value(&head).map_err(Problem::File)?;
    let mut counts = Counts::new();
    for (table, columns) in own.tables().await? {
        let names = columns.iter().map(|column| column.column_name.clone()).collect();
        writing.value(&TableHead { table: table.clone(), columns: names }).map_err(Problem::File)?;
        let sql = rows_of(&table, &columns, own.is_sqlite());
        let before = writing.rows;
        on_own!(&mut own, |c| {
            let mut rows = sqlx::query_scalar::<_, String>(AssertSqlSafe(sql)).fetch(c);
            while let Some(row) = rows.try_next().await? {
                writing.row(&row).map_err(Problem::File)?;
            }
        });
        counts.insert(table, writing.rows - before);
    }
    own.close().await?;
    Ok(counts)
}

/// The rows of a table, each as a JSON array of texts: the same on both stores.
fn rows_of(table: &str, columns: &[Column], is_sqlite: bool) -> String {
    let texts: Vec<String> = columns.iter().map(|column| text_of(column, is_sqlite)).collect();
    let texts = texts.join(", ");
    if is_sqlite {
        format!("SELECT json_array({texts}) FROM \"{table}\"")
    } else {
        format!("SELECT CAST(json_build_array({texts}) AS TEXT) FROM \"{table}\"")
    }
}

/// A value as text: bytes and ids in hexadecimal digits, truth as `true` or `false`.
fn text_of(column: &Column, is_sqlite: bool) -> String {
    let name = format!("\"{}\"", column.column_name);
    match (is_sqlite, column.data_type.as_str()) {
        (true, "blob") => format!("CASE WHEN {name} IS NULL THEN NULL ELSE LOWER(HEX({name})) END"),
        (true, "boolean") => format!("CASE {name} WHEN 0 THEN 'false' WHEN 1 THEN 'true' END"),
        (false, "uuid") => format!("REPLACE(CAST({name} AS TEXT), '-', '')"),
        (false, "bytea") => format!("ENCODE({name}, 'hex')"),
        _ => format!("CAST({name} AS TEXT)"),
    }
}

struct Writing {
    file: BufWriter<File>,
    digest: Sha256,
    rows: u64,
}

impl Writing {
    fn create(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
        Ok(Self { file: BufWriter::new(file), digest: Sha256::new(), rows: 0 })
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        self.digest.update(line);
        self.digest.update(b"\n");
        writeln!(self.file, "{line}")
    }

    fn value(&mut self, value: &impl Serialize) -> io::Result<()> {
        self.line(&serde_json::to_string(value)?)
    }

    fn row(&mut self, row: &str) -> io::Result<()> {
        self.rows += 1;
        self.line(row)
    }

    /// Writes the last line, and the file to the disk.
    fn end(mut self) -> io::Result<()> {
        let end = End { rows: self.rows, sha256: hex::encode(self.digest.finalize()) };
        writeln!(self.file, "{}", serde_json::to_string(&end)?)?;
        self.file.flush()?;
        self.file.get_ref().sync_all()
    }
}
