//! `inlay revoke user|customer|project ID`

use super::{Failure, output::Output};
use crate::{
    concepts::tokens::{self, revocation::SubjectKind},
    ground::{audit::Actor, config::Settings},
};
use clap::{Args, ValueEnum};
use serde_json::json;
use uuid::Uuid;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Kind of owner of the tokens
    kind: Kind,
    /// Id of the user (or tenant), customer or project
    id: Uuid,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    User,
    Customer,
    Project,
}

pub async fn run(settings: &Settings, arguments: &Arguments, output: Output) -> Result<(), Failure> {
    let kind = match arguments.kind {
        Kind::User => SubjectKind::User,
        Kind::Customer => SubjectKind::Customer,
        Kind::Project => SubjectKind::Project,
    };
    let (db, _) = settings.open_store().await?;
    let mut tx = db.write().await?;
    let conn = &mut tx.conn();
    let found = tokens::find(conn, kind, arguments.id).await?;
    let found = found.ok_or_else(|| format!("there is no {} with id {}", kind.name(), arguments.id))?;
    let actor = Actor::operator(found.organization_id);
    tokens::revoke(conn, &actor, found.project_id, kind, arguments.id, &found.name).await?;
    tx.commit().await?;
    let answer = json!({ "kind": kind.name(), "id": arguments.id, "revoked": true });
    output.print(&answer, || format!("Tokens of {} {} are revoked.", kind.name(), arguments.id))
}
