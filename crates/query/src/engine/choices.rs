//! The values that a filter offers: those of a select, and the ends of a range.

use super::Engine;
use crate::{
    catalog::{Catalog, RowAccess},
    error::QueryError,
    filters::Filter,
    name::{TableKey, fold, quote},
    property::SecurityContext,
    rewrite::{Freshness, Query, Today, no_rule},
    schema::find,
    source::Source,
};
use futures::FutureExt as _;
use inlay_contract::page::Choice;
use serde_json::Value;

/// A table and its column, quoted for SQL.
struct Listed {
    relation: String,
    column: String,
}

impl Engine {
    /// The options of a select filter: the values in the viewer's rows, most frequent first. Do not pass the filter itself in
    /// `filters`.
    ///
    /// # Errors
    /// See [`Engine::run`]. A hidden or unknown column is refused.
    #[expect(clippy::too_many_arguments, reason = "the door's four, and what is asked for")]
    pub async fn choices(
        &self,
        source: &Source,
        catalog: &Catalog,
        viewer: &SecurityContext,
        table: &str,
        column: &str,
        filters: &[Filter],
        today: impl Into<Today>,
        limit: usize,
    ) -> Result<Vec<Choice>, QueryError> {
        let today = today.into();
        async move {
            let Listed { relation, column } = self.listed(source, catalog, viewer, table, column).await?;
            let sql = format!(
                "SELECT offered.{column} AS choice, count(*) AS frequency FROM {relation} AS offered \
             WHERE offered.{column} IS NOT NULL GROUP BY offered.{column} ORDER BY 2 DESC, 1 LIMIT {limit}"
            );
            let answer =
                self.run(source, catalog, viewer, &Query { filters: filters.to_vec(), ..Query::new(sql, today) }).await?;
            let choice = |row: Vec<Value>| {
                let [value, count] = <[Value; 2]>::try_from(row).ok()?;
                Some(Choice { value, name: None, count: count.as_u64()? })
            };
            answer.rows.into_iter().map(choice).collect::<Option<_>>().ok_or_else(unlisted)
        }
        .boxed()
        .await
    }

    /// The least and the greatest value of a column in the viewer's rows. Both are null without rows.
    ///
    /// # Errors
    /// See [`Engine::run`]. A hidden or unknown column is refused.
    pub async fn ends(
        &self,
        source: &Source,
        catalog: &Catalog,
        viewer: &SecurityContext,
        table: &str,
        column: &str,
        (today, freshness): (impl Into<Today>, Freshness),
    ) -> Result<(Value, Value), QueryError> {
        let today = today.into();
        async move {
            let Listed { relation, column } = self.listed(source, catalog, viewer, table, column).await?;
            let sql =
                format!("SELECT min(ranged.{column}) AS least, max(ranged.{column}) AS greatest FROM {relation} AS ranged");
            let answer = self.run(source, catalog, viewer, &Query::new(sql, today).fresh(freshness)).await?;
            let row = answer.rows.into_iter().next().and_then(|row| <[Value; 2]>::try_from(row).ok());
            row.map(|[least, greatest]| (least, greatest)).ok_or_else(unlisted)
        }
        .boxed()
        .await
    }

    /// A column of a table that the viewer may see.
    async fn listed(
        &self,
        source: &Source,
        catalog: &Catalog,
        viewer: &SecurityContext,
        table: &str,
        column: &str,
    ) -> Result<Listed, QueryError> {
        let kind = source.kind;
        let listed = catalog.named(kind, table).ok_or_else(unlisted)?;
        if listed.rows == RowAccess::Nothing {
            return Err(no_rule(table));
        }
        let columns = self.columns(source, &listed.name, viewer.share).await?.columns;
        let column = find(kind, &columns, &fold(kind, column)).filter(|column| !listed.hides(kind, &column.name));
        let column = quote(kind, &column.ok_or_else(unlisted)?.name);
        let relation = TableKey::spelled(kind, &listed.name).ok_or_else(unlisted)?.quoted(kind);
        Ok(Listed { relation, column })
    }
}

fn unlisted() -> QueryError {
    QueryError::failed("values of a table or column that is not listed, missing or hidden")
}
