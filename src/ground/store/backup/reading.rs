//! Reads a backup.

use super::{BackupProblem, Counts, End, FORMAT, Head, TableHead, opens};
use crate::ground::store::{migrating, seal::Sealer};
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
};

/// What a backup holds.
#[derive(Clone, Debug)]
pub struct Looked {
    /// When it was taken.
    pub made: String,
    /// The newest migration of the store that it was taken of.
    pub migration: i64,
    /// The rows of each table.
    pub counts: Counts,
}

/// Reads a backup from end to end: whether it is whole, whether this version can restore it and, given the secret key, whether
/// that opens it.
///
/// # Errors
/// One of these is not so, or the file cannot be read.
pub fn look(path: &Path, sealer: Option<&Sealer>) -> Result<Looked, BackupProblem> {
    let mut reading = Reading::open(path)?;
    let Head { migration, made, key, .. } = reading.head.clone();
    if migration > migrating::newest() {
        return Err(BackupProblem::Newer);
    }
    let (mut counts, mut count) = (Counts::new(), 0);
    let mut table: Option<String> = None;
    while let Some(item) = reading.next()? {
        match item {
            Item::Table(next) => {
                counts.extend(table.replace(next.table).map(|table| (table, count)));
                count = 0;
            }
            Item::Row(_) => count += 1,
        }
    }
    counts.extend(table.map(|table| (table, count)));
    if sealer.is_some_and(|sealer| !opens(sealer, &key)) {
        return Err(BackupProblem::OtherKey);
    }
    Ok(Looked { made, migration, counts })
}

/// A part of a backup.
pub(super) enum Item {
    Table(TableHead),
    /// A row of the table before it.
    Row(String),
}

/// A backup, line by line.
pub(super) struct Reading {
    head: Head,
    path: PathBuf,
    lines: BufReader<File>,
    digest: Sha256,
    rows: u64,
}

impl Reading {
    pub(super) fn open(path: &Path) -> Result<Self, BackupProblem> {
        let file = File::open(path).map_err(BackupProblem::file(path))?;
        let head = Head { inlay_backup: 0, migration: 0, made: String::new(), key: String::new() };
        let lines = BufReader::new(file);
        let mut reading = Self { head, path: path.to_owned(), lines, digest: Sha256::new(), rows: 0 };
        let first = reading.line()?;
        reading.head = reading.parsed(&first)?;
        reading.count(&first);
        match reading.head.inlay_backup {
            FORMAT => Ok(reading),
            0 => Err(reading.damaged("its first line is not one of a backup")),
            _ => Err(BackupProblem::Newer),
        }
    }

    fn damaged(&self, why: &str) -> BackupProblem {
        BackupProblem::Damaged(self.path.display().to_string(), why.to_owned())
    }

    fn line(&mut self) -> Result<String, BackupProblem> {
        let mut line = String::new();
        match self.lines.read_line(&mut line) {
            Ok(_) if line.ends_with('\n') => {
                line.pop();
                Ok(line)
            }
            Ok(_) => Err(self.damaged("it is cut off")),
            Err(fault) if fault.kind() == std::io::ErrorKind::InvalidData => Err(self.damaged("it is not text")),
            Err(fault) => Err(BackupProblem::file(&self.path)(fault)),
        }
    }

    fn count(&mut self, line: &str) {
        self.digest.update(line);
        self.digest.update(b"\n");
    }

    fn parsed<T: DeserializeOwned>(&self, line: &str) -> Result<T, BackupProblem> {
        serde_json::from_str(line).map_err(|problem| self.damaged(&problem.to_string()))
    }

    /// The next part. `None` after the last one, when the checksum is right.
    pub(super) fn next(&mut self) -> Result<Option<Item>, BackupProblem> {
        let line = self.line()?;
        if line.starts_with('[') {
            self.count(&line);
            self.rows += 1;
            return Ok(Some(Item::Row(line)));
        }
        if line.starts_with("{\"table\"") {
            self.count(&line);
            return Ok(Some(Item::Table(self.parsed(&line)?)));
        }
        let end: End = self.parsed(&line)?;
        if end.rows != self.rows || end.sha256 != hex::encode(self.digest.clone().finalize()) {
            return Err(self.damaged("its checksum is wrong"));
        }
        if !self.lines.fill_buf().map_err(BackupProblem::file(&self.path))?.is_empty() {
            return Err(self.damaged("something follows its end"));
        }
        Ok(None)
    }
}
