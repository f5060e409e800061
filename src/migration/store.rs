//! The migration in the store.

use super::Counts;
use crate::{error::Result, on, store::Conn, time::Timestamp};
use inlay_contract::ids::OrganizationId;

/// What an organization has now.
///
/// # Errors
/// The store is away.
pub async fn counts(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<Counts> {
    const SQL: [&str; 8] = [
        "SELECT COUNT(*) FROM tenants t JOIN projects p ON p.id = t.project_id WHERE p.organization_id = $1",
        "SELECT COUNT(*) FROM tenants t JOIN projects p ON p.id = t.project_id \
            LEFT JOIN project_users u ON u.id = t.project_user_id WHERE p.organization_id = $1 AND u.customer_id IS NULL",
        "SELECT COUNT(*) FROM customers c JOIN projects p ON p.id = c.project_id WHERE p.organization_id = $1",
        "SELECT COUNT(*) FROM project_users u JOIN projects p ON p.id = u.project_id WHERE p.organization_id = $1",
        "SELECT COUNT(*) FROM dashboards d JOIN applications a ON a.id = d.application_id \
            JOIN projects p ON p.id = a.project_id WHERE p.organization_id = $1",
        "SELECT COUNT(*) FROM dashboards d JOIN applications a ON a.id = d.application_id \
            JOIN projects p ON p.id = a.project_id WHERE p.organization_id = $1 AND d.owner_id IS NULL AND d.tenant_id IS NOT NULL",
        "SELECT COUNT(*) FROM dashboards d JOIN applications a ON a.id = d.application_id \
            JOIN projects p ON p.id = a.project_id WHERE p.organization_id = $1 AND d.owner_id IS NOT NULL",
        "SELECT COUNT(*) FROM charts c JOIN projects p ON p.id = c.project_id WHERE p.organization_id = $1",
    ];
    let mut found = [0_i64; SQL.len()];
    for (sql, count) in SQL.iter().zip(&mut found) {
        *count = on!(conn, |c| sqlx::query_scalar(*sql).bind(organization).fetch_one(c).await)?;
    }
    let [tenants, unmapped_tenants, customers, project_users, dashboards, tenant_dashboards, user_dashboards, charts] = found;
    Ok(Counts { tenants, unmapped_tenants, customers, project_users, dashboards, tenant_dashboards, user_dashboards, charts })
}

/// Notes that an organization's migration is finalized.
///
/// # Errors
/// The store is away.
pub(super) async fn finalize(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<()> {
    const SQL: &str = "UPDATE organizations SET migration_finalized_at = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(organization).bind(Timestamp::now()).execute(c).await.map(drop))?;
    Ok(())
}
