//! Links in the store.

use super::Link;
use crate::{
    error::{Error, Result},
    on,
    store::Conn,
    time::Timestamp,
};
use inlay_contract::ids::{MemberId, OrganizationId};

type Row = (Vec<u8>, OrganizationId, String, Option<String>, Option<MemberId>, Timestamp);

macro_rules! select {
    ($rest:literal) => {
        concat!("SELECT id, organization_id, email, role, made_by, expires_at FROM console_links ", $rest)
    };
}

fn link((id, organization, email, role, made_by, expires_at): Row) -> Result<Link> {
    let role = role.map(|role| role.parse().map_err(Error::internal)).transpose()?;
    Ok(Link { id, organization, email, role, made_by, expires_at })
}

/// Stores a link.
///
/// # Errors
/// The store is away.
pub async fn insert(conn: &mut Conn<'_>, link: &Link) -> Result<()> {
    const SQL: &str = "INSERT INTO console_links (id, organization_id, email, role, made_by, created_at, expires_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    on!(conn, |c| {
        let insert = sqlx::query(SQL).bind(&link.id).bind(link.organization).bind(&link.email);
        let insert = insert.bind(link.role.map(|role| role.name())).bind(link.made_by).bind(Timestamp::now());
        insert.bind(link.expires_at).execute(c).await.map(drop)
    })?;
    Ok(())
}

/// A link by its id.
///
/// # Errors
/// The store is away.
pub async fn find(conn: &mut Conn<'_>, id: &[u8]) -> Result<Option<Link>> {
    const SQL: &str = select!("WHERE id = $1");
    on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(id).fetch_optional(c).await)?.map(link).transpose()
}

/// The links of an organization, by email address.
///
/// # Errors
/// The store is away.
pub async fn of_organization(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<Vec<Link>> {
    const SQL: &str = select!("WHERE organization_id = $1 ORDER BY email");
    let rows = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(organization).fetch_all(c).await)?;
    rows.into_iter().map(link).collect()
}

/// Uses a link up; whether it was there.
///
/// # Errors
/// The store is away.
pub async fn spend(conn: &mut Conn<'_>, id: &[u8]) -> Result<bool> {
    const SQL: &str = "DELETE FROM console_links WHERE id = $1";
    Ok(on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(|done| done.rows_affected()))? == 1)
}

/// Forgets an organization's links for an email address.
///
/// # Errors
/// The store is away.
pub async fn forget_for(conn: &mut Conn<'_>, organization: OrganizationId, email: &str) -> Result<()> {
    const SQL: &str = "DELETE FROM console_links WHERE organization_id = $1 AND email = $2";
    on!(conn, |c| sqlx::query(SQL).bind(organization).bind(email).execute(c).await.map(drop))?;
    Ok(())
}

/// Forgets the links that a member made.
///
/// # Errors
/// The store is away.
pub async fn forget_made_by(conn: &mut Conn<'_>, member: MemberId) -> Result<()> {
    const SQL: &str = "DELETE FROM console_links WHERE made_by = $1";
    on!(conn, |c| sqlx::query(SQL).bind(member).execute(c).await.map(drop))?;
    Ok(())
}
