//! `inlay types`

use super::{Failure, output::Output};
use crate::{flows::model_types, ground::config::Settings};
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
    let types = model_types::of_project(&db, &sealer, arguments.organization, &arguments.project).await?;
    output.print(&json!({ "types": types }), || types.trim_end().to_owned())
}
