//! A table's part of the semantic model in a form.

use super::texts::{Texts, names, renamed, text};
use crate::{
    concepts::{
        catalog::{CatalogTable, ColumnSettings},
        connections::OpenConnection,
        organizations::members::Worker,
    },
    faces::console::{
        answer::Page,
        seen as fingerprint,
        submission::{Submission, Typed, with_status},
        tables::{column_rows, losing, opened},
        unchanged,
        visit::Visit,
    },
    flows::management::{
        catalog as manage,
        model_changes::{self, Change, ColumnPart, TablePart},
    },
    ground::{error::Result, problems::Problems},
};
use inlay_console::{
    Draft, Section,
    pages::{
        semantic_model::{self as views, ADDED_COLUMNS, InModel, MeasureLink, ModelColumn, NamedColumn, TableForm},
        tables::ColumnRow,
    },
};
use inlay_contract::{
    ids::TableId,
    model::{Dimension, TableModel},
};
use inlay_query::RowAccess;
use std::collections::{BTreeMap, BTreeSet};

/// The field of the key. A field named `key` would be a secret, which is not shown again.
const KEY: &str = "keyColumns";

/// `GET …/tables/{table}/model`
pub async fn show(visit: Visit<Worker>) -> Page {
    let (open, id) = opened(&visit).await?;
    let draft = draft_of(manage::table(&open, id)?);
    draw(&visit, &open, id, draft, Vec::new()).await
}

/// The part of the table that the form holds.
fn seen(table: &CatalogTable) -> String {
    let model = TableModel { measures: BTreeMap::new(), ..table.model.clone() };
    fingerprint(&(model, &table.columns))
}

fn draft_of(table: &CatalogTable) -> Draft {
    let TableModel { key, time, fiscal_year_start, drill, display, dimensions, .. } = &table.model;
    let mut draft = Draft::of([("seen", seen(table))])
        .with(KEY, key.join(", "))
        .with("time", time.clone().unwrap_or_default())
        .with("fiscalYearStart", fiscal_year_start.unwrap_or(1).to_string())
        .with("drill", drill.join(", "))
        .with("display", display.clone().unwrap_or_default());
    for (name, column) in &table.columns {
        draft = draft.with(&format!("column.{name}.named"), "on");
        draft = draft.with(&format!("column.{name}.references"), column.references.clone().unwrap_or_default());
    }
    for (number, (name, dimension)) in dimensions.iter().enumerate() {
        let prefix = format!("dimension.{number}.");
        draft = draft.with(&format!("{prefix}name"), name).with(&format!("{prefix}sql"), &dimension.sql);
        draft = draft.with(&format!("{prefix}order"), dimension.order.join(", "));
        draft = texts(dimension).in_draft(draft, &prefix);
    }
    draft
}

fn texts(dimension: &Dimension) -> Texts<'_> {
    Texts { label: dimension.label.as_ref(), description: dimension.description.as_ref(), synonyms: &dimension.synonyms }
}

async fn draw(visit: &Visit<Worker>, open: &OpenConnection, id: TableId, draft: Draft, losing: Vec<String>) -> Page {
    let table = manage::table(open, id)?;
    let own = format!("connections/{}/tables/{id}", open.source.id);
    let rows = column_rows(visit, open, table).await?;
    let responds = rows.is_some();
    let columns = columns(table, rows);
    let saved = table.model.dimensions.len();
    let measure = |(name, measure)| MeasureLink {
        formula: views::of_measure(measure),
        address: visit.at(&format!("semantic-model/{name}/edit")),
        name: String::clone(name),
    };
    let page = TableForm {
        address: visit.at(&format!("{own}/model")),
        table: visit.at(&own),
        name: table.name.clone(),
        keys: if responds { keys(visit, open, table).await } else { declared_keys(open, table).collect() },
        times: times(table, &columns),
        columns,
        responds,
        dimensions: saved + 1,
        saved,
        measures: table.model.measures.iter().map(measure).collect(),
        new_measure: visit.at(&format!("{own}/measures/new")),
        closed: table.rows == RowAccess::Nothing,
        losing,
    };
    visit.page(&format!("Model of {}", page.name), Section::SemanticModel, || views::table_form(&page, &draft)).await
}

/// The columns, with what each is to the model.
fn columns(table: &CatalogTable, rows: Option<Vec<ColumnRow>>) -> Vec<ModelColumn> {
    let named: BTreeSet<&String> = always(table);
    let known = || {
        let names: BTreeSet<&String> = table.columns.keys().chain(named.iter().copied()).collect();
        names.into_iter().map(|name| ColumnRow { name: name.clone(), kind: None }).collect()
    };
    let one = |row: ColumnRow| {
        let settings = table.columns.get(&row.name).cloned().unwrap_or_default();
        let part = match settings {
            ColumnSettings { hidden: true, .. } => InModel::Hidden,
            settings => {
                let plain = ColumnSettings { references: settings.references.clone(), ..ColumnSettings::default() };
                let is_always = named.contains(&row.name) || settings != plain;
                if is_always { InModel::Always } else { InModel::IfTicked }
            }
        };
        ModelColumn { name: row.name, kind: row.kind, part }
    };
    rows.unwrap_or_else(known).into_iter().map(one).collect()
}

/// The columns that the model names as key, time or column to list.
fn always(table: &CatalogTable) -> BTreeSet<&String> {
    let model = &table.model;
    let taken = model.measures.values().filter_map(|measure| measure.take.as_ref());
    let taken = taken.flat_map(|take| take.over.iter().chain(&take.per));
    let named = model.key.iter().chain(&model.time).chain(&model.drill).chain(&model.display).chain(taken);
    named.filter(|name| !model.dimensions.contains_key(*name)).collect()
}

/// The keys of other tables, as `table.column`.
fn declared_keys<'o>(open: &'o OpenConnection, table: &'o CatalogTable) -> impl Iterator<Item = String> + 'o {
    let others = open.tables.iter().filter(|other| other.id != table.id);
    others.filter_map(|other| match other.model.key.as_slice() {
        [key] => Some(format!("{}.{key}", other.name)),
        _ => None,
    })
}

/// The same, with those that the database's foreign keys refer to.
async fn keys(visit: &Visit<Worker>, open: &OpenConnection, table: &CatalogTable) -> Vec<String> {
    let foreign = open.foreign_keys(visit.app()).await.iter().filter(|key| key.table == table.name);
    let all: BTreeSet<String> = declared_keys(open, table).chain(foreign.map(|key| key.references.clone())).collect();
    all.into_iter().collect()
}

/// What the default time can be: dates, then other columns, then dimensions.
fn times(table: &CatalogTable, columns: &[ModelColumn]) -> Vec<NamedColumn> {
    let visible = columns.iter().filter(|column| column.part != InModel::Hidden);
    let is_date = |column: &&ModelColumn| matches!(column.kind.as_deref(), Some("date" | "timestamp"));
    let (dates, others): (Vec<_>, Vec<_>) = visible.partition(is_date);
    let columns = dates.into_iter().chain(others).map(|column| (column.name.clone(), column.kind.clone()));
    columns.chain(table.model.dimensions.keys().map(|name| (name.clone(), Some("dimension".to_owned())))).collect()
}

/// What was typed, with the form's number of each dimension by its name.
struct Read {
    part: TablePart,
    numbers: BTreeMap<String, usize>,
    added: BTreeMap<String, usize>,
}

fn read(typed: &Typed, old: &CatalogTable) -> Result<Read> {
    let mut problems = Problems::default();
    let mut read = Read { part: TablePart::default(), numbers: BTreeMap::new(), added: BTreeMap::new() };
    let numbers = typed.names().filter_map(|name| name.strip_prefix("dimension.")?.strip_suffix(".name")?.parse().ok());
    for number in numbers.collect::<BTreeSet<usize>>() {
        dimension(typed, number, old, &mut read, &mut problems);
    }
    let columns = typed.names().filter_map(|name| name.strip_prefix("column.")?.strip_suffix(".references"));
    for name in columns {
        let references = typed.given(&format!("column.{name}.references")).map(str::to_owned);
        let named = typed.ticked(&format!("column.{name}.named"));
        read.part.columns.insert(name.to_owned(), ColumnPart { named, references });
    }
    for number in 0..ADDED_COLUMNS {
        if let Some(name) = typed.given(&format!("added.{number}.name")) {
            let references = typed.given(&format!("added.{number}.references")).map(str::to_owned);
            read.part.columns.insert(name.to_owned(), ColumnPart { named: true, references });
            read.added.insert(name.to_owned(), number);
        }
    }
    let month = typed.get("fiscalYearStart").parse::<u8>().ok();
    if month.is_none() {
        problems.add("fiscalYearStart", "is not one of the choices");
    }
    problems.finish()?;
    let model = &old.model;
    read.part.key = names(typed, KEY, &model.key);
    read.part.time = text(typed, "time", model.time.as_ref());
    // January is the default, which the model may also say.
    read.part.fiscal_year_start = month.filter(|month| *month != 1 || model.fiscal_year_start == Some(1));
    read.part.drill = names(typed, "drill", &model.drill);
    read.part.display = text(typed, "display", model.display.as_ref());
    Ok(read)
}

fn dimension(typed: &Typed, number: usize, old: &CatalogTable, read: &mut Read, problems: &mut Problems) {
    let prefix = format!("dimension.{number}.");
    let field = |part: &str| format!("{prefix}{part}");
    let name = typed.get(&field("name"));
    if typed.ticked(&field("remove")) || (name.is_empty() && typed.given(&field("sql")).is_none()) {
        return;
    }
    let before = old.model.dimensions.get(name);
    let sql = text(typed, &field("sql"), before.map(|before| &before.sql));
    if name.is_empty() {
        problems.add(&field("name"), "is required");
    } else if read.numbers.insert(name.to_owned(), number).is_some() {
        problems.add(&field("name"), "is the name of another dimension of this table; choose another");
    }
    let Some(sql) = sql else {
        problems.add(&field("sql"), "is required; write an expression over columns of this table");
        return;
    };
    let texts = before.map(texts).unwrap_or_default().typed(typed, &prefix);
    let (label, description, synonyms) = (texts.label, texts.description, texts.synonyms);
    let order = names(typed, &field("order"), before.map(|before| before.order.as_slice()).unwrap_or_default());
    read.part.dimensions.insert(name.to_owned(), Dimension { sql, order, label, description, synonyms });
}

impl Read {
    /// The form's name of a field of the model.
    fn field(&self, path: &str) -> String {
        if path == "key" {
            return KEY.to_owned();
        }
        if let Some(rest) = path.strip_prefix("dimensions.") {
            let (name, part) = rest.strip_suffix(".sql").map_or((rest, "name"), |name| (name, "sql"));
            return self.numbers.get(name).map_or_else(|| path.to_owned(), |number| format!("dimension.{number}.{part}"));
        }
        match path.strip_prefix("columns.") {
            Some(rest) => match self.added.get(rest.trim_end_matches(".references")) {
                Some(number) => format!("added.{number}.references"),
                None => format!("column.{rest}"),
            },
            None => path.to_owned(),
        }
    }
}

/// `POST …/tables/{table}/model`
pub async fn change(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let (open, id) = opened(&visit).await?;
    let table = manage::table(&open, id)?;
    let now = seen(table);
    let saved = async {
        unchanged(typed.get("seen"), &now)?;
        let read = read(&typed, table)?;
        let change = Change::Table(open.source.id, id, read.part.clone());
        let despite = typed.lines("despiteUses");
        let saved = model_changes::save(visit.app(), &visit.member, visit.project()?.id, &change, &despite).await;
        saved.map_err(|problem| renamed(problem, |path| read.field(path)))
    };
    match saved.await {
        Ok(()) => Ok(visit.done(&visit.at(&format!("connections/{}/tables/{id}/model", open.source.id)), "Saved.")),
        Err(problem) => {
            let losing = losing(&problem);
            let (status, draft) = typed.refused(problem)?;
            Ok(with_status(draw(&visit, &open, id, draft.with("seen", now), losing).await?, status))
        }
    }
}
