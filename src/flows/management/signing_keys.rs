//! Rotation of the signing key, with an event in every organization's audit log.

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
        error::Result,
        state::App,
        store::{Conn, seal::Sealer},
    },
};
use uuid::Uuid;

/// Signs new tokens with a new key from now on. Issued tokens stay valid. The key serves all organizations, so every organization's
/// audit log gets an event; only the member's own names the member.
pub async fn rotate(app: &App, by: &Member<impl Owns>) -> Result<()> {
    let mut tx = app.db.write().await?;
    sign_anew(&mut tx.conn(), &app.sealer, Some(&by.actor())).await?;
    tx.commit().await?;
    app.refresh().await
}

/// The same for a member or the operator. Returns the new key's id.
pub async fn sign_anew(conn: &mut Conn<'_>, sealer: &Sealer, by: Option<&Actor>) -> Result<Uuid> {
    let id = tokens::rotate(conn, sealer).await?;
    for organization in organizations::all(conn).await? {
        let operator = Actor::operator(organization);
        let actor = by.filter(|actor| actor.organization == organization).unwrap_or(&operator);
        audit::record(conn, actor, Deed::new("signingKey.rotated", id)).await?;
    }
    Ok(id)
}
