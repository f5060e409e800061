//! `inlay member add`

use super::{Failure, output::Output};
use crate::{
    concepts::organizations::{self, MemberRole, links::is_address, password, sign_in},
    ground::{
        audit::{self, Actor, Deed},
        config::Settings,
    },
};
use clap::Subcommand;
use inlay_contract::ids::OrganizationId;
use serde_json::json;
use std::io::{Read, stdin};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Add a member, or change a member's role
    Add {
        /// The organization's id
        #[arg(long)]
        organization: OrganizationId,
        /// The member's email address
        #[arg(long)]
        email: String,
        /// Role: owner, admin, member or viewer (read-only)
        #[arg(long)]
        role: MemberRole,
        /// Read a password for the management console from standard input
        #[arg(long)]
        password_stdin: bool,
    },
}

pub async fn run(settings: &Settings, command: Command, output: Output) -> Result<(), Failure> {
    let Command::Add { organization, email, role, password_stdin } = command;
    let email = email.trim().to_lowercase();
    if !is_address(&email) {
        return Err(format!("`{email}` is not a valid email address").into());
    }
    let hash = if password_stdin { Some(read_password()?) } else { None };
    let (db, _) = settings.open_store().await?;
    let mut tx = db.write().await?;
    organizations::find(&mut tx.conn(), organization).await?;
    let known = sign_in::account(&mut tx.conn(), &email).await?;
    if let Some(known) = known {
        tracing::warn!("{}", told(&email, known.password_hash.is_some(), password_stdin));
    }
    let id = organizations::put_member(&mut tx.conn(), organization, &email, role, hash.as_deref()).await?;
    let deed = Deed::new("member.put", id.0).named(&email).with("role", role.name());
    audit::record(&mut tx.conn(), &Actor::operator(organization), deed).await?;
    tx.commit().await?;
    output.print(&json!({ "memberId": id }), || format!("{email} is {} of the organization: {id}", role.name()))
}

/// A warning about an account that existed before: it may belong to other organizations too.
fn told(email: &str, has_password: bool, sets_password: bool) -> String {
    let what = match (has_password, sets_password) {
        (true, true) => "the password from standard input replaces theirs everywhere",
        (true, false) => {
            "they sign in with their existing password. Whoever prepared that account chose it: unless you know them, set one with --password-stdin"
        }
        (false, true) => "the password from standard input is now theirs everywhere",
        (false, false) => "they have no password yet",
    };
    format!("{email} already has an account, which may belong to other organizations too: {what}")
}

fn read_password() -> Result<String, Failure> {
    let mut text = String::new();
    stdin().read_to_string(&mut text)?;
    Ok(password::hash(text.trim_end_matches(['\n', '\r']))?)
}
