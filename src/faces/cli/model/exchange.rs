//! `inlay model export|import|draft`

use crate::{
    concepts::connections,
    faces::cli::{Failure, named_project::NamedProject, output::Output},
    flows::project_file::{
        apply::Target,
        draft::{self, Asked, is_hidden},
        exchange, export,
        model::ProjectFile,
    },
    ground::config::Settings,
};
use clap::Args;
use inlay_ossie::Note;
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

#[derive(Args, Debug)]
pub(in crate::faces::cli) struct Drafting {
    #[command(flatten)]
    named: Named,
    /// Leave out the tables that the project does not list
    #[arg(long)]
    listed_only: bool,
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
    print(&file, &notes, output)
}

/// Drafts a model from the database's keys, types and names.
pub(super) async fn draft(settings: &Settings, drafting: &Drafting, output: Output) -> Result<(), Failure> {
    let Named { project: NamedProject { organization, project }, connection } = &drafting.named;
    let (db, sealer) = settings.open_store().await?;
    let engine = connections::engine(settings, &db, &sealer);
    let target = Target { db: &db, sealer: &sealer, engine: &engine, organization: *organization };
    let asked = Asked { project, connection: connection.as_deref(), listed_only: drafting.listed_only };
    let (file, notes) = draft::draft(&target, &asked).await.map_err(|problem| problem.to_string())?;
    print(&file, &notes, output)
}

/// Prints a project's file with notes about it.
fn print(file: &ProjectFile, notes: &[Note], output: Output) -> Result<(), Failure> {
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

/// A note as lines that begin with `#`, whatever the names in it hold.
fn comment(note: &str) -> Vec<String> {
    let shown = |letter: char| if is_hidden(letter) { letter.escape_unicode().to_string() } else { letter.to_string() };
    note.lines().map(|line| format!("# {}\n", line.chars().map(shown).collect::<String>())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_within_its_comment() {
        let note = Note {
            at: "tables.x\rversion: 2".to_owned(),
            why: "a\nrows: all\u{1b}[2J".to_owned(),
            advice: "b\u{2028}rows: all\u{85}\u{202e}".to_owned(),
        };
        let text: String = comment(&note.to_string()).concat();
        assert_eq!(text, "# tables.x\\u{d}version: 2: a\n# rows: all\\u{1b}[2J. b\\u{2028}rows: all\\u{85}\\u{202e}.\n");
    }
}
