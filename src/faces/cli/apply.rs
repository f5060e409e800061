//! `inlay apply FILE`

use super::{Failure, output::Output};
use crate::{
    concepts::connections,
    flows::project_file::{
        apply::{Incoming, Target, apply_as},
        losses::Loss,
        preview::preview,
        sources::SourceWarning,
    },
    ground::{audit::Actor, config::Settings},
};
use clap::Args;
use inlay_contract::ids::OrganizationId;
use std::{
    env, fs,
    io::{Write, stderr},
    path::PathBuf,
};

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The project file
    file: PathBuf,
    /// The organization's id
    #[arg(long)]
    organization: OrganizationId,
    /// List what would be created, changed and removed, or why the file would be refused; change nothing
    #[arg(long)]
    dry_run: bool,
    /// Also count in the databases whether the declared keys are unique, and refuse the file where one is not
    #[arg(long)]
    check_data: bool,
}

pub async fn run(settings: &Settings, arguments: &Arguments, output: Output) -> Result<(), Failure> {
    let shown = arguments.file.display();
    let text = fs::read_to_string(&arguments.file).map_err(|fault| format!("{shown} cannot be read: {fault}"))?;
    let path = fs::canonicalize(&arguments.file)?;
    let folder = path.parent().ok_or("the project file is not in a folder")?;
    let (db, sealer) = settings.open_store().await?;
    let engine = connections::engine(settings, &db, &sealer);
    let target = Target { db: &db, sealer: &sealer, engine: &engine, organization: arguments.organization };
    let environment = |name: &str| env::var(name).ok();
    let actor = Actor::operator(arguments.organization);
    let incoming = Incoming {
        text: &text,
        folder,
        environment: &environment,
        seen: None,
        despite: None,
        check_data: arguments.check_data,
    };
    if arguments.dry_run {
        let found = preview(&target, &actor, &incoming).await;
        let found = found.map_err(|problem| format!("{shown} would not be applied:\n{problem}"))?;
        warn(&found.losses)?;
        return output.print(&found, || {
            let changes = found.changes.iter().map(|change| format!("{change}\n")).collect::<String>();
            let told = if changes.is_empty() { "Applying the file would change nothing.\n".to_owned() } else { changes };
            format!("{told}Nothing has been changed.{}", warnings(&found.warnings))
        });
    }
    let applied = apply_as(&target, &actor, &incoming).await;
    let applied = applied.map_err(|problem| format!("{shown} was not applied:\n{problem}"))?;
    warn(&applied.losses)?;
    output.print(&applied, || {
        format!(
            "Applied {shown}: project {}, {} charts, {} applications, {} dashboards.{}",
            applied.project_id,
            applied.charts.len(),
            applied.applications.len(),
            applied.dashboards.len(),
            warnings(&applied.warnings)
        )
    })
}

/// Prints what the file removes from objects in use, to standard error.
fn warn(losses: &[Loss]) -> Result<(), Failure> {
    for loss in losses {
        writeln!(stderr(), "Warning: {loss}")?;
    }
    Ok(())
}

fn warnings(all: &[SourceWarning]) -> String {
    all.iter().map(|warning| format!("\nWarning: {warning}")).collect()
}
