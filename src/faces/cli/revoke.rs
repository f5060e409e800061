//! `inlay revoke user|customer|project ID`. Tenants count as users here: an operator names either by its id.

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
    let (name, kinds): (&str, &[SubjectKind]) = match arguments.kind {
        Kind::User => ("user", &[SubjectKind::User, SubjectKind::Tenant]),
        Kind::Customer => ("customer", &[SubjectKind::Customer]),
        Kind::Project => ("project", &[SubjectKind::Project]),
    };
    let (db, _) = settings.open_store().await?;
    let mut tx = db.write().await?;
    let conn = &mut tx.conn();
    let mut revoked = false;
    for kind in kinds {
        let Some(found) = tokens::find(conn, *kind, arguments.id).await? else { continue };
        let actor = Actor::operator(found.organization_id);
        tokens::revoke(conn, &actor, found.project_id, *kind, arguments.id, &found.name).await?;
        revoked = true;
    }
    if !revoked {
        return Err(format!("there is no {name} with id {}", arguments.id).into());
    }
    tx.commit().await?;
    let answer = json!({ "kind": name, "id": arguments.id, "revoked": true });
    output.print(&answer, || format!("Tokens of {name} {} are revoked.", arguments.id))
}
