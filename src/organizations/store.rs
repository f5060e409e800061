//! Organizations, members and API keys in the store.

use super::{
    MemberRole, Organization,
    api_keys::{KeyRecord, NewKey},
};
use crate::{
    error::{Error, Result},
    on,
    store::{Conn, version},
    time::Timestamp,
    tokens::{revocation::SubjectKind, store::revoke},
};
use inlay_contract::ids::{AccountId, ApiKeyId, MemberId, OrganizationId};
use std::num::NonZeroU32;

/// Makes an organization.
///
/// # Errors
/// The store is away.
pub async fn create(conn: &mut Conn<'_>, name: &str) -> Result<OrganizationId> {
    const SQL: &str = "INSERT INTO organizations (id, name, created_at) VALUES ($1, $2, $3)";
    let id = OrganizationId::generate();
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(name).bind(Timestamp::now()).execute(c).await.map(drop))?;
    Ok(id)
}

/// An organization by its id.
///
/// # Errors
/// The store is away, or there is none.
pub async fn find(conn: &mut Conn<'_>, id: OrganizationId) -> Result<Organization> {
    const SQL: &str = "SELECT migration_finalized_at FROM organizations WHERE id = $1";
    let found = on!(conn, |c| sqlx::query_scalar::<_, Option<Timestamp>>(SQL).bind(id).fetch_optional(c).await)?;
    found
        .map(|finalized| Organization { id, migration_finalized: finalized.is_some() })
        .ok_or_else(|| Error::not_found("Organization"))
}

/// Every organization.
///
/// # Errors
/// The store is away.
pub async fn all(conn: &mut Conn<'_>) -> Result<Vec<OrganizationId>> {
    Ok(on!(conn, |c| sqlx::query_scalar("SELECT id FROM organizations ORDER BY id").fetch_all(c).await)?)
}

/// Makes somebody a member, or changes the role of who is one already.
///
/// # Errors
/// The store is away.
pub async fn put_member(
    conn: &mut Conn<'_>,
    organization: OrganizationId,
    email: &str,
    role: MemberRole,
    password_hash: Option<&str>,
) -> Result<MemberId> {
    const ACCOUNT: &str = "INSERT INTO accounts (id, email, password_hash, created_at) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (email) DO UPDATE SET password_hash = COALESCE(excluded.password_hash, accounts.password_hash) RETURNING id";
    const MEMBER: &str = "INSERT INTO members (id, organization_id, account_id, role, created_at) VALUES ($1, $2, $3, $4, $5) \
        ON CONFLICT (organization_id, account_id) DO UPDATE SET role = excluded.role RETURNING id";
    let now = Timestamp::now();
    let (account, member) = (AccountId::generate(), MemberId::generate());
    let account: AccountId = on!(conn, |c| {
        sqlx::query_scalar(ACCOUNT).bind(account).bind(email).bind(password_hash).bind(now).fetch_one(c).await
    })?;
    let member = on!(conn, |c| {
        let insert = sqlx::query_scalar(MEMBER).bind(member).bind(organization).bind(account);
        insert.bind(role.name()).bind(now).fetch_one(c).await
    })?;
    version::bump(conn).await?;
    Ok(member)
}

/// The account of a member of an organization, by email address.
///
/// # Errors
/// The store is away, or nobody of that address is a member.
pub async fn account_of_member(conn: &mut Conn<'_>, organization: OrganizationId, email: &str) -> Result<AccountId> {
    const SQL: &str = "SELECT a.id FROM accounts a JOIN members m ON m.account_id = a.id \
        WHERE m.organization_id = $1 AND a.email = $2";
    let found = on!(conn, |c| sqlx::query_scalar(SQL).bind(organization).bind(email).fetch_optional(c).await)?;
    found.ok_or_else(|| Error::not_found("Member"))
}

/// Stores a key; without an organization it is user-scoped.
///
/// # Errors
/// The store is away.
pub async fn insert_key(
    conn: &mut Conn<'_>,
    key: &NewKey,
    owner: AccountId,
    organization: Option<OrganizationId>,
) -> Result<()> {
    const SQL: &str =
        "INSERT INTO api_keys (id, account_id, organization_id, secret_hash, created_at) VALUES ($1, $2, $3, $4, $5)";
    on!(conn, |c| {
        let insert = sqlx::query(SQL).bind(key.id).bind(owner).bind(organization);
        insert.bind(&key.secret_hash).bind(Timestamp::now()).execute(c).await.map(drop)
    })?;
    version::bump(conn).await
}

/// Revokes a key and every token that it issued.
///
/// # Errors
/// The store is away, or there is no such key.
pub async fn revoke_key(conn: &mut Conn<'_>, id: ApiKeyId) -> Result<()> {
    const SQL: &str = "UPDATE api_keys SET revoked_at = COALESCE(revoked_at, $2) WHERE id = $1";
    let changed =
        on!(conn, |c| sqlx::query(SQL).bind(id).bind(Timestamp::now()).execute(c).await.map(|done| done.rows_affected()))?;
    if changed == 0 {
        return Err(Error::not_found("API key"));
    }
    revoke(conn, SubjectKind::Key, id.0).await
}

/// The organizations that a key may act for: the one that it is bound to, or those of its owner.
///
/// # Errors
/// The store is away.
pub async fn organizations_of_key(conn: &mut Conn<'_>, id: ApiKeyId) -> Result<Vec<OrganizationId>> {
    let Some(key) = find_key(conn, id).await? else { return Ok(Vec::new()) };
    Ok(key.organization.map_or_else(|| key.memberships.iter().map(|(of, _)| *of).collect(), |bound| vec![bound]))
}

/// A key by its id, with its owner's memberships.
///
/// # Errors
/// The store is away.
pub async fn find_key(conn: &mut Conn<'_>, id: ApiKeyId) -> Result<Option<KeyRecord>> {
    const KEY: &str =
        "SELECT account_id, organization_id, secret_hash, revoked_at, requests_per_second FROM api_keys WHERE id = $1";
    const MEMBERSHIPS: &str = "SELECT organization_id, role FROM members WHERE account_id = $1";
    type Row = (AccountId, Option<OrganizationId>, Vec<u8>, Option<Timestamp>, Option<i64>);
    let found = on!(conn, |c| sqlx::query_as::<_, Row>(KEY).bind(id).fetch_optional(c).await)?;
    let Some((account, organization, secret_hash, revoked_at, per_second)) = found else { return Ok(None) };
    let rows = on!(conn, |c| sqlx::query_as::<_, (OrganizationId, String)>(MEMBERSHIPS).bind(account).fetch_all(c).await)?;
    let memberships = rows.into_iter().filter_map(|(of, role)| Some((of, role.parse().ok()?))).collect();
    let per_second = per_second.and_then(|limit| NonZeroU32::new(u32::try_from(limit).ok()?));
    Ok(Some(KeyRecord { id, account, organization, secret_hash, revoked: revoked_at.is_some(), per_second, memberships }))
}

/// The name of an organization.
///
/// # Errors
/// The store is away.
pub async fn name(conn: &mut Conn<'_>, id: OrganizationId) -> Result<Option<String>> {
    const SQL: &str = "SELECT name FROM organizations WHERE id = $1";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(id).fetch_optional(c).await)?)
}
