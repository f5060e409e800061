//! Organizations, members and API keys in the store.

use super::{
    MemberRole, Organization,
    api_keys::{KeyRecord, NewKey},
};
use crate::{
    concepts::tokens::{cut_off, revocation::SubjectKind},
    ground::{
        error::{Error, Result},
        store::{
            Conn,
            rows::{self, columns, inserts, row, sql},
            version,
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::ids::{AccountId, ApiKeyId, MemberId, OrganizationId};
use serde_json::Value;
use sqlx::types::Json;
use std::num::NonZeroU32;

row! {
    /// An organization.
    pub(crate) struct OrganizationRow in "organizations" {
        id: OrganizationId,
        name: String,
        migration_finalized_at: Option<Timestamp>,
        created_at: Timestamp,
        reports: Option<Json<Value>>,
        short_name: Option<String>,
    }
}

row! {
    /// An account that can sign in to the console.
    pub(crate) struct AccountRow in "accounts" {
        id: AccountId,
        email: String,
        password_hash: Option<String>,
        created_at: Timestamp,
    }
}

row! {
    /// An account's membership of an organization.
    pub(crate) struct MemberRow in "members" {
        id: MemberId,
        organization_id: OrganizationId,
        account_id: AccountId,
        role: String,
        created_at: Timestamp,
    }
}

row! {
    struct Membership of MemberRow { organization_id: OrganizationId, role: String }
}

row! {
    /// An API key.
    pub(crate) struct ApiKeyRow in "api_keys" {
        id: ApiKeyId,
        account_id: AccountId,
        organization_id: Option<OrganizationId>,
        secret_hash: Vec<u8>,
        created_at: Timestamp,
        revoked_at: Option<Timestamp>,
        label: Option<String>,
        last_used_at: Option<Timestamp>,
        requests_per_second: Option<i64>,
    }
}

/// Creates an organization.
pub async fn create(conn: &mut Conn<'_>, name: &str) -> Result<OrganizationId> {
    let id = OrganizationId::generate();
    let row = OrganizationRow {
        id,
        name: name.to_owned(),
        migration_finalized_at: None,
        created_at: Timestamp::now(),
        reports: None,
        short_name: None,
    };
    rows::insert(conn, row).await?;
    Ok(id)
}

/// An organization by its id.
///
/// # Errors
/// 404 when it does not exist.
pub async fn find(conn: &mut Conn<'_>, id: OrganizationId) -> Result<Organization> {
    found_by(conn, FIND, id).await
}

/// An organization by its id, whose migration nobody finalizes until this transaction ends. The writes of v1 begin with it, and
/// do not wait for each other.
///
/// # Errors
/// 404 when it does not exist.
pub async fn find_held(conn: &mut Conn<'_>, id: OrganizationId) -> Result<Organization> {
    const SHARED: &str = sql!(FIND, " FOR SHARE");
    let sql = match conn {
        // It has one writer at a time.
        Conn::Sqlite(_) => FIND,
        Conn::Postgres(_) => SHARED,
    };
    found_by(conn, sql, id).await
}

const FIND: &str = "SELECT migration_finalized_at FROM organizations WHERE id = $1";

async fn found_by(conn: &mut Conn<'_>, sql: &'static str, id: OrganizationId) -> Result<Organization> {
    let found = on!(conn, |c| sqlx::query_scalar::<_, Option<Timestamp>>(sql).bind(id).fetch_optional(c).await)?;
    found
        .map(|finalized| Organization { id, migration_finalized: finalized.is_some() })
        .ok_or_else(|| Error::not_found("Organization"))
}

/// Every organization.
pub async fn all(conn: &mut Conn<'_>) -> Result<Vec<OrganizationId>> {
    Ok(on!(conn, |c| sqlx::query_scalar("SELECT id FROM organizations ORDER BY id").fetch_all(c).await)?)
}

/// The organization that was created first.
pub async fn first(conn: &mut Conn<'_>) -> Result<Option<OrganizationId>> {
    const SQL: &str = "SELECT id FROM organizations ORDER BY created_at, id LIMIT 1";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).fetch_optional(c).await)?)
}

/// Adds a member, or changes the role of an existing one.
pub async fn put_member(
    conn: &mut Conn<'_>,
    organization: OrganizationId,
    email: &str,
    role: MemberRole,
    password_hash: Option<&str>,
) -> Result<MemberId> {
    const ACCOUNT: &str = sql!(
        inserts!(AccountRow),
        " ON CONFLICT (email) DO UPDATE SET password_hash = COALESCE(excluded.password_hash, accounts.password_hash) RETURNING id"
    );
    const MEMBER: &str =
        sql!(inserts!(MemberRow), " ON CONFLICT (organization_id, account_id) DO UPDATE SET role = excluded.role RETURNING id");
    let now = Timestamp::now();
    let account = AccountRow {
        id: AccountId::generate(),
        email: email.to_owned(),
        password_hash: password_hash.map(str::to_owned),
        created_at: now,
    };
    let account: AccountId = on!(conn, |c| rows::query_scalar(ACCOUNT, account).fetch_one(c).await)?;
    let member = MemberRow {
        id: MemberId::generate(),
        organization_id: organization,
        account_id: account,
        role: role.name().to_owned(),
        created_at: now,
    };
    let member = on!(&mut *conn, |c| rows::query_scalar(MEMBER, member).fetch_one(c).await)?;
    version::bump(conn, &[organization.into(), account.into()]).await?;
    Ok(member)
}

/// The account of a member of an organization, by email address.
///
/// # Errors
/// 404 when no member has this address.
pub async fn account_of_member(conn: &mut Conn<'_>, organization: OrganizationId, email: &str) -> Result<AccountId> {
    const SQL: &str = "SELECT a.id FROM accounts a JOIN members m ON m.account_id = a.id \
        WHERE m.organization_id = $1 AND a.email = $2";
    let found = on!(conn, |c| sqlx::query_scalar(SQL).bind(organization).bind(email).fetch_optional(c).await)?;
    found.ok_or_else(|| Error::not_found("Member"))
}

/// Stores a key. Without an organization it is user-scoped.
pub async fn insert_key(
    conn: &mut Conn<'_>,
    key: &NewKey,
    owner: AccountId,
    organization: Option<OrganizationId>,
) -> Result<()> {
    let row = ApiKeyRow {
        id: key.id,
        account_id: owner,
        organization_id: organization,
        secret_hash: key.secret_hash.clone(),
        created_at: Timestamp::now(),
        revoked_at: None,
        label: None,
        last_used_at: None,
        requests_per_second: None,
    };
    rows::insert(conn, row).await?;
    version::bump(conn, &[owner.into()]).await.map(drop)
}

/// Revokes a key and every token that it issued.
///
/// # Errors
/// 404 when there is no such key.
pub async fn revoke_key(conn: &mut Conn<'_>, id: ApiKeyId) -> Result<()> {
    const SQL: &str = "UPDATE api_keys SET revoked_at = COALESCE(revoked_at, $2) WHERE id = $1 RETURNING account_id";
    let found: Option<AccountId> =
        on!(&mut *conn, |c| sqlx::query_scalar(SQL).bind(id).bind(Timestamp::now()).fetch_optional(c).await)?;
    let owner = found.ok_or_else(|| Error::not_found("API key"))?;
    cut_off(conn, SubjectKind::Key, id.0, &[owner.into()]).await
}

/// The organizations that a key may act for: its own, or those of its owner.
pub async fn organizations_of_key(conn: &mut Conn<'_>, id: ApiKeyId) -> Result<Vec<OrganizationId>> {
    let Some(key) = find_key(conn, id).await? else { return Ok(Vec::new()) };
    Ok(key.organization.map_or_else(|| key.memberships.iter().map(|(of, _)| *of).collect(), |bound| vec![bound]))
}

/// A key by its id, with its owner's memberships.
pub async fn find_key(conn: &mut Conn<'_>, id: ApiKeyId) -> Result<Option<KeyRecord>> {
    const KEY: &str = sql!("SELECT ", columns!(ApiKeyRow), " FROM api_keys WHERE id = $1");
    const MEMBERSHIPS: &str = sql!("SELECT ", columns!(Membership), " FROM members WHERE account_id = $1");
    let Some(key) = on!(conn, |c| sqlx::query_as::<_, ApiKeyRow>(KEY).bind(id).fetch_optional(c).await)? else {
        return Ok(None);
    };
    let rows = on!(conn, |c| sqlx::query_as::<_, Membership>(MEMBERSHIPS).bind(key.account_id).fetch_all(c).await)?;
    let memberships = rows.into_iter().filter_map(|row| Some((row.organization_id, row.role.parse().ok()?))).collect();
    Ok(Some(KeyRecord {
        id,
        account: key.account_id,
        organization: key.organization_id,
        secret_hash: key.secret_hash,
        revoked: key.revoked_at.is_some(),
        per_second: key.requests_per_second.and_then(|limit| NonZeroU32::new(u32::try_from(limit).ok()?)),
        memberships,
    }))
}

/// The name of an organization.
pub async fn name(conn: &mut Conn<'_>, id: OrganizationId) -> Result<Option<String>> {
    const SQL: &str = "SELECT name FROM organizations WHERE id = $1";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(id).fetch_optional(c).await)?)
}
