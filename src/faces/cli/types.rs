//! `inlay types`

use super::{Failure, named_project::NamedProject, output::Output};
use crate::{flows::model_types, ground::config::Settings};
use serde_json::json;

pub async fn run(settings: &Settings, named: &NamedProject, output: Output) -> Result<(), Failure> {
    let (db, sealer) = settings.open_store().await?;
    let types = model_types::of_project(&db, &sealer, named.organization, &named.project).await?;
    output.print(&json!({ "types": types }), || types.trim_end().to_owned())
}
