//! `inlay organization create`

use super::{Failure, output::Output};
use crate::{
    concepts::organizations,
    ground::{
        audit::{self, Actor, Deed},
        config::Settings,
    },
};
use clap::Subcommand;
use serde_json::json;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Create an organization. It owns API keys and projects
    Create {
        /// The organization's name
        #[arg(long)]
        name: String,
    },
}

pub async fn run(settings: &Settings, Command::Create { name }: Command, output: Output) -> Result<(), Failure> {
    let (db, _) = settings.open_store().await?;
    let mut tx = db.write().await?;
    let id = organizations::create(&mut tx.conn(), &name).await?;
    let deed = Deed::new("organization.created", id.0).named(&name);
    audit::record(&mut tx.conn(), &Actor::operator(id), deed).await?;
    tx.commit().await?;
    output.print(&json!({ "organizationId": id }), || format!("Organization {name}: {id}"))
}
