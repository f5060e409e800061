//! The dashboards that a caller sees, in the store: found by indexes, whatever others keep in the application.

use super::{DashboardRow, FoundDashboard, OWNERS, SELECT};
use crate::{
    concepts::dashboards::{
        Dashboard,
        writer::{Generation, Who, Writer},
    },
    ground::{
        error::Result,
        store::{
            Conn,
            rows::{columns, sql},
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::ids::{ApplicationId, DashboardId, ProjectUserId, TenantId};
use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use uuid::Uuid;

/// A place in an application's lists. It stays where it is while dashboards are added and removed. A copy has the place of the
/// dashboard that it replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slot {
    position: i64,
    created_at: i64,
    id: DashboardId,
}

impl Slot {
    /// Before every dashboard.
    const BEGINNING: Self = Self { position: i64::MIN, created_at: i64::MIN, id: DashboardId(Uuid::nil()) };
}

#[derive(FromRow)]
struct FoundListed {
    #[sqlx(flatten)]
    found: FoundDashboard,
    slot_position: i64,
    slot_created_at: Timestamp,
    slot_id: DashboardId,
}

/// A part of a list: at most $6 dashboards after a place ($3 to $5), in order. Each of its sources is read in the order of an
/// index, and no further than the part goes. SQLite joins in the order that `CROSS JOIN` stands in: it does not know how few there are.
macro_rules! listed {
    ($($others:expr),*) => {
        sql!(
            "SELECT ",
            columns!(DashboardRow as d),
            OWNERS,
            ", k.position AS slot_position, k.created_at AS slot_created_at, k.slot AS slot_id FROM (SELECT * FROM (\
            SELECT * FROM (SELECT s.position, s.created_at, s.id AS slot, COALESCE(c.id, s.id) AS shown FROM dashboards s \
            LEFT JOIN dashboards c ON c.owner_id = $2 AND c.replaces_id = s.id \
            WHERE s.application_id = $1 AND s.owner_id IS NULL AND s.tenant_id IS NULL \
            AND (s.position, s.created_at, s.id) > ($3, $4, $5) ORDER BY s.position, s.created_at, s.id LIMIT $6) shared",
            $($others,)*
            ") parts ORDER BY position, created_at, slot LIMIT $6) k CROSS JOIN dashboards d \
            LEFT JOIN project_users u ON u.id = d.owner_id WHERE d.id = k.shown ORDER BY k.position, k.created_at, k.slot"
        )
    };
}

/// Dashboards that are somebody's own and replace no other, under a condition.
macro_rules! own {
    ($condition:literal) => {
        concat!(
            " UNION ALL SELECT * FROM (SELECT o.position, o.created_at, o.id AS slot, o.id AS shown FROM dashboards o \
            WHERE o.application_id = $1 AND o.replaces_id IS NULL AND (o.position, o.created_at, o.id) > ($3, $4, $5) AND ",
            $condition,
            " ORDER BY o.position, o.created_at, o.id LIMIT $6) own"
        )
    };
}

const SHARED: &str = listed!();
const OF_CUSTOMER: &str = listed!(own!("o.customer_id = $7"));
const OF_USER: &str = listed!(own!("o.owner_id = $7"));
// Also while the migration moves them: the caller was read before it, the dashboards after.
const OF_TENANT: &str = listed!(
    own!("o.tenant_id = $7"),
    own!("o.customer_id = $8 AND (o.tenant_id IS NULL OR o.tenant_id <> $7)"),
    own!(
        "o.owner_id = (SELECT t.project_user_id FROM tenants t WHERE t.id = $7) AND (o.tenant_id IS NULL OR o.tenant_id <> $7) \
        AND COALESCE(o.customer_id <> $8, TRUE)"
    )
);
const OF_TENANTS: &str = listed!(
    own!("o.tenant_id IS NOT NULL"),
    own!(
        "o.tenant_id IS NULL AND o.owner_id IN (SELECT t.project_user_id FROM applications a \
        JOIN tenants t ON t.project_id = a.project_id WHERE a.id = $1 AND t.project_user_id IS NOT NULL)"
    )
);

/// The next dashboards that a caller sees in an application, in the navigation's order, the caller's own copies in the places
/// of the shared ones.
pub async fn seen_by(
    conn: &mut Conn<'_>,
    application: ApplicationId,
    caller: &Writer,
    after: Option<Slot>,
    most: i64,
) -> Result<Vec<(Slot, Dashboard)>> {
    let user = caller.user();
    let own_customer = user.and_then(|(_, customer)| customer).map(|customer| customer.0);
    let (sql, others): (_, Vec<Option<Uuid>>) = match caller.who {
        Who::Host if caller.generation == Generation::V1 => (OF_TENANTS, Vec::new()),
        Who::Host | Who::Member { .. } => (SHARED, Vec::new()),
        Who::User { customer: Some(_), .. } => (OF_CUSTOMER, vec![own_customer]),
        Who::User { user, customer: None, .. } => (OF_USER, vec![Some(user.0)]),
        Who::Tenant { tenant, .. } => (OF_TENANT, vec![Some(tenant.0), own_customer]),
    };
    let Slot { position, created_at, id } = after.unwrap_or(Slot::BEGINNING);
    let rows = on!(conn, |c| {
        let query = sqlx::query_as::<_, FoundListed>(sql).bind(application).bind(user.map(|(user, _)| user));
        let query = query.bind(position).bind(created_at).bind(id).bind(most);
        others.into_iter().fold(query, |query, other| query.bind(other)).fetch_all(c).await
    })?;
    let slot = |row: &FoundListed| Slot { position: row.slot_position, created_at: row.slot_created_at.0, id: row.slot_id };
    Ok(rows.into_iter().map(|row| (slot(&row), Dashboard::from(row.found))).collect())
}

/// Every shared dashboard of an application, in the navigation's order.
pub async fn shared_of(conn: &mut Conn<'_>, application: ApplicationId) -> Result<Vec<Dashboard>> {
    const SQL: &str = sql!(
        SELECT,
        " WHERE d.application_id = $1 AND d.owner_id IS NULL AND d.tenant_id IS NULL ORDER BY d.position, d.created_at, d.id"
    );
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundDashboard>(SQL).bind(application).fetch_all(c).await)?;
    Ok(rows.into_iter().map(Dashboard::from).collect())
}

/// How many shared dashboards an application has.
pub async fn count_shared(conn: &mut Conn<'_>, application: ApplicationId) -> Result<i64> {
    const SQL: &str = "SELECT COUNT(*) FROM dashboards WHERE application_id = $1 AND owner_id IS NULL AND tenant_id IS NULL";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(application).fetch_one(c).await)?)
}

/// How many dashboards of an application are users' and tenants' own.
pub async fn count_own(conn: &mut Conn<'_>, application: ApplicationId) -> Result<i64> {
    const SQL: &str = "SELECT (SELECT COUNT(*) FROM dashboards WHERE application_id = $1 AND customer_id IS NOT NULL) \
        + (SELECT COUNT(*) FROM dashboards WHERE application_id = $1 AND tenant_id IS NOT NULL AND customer_id IS NULL)";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(application).fetch_one(c).await)?)
}

/// How many dashboards a user owns, in all applications.
pub async fn count_of_user(conn: &mut Conn<'_>, user: ProjectUserId) -> Result<i64> {
    const SQL: &str = "SELECT COUNT(*) FROM dashboards WHERE owner_id = $1";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(user).fetch_one(c).await)?)
}

/// How many dashboards a tenant owns.
pub async fn count_of_tenant(conn: &mut Conn<'_>, tenant: TenantId) -> Result<i64> {
    const SQL: &str = "SELECT COUNT(*) FROM dashboards WHERE tenant_id = $1";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(tenant).fetch_one(c).await)?)
}
