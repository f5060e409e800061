//! The audit log in the store.

use super::{Actor, Deed, Event};
use crate::{error::Result, on, store::Conn, time::Timestamp};
use inlay_contract::ids::{OrganizationId, ProjectId};
use serde_json::{Map, Value};
use sqlx::{FromRow, types::Json};
use uuid::Uuid;

#[derive(FromRow)]
struct Row {
    id: Uuid,
    at: Timestamp,
    actor_kind: String,
    actor_id: Option<Uuid>,
    action: String,
    project_id: Option<ProjectId>,
    resource_id: Uuid,
    resource_name: Option<String>,
    details: Json<Map<String, Value>>,
    address: Option<String>,
    request_id: Option<String>,
}

impl From<Row> for Event {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            at: row.at,
            actor_kind: row.actor_kind,
            actor_id: row.actor_id,
            action: row.action,
            project_id: row.project_id,
            resource_id: row.resource_id,
            resource_name: row.resource_name,
            details: row.details.0,
            address: row.address,
            request_id: row.request_id,
        }
    }
}

/// Adds a line.
///
/// # Errors
/// The store is away.
pub(super) async fn insert(conn: &mut Conn<'_>, actor: &Actor, deed: &Deed<'_>) -> Result<()> {
    const SQL: &str = "INSERT INTO audit_events (id, organization_id, at, actor_kind, actor_id, action, project_id, \
        resource_id, resource_name, details, address, request_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    on!(conn, |c| {
        let insert = sqlx::query(SQL).bind(Uuid::now_v7()).bind(actor.organization).bind(Timestamp::now());
        let insert = insert.bind(actor.who.kind()).bind(actor.who.id()).bind(deed.action).bind(deed.project);
        let insert = insert.bind(deed.resource).bind(deed.name).bind(Json(&deed.details));
        insert.bind(&actor.origin.address).bind(&actor.origin.request).execute(c).await.map(drop)
    })?;
    Ok(())
}

/// Which lines are wanted.
#[derive(Debug)]
pub struct Wanted {
    /// Those of an organization.
    pub organization: OrganizationId,
    /// From this time on.
    pub since: Timestamp,
    /// Of these actions: the whole name, or its first part.
    pub action: Option<String>,
    /// Of this resource.
    pub resource: Option<Uuid>,
    /// At most so many.
    pub most: i64,
}

/// The newest lines that are wanted, newest first.
///
/// # Errors
/// The store is away.
pub async fn newest(conn: &mut Conn<'_>, wanted: &Wanted) -> Result<Vec<Event>> {
    const SQL: &str = "SELECT id, at, actor_kind, actor_id, action, project_id, resource_id, resource_name, details, address, \
        request_id FROM audit_events WHERE organization_id = $1 AND at >= $2 AND ($3 = '' OR action = $3 OR action LIKE $4) \
        AND ($5 = 0 OR resource_id = $6) ORDER BY at DESC, id DESC LIMIT $7";
    let action = wanted.action.clone().unwrap_or_default();
    let first_part = format!("{}.%", action.replace(['%', '_'], ""));
    let rows = on!(conn, |c| {
        let query = sqlx::query_as::<_, Row>(SQL).bind(wanted.organization).bind(wanted.since).bind(&action);
        let query = query.bind(&first_part).bind(i64::from(wanted.resource.is_some()));
        query.bind(wanted.resource.unwrap_or_default()).bind(wanted.most).fetch_all(c).await
    })?;
    Ok(rows.into_iter().map(Event::from).collect())
}
