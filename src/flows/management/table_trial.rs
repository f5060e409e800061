//! `Test as…`: applies a table's row rule for a chosen user before the rule is saved.

use crate::{
    concepts::{access, catalog::CatalogTable, connections::OpenConnection},
    ground::{
        error::{Error, Result},
        state::App,
    },
};
use inlay_contract::ids::ProjectUserId;
use inlay_query::{Catalog, RuleTrial};

/// The rows that a project user would see of this table with these settings, read from the source now.
///
/// # Errors
/// 404 when the connection's project has no such user; otherwise the errors of any query, with the operator's detail in the context.
pub async fn test_as(
    app: &App,
    connection: &OpenConnection,
    table: &CatalogTable,
    user: ProjectUserId,
    most: usize,
) -> Result<RuleTrial> {
    let viewer = access::security_context_of(app, connection.project, user).await?;
    let viewer = viewer.ok_or_else(|| Error::not_found("Project user"))?;
    let as_given = |listed: &CatalogTable| if listed.id == table.id { table.as_queried() } else { listed.as_queried() };
    let catalog = Catalog::new(connection.tables.iter().map(as_given).collect());
    Ok(app.engine.test_as(&connection.source, &catalog, &viewer, &table.name, most).await?)
}
