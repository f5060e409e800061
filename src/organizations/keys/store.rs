//! API keys as members manage them, in the store.

use super::ListedKey;
use crate::{
    error::Result,
    on,
    store::{Conn, version},
    time::Timestamp,
};
use inlay_contract::ids::{AccountId, ApiKeyId, OrganizationId};

/// The keys that act for an organization, newest first.
///
/// # Errors
/// The store is away.
pub async fn of_organization(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<Vec<ListedKey>> {
    const SQL: &str = "SELECT k.id, k.label, k.account_id, a.email, k.organization_id IS NULL, k.created_at, k.last_used_at, \
        k.revoked_at, k.requests_per_second FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.organization_id = $1 \
        OR (k.organization_id IS NULL AND k.account_id IN (SELECT m.account_id FROM members m WHERE m.organization_id = $1)) \
        ORDER BY k.created_at DESC, k.id DESC";
    type Row =
        (ApiKeyId, Option<String>, AccountId, String, bool, Timestamp, Option<Timestamp>, Option<Timestamp>, Option<i64>);
    let rows = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(organization).fetch_all(c).await)?;
    let key = |(id, label, account, owner, user_scoped, created_at, last_used_at, revoked_at, per_second): Row| ListedKey {
        id,
        label,
        account,
        owner,
        user_scoped,
        created_at,
        last_used_at,
        revoked_at,
        per_second: per_second.and_then(|limit| u32::try_from(limit).ok()),
    };
    Ok(rows.into_iter().map(key).collect())
}

/// Says what a key is called.
///
/// # Errors
/// The store is away.
pub async fn set_label(conn: &mut Conn<'_>, id: ApiKeyId, label: &str) -> Result<()> {
    const SQL: &str = "UPDATE api_keys SET label = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(label).execute(c).await.map(drop))?;
    Ok(())
}

/// Says how often a key may ask, in requests a second.
///
/// # Errors
/// The store is away.
pub async fn set_limit(conn: &mut Conn<'_>, id: ApiKeyId, per_second: Option<u32>) -> Result<()> {
    const SQL: &str = "UPDATE api_keys SET requests_per_second = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(per_second.map(i64::from)).execute(c).await.map(drop))?;
    version::bump(conn).await
}

/// Says when a key was used last; an older time changes nothing.
///
/// # Errors
/// The store is away.
pub async fn set_last_used(conn: &mut Conn<'_>, id: ApiKeyId, at: Timestamp) -> Result<()> {
    const SQL: &str = "UPDATE api_keys SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(at).execute(c).await.map(drop))?;
    Ok(())
}
