//! `Test as…`: what a table's row rule does for a chosen user, before it counts for anybody.

use crate::{
    concepts::{access, catalog::CatalogTable, connections::OpenConnection},
    ground::{
        error::{Error, Result},
        state::App,
    },
};
use inlay_contract::ids::ProjectUserId;
use inlay_query::{Catalog, RuleTrial};

/// What a project user would see of a table if it were as it is given here, asked of the source now.
///
/// # Errors
/// 404 when the connection's project has no such user; else as any query, with the operator's detail in the context.
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
