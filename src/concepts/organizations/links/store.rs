//! Links in the store.

mod tidy;

pub use tidy::TIDY;

use super::Link;
use crate::{
    ground::{
        error::{Error, Result},
        store::{
            Conn,
            rows::{self, columns, row, sql},
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::ids::{MemberId, OrganizationId};

row! {
    /// An invitation or a password link.
    pub(crate) struct LinkRow in "console_links" {
        id: Vec<u8>,
        organization_id: OrganizationId,
        email: String,
        role: Option<String>,
        made_by: Option<MemberId>,
        created_at: Timestamp,
        expires_at: Timestamp,
    }
}

impl TryFrom<LinkRow> for Link {
    type Error = Error;

    fn try_from(row: LinkRow) -> Result<Self> {
        Ok(Self {
            id: row.id,
            organization: row.organization_id,
            email: row.email,
            role: row.role.map(|role| role.parse().map_err(Error::internal)).transpose()?,
            made_by: row.made_by,
            expires_at: row.expires_at,
        })
    }
}

/// Stores a link.
pub async fn insert(conn: &mut Conn<'_>, link: &Link) -> Result<()> {
    let row = LinkRow {
        id: link.id.clone(),
        organization_id: link.organization,
        email: link.email.clone(),
        role: link.role.map(|role| role.name().to_owned()),
        made_by: link.made_by,
        created_at: Timestamp::now(),
        expires_at: link.expires_at,
    };
    Ok(rows::insert(conn, row).await?)
}

/// A link by its id.
pub async fn find(conn: &mut Conn<'_>, id: &[u8]) -> Result<Option<Link>> {
    const SQL: &str = sql!("SELECT ", columns!(LinkRow), " FROM console_links WHERE id = $1");
    on!(conn, |c| sqlx::query_as::<_, LinkRow>(SQL).bind(id).fetch_optional(c).await)?.map(Link::try_from).transpose()
}

/// The links of an organization, by email address.
pub async fn of_organization(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<Vec<Link>> {
    const SQL: &str = sql!("SELECT ", columns!(LinkRow), " FROM console_links WHERE organization_id = $1 ORDER BY email");
    let rows = on!(conn, |c| sqlx::query_as::<_, LinkRow>(SQL).bind(organization).fetch_all(c).await)?;
    rows.into_iter().map(Link::try_from).collect()
}

/// Deletes a link when it is used. Returns whether it existed.
pub async fn spend(conn: &mut Conn<'_>, id: &[u8]) -> Result<bool> {
    const SQL: &str = "DELETE FROM console_links WHERE id = $1";
    Ok(on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(|done| done.rows_affected()))? == 1)
}

/// Deletes an organization's links for an email address.
pub async fn forget_for(conn: &mut Conn<'_>, organization: OrganizationId, email: &str) -> Result<()> {
    const SQL: &str = "DELETE FROM console_links WHERE organization_id = $1 AND email = $2";
    on!(conn, |c| sqlx::query(SQL).bind(organization).bind(email).execute(c).await.map(drop))?;
    Ok(())
}

/// Deletes the links that a member created.
pub async fn forget_made_by(conn: &mut Conn<'_>, member: MemberId) -> Result<()> {
    const SQL: &str = "DELETE FROM console_links WHERE made_by = $1";
    on!(conn, |c| sqlx::query(SQL).bind(member).execute(c).await.map(drop))?;
    Ok(())
}
