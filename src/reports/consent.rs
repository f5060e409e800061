//! Whether an organization's users may schedule reports, and to whom. Mail goes out in the name of whoever runs the service, so it is
//! theirs to turn reports on; they may leave it to owners (`INLAY_REPORTS_BY_OWNERS`). Off is for any owner.

use super::{Rules, store};
use crate::{
    audit::{self, Actor, Deed},
    error::{Code, Error, Result},
    mail::Address,
    organizations::members::{Member, Owns, Reads},
    state::App,
    store::Conn,
};
use inlay_contract::ids::OrganizationId;
use serde_json::json;

/// What an organization allows; nothing where reports are off.
pub async fn rules(app: &App, by: &Member<impl Reads>) -> Result<Option<Rules>> {
    store::rules(&mut app.db.read().await?.conn(), by.organization).await
}

/// Turns reports off, or on to recipients at some domains, or anywhere when none is named.
///
/// # Errors
/// 403 `OPERATOR_REQUIRED` where it is not left to owners to turn them on, 400 for what is no domain.
pub async fn decide(app: &App, by: &Member<impl Owns>, domains: Option<&[String]>) -> Result<()> {
    if domains.is_some() && !app.settings.reports.reports_by_owners {
        let told = "Whoever runs this service turns scheduled reports on: mail goes out in their name.";
        return Err(Error::new(Code::OperatorRequired, told));
    }
    let read = domains.map(|domains| domains.iter().map(|text| domain(text)).collect::<Result<Vec<_>, _>>()).transpose();
    let rules = read.map_err(|problem| Error::invalid("recipientDomains", problem))?;
    let rules = rules.map(|recipient_domains| Rules { recipient_domains });
    let mut tx = app.db.write().await?;
    put(&mut tx.conn(), &by.actor(), by.organization, rules.as_ref()).await?;
    tx.commit().await
}

/// Writes what an organization allows, and who said so.
pub async fn put(conn: &mut Conn<'_>, by: &Actor, organization: OrganizationId, rules: Option<&Rules>) -> Result<()> {
    store::put_rules(conn, organization, rules).await?;
    let action = if rules.is_some() { "reports.enabled" } else { "reports.disabled" };
    let domains = rules.map(|rules| rules.recipient_domains.as_slice()).unwrap_or_default();
    audit::record(conn, by, Deed::new(action, organization.0).with("recipientDomains", json!(domains))).await
}

/// A domain in small letters.
pub fn domain(text: &str) -> Result<String, String> {
    let domain = text.trim().trim_start_matches('@').to_ascii_lowercase();
    let address: Result<Address, _> = format!("somebody@{domain}").parse();
    let read = address.map_err(|_| format!("`{domain}` is no domain like example.com"))?;
    Ok(read.domain().to_owned())
}

#[cfg(test)]
mod tests {
    use super::domain;

    #[test]
    fn a_domain_is_read_as_people_write_it() {
        for written in ["example.com", " Example.COM ", "@example.com"] {
            assert_eq!(domain(written).expect("a domain"), "example.com");
        }
        for wrong in ["", "a@b.com", "exa mple.com", "https://example.com"] {
            assert!(domain(wrong).is_err(), "{wrong}");
        }
    }
}
