//! The values that a select filter offers.

use super::Engine;
use crate::{
    catalog::{Catalog, RowAccess},
    error::QueryError,
    filters::Filter,
    name::{TableKey, fold, quote},
    property::SecurityContext,
    rewrite::{Query, Today, no_rule},
    schema::find,
    source::Source,
};
use futures::FutureExt as _;
use inlay_contract::page::Choice;
use serde_json::Value;

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
            let kind = source.kind;
            let unknown = || QueryError::failed("choices of a table or column that is not listed, missing or hidden");
            let listed = catalog.named(kind, table).ok_or_else(unknown)?;
            if listed.rows == RowAccess::Nothing {
                return Err(no_rule(table));
            }
            let columns = self.columns(source, &listed.name, viewer.share).await?.columns;
            let column = find(kind, &columns, &fold(kind, column)).filter(|column| !listed.hides(kind, &column.name));
            let column = quote(kind, &column.ok_or_else(unknown)?.name);
            let relation = TableKey::spelled(kind, &listed.name).ok_or_else(unknown)?.quoted(kind);
            let sql = format!(
                "SELECT offered.{column} AS choice, count(*) AS frequency FROM {relation} AS offered \
             WHERE offered.{column} IS NOT NULL GROUP BY offered.{column} ORDER BY 2 DESC, 1 LIMIT {limit}"
            );
            let answer =
                self.run(source, catalog, viewer, &Query { filters: filters.to_vec(), ..Query::new(sql, today) }).await?;
            let choice = |row: Vec<Value>| {
                let [value, count] = <[Value; 2]>::try_from(row).ok()?;
                Some(Choice { value, count: count.as_u64()? })
            };
            answer.rows.into_iter().map(choice).collect::<Option<_>>().ok_or_else(unknown)
        }
        .boxed()
        .await
    }
}
