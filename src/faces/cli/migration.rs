//! `inlay migration users|finalize`

use super::{Failure, output::Output};
use crate::{
    flows::v1_migration::{Counts, Step, finalize, map_tenants},
    ground::{audit::Actor, config::Settings, error::Code},
};
use clap::Subcommand;
use inlay_contract::ids::OrganizationId;

#[derive(Clone, Copy, Debug, Subcommand)]
pub(super) enum Command {
    /// Create a customer and a project user for every tenant, and give them its dashboards. Can be repeated
    Users {
        /// The organization's id
        #[arg(long)]
        organization: OrganizationId,
    },
    /// Finalize the migration: v1 no longer writes dashboards. Refused while a tenant has no project user
    Finalize {
        /// The organization's id
        #[arg(long)]
        organization: OrganizationId,
    },
}

pub async fn run(settings: &Settings, command: Command, output: Output) -> Result<(), Failure> {
    let (db, _) = settings.open_store().await?;
    let (step, sentence) = match command {
        Command::Users { organization } => {
            let step = map_tenants(&db, &Actor::operator(organization)).await?;
            (step, format!("Project users created: {}. Dashboards moved: {}.", step.mapped_tenants, step.moved_dashboards))
        }
        Command::Finalize { organization } => {
            let step = finalize(&db, &Actor::operator(organization)).await.map_err(|problem| match problem.code {
                Code::MigrationIncomplete => {
                    Failure::from(format!("{problem} Run: inlay migration users --organization {organization}"))
                }
                _ => problem.into(),
            })?;
            (step, "The migration is finalized. v1 no longer writes dashboards.".to_owned())
        }
    };
    output.print(&step, || format!("{sentence}\n{}", table(&step)))
}

/// How to read one line's count.
type Reading = fn(&Counts) -> i64;

/// The counts before and after, one line each.
fn table(step: &Step) -> String {
    let rows: [(&str, Reading); 8] = [
        ("tenants", |counts| counts.tenants),
        ("  without a project user", |counts| counts.unmapped_tenants),
        ("customers", |counts| counts.customers),
        ("project users", |counts| counts.project_users),
        ("dashboards", |counts| counts.dashboards),
        ("  of tenants", |counts| counts.tenant_dashboards),
        ("  of project users", |counts| counts.user_dashboards),
        ("charts", |counts| counts.charts),
    ];
    let line = |(name, read): &(&str, Reading)| format!("{name:<26} {:>9} {:>9}", read(&step.before), read(&step.after));
    let head = format!("{:<26} {:>9} {:>9}", "", "before", "after");
    std::iter::once(head).chain(rows.iter().map(line)).collect::<Vec<_>>().join("\n")
}
