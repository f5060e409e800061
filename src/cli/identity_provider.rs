//! `inlay identity-provider add`

use super::{Failure, output::Output};
use crate::{
    audit::{self, Actor, Deed},
    config::Settings,
    identity_providers::{
        fetchable,
        keys::KeySet,
        store::{NewProvider, put},
    },
    organizations,
};
use clap::{Args, Subcommand};
use inlay_contract::ids::OrganizationId;
use serde_json::{Value, json};
use std::{fs, path::PathBuf};
use url::Url;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Trust an issuer's tokens to name members of the organization; the same issuer and audience again changes its keys
    Add(Addition),
}

#[derive(Args, Debug)]
pub(super) struct Addition {
    /// The organization's id
    #[arg(long)]
    organization: OrganizationId,
    /// What its tokens say in `iss`
    #[arg(long)]
    issuer: String,
    /// What its tokens must say in `aud`
    #[arg(long)]
    audience: String,
    #[command(flatten)]
    keys: Keys,
}

#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
struct Keys {
    /// Where its JSON Web Key Set is fetched
    #[arg(long)]
    jwks_url: Option<Url>,
    /// A file with its JSON Web Key Set
    #[arg(long)]
    jwks_file: Option<PathBuf>,
}

pub(super) async fn run(settings: &Settings, Command::Add(addition): Command, output: Output) -> Result<(), Failure> {
    let (issuer, audience) = (addition.issuer.trim(), addition.audience.trim());
    if issuer.is_empty() || audience.is_empty() {
        return Err("the issuer and the audience must not be empty".into());
    }
    if issuer == settings.base_url() {
        return Err("the issuer is this service itself".into());
    }
    if let Some(url) = &addition.keys.jwks_url {
        fetchable(url, settings.allow_loopback_identity_providers)?;
    }
    let keys = addition.keys.jwks_file.as_ref().map(read_keys).transpose()?;
    let (db, _) = settings.open_store().await?;
    let mut tx = db.write().await?;
    let conn = &mut tx.conn();
    organizations::store::find(conn, addition.organization).await?;
    let new = NewProvider { issuer, audience, keys_url: addition.keys.jwks_url.as_ref(), keys: keys.as_ref() };
    let id = put(conn, addition.organization, &new).await?;
    let deed = Deed::new("identityProvider.added", id.0).named(issuer).with("audience", audience);
    audit::record(conn, &Actor::operator(addition.organization), deed).await?;
    tx.commit().await?;
    output.print(&json!({ "identityProviderId": id }), || format!("Tokens of {issuer} name members of the organization: {id}"))
}

fn read_keys(path: &PathBuf) -> Result<Value, Failure> {
    let problem = |problem: &dyn std::fmt::Display| format!("{} {problem}", path.display());
    let text = fs::read_to_string(path).map_err(|fault| problem(&format!("cannot be read: {fault}")))?;
    let keys: Value = serde_json::from_str(&text).map_err(|fault| problem(&format!("is no JSON: {fault}")))?;
    KeySet::read(&keys).map_err(|fault| problem(&fault))?;
    Ok(keys)
}
