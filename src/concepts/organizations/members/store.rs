//! Members in the store.

use super::Membership;
use crate::{
    concepts::organizations::{MemberRole, store::MemberRow},
    ground::{
        error::{Error, Result},
        store::{
            Conn,
            rows::{columns, sql},
            version,
        },
    },
    on,
};
use inlay_contract::ids::{AccountId, MemberId, OrganizationId};
use sqlx::FromRow;

#[derive(FromRow)]
struct FoundMember {
    #[sqlx(flatten)]
    row: MemberRow,
    organization_name: String,
    email: String,
    has_password: bool,
}

impl TryFrom<FoundMember> for Membership {
    type Error = Error;

    fn try_from(FoundMember { row, organization_name, email, has_password }: FoundMember) -> Result<Self> {
        Ok(Self {
            id: row.id,
            account: row.account_id,
            organization: row.organization_id,
            organization_name,
            email,
            role: row.role.parse().map_err(Error::internal)?,
            has_password,
            created_at: row.created_at,
        })
    }
}

const SELECT: &str = sql!(
    "SELECT ",
    columns!(MemberRow as m),
    ", o.name AS organization_name, a.email, a.password_hash IS NOT NULL AS has_password \
    FROM members m JOIN accounts a ON a.id = m.account_id JOIN organizations o ON o.id = m.organization_id"
);

/// The members of an organization, by email address.
pub async fn of_organization(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<Vec<Membership>> {
    const SQL: &str = sql!(SELECT, " WHERE m.organization_id = $1 ORDER BY a.email");
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundMember>(SQL).bind(organization).fetch_all(c).await)?;
    rows.into_iter().map(Membership::try_from).collect()
}

/// A person's memberships, by the organizations' names.
pub async fn of_account(conn: &mut Conn<'_>, account: AccountId) -> Result<Vec<Membership>> {
    const SQL: &str = sql!(SELECT, " WHERE m.account_id = $1 ORDER BY o.name, o.id");
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundMember>(SQL).bind(account).fetch_all(c).await)?;
    rows.into_iter().map(Membership::try_from).collect()
}

/// A membership by its id.
pub async fn find_membership(conn: &mut Conn<'_>, id: MemberId) -> Result<Option<Membership>> {
    const SQL: &str = sql!(SELECT, " WHERE m.id = $1");
    on!(conn, |c| sqlx::query_as::<_, FoundMember>(SQL).bind(id).fetch_optional(c).await)?.map(Membership::try_from).transpose()
}

/// Whether any organization has an owner.
pub async fn any_owner(conn: &mut Conn<'_>) -> Result<bool> {
    const SQL: &str = "SELECT id FROM members WHERE role = 'owner' LIMIT 1";
    let found: Option<MemberId> = on!(conn, |c| sqlx::query_scalar(SQL).fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// Locks an organization's members against other writers until this transaction ends.
pub async fn lock_organization(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<()> {
    const SQL: &str = "UPDATE organizations SET name = name WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(organization).execute(c).await.map(drop))?;
    Ok(())
}

/// Updates a member's role.
pub async fn set_role(conn: &mut Conn<'_>, id: MemberId, role: MemberRole) -> Result<()> {
    const SQL: &str = "UPDATE members SET role = $2 WHERE id = $1 RETURNING organization_id, account_id";
    let of = on!(&mut *conn, |c| sqlx::query_as(SQL).bind(id).bind(role.name()).fetch_optional(c).await)?;
    changed(conn, of).await
}

/// Ends a membership.
pub async fn remove(conn: &mut Conn<'_>, id: MemberId) -> Result<()> {
    const SQL: &str = "DELETE FROM members WHERE id = $1 RETURNING organization_id, account_id";
    let of = on!(&mut *conn, |c| sqlx::query_as(SQL).bind(id).fetch_optional(c).await)?;
    changed(conn, of).await
}

/// Increments the versions of a membership's organization and account: user-scoped keys reach every organization of their owner.
async fn changed(conn: &mut Conn<'_>, of: Option<(OrganizationId, AccountId)>) -> Result<()> {
    let scopes = of.map(|(organization, account)| [organization.into(), account.into()]);
    version::bump(conn, scopes.as_ref().map_or(&[], |scopes| scopes.as_slice())).await.map(drop)
}
