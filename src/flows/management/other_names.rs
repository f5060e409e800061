//! Another name for something that questions are about, or a word for a value of a column: what the forms of tables and of the
//! semantic model also set, for a member who reads an unanswered question.

use super::{
    catalog,
    model_changes::{self, Change, TablePart, To},
};
use crate::{
    concepts::{
        catalog::{CatalogTable, terms},
        organizations::members::{Member, Works},
        projects,
    },
    flows::catalogues::Catalogues,
    ground::{
        error::{Error, Result},
        problems::Problems,
        state::App,
    },
};
use futures::{StreamExt as _, stream};
use inlay_assistant::{Comparison, Term};
use inlay_contract::{
    ids::{ConnectionId, ProjectId, TableId},
    model::TableModel,
};
use inlay_query::{Source, SourceKindExt as _};
use std::{collections::BTreeMap, time::Duration};

/// The most letters of a name.
const LONGEST: usize = 100;
/// How long the database may take to list its columns. The form also works with those that have settings.
const COLUMNS_TAKE: Duration = Duration::from_secs(2);
/// How many tables are described at once.
const AT_ONCE: usize = 8;

/// What can have another name.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Target {
    Table(String),
    Column(String, String),
    Dimension(String, String),
    Measure(String, String),
    Metric(String),
}

/// Something that can have another name.
#[derive(Clone, Debug)]
pub struct Nameable {
    /// How a form names it: `column orders.region`, `measure revenue`.
    pub key: String,
    /// The name that users see, if it has one.
    pub label: Option<String>,
    target: Target,
}

impl Nameable {
    fn new(target: Target, label: Option<&String>) -> Self {
        let key = match &target {
            Target::Table(table) => format!("table {table}"),
            Target::Column(table, column) => format!("column {table}.{column}"),
            Target::Dimension(table, name) => format!("dimension {table}.{name}"),
            Target::Measure(_, name) => format!("measure {name}"),
            Target::Metric(name) => format!("metric {name}"),
        };
        Self { key, label: label.cloned(), target }
    }

    /// The name of the table that it is, if it is one.
    #[must_use]
    pub fn table(&self) -> Option<&str> {
        if let Target::Table(name) = &self.target { Some(name) } else { None }
    }

    /// The names of the table and the column that it is, if it is a column.
    #[must_use]
    pub fn column(&self) -> Option<(&str, &str)> {
        if let Target::Column(table, name) = &self.target { Some((table, name)) } else { None }
    }
}

/// Another name, as a form gives it.
#[derive(Clone, Copy, Debug)]
pub struct OtherName<'a> {
    /// The word.
    pub word: &'a str,
    /// What it means: the key of a [`Nameable`].
    pub of: &'a str,
    /// The value of a column that it means. Empty for the whole.
    pub value: &'a str,
}

/// What of a connection, and of its project's metrics, can have another name.
///
/// # Errors
/// 404 when the project has no such connection.
pub async fn nameable(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    connection: ConnectionId,
) -> Result<Vec<Nameable>> {
    let (catalogues, source, tables) = read(app, by, project, connection).await?;
    let columns = columns(app, &source, &tables).await;
    let mut all = Vec::new();
    for (table, columns) in tables.iter().zip(columns) {
        let TableModel { dimensions, measures, .. } = &table.model;
        let name = || table.name.clone();
        all.push(Nameable::new(Target::Table(name()), table.label.as_ref()));
        let label = |column: &String| table.columns.get(column).and_then(|settings| settings.label.as_ref());
        let hidden =
            |column: &String| table.columns.iter().any(|(own, about)| about.hidden && source.kind.same_name(own, column));
        let shown = columns.into_iter().filter(|column| !hidden(column));
        all.extend(shown.map(|column| Nameable::new(Target::Column(name(), column.clone()), label(&column))));
        let dimension = |(one, about): (&String, &inlay_contract::model::Dimension)| {
            Nameable::new(Target::Dimension(name(), one.clone()), about.label.as_ref())
        };
        all.extend(dimensions.iter().map(dimension));
        all.extend(
            measures.iter().map(|(one, about)| Nameable::new(Target::Measure(name(), one.clone()), about.label.as_ref())),
        );
    }
    let metric = |(name, about): (&String, &inlay_contract::model::Metric)| {
        Nameable::new(Target::Metric(name.clone()), about.label.as_ref())
    };
    all.extend(catalogues.metrics.iter().map(metric));
    Ok(all)
}

async fn read(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    connection: ConnectionId,
) -> Result<(Catalogues, Source, Vec<CatalogTable>)> {
    projects::of_organization(app, by.organization, project).await?;
    let mut lease = app.db.read().await?;
    let catalogues = Catalogues::read(&mut lease.conn(), &app.sealer, project).await?;
    let own = catalogues.connections.iter().find(|(source, _)| source.id == connection).cloned();
    let (source, tables) = own.ok_or_else(|| Error::not_found("Connection"))?;
    Ok((catalogues, source, tables))
}

/// The columns of each table: those of the database, if it lists them in time, and those with settings.
async fn columns(app: &App, source: &Source, tables: &[CatalogTable]) -> Vec<Vec<String>> {
    let until = tokio::time::Instant::now() + COLUMNS_TAKE;
    let describe = stream::iter(tables.to_vec()).map(|table| {
        let (app, source) = (app.clone(), source.clone());
        async move {
            let described = tokio::time::timeout_at(until, app.engine.describe(&source, &table.name)).await;
            let mut names: Vec<String> =
                described.ok().and_then(std::result::Result::ok).into_iter().flatten().map(|column| column.name).collect();
            names.extend(table.columns.keys().filter(|name| !names.contains(name)).cloned().collect::<Vec<_>>());
            names
        }
    });
    describe.buffered(AT_ONCE).collect().await
}

/// Adds another name where the form of the table, measure or metric would.
///
/// # Errors
/// 400 for an invalid field, 404 when the project has no such connection; otherwise the errors of those forms.
pub async fn add(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    connection: ConnectionId,
    name: OtherName<'_>,
) -> Result<()> {
    let OtherName { word, of, value } = name;
    let all = nameable(app, by, project, connection).await?;
    let target = all.into_iter().find(|one| one.key == of).map(|one| one.target);
    checked(name, target.as_ref())?;
    let Some(target) = target else { return Err(Error::invalid("of", "is not in the list")) };
    let (_, _, tables) = read(app, by, project, connection).await?;
    let table = |name: &str| tables.iter().find(|table| table.name == name).ok_or_else(|| Error::not_found("Table"));
    match target {
        Target::Table(name) => {
            let id = table(&name)?.id;
            let change = |now: &mut CatalogTable| {
                push(&mut now.synonyms, word);
                Ok(())
            };
            catalog::amend(app, by, project, connection, id, change).await
        }
        Target::Column(name, column) => {
            let id = table(&name)?.id;
            let change = |now: &mut CatalogTable| {
                let about = now.columns.entry(column).or_default();
                match value {
                    "" => push(&mut about.synonyms, word),
                    value => put_term(&mut about.terms, word, value)?,
                }
                Ok(())
            };
            catalog::amend(app, by, project, connection, id, change).await
        }
        Target::Dimension(name, dimension) => {
            let id = table(&name)?.id;
            let change = |now: &Catalogues| {
                let mut part = part_of(&table_of(now, connection, id)?.model);
                let about = part.dimensions.get_mut(&dimension).ok_or_else(|| Error::not_found("Dimension"))?;
                push(&mut about.synonyms, word);
                Ok(Change::Table(connection, id, part))
            };
            model_changes::amend(app, by, project, change, &[]).await
        }
        Target::Measure(name, measure) => {
            let id = table(&name)?.id;
            let change = |now: &Catalogues| {
                let measures = &table_of(now, connection, id)?.model.measures;
                let mut about = measures.get(&measure).cloned().ok_or_else(|| Error::not_found("Measure"))?;
                push(&mut about.synonyms, word);
                Ok(Change::Measure(connection, id, measure.clone(), To::Changed(about)))
            };
            model_changes::amend(app, by, project, change, &[]).await
        }
        Target::Metric(metric) => {
            let change = |now: &Catalogues| {
                let mut about = now.metrics.get(&metric).cloned().ok_or_else(|| Error::not_found("Metric"))?;
                push(&mut about.synonyms, word);
                Ok(Change::Metric(metric.clone(), To::Changed(about)))
            };
            model_changes::amend(app, by, project, change, &[]).await
        }
    }
}

fn checked(OtherName { word, value, .. }: OtherName<'_>, target: Option<&Target>) -> Result<()> {
    let mut problems = Problems::default();
    // The forms of tables separate names with commas, and words for values by these signs.
    let plain = |text: &str| match text.chars().count() {
        1..=LONGEST if !text.contains([',', ';', '<', '>', '=', '/']) => Ok(()),
        1..=LONGEST => Err("must not contain , ; < > = or /".to_owned()),
        _ => Err(format!("must have 1 to {LONGEST} characters")),
    };
    problems.note("word", plain(word));
    if target.is_none() {
        problems.add("of", "is not in the list: choose a table, column, dimension, measure or metric");
    }
    if !value.is_empty() {
        problems.note("value", plain(value));
        if !matches!(target, None | Some(Target::Column(..))) {
            problems.add("value", "is for columns: leave it empty, or choose the column that has the value");
        }
    }
    problems.finish()
}

fn table_of(catalogues: &Catalogues, connection: ConnectionId, id: TableId) -> Result<&CatalogTable> {
    let of_connection = catalogues.connections.iter().find(|(source, _)| source.id == connection);
    let table = of_connection.and_then(|(_, tables)| tables.iter().find(|table| table.id == id));
    table.ok_or_else(|| Error::not_found("Table"))
}

/// A table's part of the model as it is.
fn part_of(model: &TableModel) -> TablePart {
    let TableModel { key, time, fiscal_year_start, drill, display, dimensions, .. } = model.clone();
    TablePart { key, time, fiscal_year_start, drill, display, dimensions, columns: BTreeMap::new() }
}

fn push(names: &mut Vec<String>, word: &str) {
    if !names.iter().any(|name| name.to_lowercase() == word.to_lowercase()) {
        names.push(word.to_owned());
    }
}

/// Adds a word for a value, to the other words for it if there are any.
fn put_term(all: &mut Vec<Term>, word: &str, value: &str) -> Result<()> {
    let read = terms::read(&format!("{word} = {value}")).map_err(|problem| Error::invalid("value", problem))?;
    for term in read {
        let same = all.iter_mut().find(|one| one.comparison == Comparison::Equal && one.value == term.value);
        match same {
            Some(same) => push(&mut same.phrases, word),
            None => all.push(term),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_joins_the_other_words_for_its_value() {
        let mut all = terms::read("late >= 15; America = USA / American share").expect("terms");
        put_term(&mut all, "US", "USA").expect("a term");
        put_term(&mut all, "us", "USA").expect("the same");
        put_term(&mut all, "punctual", "0").expect("a number");
        assert_eq!(terms::write(&all), "late >= 15; America, US = USA / American share; punctual = 0");
    }

    #[test]
    fn names_are_plain_words_of_something_in_the_list() {
        let fields = |name: OtherName<'_>, target: Option<&Target>| -> Vec<String> {
            let refused = checked(name, target).expect_err("refused");
            refused.details.into_iter().flat_map(|details| details.into_iter().map(|(field, _)| field)).collect()
        };
        let name = |word, value| OtherName { word, of: "", value };
        let (column, metric) = (Target::Column("t".to_owned(), "c".to_owned()), Target::Metric("m".to_owned()));
        assert!(checked(name("turnover", ""), Some(&metric)).is_ok() && checked(name("US", "USA"), Some(&column)).is_ok());
        assert_eq!(fields(name("", ""), None), ["word", "of"]);
        assert_eq!(fields(name("a, b", ""), Some(&metric)), ["word"]);
        assert_eq!(fields(name("US", "USA"), Some(&metric)), ["value"]);
        assert_eq!(fields(name("US", "= 3"), Some(&column)), ["value"]);
    }
}
