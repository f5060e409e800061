//! `inlay migration users|agent|finalize`

use super::{Failure, output::Output};
use crate::{
    concepts::access::caller::Reach,
    flows::{
        management::workspaces::replace_agent,
        v1_migration::{Counts, Step, finalize, map_tenants},
    },
    ground::{audit::Actor, config::Settings, error::Code},
};
use clap::Subcommand;
use inlay_contract::ids::{AgentId, OrganizationId, WorkspaceId};
use serde_json::json;

#[derive(Clone, Copy, Debug, Subcommand)]
pub(super) enum Command {
    /// Create a customer and a project user for every tenant, give them its dashboards, and make every workspace an
    /// application. Can be repeated
    Users {
        /// The organization's id
        #[arg(long)]
        organization: OrganizationId,
    },
    /// Set the v1 agent that a workspace replaces, by which v1 hosts name the workspace in save-from-chat
    Agent {
        /// The organization's id
        #[arg(long)]
        organization: OrganizationId,
        /// The workspace's id
        #[arg(long)]
        workspace: WorkspaceId,
        /// The agent's id; without it the workspace replaces none
        #[arg(long)]
        agent: Option<AgentId>,
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
        Command::Agent { organization, workspace, agent } => {
            replace_agent(&db, &Actor::operator(organization), Reach::Organization(organization), workspace, agent).await?;
            let sentence = agent.map_or_else(
                || format!("The workspace {workspace} replaces no agent."),
                |agent| format!("The workspace {workspace} replaces the agent {agent}."),
            );
            return output.print(&json!({ "workspaceId": workspace, "agentId": agent }), || sentence);
        }
        Command::Users { organization } => {
            let step = map_tenants(&db, &Actor::operator(organization)).await?;
            let Step { mapped_tenants, moved_dashboards, made_applications, .. } = step;
            let sentence = format!(
                "Project users created: {mapped_tenants}. Dashboards moved: {moved_dashboards}. Applications created: {made_applications}."
            );
            (step, sentence)
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
