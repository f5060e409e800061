//! `inlay revoke user|customer|project ID`

use super::{Failure, output::Output};
use crate::{
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
    /// The id of the user, customer or project
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
    store::revoke(&mut tx.conn(), kind, arguments.id).await?;
    tx.commit().await?;
    let answer = json!({ "kind": kind.name(), "id": arguments.id, "revoked": true });
    output.print(&answer, || format!("Tokens of {} {} are revoked.", kind.name(), arguments.id))
}
