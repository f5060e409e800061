//! New signing keys, told in every organization's audit log.

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

/// Signs with a new key from now on; tokens that are out stay valid. The key is the whole service's, so that every organization's
/// log tells of it: that of the member who does it with their name.
///
/// # Errors
/// The store is away.
pub async fn rotate(app: &App, by: &Member<impl Owns>) -> Result<()> {
    let mut tx = app.db.write().await?;
    sign_anew(&mut tx.conn(), &app.sealer, Some(&by.actor())).await?;
    tx.commit().await?;
    app.refresh().await
}

/// The same in the name of a member, or of whoever runs the service; the new key's id.
///
/// # Errors
/// The store is away.
pub async fn sign_anew(conn: &mut Conn<'_>, sealer: &Sealer, by: Option<&Actor>) -> Result<Uuid> {
    let id = tokens::rotate(conn, sealer).await?;
    for organization in organizations::all(conn).await? {
        let operator = Actor::operator(organization);
        let actor = by.filter(|actor| actor.organization == organization).unwrap_or(&operator);
        audit::record(conn, actor, Deed::new("signingKey.rotated", id)).await?;
    }
    Ok(id)
}
