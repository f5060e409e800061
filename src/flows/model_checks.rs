//! What is wrong with a project's semantic model (docs/model.md): keys over columns that are not there or hidden, expressions of
//! several rows, metrics that are made of themselves. Project files and the forms of the console are checked alike.

use crate::concepts::catalog::{CatalogTable, modelled};
use inlay_contract::model::Metric;
use inlay_query::{Model, ModelProblem, SourceKind, check_model};
use std::collections::{BTreeMap, BTreeSet};

/// A table: the names of its connection and its own.
pub type TableName = (String, String);

/// The columns of tables as their databases told them. A table whose database does not respond is missing.
pub type Described = BTreeMap<TableName, BTreeSet<String>>;

/// The tables of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Connected<'a> {
    /// The connection's name.
    pub name: &'a str,
    /// The kind of its database.
    pub kind: SourceKind,
    /// Its tables.
    pub tables: &'a [CatalogTable],
}

/// Something that is wrong with a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The table, or `None` for a metric.
    pub table: Option<TableName>,
    /// Where it is: `measures.revenue.of` of a table, `metrics.margin`.
    pub at: String,
    /// What is wrong, and what would be right.
    pub why: String,
}

/// Everything that is wrong with a project's model.
pub fn flaws(connections: &[Connected<'_>], metrics: &BTreeMap<String, Metric>, described: &Described) -> Vec<Flaw> {
    let mut search = Search { described, found: Vec::new() };
    let mut of_metrics = Vec::new();
    for one in connections {
        let model = modelled(one.tables, metrics);
        let (of_tables, own): (Vec<_>, Vec<_>) =
            check_model(one.kind, &model).into_iter().partition(|problem| problem.table.is_some());
        search.missing_columns(one);
        for ModelProblem { table, at, why } in of_tables {
            search.note(one, &table.unwrap_or_default(), at, why);
        }
        search.lost_references(one, &model);
        of_metrics.push(own);
    }
    search.repeated_measures(connections);
    let Search { mut found, .. } = search;
    found.extend(metrics.keys().filter_map(|name| of_metric(&of_metrics, name)));
    found
}

/// What is wrong with a metric. It belongs to the connection of its measures, and has no meaning in the others.
fn of_metric(problems: &[Vec<ModelProblem>], name: &str) -> Option<Flaw> {
    let at = format!("metrics.{name}");
    let own = |problems: &Vec<ModelProblem>| problems.iter().find(|problem| problem.at == at).cloned();
    let own: Vec<ModelProblem> = problems.iter().map(own).collect::<Option<_>>()?;
    // The one that says more than that a measure is missing.
    let telling = own.iter().find(|problem| !problem.why.starts_with("there is no measure"));
    let problem = telling.or_else(|| own.first())?;
    Some(Flaw { table: None, why: problem.why.clone(), at })
}

struct Search<'a> {
    described: &'a Described,
    found: Vec<Flaw>,
}

impl Search<'_> {
    fn note(&mut self, connection: &Connected<'_>, table: &str, at: impl Into<String>, why: impl Into<String>) {
        let table = Some((connection.name.to_owned(), table.to_owned()));
        self.found.push(Flaw { table, at: at.into(), why: why.into() });
    }

    fn columns(&self, connection: &Connected<'_>, table: &CatalogTable) -> Option<BTreeSet<String>> {
        self.described.get(&(connection.name.to_owned(), table.name.clone())).cloned()
    }

    /// Keys, times and columns to list that no column of the table has.
    fn missing_columns(&mut self, connection: &Connected<'_>) {
        for table in connection.tables {
            let Some(columns) = self.columns(connection, table) else { continue };
            let model = &table.model;
            let either = model.time.iter().map(|name| ("time", name)).chain(model.display.iter().map(|name| ("display", name)));
            let either = either.filter(|(_, name)| !model.dimensions.contains_key(*name));
            let listed = model.drill.iter().map(|name| ("drill", name));
            let named = model.key.iter().map(|name| ("key", name)).chain(either).chain(listed);
            for (field, name) in named.filter(|(_, name)| !columns.contains(*name)) {
                self.note(connection, &table.name, field, format!("the table has no column `{name}`"));
            }
        }
    }

    /// References of tables of the model to tables that are part of it, but not to their key: no join can follow them.
    fn lost_references(&mut self, connection: &Connected<'_>, model: &Model) {
        for (name, table) in model.tables.iter().filter(|(_, table)| !table.model.measures.is_empty()) {
            for (column, reference) in &table.references {
                let Some(to) = model.tables.get(&reference.table) else { continue };
                if to.model.key.iter().ne([&reference.column]) {
                    let why = format!(
                        "leads to {}.{}, which is not the declared key of that table; declare `{}` as its key if no two rows share it",
                        reference.table, reference.column, reference.column
                    );
                    self.note(connection, name, format!("columns.{column}.references"), why);
                }
            }
        }
    }

    /// Measures of one name on tables of several connections.
    fn repeated_measures(&mut self, connections: &[Connected<'_>]) {
        let mut seen: BTreeMap<&String, &str> = BTreeMap::new();
        for one in connections {
            for table in one.tables {
                for name in table.model.measures.keys() {
                    if *seen.entry(name).or_insert(one.name) != one.name {
                        let why = "another connection has a measure of that name; a name is unique within the project";
                        self.note(one, &table.name, format!("measures.{name}"), why);
                    }
                }
            }
        }
    }
}
