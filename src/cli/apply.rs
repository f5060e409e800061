//! `inlay apply FILE`

use super::{Failure, output::Output};
use crate::{
    config::Settings,
    connections,
    project_file::apply::{Target, apply},
};
use clap::Args;
use inlay_contract::ids::OrganizationId;
use std::{env, fs, path::PathBuf};

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The project file
    file: PathBuf,
    /// The organization's id
    #[arg(long)]
    organization: OrganizationId,
}

pub(super) async fn run(settings: &Settings, arguments: &Arguments, output: Output) -> Result<(), Failure> {
    let shown = arguments.file.display();
    let text = fs::read_to_string(&arguments.file).map_err(|fault| format!("{shown} cannot be read: {fault}"))?;
    let path = fs::canonicalize(&arguments.file)?;
    let folder = path.parent().ok_or("the project file stands in no folder")?;
    let (db, sealer) = settings.open_store().await?;
    let engine = connections::engine(settings, &db, &sealer);
    let target = Target { db: &db, sealer: &sealer, engine: &engine, organization: arguments.organization };
    let environment = |name: &str| env::var(name).ok();
    let applied =
        apply(&target, &text, folder, &environment).await.map_err(|problem| format!("{shown} was not applied:\n{problem}"))?;
    output.print(&applied, || {
        let warnings = applied.warnings.iter().map(|warning| format!("\nWarning: {warning}")).collect::<String>();
        format!(
            "Applied {shown}: project {}, {} charts, {} applications, {} dashboards.{warnings}",
            applied.project_id,
            applied.charts.len(),
            applied.applications.len(),
            applied.dashboards.len()
        )
    })
}
