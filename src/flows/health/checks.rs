//! The last nightly checks: isolation and keys.

use super::{Health, Level, Look, Moment, Place, words::count};
use crate::{
    concepts::{
        isolation::{self, Outcome},
        key_checks::{self, Findings, Key, Repeated},
        organizations::members::Reads,
    },
    flows::catalogues::Catalogues,
    ground::{error::Result, tidy::DAY, time::Timestamp},
};
use std::time::Duration;

/// A check that is allowed runs each night. An older one says that nights were missed.
const OLD: Duration = DAY.saturating_mul(2);

/// How many keys are listed.
const MOST_KEYS: usize = 5;

/// The last isolation check. A leak counts until a later check passes, even where checks are no longer allowed.
pub(super) async fn isolation<R: Reads>(look: &Look<'_, R>) -> Result<Health> {
    let (choice, last) = {
        let mut lease = look.app.db.read().await?;
        let conn = &mut lease.conn();
        (isolation::choice(conn, look.project.id).await?, isolation::newest(conn, look.project.id, 1).await?.pop())
    };
    let mut health = Health::default();
    let Some(choice) = choice else { return Ok(health) };
    // A result from before checks were forbidden and allowed again is not that of this choice.
    let last = last.filter(|_| choice.outcome.is_some());
    let checked = last.as_ref().map(|run| ("Checked", run.ended_at));
    match choice.outcome {
        Some(Outcome::Leaked) => {
            // The result itself may be deleted by now.
            let leaks = last.as_ref().map_or_else(|| "a leak".to_owned(), |run| count(whole(run.findings.leaks), "leak"));
            let text = format!("The last isolation check found {leaks}: a made-up customer saw rows.");
            health.find(Level::Broken, text, checked, Place::Isolation);
        }
        Some(Outcome::Incomplete) if choice.allowed => {
            let text = "The last isolation check is incomplete: some queries could not run.";
            health.find(Level::Warning, text, checked, Place::Isolation);
        }
        Some(Outcome::Passed) if choice.allowed => health.fine("The isolation check passed", checked),
        _ => {}
    }
    let ended = last.map(|run| run.ended_at);
    if let Some(moment) = missed(choice.allowed, choice.allowed_at, ended, look.now) {
        health.find(Level::Warning, "No isolation check has run for 2 days.", Some(moment), Place::Isolation);
    }
    Ok(health)
}

/// When the last check ended, or when checks were allowed before the first, if nights were missed since.
pub(super) fn missed(allowed: bool, allowed_at: Timestamp, ended: Option<Timestamp>, now: Timestamp) -> Option<Moment> {
    let moment = ended.map_or(("Allowed", allowed_at), |ended| ("Last check", ended));
    (allowed && moment.1 < now.minus(OLD)).then_some(moment)
}

/// The last key check, where checks are allowed.
pub(super) async fn keys<R: Reads>(look: &Look<'_, R>, catalogues: &Catalogues) -> Result<Health> {
    let choice = key_checks::choice(&mut look.app.db.read().await?.conn(), look.project.id).await?;
    let mut health = Health::default();
    let Some(choice) = choice.filter(|choice| choice.allowed) else { return Ok(health) };
    let ended = choice.last.as_ref().map(|last| last.ended_at);
    if let Some(last) = &choice.last {
        health.add(counted(catalogues, &last.findings, last.ended_at));
    }
    if let Some(moment) = missed(true, choice.allowed_at, ended, look.now) {
        health.find(Level::Warning, "No key check has run for 2 days.", Some(moment), Place::SemanticModel);
    }
    Ok(health)
}

/// What a key check found. Keys that the model no longer has are left out.
fn counted(catalogues: &Catalogues, findings: &Findings, ended: Timestamp) -> Health {
    let mut health = Health::default();
    let repeated: Vec<&Repeated> = findings.repeated.iter().filter(|one| is_used(catalogues, &one.key)).collect();
    for Repeated { key, values, counted_at } in repeated.iter().take(MOST_KEYS) {
        let text = format!(
            "Key {} is not unique: several rows share {}. Numbers that are joined along it are wrong.",
            key.place(),
            count(whole(*values), "value")
        );
        health.find(Level::Broken, text, Some(("Counted", *counted_at)), Place::SemanticModel);
    }
    let more = repeated.len().saturating_sub(MOST_KEYS);
    if more > 0 {
        let text =
            format!("{} of the semantic model {} not unique.", count(more, "more key"), if more == 1 { "is" } else { "are" });
        health.find(Level::Broken, text, Some(("Counted", ended)), Place::SemanticModel);
    }
    if findings.gaps > 0 {
        let text = format!("The last key check is incomplete: not counted: {}.", count(whole(findings.gaps), "part"));
        health.find(Level::Warning, text, Some(("Counted", ended)), Place::SemanticModel);
    }
    if repeated.is_empty() && findings.gaps == 0 {
        health.fine(format!("{} unique", are(count(whole(findings.counted), "key"))), Some(("Counted", ended)));
    }
    health
}

fn are(counted: String) -> String {
    let verb = if counted.starts_with("1 ") { "is" } else { "are" };
    format!("{counted} {verb}")
}

/// Whether a table declares a key, or a column refers to it.
fn is_used(catalogues: &Catalogues, key: &Key) -> bool {
    let of_connection = catalogues.connections.iter().filter(|(source, _)| source.name == key.connection);
    let mut tables = of_connection.flat_map(|(_, tables)| tables);
    let column = format!("{}.{}", key.table, key.columns.join("."));
    tables.any(|table| {
        let declares = table.name == key.table && table.model.key == key.columns;
        declares || table.columns.values().any(|about| about.references.as_ref() == Some(&column))
    })
}

fn whole(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
