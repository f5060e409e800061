//! Members in the store.

use super::Membership;
use crate::{
    error::{Error, Result},
    on,
    organizations::MemberRole,
    store::{Conn, version},
    time::Timestamp,
};
use inlay_contract::ids::{AccountId, MemberId, OrganizationId};

type Row = (MemberId, AccountId, OrganizationId, String, String, String, bool, Timestamp);

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT m.id, m.account_id, m.organization_id, o.name, a.email, m.role, a.password_hash IS NOT NULL, m.created_at ",
            "FROM members m JOIN accounts a ON a.id = m.account_id JOIN organizations o ON o.id = m.organization_id ",
            $rest
        )
    };
}

fn membership(
    (id, account, organization, organization_name, email, role, has_password, created_at): Row,
) -> Result<Membership> {
    let role = role.parse().map_err(Error::internal)?;
    Ok(Membership { id, account, organization, organization_name, email, role, has_password, created_at })
}

/// The members of an organization, by email address.
///
/// # Errors
/// The store is away.
pub async fn of_organization(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<Vec<Membership>> {
    const SQL: &str = select!("WHERE m.organization_id = $1 ORDER BY a.email");
    let rows = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(organization).fetch_all(c).await)?;
    rows.into_iter().map(membership).collect()
}

/// Where somebody is a member, by the organizations' names.
///
/// # Errors
/// The store is away.
pub async fn of_account(conn: &mut Conn<'_>, account: AccountId) -> Result<Vec<Membership>> {
    const SQL: &str = select!("WHERE m.account_id = $1 ORDER BY o.name, o.id");
    let rows = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(account).fetch_all(c).await)?;
    rows.into_iter().map(membership).collect()
}

/// A membership by its id.
///
/// # Errors
/// The store is away.
pub async fn find(conn: &mut Conn<'_>, id: MemberId) -> Result<Option<Membership>> {
    const SQL: &str = select!("WHERE m.id = $1");
    on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(id).fetch_optional(c).await)?.map(membership).transpose()
}

/// Whether any organization has an owner.
///
/// # Errors
/// The store is away.
pub async fn any_owner(conn: &mut Conn<'_>) -> Result<bool> {
    const SQL: &str = "SELECT id FROM members WHERE role = 'owner' LIMIT 1";
    let found: Option<MemberId> = on!(conn, |c| sqlx::query_scalar(SQL).fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// Makes others who would change an organization's members wait until this transaction ends.
///
/// # Errors
/// The store is away.
pub async fn lock_organization(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<()> {
    const SQL: &str = "UPDATE organizations SET name = name WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(organization).execute(c).await.map(drop))?;
    Ok(())
}

/// Writes a member's role.
///
/// # Errors
/// The store is away.
pub async fn set_role(conn: &mut Conn<'_>, id: MemberId, role: MemberRole) -> Result<()> {
    const SQL: &str = "UPDATE members SET role = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(role.name()).execute(c).await.map(drop))?;
    version::bump(conn).await
}

/// Ends a membership.
///
/// # Errors
/// The store is away.
pub async fn remove(conn: &mut Conn<'_>, id: MemberId) -> Result<()> {
    const SQL: &str = "DELETE FROM members WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    version::bump(conn).await
}
