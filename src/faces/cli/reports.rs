//! `inlay reports enable|disable`

use super::{Failure, output::Output};
use crate::{
    concepts::{
        organizations,
        reports::{Rules, consent},
    },
    ground::{audit::Actor, config::Settings},
};
use clap::{Args, Subcommand};
use inlay_contract::ids::OrganizationId;
use serde_json::json;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Turn scheduled reports on for users whose role allows them. Run it again to change the domains
    Enable(Enabling),
    /// Turn scheduled reports off. Existing reports stay, but do not run
    Disable {
        /// The organization's id
        #[arg(long)]
        organization: OrganizationId,
    },
}

#[derive(Args, Debug)]
pub(super) struct Enabling {
    /// The organization's id
    #[arg(long)]
    organization: OrganizationId,
    /// Domain that recipients may have, such as example.com. Repeat the flag for several domains [default: any]
    #[arg(long)]
    recipient_domain: Vec<String>,
}

pub async fn run(settings: &Settings, command: Command, output: Output) -> Result<(), Failure> {
    let (organization, rules) = match command {
        Command::Disable { organization } => (organization, None),
        Command::Enable(Enabling { organization, recipient_domain }) => {
            let recipient_domains = recipient_domain.iter().map(|domain| consent::domain(domain)).collect::<Result<_, _>>()?;
            (organization, Some(Rules { recipient_domains }))
        }
    };
    let (db, _) = settings.open_store().await?;
    let mut tx = db.write().await?;
    let conn = &mut tx.conn();
    organizations::find(conn, organization).await?;
    consent::put(conn, &Actor::operator(organization), organization, rules.as_ref()).await?;
    let domains = rules.as_ref().map(|rules| rules.recipient_domains.clone()).unwrap_or_default();
    tx.commit().await?;
    let answer = json!({ "organizationId": organization, "enabled": rules.is_some(), "recipientDomains": domains });
    output.print(&answer, || match &rules {
        None => "Scheduled reports are off.".to_owned(),
        Some(_) if domains.is_empty() => "Scheduled reports are on, for recipients at any domain.".to_owned(),
        Some(_) => format!("Scheduled reports are on, for recipients at {}.", domains.join(", ")),
    })
}
