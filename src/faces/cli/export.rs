//! `inlay export`

use super::{Failure, output::Output};
use crate::{flows::project_file::export::export, ground::config::Settings};
use clap::Args;
use inlay_contract::ids::OrganizationId;
use serde_json::json;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The organization's id
    #[arg(long)]
    organization: OrganizationId,
    /// The project's name
    #[arg(long)]
    project: String,
}

pub async fn run(settings: &Settings, arguments: &Arguments, output: Output) -> Result<(), Failure> {
    let (db, sealer) = settings.open_store().await?;
    let yaml = export(&db, &sealer, arguments.organization, &arguments.project).await?.to_yaml()?;
    output.print(&json!({ "projectFile": yaml }), || yaml.trim_end().to_owned())
}
