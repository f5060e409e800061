//! Rotation of the signing key, with an event in every organization's audit log.

#[cfg(test)]
mod tests;

use crate::{
    concepts::{
        organizations::{
            self,
            members::{Member, Owns},
        },
        tokens,
    },
    ground::{
        audit::{self, Actor, Deed},
        error::{Code, Error, Result},
        state::App,
        store::{Conn, seal::Sealer},
    },
};
use inlay_contract::ids::OrganizationId;
use uuid::Uuid;

/// Signs new tokens with a new key from now on. Issued tokens stay valid. The key serves all organizations, so every organization's
/// audit log gets an event; only the member's own names the member.
///
/// # Errors
/// 403 `MEMBER_NOT_PERMITTED` for an owner of another organization than the installation's first one; 429 `RATE_LIMITED` within an hour of
/// the last rotation.
pub async fn rotate(app: &App, by: &Member<impl Owns>) -> Result<()> {
    if !may_rotate(app, by.organization).await? {
        let told = "The signing key serves every organization of this installation. Ask its operator to rotate it: inlay signing-key rotate.";
        return Err(Error::new(Code::MemberNotPermitted, told));
    }
    let mut tx = app.db.write().await?;
    sign_anew(&mut tx.conn(), &app.sealer, Some(&by.actor())).await?;
    tx.commit().await?;
    app.refresh().await
}

/// Whether owners of this organization may rotate the signing key: it is the installation's first one, of those who set the service up.
pub async fn may_rotate(app: &App, organization: OrganizationId) -> Result<bool> {
    Ok(organizations::first(&mut app.db.read().await?.conn()).await? == Some(organization))
}

/// The same for a member or the operator, from some seconds after the commit on. Returns the new key's id.
pub async fn sign_anew(conn: &mut Conn<'_>, sealer: &Sealer, by: Option<&Actor>) -> Result<Uuid> {
    let id = tokens::rotate(conn, sealer).await?;
    for organization in organizations::all(conn).await? {
        let operator = Actor::operator(organization);
        let actor = by.filter(|actor| actor.organization == organization).unwrap_or(&operator);
        audit::record(conn, actor, Deed::new("signingKey.rotated", id)).await?;
    }
    Ok(id)
}
