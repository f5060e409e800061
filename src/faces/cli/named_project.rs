//! The options by which a command names a project.

use clap::Args;
use inlay_contract::ids::OrganizationId;

#[derive(Args, Debug)]
pub(super) struct NamedProject {
    /// The organization's id
    #[arg(long)]
    pub(super) organization: OrganizationId,
    /// The project's name
    #[arg(long)]
    pub(super) project: String,
}
