//! `inlay revoke user|customer|project ID`

use super::{Failure, output::Output};
use crate::{
    audit::{self, Actor, Deed},
    config::Settings,
    tokens::{revocation::SubjectKind, store},
};
use clap::{Args, ValueEnum};
use serde_json::json;
use uuid::Uuid;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Whose tokens
    kind: Kind,
    /// The id of the user (or tenant), customer or project
    id: Uuid,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    User,
    Customer,
    Project,
}

pub(super) async fn run(settings: &Settings, arguments: &Arguments, output: Output) -> Result<(), Failure> {
    let kind = match arguments.kind {
        Kind::User => SubjectKind::User,
        Kind::Customer => SubjectKind::Customer,
        Kind::Project => SubjectKind::Project,
    };
    let (db, _) = settings.open_store().await?;
    let mut tx = db.write().await?;
    let organization = store::organization_of(&mut tx.conn(), kind, arguments.id).await?;
    let organization = organization.ok_or_else(|| format!("there is no {} {}", kind.name(), arguments.id))?;
    store::revoke(&mut tx.conn(), kind, arguments.id).await?;
    let deed = Deed::new("token.revoked", arguments.id).with("kind", kind.name());
    audit::record(&mut tx.conn(), &Actor::operator(organization), deed).await?;
    tx.commit().await?;
    let answer = json!({ "kind": kind.name(), "id": arguments.id, "revoked": true });
    output.print(&answer, || format!("Tokens of {} {} are revoked.", kind.name(), arguments.id))
}
