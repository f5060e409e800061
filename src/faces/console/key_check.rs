//! Key checks of a project, on the page of its semantic model.

use super::{answer::Page, submission::Submission, visit::Visit};
use crate::{
    concepts::{
        connections::OpenConnection,
        key_checks::{Check, Choice, Findings, Outcome, Repeated},
        organizations::members::{Reads, Worker},
    },
    flows::key_checks,
    ground::error::Result,
};
use inlay_console::pages::semantic_model::{Ended, KeyNotice, Keys, LastCheck, Place};
use inlay_query::ModelTable;

/// `POST /console/projects/{project}/key-check`
pub async fn allow(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let allowed = typed.get("allowed") == "on";
    key_checks::allow(visit.app(), &visit.member, visit.project()?.id, allowed).await?;
    let told = if allowed { "Key checks allowed." } else { "Key checks forbidden." };
    Ok(visit.done(&visit.at("semantic-model"), told))
}

/// `POST …/key-check/check`
pub async fn start(Submission { visit, .. }: Submission<Visit<Worker>>) -> Page {
    key_checks::start(visit.app(), &visit.member, visit.project()?.id).await?;
    Ok(visit.done(&visit.at("semantic-model"), "The check has started. Reload the page to see its result."))
}

/// The project's choice with its last check.
pub(super) async fn choice<R: Reads>(visit: &Visit<R>) -> Result<Option<Choice>> {
    key_checks::choice(visit.app(), &visit.member, visit.project()?.id).await
}

/// The part of the page.
pub(super) fn part<R: Reads>(visit: &Visit<R>, choice: Option<&Choice>) -> Keys {
    Keys {
        address: visit.at("key-check"),
        allowed: choice.is_some_and(|choice| choice.allowed),
        hour: visit.app().settings.key_checks.key_check_hour,
        last: choice.and_then(|choice| choice.last.as_ref()).map(last),
        complete_at: choice.and_then(|choice| choice.complete_at).map(|at| at.to_string()),
        may_change: visit.is::<Worker>(),
    }
}

fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn last(check: &Check) -> LastCheck {
    let Findings { counted, gaps, missing, .. } = &check.findings;
    let ended = match check.findings.outcome() {
        Outcome::Passed => Ended::Passed,
        Outcome::Repeated => Ended::Repeated,
        Outcome::Incomplete => Ended::Incomplete,
    };
    let missing = missing.iter().map(|gap| (gap.place.clone(), gap.why.clone())).collect();
    LastCheck { at: check.ended_at.to_string(), ended, counted: whole(*counted), gaps: whole(*gaps), missing }
}

/// The keys that the last check found not to be unique. None while checks are not allowed.
pub(super) fn repeated(choice: Option<&Choice>) -> &[Repeated] {
    let last = choice.filter(|choice| choice.allowed).and_then(|choice| choice.last.as_ref());
    last.map(|last| last.findings.repeated.as_slice()).unwrap_or_default()
}

/// The notices of a table: of its own key, and of columns that it refers to without being a declared key. A key that the model no
/// longer has is left out.
pub(super) fn notices(repeated: &[Repeated], open: &OpenConnection, name: &str, table: &ModelTable) -> Vec<KeyNotice> {
    let of_connection = repeated.iter().filter(|one| one.key.connection == open.source.name);
    of_connection.flat_map(|one| places(one, open, name, table).into_iter().map(|place| notice(one, place))).collect()
}

fn notice(repeated: &Repeated, place: Place) -> KeyNotice {
    KeyNotice {
        key: repeated.key.columns.join(", "),
        values: whole(repeated.values),
        counted_at: repeated.counted_at.to_string(),
        place,
    }
}

/// What a key is to a table.
fn places(repeated: &Repeated, open: &OpenConnection, name: &str, table: &ModelTable) -> Vec<Place> {
    let key = &repeated.key;
    let refers = |one: &ModelTable| -> Vec<String> {
        let to_it = one.references.iter().filter(|(_, to)| to.table == key.table && [&to.column].into_iter().eq(&key.columns));
        to_it.map(|(column, _)| column.clone()).collect()
    };
    if key.table == name && key.columns == table.model.key {
        let of_table = |(other, one): (&String, &ModelTable)| -> Vec<String> {
            refers(one).into_iter().map(|column| format!("{other}.{column}")).collect()
        };
        return vec![Place::Own(open.model.tables.iter().flat_map(of_table).collect())];
    }
    let is_declared = open.model.tables.get(&key.table).is_some_and(|to| to.model.key == key.columns);
    let columns = if is_declared { Vec::new() } else { refers(table) };
    columns.into_iter().map(|column| Place::Other { column, table: key.table.clone() }).collect()
}
