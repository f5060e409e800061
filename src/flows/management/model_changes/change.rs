//! What members change of a semantic model, and what it makes of the project's tables and metrics.

use crate::{
    concepts::catalog::{CatalogTable, ColumnSettings},
    flows::{catalogues::Catalogues, management::catalog::refers, model_checks::Flaw},
    ground::{
        error::{Error, Result},
        problems::Problems,
    },
};
use inlay_contract::{
    ids::{ConnectionId, TableId},
    model::{Aggregate, Dimension, Measure, Metric, TableModel},
};
use inlay_query::{Source, name_of_number};
use std::collections::BTreeMap;

/// The most measures and metrics of a project that forms make. Each save checks all of them.
const MOST_NUMBERS: usize = 2_000;
/// The most declared dimensions of a table that forms make.
const MOST_DIMENSIONS: usize = 500;

/// A change of a project's semantic model.
#[derive(Clone, Debug)]
pub enum Change {
    /// A table's part of the model, except for its measures.
    Table(ConnectionId, TableId, TablePart),
    /// A measure of a table, by its name.
    Measure(ConnectionId, TableId, String, To<Measure>),
    /// A metric, by its name.
    Metric(String, To<Metric>),
}

/// What becomes of a measure or metric.
#[derive(Clone, Debug)]
pub enum To<T> {
    /// It is added.
    New(T),
    /// It gets this definition.
    Changed(T),
    /// It is removed.
    Removed,
}

impl<T> To<T> {
    const fn made(&self) -> Option<&T> {
        match self {
            Self::New(made) | Self::Changed(made) => Some(made),
            Self::Removed => None,
        }
    }
}

/// A table's part of the model, except for its measures.
#[derive(Clone, Debug, Default)]
pub struct TablePart {
    /// The columns of its key.
    pub key: Vec<String>,
    /// The default time dimension.
    pub time: Option<String>,
    /// The month in which the years of its dates begin.
    pub fiscal_year_start: Option<u8>,
    /// The columns that the rows behind a number are listed by.
    pub drill: Vec<String>,
    /// The column or dimension that people read instead of the key.
    pub display: Option<String>,
    /// The declared dimensions, by name.
    pub dimensions: BTreeMap<String, Dimension>,
    /// What columns are to the model. Columns that are missing here stay as they are.
    pub columns: BTreeMap<String, ColumnPart>,
}

/// What a column is to the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnPart {
    /// Whether queries can group and filter by it. A column with settings always is part of the model.
    pub named: bool,
    /// The key of another table that it refers to, as `table.column`.
    pub references: Option<String>,
}

impl TablePart {
    /// The table with this part.
    fn applied_to(&self, old: &CatalogTable) -> CatalogTable {
        let mut columns = old.columns.clone();
        for (name, part) in &self.columns {
            let settings = columns.entry(name.clone()).or_default();
            settings.references.clone_from(&part.references);
            if *settings == ColumnSettings::default() && !part.named {
                columns.remove(name);
            }
        }
        let Self { key, time, fiscal_year_start, drill, display, dimensions, .. } = self.clone();
        let measures = old.model.measures.clone();
        let model = TableModel { key, time, fiscal_year_start, drill, display, dimensions, measures };
        CatalogTable { columns, model, ..old.clone() }
    }
}

impl Change {
    /// The project's tables and metrics after it.
    ///
    /// # Errors
    /// 404 when there is no such table, measure or metric; 400 on `name` for a new one whose name is taken or not allowed, and on
    /// `columns.….references` for what is not a listed table's column.
    pub(super) fn applied(&self, before: &Catalogues) -> Result<Catalogues> {
        let mut after = before.clone();
        match self {
            Self::Table(connection, id, part) => {
                let tables = tables_of(&mut after, *connection)?;
                let mut problems = Problems::default();
                for (name, column) in &part.columns {
                    problems.note(&format!("columns.{name}.references"), refers(tables, column.references.as_deref()));
                }
                let table = table_of(tables, *id)?;
                let added = part.dimensions.keys().find(|name| !table.model.dimensions.contains_key(*name));
                if let Some(name) = added.filter(|_| part.dimensions.len() > MOST_DIMENSIONS) {
                    let told = format!("is one too many: a table has at most {MOST_DIMENSIONS} dimensions");
                    problems.add(&format!("dimensions.{name}"), told);
                }
                problems.finish()?;
                *table = part.applied_to(table);
            }
            Self::Measure(connection, id, name, to) => {
                new_name(before, name, to)?;
                let measures = &mut table_of(tables_of(&mut after, *connection)?, *id)?.model.measures;
                put(measures, name, to, "Measure")?;
            }
            Self::Metric(name, to) => {
                new_name(before, name, to)?;
                put(&mut after.metrics, name, to, "Metric")?;
            }
        }
        Ok(after)
    }

    /// The connection and the table that it changes.
    pub(super) fn table<'c>(&self, catalogues: &'c Catalogues) -> Option<(&'c Source, &'c CatalogTable)> {
        let (Self::Table(connection, id, _) | Self::Measure(connection, id, ..)) = self else { return None };
        let (source, tables) = catalogues.connections.iter().find(|(source, _)| source.id == *connection)?;
        Some((source, tables.iter().find(|table| table.id == *id)?))
    }

    /// Whether it removes something.
    pub(super) const fn removes(&self) -> bool {
        matches!(self, Self::Measure(_, _, _, To::Removed) | Self::Metric(_, To::Removed))
    }

    /// Its action in the audit log.
    pub(super) const fn action(&self) -> &'static str {
        match self {
            Self::Table(..) => "semanticModel.tableChanged",
            Self::Measure(_, _, _, To::New(_)) => "semanticModel.measureAdded",
            Self::Measure(_, _, _, To::Changed(_)) => "semanticModel.measureChanged",
            Self::Measure(_, _, _, To::Removed) => "semanticModel.measureRemoved",
            Self::Metric(_, To::New(_)) => "semanticModel.metricAdded",
            Self::Metric(_, To::Changed(_)) => "semanticModel.metricChanged",
            Self::Metric(_, To::Removed) => "semanticModel.metricRemoved",
        }
    }

    /// The field of the changed object that a flaw is about, as a path in it: `of`, `dimensions.size.sql`. `None` for a flaw of
    /// another object.
    pub(super) fn field(&self, after: &Catalogues, flaw: &Flaw) -> Option<String> {
        match self {
            Self::Metric(name, to) => {
                let is_it = flaw.table.is_none() && flaw.at.strip_prefix("metrics.") == Some(name);
                is_it.then(|| to.made().map(|metric| of_metric(metric, &flaw.why))).flatten()
            }
            Self::Table(..) | Self::Measure(..) => {
                let (source, table) = self.table(after)?;
                let (connection, name) = flaw.table.as_ref()?;
                if (connection, name) != (&source.name, &table.name) {
                    return None;
                }
                self.field_of_table(&flaw.at, &flaw.why)
            }
        }
    }

    fn field_of_table(&self, at: &str, why: &str) -> Option<String> {
        match self {
            Self::Measure(_, _, name, to) => {
                let rest = at.strip_prefix("measures.")?.strip_prefix(name.as_str())?;
                let rest = if rest.is_empty() { "" } else { rest.strip_prefix('.')? };
                to.made().map(|measure| of_measure(measure, rest, why))
            }
            Self::Table(_, _, part) => {
                let column = at.strip_prefix("columns.").and_then(|rest| rest.strip_suffix(".references"));
                let is_own = !at.starts_with("measures.") && column.is_none_or(|column| part.columns.contains_key(column));
                is_own.then(|| at.to_owned())
            }
            Self::Metric(..) => None,
        }
    }
}

fn tables_of(catalogues: &mut Catalogues, connection: ConnectionId) -> Result<&mut Vec<CatalogTable>> {
    let found = catalogues.connections.iter_mut().find(|(source, _)| source.id == connection);
    found.map(|(_, tables)| tables).ok_or_else(|| Error::not_found("Connection"))
}

fn table_of(tables: &mut [CatalogTable], id: TableId) -> Result<&mut CatalogTable> {
    tables.iter_mut().find(|table| table.id == id).ok_or_else(|| Error::not_found("Table"))
}

fn put<T: Clone>(all: &mut BTreeMap<String, T>, name: &str, to: &To<T>, what: &str) -> Result<()> {
    if !matches!(to, To::New(_)) && !all.contains_key(name) {
        return Err(Error::not_found(what));
    }
    match to.made() {
        Some(made) => all.insert(name.to_owned(), made.clone()),
        None => all.remove(name),
    };
    Ok(())
}

/// Refuses the name of a new measure or metric that is taken, or that formulas could not read.
fn new_name<T>(catalogues: &Catalogues, name: &str, to: &To<T>) -> Result<()> {
    if !matches!(to, To::New(_)) {
        return Ok(());
    }
    if let Some(why) = catalogues.connections.iter().find_map(|(source, _)| name_of_number(source.kind, name).err()) {
        return Err(Error::invalid("name", why));
    }
    if catalogues.metrics.contains_key(name) || catalogues.measure(name).is_some() {
        return Err(Error::invalid("name", "is the name of another measure or metric of this project; choose another"));
    }
    let tables = catalogues.connections.iter().flat_map(|(_, tables)| tables);
    let measures: usize = tables.map(|table| table.model.measures.len()).sum();
    if measures + catalogues.metrics.len() >= MOST_NUMBERS {
        let told = format!("is one too many: a project has at most {MOST_NUMBERS} measures and metrics");
        return Err(Error::invalid("name", told));
    }
    Ok(())
}

/// The field of a measure that a flaw is about.
fn of_measure(measure: &Measure, at: &str, why: &str) -> String {
    let names = |column: &String| why.contains(&format!("`{column}`"));
    let field = match (at, &measure.take) {
        ("take", Some(take)) if why.contains("`over`") || take.over.iter().any(names) => "take.over",
        ("take", Some(take)) if take.per.iter().any(names) => "take.per",
        ("take", _) => "take.edge",
        ("", _) if measure.of.is_some() || measure.aggregate != Aggregate::Count => "of",
        ("", _) => "where",
        (field, _) => field,
    };
    field.to_owned()
}

/// The field of a metric that a flaw is about.
fn of_metric(metric: &Metric, why: &str) -> String {
    let names = |number: &String| why.contains(&format!("`{number}`"));
    let field = match metric {
        Metric { ratio: Some([above, below]), .. } if names(below) && !names(above) => "ratio.1",
        Metric { ratio: Some(_), .. } => "ratio.0",
        Metric { formula: Some(_), .. } => "formula",
        Metric { moving: Some(moving), .. } if !(2..=1000).contains(&moving.periods) => "periods",
        Metric { only: Some(only), .. } => {
            let is_it =
                |dimension: &str| why.contains(dimension) || why.contains(dimension.rsplit('.').next().unwrap_or(dimension));
            let at = only.filters.iter().position(|filter| is_it(&filter.dimension));
            return match at.or_else(|| only.filters.is_empty().then_some(0)) {
                Some(at) if !names(&only.of) || only.filters.is_empty() => format!("filters.{at}.dimension"),
                _ => "of".to_owned(),
            };
        }
        _ => "of",
    };
    field.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_has_so_many_numbers() {
        let metric = |number: usize| (format!("metric_{number}"), Metric::default());
        let with = |count: usize| Catalogues { connections: Vec::new(), metrics: (0..count).map(metric).collect() };
        let add = |before: &Catalogues| Change::Metric("another".to_owned(), To::New(Metric::default())).applied(before);
        assert_eq!(add(&with(MOST_NUMBERS - 1)).expect("room").metrics.len(), MOST_NUMBERS);
        let refused = add(&with(MOST_NUMBERS)).expect_err("no room");
        assert!(refused.details.is_some_and(|details| details["name"].to_string().contains("at most 2000")));
        let changed = Change::Metric("metric_1".to_owned(), To::Changed(Metric::default())).applied(&with(MOST_NUMBERS));
        assert!(changed.is_ok(), "what is there can be changed");
    }
}
