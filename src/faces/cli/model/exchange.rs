//! `inlay model export|import`

use crate::{
    faces::cli::{Failure, named_project::NamedProject, output::Output},
    flows::project_file::{exchange, export, model::ProjectFile},
    ground::config::Settings,
};
use clap::Args;
use serde_json::json;
use std::{fs, path::PathBuf};

#[derive(Args, Debug)]
pub(in crate::faces::cli) struct Named {
    #[command(flatten)]
    project: NamedProject,
    /// The connection whose tables are meant; needed if the project has several
    #[arg(long)]
    connection: Option<String>,
}

#[derive(Args, Debug)]
pub(in crate::faces::cli) struct Importing {
    /// The document, in YAML
    file: PathBuf,
    #[command(flatten)]
    named: Named,
}

pub(super) async fn export(settings: &Settings, named: &Named, output: Output) -> Result<(), Failure> {
    let file = file_of(settings, &named.project).await?;
    let document = exchange::document_of(&file, named.connection.as_deref()).map_err(|problem| problem.to_string())?;
    output.print(&json!({ "document": document }), || document.trim_end().to_owned())
}

pub(super) async fn import(settings: &Settings, importing: &Importing, output: Output) -> Result<(), Failure> {
    let shown = importing.file.display();
    let document = fs::read_to_string(&importing.file).map_err(|fault| format!("{shown} cannot be read: {fault}"))?;
    let mut file = file_of(settings, &importing.named.project).await?;
    let notes = exchange::import(&mut file, importing.named.connection.as_deref(), &document);
    let notes = notes.map_err(|problem| problem.to_string())?;
    let yaml = file.to_yaml()?;
    output.print(&json!({ "projectFile": yaml, "notes": notes }), || {
        // As comments, so that they are read with the file.
        let notes: String = notes.iter().flat_map(|note| comment(&note.to_string())).collect();
        format!("{notes}{}", yaml.trim_end())
    })
}

async fn file_of(settings: &Settings, named: &NamedProject) -> Result<ProjectFile, Failure> {
    let (db, sealer) = settings.open_store().await?;
    Ok(export::export(&db, &sealer, named.organization, &named.project).await?)
}

fn comment(note: &str) -> Vec<String> {
    note.lines().map(|line| format!("# {line}\n")).collect()
}
