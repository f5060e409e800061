//! `inlay reports enable|disable`

use super::{Failure, output::Output};
use crate::{
    audit::{self, Actor, Deed},
    config::Settings,
    organizations,
    reports::{Rules, store},
};
use clap::{Args, Subcommand};
use inlay_contract::ids::OrganizationId;
use serde_json::json;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Let users whose role allows it schedule reports; again with other domains changes those
    Enable(Enabling),
    /// Let nobody schedule reports any more; what is scheduled rests
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
    /// The only domains that recipients may have, such as example.com; several are given one after another [default: any]
    #[arg(long)]
    recipient_domain: Vec<String>,
}

pub(super) async fn run(settings: &Settings, command: Command, output: Output) -> Result<(), Failure> {
    let (organization, rules) = match command {
        Command::Disable { organization } => (organization, None),
        Command::Enable(Enabling { organization, recipient_domain }) => {
            let recipient_domains = recipient_domain.iter().map(|domain| read(domain)).collect::<Result<_, _>>()?;
            (organization, Some(Rules { recipient_domains }))
        }
    };
    let (db, _) = settings.open_store().await?;
    let mut tx = db.write().await?;
    let conn = &mut tx.conn();
    organizations::store::find(conn, organization).await?;
    store::put_rules(conn, organization, rules.as_ref()).await?;
    let action = if rules.is_some() { "reports.enabled" } else { "reports.disabled" };
    let domains = rules.as_ref().map(|rules| rules.recipient_domains.clone()).unwrap_or_default();
    let deed = Deed::new(action, organization.0).with("recipientDomains", json!(domains));
    audit::record(conn, &Actor::operator(organization), deed).await?;
    tx.commit().await?;
    let answer = json!({ "organizationId": organization, "enabled": rules.is_some(), "recipientDomains": domains });
    output.print(&answer, || match &rules {
        None => "Scheduled reports are off.".to_owned(),
        Some(_) if domains.is_empty() => "Scheduled reports are on, to recipients anywhere.".to_owned(),
        Some(_) => format!("Scheduled reports are on, to recipients at {}.", domains.join(", ")),
    })
}

/// A domain in small letters.
fn read(domain: &str) -> Result<String, Failure> {
    let domain = domain.trim().trim_start_matches('@').to_ascii_lowercase();
    let address: Result<crate::mail::Address, _> = format!("somebody@{domain}").parse();
    let read = address.map_err(|_| format!("`{domain}` is no domain like example.com"))?;
    Ok(read.domain().to_owned())
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_domain_is_read_as_people_write_it() {
        for written in ["example.com", " Example.COM ", "@example.com"] {
            assert_eq!(read(written).expect("a domain"), "example.com");
        }
        for wrong in ["", "a@b.com", "exa mple.com", "https://example.com"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
