//! A first model for a project's tables, from the keys, types and names of its database (docs/model.md). It changes nothing: a
//! person reads the file with the proposals and applies it.

use super::{
    apply::Target,
    exchange::{Unexchanged, chosen, closed, empty},
    export::{all_spanned, export},
    model::{ProjectFile, TableSection},
};
use crate::{
    concepts::{connections, projects},
    ground::{error::Error, memory},
};
use futures::{StreamExt, stream};
use inlay_contract::data::Column;
use inlay_ossie::Note;
use inlay_query::{
    DeclaredKeys, Draft, DraftInput, DraftNote, Engine, ModelTable, QueryError, Reference, Source, SourceKind, SourceKindExt,
    SourceTable, TableDraft,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};
use tokio::time::{Instant, timeout_at};

/// The most tables of a draft.
const MOST_TABLES: usize = 200;
/// How many guessed keys are counted at a time.
const AT_ONCE: usize = 4;
/// The longest time for counting all of them.
const LONGEST_COUNT: Duration = Duration::from_secs(30);

/// Why there is no draft, for an operator.
#[derive(Debug, thiserror::Error)]
pub enum Undrafted {
    /// No such connection, or several without a choice.
    #[error("{0}")]
    Connection(#[from] Unexchanged),
    /// The database did not list its tables.
    #[error(
        "connection `{0}` cannot be read: {1}. Check that its database is running and that this machine can reach it \
         (`inlay doctor` checks both), then try again"
    )]
    Unread(String, String),
    /// No such project, or an error of the store.
    #[error("{0}")]
    Store(#[from] Error),
}

/// What to draft.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The project's name.
    pub project: &'a str,
    /// The connection; may be left out if the project has only one.
    pub connection: Option<&'a str>,
    /// Whether tables that the project does not list are left out.
    pub listed_only: bool,
}

/// A project's file with proposals in it, and notes about what was guessed and left out.
///
/// # Errors
/// No such project or connection, or a database that cannot be read.
pub async fn draft(target: &Target<'_>, asked: &Asked<'_>) -> Result<(ProjectFile, Vec<Note>), Undrafted> {
    let mut file = export(target.db, target.sealer, target.organization, asked.project).await?;
    let connection = chosen(&file, asked.connection)?;
    let source = source_of(target, asked.project, &connection).await?;
    let unread = |problem: QueryError| Undrafted::Unread(connection.clone(), problem.detail().to_owned());
    let mut notes = Vec::new();
    let mut all = target.engine.tables(&source).await.map_err(unread)?;
    let mut keys = match target.engine.declared_keys(&source).await {
        Ok(keys) => keys,
        Err(problem) if problem.may_pass() => return Err(unread(problem)),
        Err(problem) => {
            let why = format!("the database did not list its keys: {}", problem.detail());
            notes.push(note(format!("connections.{connection}"), why, "Check each key below, or declare them yourself"));
            DeclaredKeys::default()
        }
    };
    name_as_listed(&file, &source, &mut all, &mut keys, &mut notes);
    let tables = considered(&file, &source, all, asked.listed_only, &mut notes);
    let known = known(&file, &connection);
    let taken = file.tables.iter().flat_map(|section| section.measures.keys()).chain(file.metrics.keys()).cloned().collect();
    let made_of = MadeOf { kind: source.kind, tables, keys, known, taken };
    let (made_of, draft) = off_thread(made_of, |made_of| inlay_query::draft(&made_of.input())).await?;
    let lost = lost_keys(target.engine, &source, &draft).await;
    let lose = move |made_of: &MadeOf| {
        let mut draft = draft;
        draft.confirm_keys(&lost.confirmed);
        draft.drop_keys(&made_of.input(), &lost.dropped);
        draft
    };
    let (MadeOf { tables, .. }, mut draft) = off_thread(made_of, lose).await?;
    notes.extend(draft.notes.drain(..).map(|DraftNote { at, why, advice }| Note { at, why, advice }));
    for table in &tables {
        let drafted = draft.tables.remove(&table.name).unwrap_or_default();
        take(&mut file, &connection, &table.name, drafted, &mut notes);
    }
    Ok((file, notes))
}

/// What a draft is made from.
struct MadeOf {
    kind: SourceKind,
    tables: Vec<SourceTable>,
    keys: DeclaredKeys,
    known: BTreeMap<String, ModelTable>,
    taken: BTreeSet<String>,
}

impl MadeOf {
    const fn input(&self) -> DraftInput<'_> {
        let Self { kind, tables, keys, known, taken } = self;
        DraftInput { kind: *kind, tables: tables.as_slice(), keys, known, taken }
    }
}

/// Works on a draft apart from the threads that answer requests: names of many tables are compared with each other.
async fn off_thread(made_of: MadeOf, work: impl FnOnce(&MadeOf) -> Draft + Send + 'static) -> Result<(MadeOf, Draft), Error> {
    memory::apart(move || {
        let draft = work(&made_of);
        (made_of, draft)
    })
    .await
}

fn note(at: String, why: impl Into<String>, advice: impl Into<String>) -> Note {
    Note { at, why: why.into(), advice: advice.into() }
}

/// The connection as the store has it: the file leaves passwords out.
async fn source_of(target: &Target<'_>, project: &str, connection: &str) -> Result<Source, Error> {
    let mut lease = target.db.read().await?;
    let conn = &mut lease.conn();
    let gone = || Error::not_found("Connection");
    let project = projects::find_by_name(conn, target.organization, project).await?.ok_or_else(gone)?;
    let id = connections::find_by_name(conn, project, connection).await?.ok_or_else(gone)?;
    connections::find(conn, target.sealer, id).await?.map(|(_, source)| source).ok_or_else(gone)
}

/// Gives tables the names by which the file lists them: `public.orders` and `orders` are one table. One that the file may list by
/// another name is left out, because two entries of one table close it.
fn name_as_listed(
    file: &ProjectFile,
    source: &Source,
    all: &mut Vec<SourceTable>,
    keys: &mut DeclaredKeys,
    notes: &mut Vec<Note>,
) {
    let sections = file.tables.iter().filter(|section| section.connection.value == source.name);
    let names = sections.map(|section| section.table.value.as_str());
    let listed: BTreeMap<(String, String), &str> =
        names.filter_map(|name| Some((source.kind.table_key(name)?, name))).collect();
    let rename = |name: &mut String| {
        if let Some(known) = source.kind.table_key(name).and_then(|key| listed.get(&key)) {
            (*known).clone_into(name);
        }
    };
    all.iter_mut().for_each(|table| rename(&mut table.name));
    keys.keys.iter_mut().for_each(|key| rename(&mut key.table));
    for reference in &mut keys.references {
        rename(&mut reference.table);
        rename(&mut reference.to);
    }
    all.retain(|table| {
        let Some((schema, name)) = source.kind.table_key(&table.name) else { return false };
        let may_be =
            |(other, known): &&(String, String)| *known == name && *other != schema && (other.is_empty() || schema.is_empty());
        let Some(other) = listed.keys().find(may_be).and_then(|key| listed.get(key)) else { return true };
        let why = format!("the project lists `{other}`, which may be the same table");
        notes.push(note(format!("tables.{}", table.name), why, "List one of them by the name that is meant"));
        false
    });
}

/// The tables to draft, the listed ones first, with the columns that users may see.
fn considered(
    file: &ProjectFile,
    source: &Source,
    all: Vec<SourceTable>,
    listed_only: bool,
    notes: &mut Vec<Note>,
) -> Vec<SourceTable> {
    let sections: BTreeMap<&str, &TableSection> = file
        .tables
        .iter()
        .filter(|section| section.connection.value == source.name)
        .map(|section| (section.table.value.as_str(), section))
        .collect();
    let (mut tables, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|table| sections.contains_key(table.name.as_str()));
    if !listed_only {
        tables.extend(others);
    }
    if tables.len() > MOST_TABLES {
        let why = format!("of {} tables, the first {MOST_TABLES} are drafted", tables.len());
        let advice = "List the tables that users need, then run this again with --listed-only";
        notes.push(note(format!("connections.{}", source.name), why, advice));
        tables.truncate(MOST_TABLES);
    }
    let count = tables.len();
    tables.retain(|table| is_readable(&table.name));
    for table in &mut tables {
        let hidden = |name: &str| {
            let settings = sections.get(table.name.as_str()).map(|section| &section.columns);
            let mut hidden = settings.into_iter().flatten().filter(|(_, settings)| settings.hidden);
            hidden.any(|(known, _)| source.kind.same_name(known, name))
        };
        table.columns.retain(|column: &Column| is_readable(&column.name) && !hidden(&column.name));
    }
    if tables.len() < count {
        let why = format!("tables whose names have invisible letters are left out: {}", count - tables.len());
        notes.push(note(format!("connections.{}", source.name), why, "Rename them, or make views of them"));
    }
    tables
}

/// Whether a name shows itself as it is: without letters that are invisible, end a line or turn the direction of others.
fn is_readable(name: &str) -> bool {
    !name.chars().any(is_hidden)
}

/// Whether a letter is not seen, or changes how others are seen.
pub fn is_hidden(letter: char) -> bool {
    let turns = matches!(letter, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}');
    let is_unseen = matches!(letter, '\u{ad}' | '\u{180e}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    letter.is_control() || turns || is_unseen
}

/// What the project says about the connection's tables.
fn known(file: &ProjectFile, connection: &str) -> BTreeMap<String, ModelTable> {
    let one = |section: &TableSection| {
        let shown = section.columns.iter().filter(|(_, settings)| !settings.hidden);
        let read = |text: &String| Reference::read(text);
        let references =
            shown.filter_map(|(name, settings)| Some((name.clone(), settings.references.as_ref().and_then(read)?)));
        let references = references.collect();
        (section.table.value.clone(), ModelTable { references, model: section.model(), ..ModelTable::default() })
    };
    file.tables.iter().filter(|section| section.connection.value == connection).map(one).collect()
}

/// What counting the rows of guessed keys showed: the tables of keys that no two rows share, and the others with the reason.
struct Counted {
    confirmed: Vec<String>,
    dropped: Vec<(String, String)>,
}

/// Counts whether rows share the guessed keys.
async fn lost_keys(engine: &Engine, source: &Source, draft: &Draft) -> Counted {
    let end = Instant::now() + LONGEST_COUNT;
    let guessed = draft.tables.iter().filter(|(_, table)| table.is_key_guessed);
    let guessed: Vec<(String, Vec<String>)> = guessed.map(|(name, table)| (name.clone(), table.key.clone())).collect();
    let counting = guessed.into_iter().map(|(table, key)| async move {
        let counted = timeout_at(end, engine.repeated_keys(source, &table, &key, 0)).await;
        (table, key.join(", "), counted)
    });
    let mut found = Counted { confirmed: Vec::new(), dropped: Vec::new() };
    for (table, key, counted) in stream::iter(counting).buffered(AT_ONCE).collect::<Vec<_>>().await {
        let why = match counted {
            Ok(Ok(0)) => {
                found.confirmed.push(table);
                continue;
            }
            Ok(Ok(count)) => format!("`{key}` is not proposed: {count} of its values are each on several rows"),
            Err(_) | Ok(Err(QueryError::Timeout(_))) => format!("`{key}` is not proposed: counting its values takes too long"),
            Ok(Err(problem)) => format!("`{key}` is not proposed: it could not be counted: {}", problem.detail()),
        };
        found.dropped.push((table, why));
    }
    found
}

/// Puts the proposals for a table where the file says nothing yet.
fn take(file: &mut ProjectFile, connection: &str, table: &str, drafted: TableDraft, notes: &mut Vec<Note>) {
    let same = |section: &TableSection| section.connection.value == connection && section.table.value == table;
    let place = file.tables.iter().position(same).unwrap_or_else(|| {
        file.tables.push(empty(connection, table));
        notes.push(closed(table));
        file.tables.len() - 1
    });
    let section = &mut file.tables[place];
    let TableDraft { key, time, references, measures, .. } = drafted;
    if section.key.is_empty() {
        section.key = key;
    }
    section.time = section.time.take().or(time);
    for (column, path) in references {
        let settings = section.columns.entry(column).or_default();
        settings.references = settings.references.take().or(Some(path));
    }
    for (name, measure) in all_spanned(measures) {
        section.measures.entry(name).or_insert(measure);
    }
}
