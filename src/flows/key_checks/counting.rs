//! What a check counts: each declared key of the model's tables, and each column that another table refers to. The queries run
//! one after the other, and take one share of a source's places of their own, no customer's.

use crate::{
    concepts::{
        connections::{self, OpenConnection},
        key_checks::{Findings, Key, Repeated},
        projects::Project,
    },
    ground::{error::Result, state::App, time::Timestamp},
};
use inlay_query::QueryError;
use std::{collections::BTreeSet, sync::Arc, time::Duration};
use tokio::time::{Instant, timeout_at};

/// Why a key was not counted, where the database did not answer.
const SILENT: &str = "The database did not answer.";
/// Why a key was not counted, where the time was over.
const LATE: &str = "The check reached its time limit.";

/// A running check.
struct Counting<'a> {
    app: &'a App,
    deadline: Instant,
    /// The keys that were not unique at the last check.
    before: &'a [Repeated],
    findings: Findings,
}

/// Counts the keys of a project within a time. A key that was not unique before and cannot be counted now stays in the findings.
pub(super) async fn count(app: &App, project: &Project, limit: Duration, before: &[Repeated]) -> Result<Findings> {
    let deadline = Instant::now() + limit;
    let mut counting = Counting { app, deadline, before, findings: Findings::default() };
    let ids = connections::ids(&mut app.db.read().await?.conn(), project.id).await?;
    for id in ids {
        let open = connections::open(app, id).await?;
        counting.connection(&open).await;
    }
    Ok(counting.findings)
}

impl Counting<'_> {
    async fn connection(&mut self, open: &Arc<OpenConnection>) {
        let keys = keys(open);
        if keys.is_empty() {
            return;
        }
        let answers = timeout_at(self.deadline, self.app.engine.check(&open.source)).await;
        let why = match answers {
            Ok(Ok(_)) => None,
            Ok(Err(_)) => Some(SILENT),
            Err(_) => Some(LATE),
        };
        if let Some(why) = why {
            self.findings.gap(open.source.name.clone(), why);
            keys.iter().for_each(|key| self.keep(key));
            return;
        }
        for key in keys {
            if Instant::now() < self.deadline {
                self.key(open, key).await;
            } else {
                self.gap(&key, LATE);
            }
        }
    }

    async fn key(&mut self, open: &OpenConnection, key: Key) {
        let share = open.project.0.as_u128();
        let counted = self.app.engine.repeated_keys(&open.source, &key.table, &key.columns, share);
        let why = match timeout_at(self.deadline, counted).await {
            Ok(Ok(values)) => {
                self.findings.counted += 1;
                if values > 0 {
                    self.findings.repeated.push(Repeated { key, values, counted_at: Timestamp::now() });
                }
                return;
            }
            Ok(Err(problem @ QueryError::Failed(_))) => problem.detail().to_owned(),
            Ok(Err(problem)) => problem.to_string(),
            Err(_) => LATE.to_owned(),
        };
        self.gap(&key, &why);
    }

    fn gap(&mut self, key: &Key, why: &str) {
        self.findings.gap(key.place(), why);
        self.keep(key);
    }

    /// Keeps what the last check found of a key that is not counted now.
    fn keep(&mut self, key: &Key) {
        self.findings.repeated.extend(self.before.iter().find(|repeated| repeated.key == *key).cloned());
    }
}

/// The keys of a connection's model: those that tables declare, and those that columns refer to.
fn keys(open: &OpenConnection) -> Vec<Key> {
    let tables = &open.model.tables;
    let declared = tables.iter().map(|(name, table)| (name, table.model.key.clone()));
    let references = tables.values().flat_map(|table| table.references.values());
    let listed = references.filter(|to| open.tables.iter().any(|table| table.name == to.table));
    let referred = listed.map(|to| (&to.table, vec![to.column.clone()]));
    let all: BTreeSet<(&String, Vec<String>)> = declared.chain(referred).filter(|(_, columns)| !columns.is_empty()).collect();
    let key =
        |(table, columns): (&String, Vec<String>)| Key { connection: open.source.name.clone(), table: table.clone(), columns };
    all.into_iter().map(key).collect()
}
