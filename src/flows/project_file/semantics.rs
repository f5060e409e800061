//! The problems of a file's semantic model: keys and measures over columns that are not there, expressions of several rows,
//! metrics that are made of themselves (docs/model.md).

use super::{
    FileProblem,
    apply::table_of,
    model::{ProjectFile, TableSection},
};
use crate::concepts::catalog::{CatalogTable, modelled};
use inlay_query::{Engine, Model, ModelProblem, Source, check_model};
use std::collections::{BTreeMap, BTreeSet};

/// The columns of the file's tables as their databases told them, by the tables' places in the file. A table whose database is
/// away is missing.
pub(super) type Described = BTreeMap<usize, BTreeSet<String>>;

/// The problems of the model.
pub(super) fn problems(file: &ProjectFile, sources: &BTreeMap<String, Source>, described: &Described) -> Vec<FileProblem> {
    let mut found = missing_columns(file, described);
    let mut of_metrics: Vec<Vec<ModelProblem>> = Vec::new();
    for source in sources.values() {
        let of_source = |section: &&TableSection| section.connection.value == source.name;
        let tables: Vec<CatalogTable> = file.tables.iter().filter(of_source).map(table_of).collect();
        let model = modelled(&tables, &file.metrics());
        let (of_tables, metrics): (Vec<_>, Vec<_>) =
            check_model(source.kind, &model).into_iter().partition(|problem| problem.table.is_some());
        found.extend(of_tables.into_iter().filter_map(|problem| in_table(file, &source.name, problem)));
        found.extend(lost_references(file, &source.name, &model));
        of_metrics.push(metrics);
    }
    found.extend(repeated_measures(file));
    // A metric belongs to the connection of its measures, and has no meaning in the others.
    for (name, metric) in &file.metrics {
        let field = format!("metrics.{name}");
        let own = |problems: &Vec<ModelProblem>| problems.iter().find(|problem| problem.at == field).cloned();
        let problems: Vec<Option<ModelProblem>> = of_metrics.iter().map(own).collect();
        if problems.iter().any(Option::is_none) {
            continue;
        }
        // The one that says more than that a measure is missing.
        let telling = problems.iter().flatten().find(|problem| !problem.why.starts_with("there is no measure"));
        if let Some(problem) = telling.or_else(|| problems.iter().flatten().next()) {
            found.push(FileProblem { line: metric.referenced.line(), field, message: problem.why.clone() });
        }
    }
    found
}

/// Keys, times and columns to list that no column of the table has.
fn missing_columns(file: &ProjectFile, described: &Described) -> Vec<FileProblem> {
    let mut found = Vec::new();
    for (number, section) in file.tables.iter().enumerate() {
        let Some(columns) = described.get(&number) else { continue };
        let time = section.time.iter().filter(|name| !section.dimensions.contains_key(*name)).map(|name| ("time", name));
        let listed = section.drill.iter().map(|name| ("drill", name));
        let named = section.key.iter().map(|name| ("key", name)).chain(time).chain(listed);
        for (field, name) in named.filter(|(_, name)| !columns.contains(*name)) {
            found.push(FileProblem {
                line: section.table.referenced.line(),
                field: format!("tables[{number}].{field}"),
                message: format!("the table has no column `{name}`"),
            });
        }
    }
    found
}

/// A problem of a table, with its place in the file.
fn in_table(file: &ProjectFile, connection: &str, problem: ModelProblem) -> Option<FileProblem> {
    let name = problem.table?;
    let is_it = |section: &TableSection| section.connection.value == connection && section.table.value == name;
    let (number, section) = file.tables.iter().enumerate().find(|(_, section)| is_it(section))?;
    let mut parts = problem.at.split('.');
    let own = match (parts.next(), parts.next()) {
        (Some("measures"), Some(name)) => section.measures.get(name).map(|measure| measure.referenced.line()),
        (Some("dimensions"), Some(name)) => section.dimensions.get(name).map(|dimension| dimension.referenced.line()),
        _ => None,
    };
    let line = own.unwrap_or_else(|| section.table.referenced.line());
    Some(FileProblem { line, field: format!("tables[{number}].{}", problem.at), message: problem.why })
}

/// References of tables of the model to tables that are part of it, but not to their key: no join can follow them.
fn lost_references(file: &ProjectFile, connection: &str, model: &Model) -> Vec<FileProblem> {
    let mut found = Vec::new();
    for (number, section) in file.tables.iter().enumerate().filter(|(_, section)| section.connection.value == connection) {
        let Some(table) = model.tables.get(&section.table.value).filter(|table| !table.model.measures.is_empty()) else {
            continue;
        };
        for (column, reference) in &table.references {
            let Some(to) = model.tables.get(&reference.table) else { continue };
            if to.model.key.iter().ne([&reference.column]) {
                found.push(FileProblem {
                    line: section.table.referenced.line(),
                    field: format!("tables[{number}].columns.{column}.references"),
                    message: format!(
                        "leads to {}.{}, which is not the declared key of that table; write `key: {}` there if no two rows share it",
                        reference.table, reference.column, reference.column
                    ),
                });
            }
        }
    }
    found
}

/// Keys that several rows share, as the databases count them now. Joins along such a key would count rows several times.
pub(super) async fn repeated_keys(file: &ProjectFile, sources: &BTreeMap<String, Source>, engine: &Engine) -> Vec<FileProblem> {
    let mut found = Vec::new();
    for (number, section) in file.tables.iter().enumerate().filter(|(_, section)| !section.key.is_empty()) {
        let Some(source) = sources.get(&section.connection.value) else { continue };
        let key = section.key.join(", ");
        let message = match engine.repeated_keys(source, &section.table.value, &section.key, 0).await {
            Ok(0) => continue,
            Ok(count) => {
                format!("is not unique: {count} values of {key} are each on several rows. Declare another key, or none")
            }
            Err(problem) => format!("could not be checked: {}", problem.detail()),
        };
        let line = section.table.referenced.line();
        found.push(FileProblem { line, field: format!("tables[{number}].key"), message });
    }
    found
}

/// Measures of one name on tables of several connections.
fn repeated_measures(file: &ProjectFile) -> Vec<FileProblem> {
    let mut seen: BTreeMap<&String, &str> = BTreeMap::new();
    let mut found = Vec::new();
    for (number, section) in file.tables.iter().enumerate() {
        for (name, measure) in &section.measures {
            let connection = section.connection.value.as_str();
            if *seen.entry(name).or_insert(connection) != connection {
                found.push(FileProblem {
                    line: measure.referenced.line(),
                    field: format!("tables[{number}].measures.{name}"),
                    message: "another connection has a measure of that name; a name is unique within the project".to_owned(),
                });
            }
        }
    }
    found
}
