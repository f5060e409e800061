//! API keys, managed by members, in the store.

use super::ListedKey;
use crate::{
    concepts::organizations::store::ApiKeyRow,
    ground::{
        error::Result,
        store::{
            Conn,
            rows::{columns, sql},
            version::{self, Scope},
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::ids::{AccountId, ApiKeyId, OrganizationId};
use sqlx::FromRow;

#[derive(FromRow)]
struct FoundKey {
    #[sqlx(flatten)]
    row: ApiKeyRow,
    email: String,
}

impl From<FoundKey> for ListedKey {
    fn from(FoundKey { row, email }: FoundKey) -> Self {
        Self {
            id: row.id,
            label: row.label,
            account: row.account_id,
            owner: email,
            user_scoped: row.organization_id.is_none(),
            created_at: row.created_at,
            last_used_at: row.last_used_at,
            revoked_at: row.revoked_at,
            per_second: row.requests_per_second.and_then(|limit| u32::try_from(limit).ok()),
        }
    }
}

/// The keys that act for an organization, newest first.
pub async fn of_organization(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<Vec<ListedKey>> {
    const SQL: &str = sql!(
        "SELECT ",
        columns!(ApiKeyRow as k),
        ", a.email FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.id IN \
        (SELECT o.id FROM api_keys o WHERE o.organization_id = $1 UNION ALL SELECT s.id FROM members m \
        JOIN api_keys s ON s.account_id = m.account_id WHERE m.organization_id = $1 AND s.organization_id IS NULL) \
        ORDER BY k.created_at DESC, k.id DESC"
    );
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundKey>(SQL).bind(organization).fetch_all(c).await)?;
    Ok(rows.into_iter().map(ListedKey::from).collect())
}

/// Sets a key's label.
pub async fn set_label(conn: &mut Conn<'_>, id: ApiKeyId, label: &str) -> Result<()> {
    const SQL: &str = "UPDATE api_keys SET label = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(label).execute(c).await.map(drop))?;
    Ok(())
}

/// Sets a key's rate limit, in requests per second.
pub async fn set_limit(conn: &mut Conn<'_>, id: ApiKeyId, per_second: Option<u32>) -> Result<()> {
    const SQL: &str = "UPDATE api_keys SET requests_per_second = $2 WHERE id = $1 RETURNING account_id";
    let owner: Option<AccountId> =
        on!(&mut *conn, |c| sqlx::query_scalar(SQL).bind(id).bind(per_second.map(i64::from)).fetch_optional(c).await)?;
    version::bump(conn, owner.map(Scope::from).as_slice()).await.map(drop)
}

/// Sets when a key was last used. An older time changes nothing.
pub async fn set_last_used(conn: &mut Conn<'_>, id: ApiKeyId, at: Timestamp) -> Result<()> {
    const SQL: &str = "UPDATE api_keys SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(at).execute(c).await.map(drop))?;
    Ok(())
}
