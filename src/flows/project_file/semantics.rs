//! The problems of a file's semantic model, each with its place in the file (docs/model.md).

use super::{
    FileProblem,
    apply::table_of,
    model::{ProjectFile, TableSection},
};
use crate::{
    concepts::catalog::CatalogTable,
    flows::model_checks::{Connected, Described, Flaw, flaws},
};
use inlay_query::{Engine, Source};
use std::collections::BTreeMap;

/// The problems of the model.
pub(super) fn problems(file: &ProjectFile, sources: &BTreeMap<String, Source>, described: &Described) -> Vec<FileProblem> {
    let tables = |source: &Source| -> Vec<CatalogTable> {
        file.tables.iter().filter(|section| section.connection.value == source.name).map(table_of).collect()
    };
    let tables: Vec<(&Source, Vec<CatalogTable>)> = sources.values().map(|source| (source, tables(source))).collect();
    let connections: Vec<Connected<'_>> =
        tables.iter().map(|(source, tables)| Connected { name: &source.name, kind: source.kind, tables }).collect();
    flaws(&connections, &file.metrics(), described).into_iter().filter_map(|flaw| placed(file, flaw)).collect()
}

/// A flaw with its place in the file.
fn placed(file: &ProjectFile, flaw: Flaw) -> Option<FileProblem> {
    let Flaw { table, at, why: message } = flaw;
    let Some((connection, name)) = table else {
        let metric = file.metrics.get(at.strip_prefix("metrics.")?)?;
        return Some(FileProblem { line: metric.referenced.line(), field: at, message });
    };
    let is_it = |section: &TableSection| section.connection.value == connection && section.table.value == name;
    let (number, section) = file.tables.iter().enumerate().find(|(_, section)| is_it(section))?;
    let mut parts = at.split('.');
    let own = match (parts.next(), parts.next()) {
        (Some("measures"), Some(name)) => section.measures.get(name).map(|measure| measure.referenced.line()),
        (Some("dimensions"), Some(name)) => section.dimensions.get(name).map(|dimension| dimension.referenced.line()),
        _ => None,
    };
    let line = own.unwrap_or_else(|| section.table.referenced.line());
    Some(FileProblem { line, field: format!("tables[{number}].{at}"), message })
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
