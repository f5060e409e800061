//! The file's connections in the query engine's form, and the problems that the databases find in the file: missing tables, and
//! missing columns of rules and filters.

use super::{
    FileProblem,
    model::{ConnectionSection, Name, ProjectFile, TableSection},
    semantics,
};
use crate::{flows::model_checks::Described, ground::error::Code};
use inlay_contract::ids::ConnectionId;
use inlay_query::{Catalog, DatabaseAuth, Engine, RowAccess, Source, SourceKind, SourceKindExt, SourceLimits, Warning};
use serde::Serialize;
use std::{collections::BTreeMap, path::Path};

/// The source of `${NAME}`.
pub type Environment<'e> = &'e (dyn Fn(&str) -> Option<String> + Sync);

/// The source of a section, with an id.
///
/// # Errors
/// A variable is missing, or `equals` is not a property.
pub fn source(
    section: &ConnectionSection,
    number: usize,
    id: ConnectionId,
    folder: &Path,
    environment: Environment<'_>,
) -> Result<Source, FileProblem> {
    let problem = |name: &Name, field: &str, message: String| FileProblem {
        line: name.referenced.line(),
        field: format!("connections[{number}].{field}"),
        message,
    };
    let url = expand(&section.url.value, environment).map_err(|message| problem(&section.url, "url", message))?;
    let url = if section.kind.is_file() { absolute(section.kind, &url, folder) } else { url };
    let database_auth = match &section.database_auth {
        None => None,
        Some(auth) => Some(match &auth.equals {
            Some(path) => {
                let property = path.value.parse().map_err(|_| {
                    problem(path, "databaseAuth.equals", "is not a property; write organization.<key> or user.<key>".to_owned())
                })?;
                DatabaseAuth::Equals { setting: auth.setting.value.clone(), property }
            }
            None => DatabaseAuth::VerifiedByDatabase { setting: auth.setting.value.clone() },
        }),
    };
    let limits = SourceLimits {
        cache_seconds: section.cache_seconds,
        max_connections: section.max_connections,
        stale_seconds: section.stale_seconds,
    };
    Ok(Source { database_auth, limits, ..Source::new(id, &section.name.value, section.kind, url) })
}

/// Replaces each `${NAME}` with the environment's value.
fn expand(text: &str, environment: Environment<'_>) -> Result<String, String> {
    let mut expanded = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        let end = rest[start..].find('}').ok_or("has a `${` without a `}`")? + start;
        let name = &rest[start + 2..end];
        expanded.push_str(&rest[..start]);
        expanded.push_str(&environment(name).ok_or_else(|| format!("reads ${{{name}}}, which is not set in the environment"))?);
        rest = &rest[end + 1..];
    }
    expanded.push_str(rest);
    Ok(expanded)
}

/// A file's URL with an absolute path. A relative path is relative to the project file.
fn absolute(kind: SourceKind, url: &str, folder: &Path) -> String {
    let scheme = format!("{kind}:");
    let path = url.strip_prefix(&scheme).unwrap_or(url);
    let path = path.strip_prefix("//").unwrap_or(path);
    format!("{scheme}{}", folder.join(path).display())
}

/// The row access of a section.
pub fn row_access(section: &TableSection) -> RowAccess {
    match (&section.row_rule, section.rows) {
        (Some(rule), _) => RowAccess::Rule(rule.value.clone()),
        (None, Some(_)) => RowAccess::All,
        (None, None) => RowAccess::Nothing,
    }
}

/// The problems that the databases find in a file. An unreachable source finds none: it becomes a warning, and every query checks again.
pub async fn problems(file: &ProjectFile, sources: &BTreeMap<String, Source>, engine: &Engine) -> Vec<FileProblem> {
    let mut problems = refused_addresses(file, sources, engine).await;
    if !problems.is_empty() {
        return problems;
    }
    let mut described = Described::new();
    for (number, table) in file.tables.iter().enumerate() {
        let Some(source) = sources.get(&table.connection.value) else { continue };
        let at = |name: &Name, field: &str, message: String| FileProblem {
            line: name.referenced.line(),
            field: format!("tables[{number}].{field}"),
            message,
        };
        let columns = match engine.describe(source, &table.table.value).await {
            Ok(columns) => columns,
            Err(fault) if fault.code() == Code::SourceUnavailable => {
                tracing::warn!(
                    connection = source.name,
                    detail = fault.detail(),
                    "the source cannot be reached; its tables are not checked"
                );
                continue;
            }
            Err(_) => {
                problems.push(at(
                    &table.table,
                    "table",
                    format!("`{}` has no table named `{}`", source.name, table.table.value),
                ));
                continue;
            }
        };
        if let Some(rule) = &table.row_rule
            && let Err(problem) = inlay_query::validate_rule(&rule.value, source.kind, &columns)
        {
            problems.push(at(rule, "rowRule", problem.to_string()));
        }
        for column in table.columns.keys().filter(|name| columns.iter().all(|column| column.name != **name)) {
            problems.push(at(&table.table, &format!("columns.{column}"), format!("the table has no column `{column}`")));
        }
        let name = (source.name.clone(), table.table.value.clone());
        described.insert(name, columns.into_iter().map(|column| column.name).collect());
    }
    problems.extend(semantics::problems(file, sources, &described));
    problems
}

/// Connections to locations that are not allowed. A host that cannot be resolved is a different problem, because it may be temporary.
async fn refused_addresses(file: &ProjectFile, sources: &BTreeMap<String, Source>, engine: &Engine) -> Vec<FileProblem> {
    let mut problems = Vec::new();
    for (number, section) in file.connections.iter().enumerate() {
        let Some(source) = sources.get(&section.name.value) else { continue };
        if let Err(refused) = engine.check_address(source).await
            && !refused.may_be_away()
        {
            problems.push(FileProblem {
                line: section.url.referenced.line(),
                field: format!("connections[{number}].url"),
                message: format!("is not allowed: {refused}"),
            });
        }
    }
    problems
}

/// A warning for the operator about a connection of the file.
#[derive(Debug, Serialize)]
pub struct SourceWarning {
    /// The connection's name.
    pub connection: String,
    /// The warning.
    #[serde(flatten)]
    pub warning: Warning,
}

impl std::fmt::Display for SourceWarning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let table = self.warning.table.as_ref().map(|table| format!(", table {table}")).unwrap_or_default();
        write!(f, "connection {}{table}: {}", self.connection, self.warning.message)
    }
}

/// The databases' warnings about the connections' roles, and a warning for each database that does not respond.
pub async fn warnings(
    sources: &BTreeMap<String, Source>,
    engine: &Engine,
    catalog: impl Fn(&str) -> Catalog,
) -> Vec<SourceWarning> {
    let mut warnings = Vec::new();
    for source in sources.values() {
        let found = engine.audit(source, &catalog(&source.name)).await.unwrap_or_else(|problem| {
            let message = format!("it could not be checked: {}", problem.detail());
            vec![Warning { table: None, message }]
        });
        warnings.extend(found.into_iter().map(|warning| SourceWarning { connection: source.name.clone(), warning }));
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_come_from_the_environment() {
        let environment = |name: &str| (name == "PASSWORD").then(|| "s3cret".to_owned());
        assert_eq!(expand("postgres://u:${PASSWORD}@h/d", &environment).expect("expanded"), "postgres://u:s3cret@h/d");
        assert!(expand("${OTHER}", &environment).expect_err("missing").contains("OTHER"));
        assert!(expand("${OTHER", &environment).is_err());
    }

    #[test]
    fn relative_paths_are_relative_to_the_file() {
        let folder = Path::new("/srv/project");
        assert_eq!(absolute(SourceKind::Sqlite, "sqlite:flights.db", folder), "sqlite:/srv/project/flights.db");
        assert_eq!(absolute(SourceKind::Sqlite, "sqlite:///data/x.db", folder), "sqlite:/data/x.db");
        assert_eq!(absolute(SourceKind::Sqlite, "sqlite:/data/x.db", folder), "sqlite:/data/x.db");
    }
}
