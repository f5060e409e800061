//! The audit log in the store.

pub mod tidy;

use super::{Actor, Deed, Event};
use crate::{
    ground::{
        error::Result,
        paging::Side,
        store::{
            Conn,
            rows::{self, columns, row, sql},
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::ids::{OrganizationId, ProjectId};
use serde_json::{Map, Value};
use sqlx::{FromRow, types::Json};
use uuid::Uuid;

row! {
    /// An event of the audit log.
    pub(crate) struct AuditEventRow in "audit_events" {
        id: Uuid,
        organization_id: OrganizationId,
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
        folded_name: Option<String>,
    }
}

#[derive(FromRow)]
struct FoundEvent {
    #[sqlx(flatten)]
    row: AuditEventRow,
    actor_name: Option<String>,
}

impl From<FoundEvent> for Event {
    fn from(FoundEvent { row, actor_name }: FoundEvent) -> Self {
        Self {
            id: row.id,
            at: row.at,
            actor_kind: row.actor_kind,
            actor_id: row.actor_id,
            actor_name,
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

/// Inserts an event.
pub(super) async fn insert(conn: &mut Conn<'_>, actor: &Actor, deed: &Deed<'_>) -> Result<()> {
    let row = AuditEventRow {
        id: Uuid::now_v7(),
        organization_id: actor.organization,
        at: Timestamp::now(),
        actor_kind: actor.who.kind().to_owned(),
        actor_id: actor.who.id(),
        action: deed.action.to_owned(),
        project_id: deed.project,
        resource_id: deed.resource,
        resource_name: deed.name.map(str::to_owned),
        details: Json(deed.details.clone()),
        address: actor.origin.address.clone(),
        request_id: actor.origin.request.clone(),
        folded_name: deed.name.map(str::to_lowercase),
    };
    Ok(rows::insert(conn, row).await?)
}

/// A filter by actor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doer {
    /// The command line.
    Operator,
    /// The actor with this id.
    Id(Uuid),
    /// Members whose email address and API keys whose name contain this text; users with exactly this external id, tenants with this key.
    Named(String),
}

/// A filter by resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thing {
    /// The resource with this id.
    Id(Uuid),
    /// Resources whose name contains this text.
    Named(String),
}

/// The place of an event in the log: when it happened, and its id.
pub type Place = (i64, Uuid);

/// A filter of events.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The organization.
    pub organization: OrganizationId,
    /// From this time on.
    pub since: Timestamp,
    /// Before this time.
    pub until: Timestamp,
    /// Actions whose name contains this text.
    pub action: Option<String>,
    /// The resource.
    pub resource: Option<Thing>,
    /// The actor.
    pub who: Option<Doer>,
    /// The project.
    pub project: Option<ProjectId>,
    /// Only events on one side of a place.
    pub from: Option<Side<Place>>,
    /// The maximum number of events.
    pub most: i64,
}

impl Wanted {
    /// The newest events of an organization.
    pub const fn of(organization: OrganizationId, most: i64) -> Self {
        let (since, until) = (Timestamp(0), Timestamp(i64::MAX));
        Self { organization, since, until, action: None, resource: None, who: None, project: None, from: None, most }
    }
}

/// How many events of a period a text search reads, so that no search scans a log of years.
pub const SEARCHED: i64 = 500_000;

// The inner query uses an index only. Conditions that need every row stand outside, behind its limit.
macro_rules! select {
    ($by:literal) => {
        [select!($by, "<", "DESC"), select!($by, ">", "ASC")]
    };
    ($by:literal, $than:literal, $order:literal) => {
        sql!(
            "SELECT ",
            columns!(AuditEventRow as e),
            ", COALESCE((SELECT a.email FROM members m JOIN accounts a ON a.id = m.account_id WHERE m.id = e.actor_id), \
            (SELECT k.label FROM api_keys k WHERE k.id = e.actor_id), (SELECT u.external_id FROM project_users u WHERE u.id = e.actor_id), \
            (SELECT t.tenant_key FROM tenants t WHERE t.id = e.actor_id)) AS actor_name \
            FROM (SELECT * FROM audit_events WHERE organization_id = $1 AND at >= $2 AND at < $3 ",
            $by,
            " AND (at, id) ",
            $than,
            " ($16, $18) ORDER BY at ",
            $order,
            ", id ",
            $order,
            " LIMIT $4) e WHERE ($5 = '' OR LOWER(e.action) LIKE $5 ESCAPE '\\') \
            AND ($6 = '' OR COALESCE(e.folded_name, LOWER(e.resource_name)) LIKE $6 ESCAPE '\\') \
            AND ($7 = 0 OR e.project_id = $8) AND ($9 = 0 OR e.actor_kind = 'operator') AND ($10 = 0 OR e.resource_id = $11) \
            AND ($12 = 0 OR e.actor_id = $13) AND ($14 = '' OR $17 <> '') ORDER BY e.at ",
            $order,
            ", e.id ",
            $order,
            " LIMIT $15"
        )
    };
}

/// The newest matching events, newest first.
pub async fn newest(conn: &mut Conn<'_>, wanted: &Wanted) -> Result<Vec<Event>> {
    const ALL: [&str; 2] = select!("");
    const BY_ACTOR: [&str; 2] = select!("AND actor_id = $13");
    const BY_RESOURCE: [&str; 2] = select!("AND resource_id = $11");
    const BY_NAMED: [&str; 2] = select!(
        "AND actor_id IN (SELECT m.id FROM members m JOIN accounts a ON a.id = m.account_id WHERE m.organization_id = $1 \
        AND LOWER(a.email) LIKE $14 ESCAPE '\\' \
        UNION ALL SELECT k.id FROM api_keys k WHERE k.organization_id = $1 AND LOWER(k.label) LIKE $14 ESCAPE '\\' \
        UNION ALL SELECT k.id FROM members m JOIN api_keys k ON k.account_id = m.account_id WHERE m.organization_id = $1 \
        AND k.organization_id IS NULL AND LOWER(k.label) LIKE $14 ESCAPE '\\' \
        UNION ALL SELECT u.id FROM projects p JOIN project_users u ON u.project_id = p.id WHERE p.organization_id = $1 AND u.external_id = $17 \
        UNION ALL SELECT t.id FROM projects p JOIN tenants t ON t.project_id = p.id WHERE p.organization_id = $1 AND t.tenant_key = $17)"
    );
    let [older, newer] = match (&wanted.who, &wanted.resource) {
        (Some(Doer::Named(_)), _) => BY_NAMED,
        (Some(Doer::Id(_)), _) => BY_ACTOR,
        (_, Some(Thing::Id(_))) => BY_RESOURCE,
        _ => ALL,
    };
    let (sql, (at, id)) = match wanted.from {
        None => (older, (i64::MAX, Uuid::max())),
        Some(Side::After(place)) => (older, place),
        Some(Side::Before(place)) => (newer, place),
    };
    let (resource, named) = match &wanted.resource {
        Some(Thing::Id(id)) => (Some(*id), None),
        Some(Thing::Named(name)) => (None, Some(name)),
        None => (None, None),
    };
    let (actor, who) = match &wanted.who {
        Some(Doer::Id(id)) => (Some(*id), None),
        Some(Doer::Named(name)) => (None, Some(name)),
        Some(Doer::Operator) | None => (None, None),
    };
    let operator = i64::from(wanted.who == Some(Doer::Operator));
    let pattern = |text: Option<&String>| text.map_or_else(String::new, |text| holding(text));
    let rows = on!(conn, |c| {
        let query =
            sqlx::query_as::<_, FoundEvent>(sql).bind(wanted.organization).bind(wanted.since).bind(wanted.until).bind(SEARCHED);
        let query = query.bind(pattern(wanted.action.as_ref())).bind(pattern(named));
        let query = query.bind(i64::from(wanted.project.is_some())).bind(wanted.project).bind(operator);
        let query = query.bind(i64::from(resource.is_some())).bind(resource);
        let query = query.bind(i64::from(actor.is_some())).bind(actor).bind(pattern(who));
        let query = query.bind(wanted.most).bind(at).bind(who.map_or("", String::as_str)).bind(id);
        query.fetch_all(c).await
    })?;
    let mut events: Vec<_> = rows.into_iter().map(Event::from).collect();
    if matches!(wanted.from, Some(Side::Before(_))) {
        events.reverse();
    }
    Ok(events)
}

/// A `LIKE` pattern that finds a text anywhere, in any case, with its wildcards escaped.
fn holding(text: &str) -> String {
    let letters = text.trim().to_lowercase();
    let escaped =
        letters.chars().flat_map(|letter| matches!(letter, '%' | '_' | '\\').then_some('\\').into_iter().chain([letter]));
    format!("%{}%", escaped.collect::<String>())
}
