//! `inlay export`

use super::{Failure, named_project::NamedProject, output::Output};
use crate::{flows::project_file::export::export, ground::config::Settings};
use serde_json::json;

pub async fn run(settings: &Settings, named: &NamedProject, output: Output) -> Result<(), Failure> {
    let (db, sealer) = settings.open_store().await?;
    let yaml = export(&db, &sealer, named.organization, &named.project).await?.to_yaml()?;
    output.print(&json!({ "projectFile": yaml }), || yaml.trim_end().to_owned())
}
