//! `inlay api-key create|revoke`

use super::{Failure, output::Output};
use crate::{
    concepts::organizations::{self, api_keys},
    ground::{
        audit::{self, Actor, Deed},
        config::Settings,
    },
};
use clap::Subcommand;
use inlay_contract::ids::{ApiKeyId, OrganizationId};
use serde_json::json;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Create an API key. It is shown once
    Create {
        /// The email address of the member who owns it
        #[arg(long)]
        member: String,
        /// The organization's id
        #[arg(long)]
        organization: OrganizationId,
        /// Create a user-scoped key: each call names one of the owner's organizations
        #[arg(long)]
        user_scoped: bool,
    },
    /// Revoke an API key and every token that it issued
    Revoke {
        /// The key's id
        id: ApiKeyId,
    },
}

pub async fn run(settings: &Settings, command: Command, output: Output) -> Result<(), Failure> {
    let (db, _) = settings.open_store().await?;
    let mut tx = db.write().await?;
    match command {
        Command::Create { member, organization, user_scoped } => {
            let owner = organizations::account_of_member(&mut tx.conn(), organization, &member.trim().to_lowercase()).await?;
            let key = api_keys::generate()?;
            organizations::insert_key(&mut tx.conn(), &key, owner, (!user_scoped).then_some(organization)).await?;
            let deed = Deed::new("apiKey.created", key.id.0).named(&member).with("userScoped", user_scoped);
            audit::record(&mut tx.conn(), &Actor::operator(organization), deed).await?;
            tx.commit().await?;
            output.print(&json!({ "apiKeyId": key.id, "apiKey": key.text }), || {
                format!("API key {}: {}\nIt is shown once. Keep it on your server.", key.id, key.text)
            })
        }
        Command::Revoke { id } => {
            organizations::revoke_key(&mut tx.conn(), id).await?;
            for organization in organizations::organizations_of_key(&mut tx.conn(), id).await? {
                let deed = Deed::new("apiKey.revoked", id.0);
                audit::record(&mut tx.conn(), &Actor::operator(organization), deed).await?;
            }
            tx.commit().await?;
            output.print(&json!({ "apiKeyId": id, "revoked": true }), || format!("API key {id} and its tokens are revoked."))
        }
    }
}
