//! `inlay workspace versions|publish|promote|roll-back|unpublish|evaluate`

mod evaluation;

use super::{Failure, output::Output};
use crate::{
    concepts::workspaces::{self, Workspace, versions},
    ground::{
        audit::{self, Actor, Deed},
        config::Settings,
    },
};
use clap::{Args, Subcommand};
use inlay_contract::ids::WorkspaceId;
use serde_json::json;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List the versions of a workspace, oldest first
    Versions {
        /// The workspace's id
        id: WorkspaceId,
    },
    /// Ask a question set as one user, and report how many answers were right
    Evaluate(evaluation::Arguments),
    #[command(flatten)]
    Change(Change),
}

#[derive(Debug, Subcommand)]
pub(super) enum Change {
    /// Publish a version, so that it can be promoted
    Publish(Publication),
    /// Promote a published version to production, where embeds serve it
    Promote(Pick),
    /// Put the previous published version back into production
    RollBack {
        /// The workspace's id
        id: WorkspaceId,
    },
    /// Take the workspace out of production. Its page then says "This workspace has not been published"
    Unpublish {
        /// The workspace's id
        id: WorkspaceId,
    },
}

#[derive(Args, Debug)]
pub(super) struct Pick {
    /// The workspace's id
    id: WorkspaceId,
    /// The version's number [default: the newest]
    #[arg(long)]
    number: Option<i64>,
}

#[derive(Args, Debug)]
pub(super) struct Publication {
    #[command(flatten)]
    pick: Pick,
    /// Promote it to production too
    #[arg(long)]
    promote: bool,
}

pub async fn run(settings: Settings, command: Command, output: Output) -> Result<(), Failure> {
    match command {
        Command::Versions { id } => list(&settings, id, output).await,
        Command::Evaluate(arguments) => evaluation::run(settings, arguments, output).await,
        Command::Change(change) => apply(&settings, change, output).await,
    }
}

async fn apply(settings: &Settings, change: Change, output: Output) -> Result<(), Failure> {
    let id = match &change {
        Change::RollBack { id } | Change::Unpublish { id } => *id,
        Change::Publish(publication) => publication.pick.id,
        Change::Promote(pick) => pick.id,
    };
    let (db, _) = settings.open_store().await?;
    let mut tx = db.write().await?;
    let conn = &mut tx.conn();
    let workspace = workspaces::find(conn, id).await?.ok_or_else(|| missing(id))?;
    let (action, number) = match change {
        Change::Publish(publication) => {
            let number = versions::publish(conn, id, publication.pick.number).await?;
            if publication.promote {
                versions::promote(conn, id, Some(number)).await?;
            }
            ("workspace.published", Some(number))
        }
        Change::Promote(pick) => ("workspace.promoted", Some(versions::promote(conn, id, pick.number).await?)),
        Change::RollBack { .. } => ("workspace.rolledBack", Some(versions::roll_back(conn, id).await?)),
        Change::Unpublish { .. } => {
            workspaces::promote(conn, id, None).await?;
            ("workspace.unpublished", None)
        }
    };
    let Workspace { project, organization, name, .. } = &workspace;
    let deed = Deed::new(action, id.0).in_project(*project).named(name).with("version", number);
    audit::record(conn, &Actor::operator(*organization), deed).await?;
    let production = workspaces::production(conn, id).await?.map(|version| version.number);
    tx.commit().await?;
    let answer = json!({ "workspaceId": id, "version": number, "production": production });
    output.print(&answer, || match production {
        Some(production) => format!("{name}: version {production} is in production."),
        None => format!("{name}: no version is in production."),
    })
}

fn missing(id: WorkspaceId) -> String {
    format!("there is no workspace with id {id}")
}

async fn list(settings: &Settings, id: WorkspaceId, output: Output) -> Result<(), Failure> {
    let (db, _) = settings.open_store().await?;
    let mut lease = db.read().await?;
    let conn = &mut lease.conn();
    workspaces::find(conn, id).await?.ok_or_else(|| missing(id))?;
    let production = workspaces::production(conn, id).await?.map(|version| version.number);
    let versions = workspaces::list_versions(conn, id).await?;
    let state = |number: i64, published: bool| match published {
        _ if production == Some(number) => "production",
        true => "published",
        false => "draft",
    };
    let rows: Vec<_> = versions.iter().map(|version| (version.number, state(version.number, version.published))).collect();
    let answer: Vec<_> = rows.iter().map(|(number, state)| json!({ "version": number, "state": state })).collect();
    let lines = || rows.iter().map(|(number, state)| format!("{number}  {state}")).collect::<Vec<_>>().join("\n");
    output.print(&json!({ "workspaceId": id, "versions": answer }), lines)
}
