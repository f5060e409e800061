//! `Test as…`: what a table's row rule does for a chosen user.

use crate::{
    access, connections,
    error::{Error, Result},
    state::App,
};
use inlay_contract::ids::{ConnectionId, ProjectUserId};
use inlay_query::RuleTrial;

/// What a project user sees of a table, asked of the source now.
///
/// # Errors
/// 404 when the connection's project has no such user; else as any query, with the operator's detail in the context.
pub async fn test_as(app: &App, connection: ConnectionId, table: &str, user: ProjectUserId, most: usize) -> Result<RuleTrial> {
    let connection = connections::open(app, connection).await?;
    let viewer = access::security_context_of(app, connection.project, user).await?;
    let viewer = viewer.ok_or_else(|| Error::not_found("Project user"))?;
    Ok(app.engine.test_as(&connection.source, &connection.catalog, &viewer, table, most).await?)
}
