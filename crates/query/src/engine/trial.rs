//! `Test as…`: the effect of a table's row rule for one user, for an operator.

use super::Engine;
use crate::{
    catalog::{Catalog, RowAccess},
    error::QueryError,
    name::TableKey,
    property::{PropertyPath, SecurityContext},
    rewrite::Query,
    source::{DatabaseAuth, Source},
};
use chrono::NaiveDate;
use futures::FutureExt as _;
use inlay_contract::data::ChartData;
use serde_json::Value;

/// What a viewer sees of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleTrial {
    /// The rule with the viewer's values, for people to read. `None`: all rows are open.
    pub rule: Option<String>,
    /// The first rows that the viewer sees, without hidden columns.
    pub rows: ChartData,
    /// How many rows the viewer sees.
    pub count: u64,
}

impl Engine {
    /// What a viewer sees of a table, read now. If the connection's `databaseAuth` has a property, the viewer's value is passed
    /// to the database.
    ///
    /// # Errors
    /// See [`Engine::run`]. The detail of [`QueryError::RowRuleUnresolved`] says what the rule lacks.
    pub async fn test_as(
        &self,
        source: &Source,
        catalog: &Catalog,
        viewer: &SecurityContext,
        table: &str,
        most: usize,
    ) -> Result<RuleTrial, QueryError> {
        async move {
            let unknown = || QueryError::failed(format!("the table {table} is not listed"));
            let listed = catalog.named(source.kind, table).ok_or_else(unknown)?;
            let relation = TableKey::spelled(source.kind, &listed.name).ok_or_else(unknown)?.quoted(source.kind);
            let viewer = &with_own_token(source, viewer);
            let ask = async |query: Query| self.run(source, catalog, viewer, &Query { refresh: true, ..query }).await;
            let rows = ask(Query::first_rows(source.kind, &listed.name, most, NaiveDate::default())).await?;
            let count = format!("SELECT count(*) AS counted FROM {relation}");
            let counted = ask(Query::new(count, NaiveDate::default())).await?;
            let count = counted.rows.first().and_then(|row| row.first()).and_then(Value::as_u64);
            let count = count.ok_or_else(|| QueryError::failed("the source returned no count"))?;
            let rule = match &listed.rows {
                RowAccess::Rule(text) => Some(filled(text, viewer)),
                RowAccess::All | RowAccess::Nothing => None,
            };
            Ok(RuleTrial { rule, rows, count })
        }
        .boxed()
        .await
    }
}

/// The viewer with the `dbAuthToken` that a host would send.
fn with_own_token(source: &Source, viewer: &SecurityContext) -> SecurityContext {
    let mut viewer = viewer.clone();
    if let Some(DatabaseAuth::Equals { property, .. }) = &source.database_auth {
        viewer.database_auth_token = match viewer.property(property) {
            Some(Value::String(text)) => Some(text.clone()),
            Some(Value::Number(number)) => Some(number.to_string()),
            _ => None,
        };
    }
    viewer
}

/// An applied rule, with values in place of its placeholders.
fn filled(rule: &str, viewer: &SecurityContext) -> String {
    let mut text = String::new();
    let mut rest = rule;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((path, after)) = after.split_once("}}") else { break };
        let value = path.parse::<PropertyPath>().ok().and_then(|path| viewer.property(&path).map(shown));
        text.push_str(before);
        text.push_str(&value.unwrap_or_else(|| "?".to_owned()));
        rest = after;
    }
    text + rest
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => format!("'{}'", text.replace('\'', "''")),
        Value::Array(values) => values.iter().map(shown).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_rule_is_shown_with_the_viewers_values() {
        let viewer = SecurityContext {
            organization: json!({"name": "O'Brien", "n": 7, "yes": true}).as_object().cloned(),
            user: json!({"regions": ["north", "south"], "none": []}).as_object().cloned(),
            database_auth_token: None,
            share: 0,
        };
        for (rule, text) in [
            ("name = {{organization.name}}", "name = 'O''Brien'"),
            ("n >= {{ organization.n }} and {{organization.yes}} = active", "n >= 7 and true = active"),
            ("region in ({{user.regions}})", "region in ('north', 'south')"),
            ("region in ({{user.none}})", "region in ()"),
            ("1 = 1", "1 = 1"),
        ] {
            assert_eq!(filled(rule, &viewer), text);
        }
    }
}
