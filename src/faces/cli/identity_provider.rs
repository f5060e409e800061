//! `inlay identity-provider add`

use super::{Failure, output::Output};
use crate::{
    concepts::{
        identity_providers::manage::{NewIdentityProvider, put},
        organizations,
    },
    ground::{audit::Actor, config::Settings, error::Error},
};
use clap::{Args, Subcommand};
use inlay_contract::ids::OrganizationId;
use serde_json::{Value, json};
use std::{fs, path::PathBuf};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Accept an issuer's tokens for members of the organization. The same issuer and audience again replaces its keys
    Add(Addition),
}

#[derive(Args, Debug)]
pub(super) struct Addition {
    /// The organization's id
    #[arg(long)]
    organization: OrganizationId,
    /// The value of `iss` in its tokens
    #[arg(long)]
    issuer: String,
    /// The required value of `aud` in its tokens
    #[arg(long)]
    audience: String,
    /// Accept only addresses that its tokens call verified (`email_verified`), and no address in `sub`: for a provider whose
    /// users choose their names
    #[arg(long)]
    verified_addresses_only: bool,
    #[command(flatten)]
    keys: Keys,
}

#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
struct Keys {
    /// URL of its JSON Web Key Set
    #[arg(long)]
    jwks_url: Option<String>,
    /// File with its JSON Web Key Set
    #[arg(long)]
    jwks_file: Option<PathBuf>,
}

pub async fn run(settings: &Settings, Command::Add(addition): Command, output: Output) -> Result<(), Failure> {
    let (issuer, audience) = (addition.issuer.trim(), addition.audience.trim());
    let keys = addition.keys.jwks_file.as_ref().map(read).transpose()?;
    let new = NewIdentityProvider {
        issuer,
        audience,
        keys_url: addition.keys.jwks_url.as_deref(),
        keys: keys.as_deref(),
        trusts_addresses: !addition.verified_addresses_only,
    };
    let (db, _) = settings.open_store().await?;
    let mut tx = db.write().await?;
    let conn = &mut tx.conn();
    organizations::find(conn, addition.organization).await?;
    let id = put(conn, settings, &Actor::operator(addition.organization), &new).await.map_err(plainly)?;
    tx.commit().await?;
    output.print(&json!({ "identityProviderId": id }), || {
        format!("Tokens of {issuer} identify members of the organization: {id}")
    })
}

fn read(path: &PathBuf) -> Result<String, Failure> {
    Ok(fs::read_to_string(path).map_err(|fault| format!("{} cannot be read: {fault}", path.display()))?)
}

/// The problem, with flag names instead of field names.
fn plainly(problem: Error) -> Failure {
    let named = |(field, told): (&String, &Value)| {
        let flag = match field.as_str() {
            "keysUrl" => "--jwks-url",
            "keys" => "--jwks-file",
            "issuer" => "--issuer",
            "audience" => "--audience",
            other => other,
        };
        format!("{flag} {}", told.as_str().unwrap_or_default())
    };
    match &problem.details {
        Some(details) => details.iter().map(named).collect::<Vec<_>>().join("; ").into(),
        None => problem.into(),
    }
}
