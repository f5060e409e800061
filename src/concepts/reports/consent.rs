//! Whether an organization's users may schedule reports, and to whom. The mail goes out in the operator's name, so the operator
//! turns reports on, or lets owners do it (`INLAY_REPORTS_BY_OWNERS`). Any owner may turn them off.

use super::{Rules, store};
use crate::{
    concepts::organizations::members::{Member, Owns, Reads},
    ground::{
        audit::{self, Actor, Deed},
        error::{Code, Error, Result},
        mail::Address,
        state::App,
        store::Conn,
    },
};
use inlay_contract::ids::OrganizationId;
use serde_json::json;

/// An organization's rules. `None` when reports are off.
pub async fn rules(app: &App, by: &Member<impl Reads>) -> Result<Option<Rules>> {
    store::rules(&mut app.db.read().await?.conn(), by.organization).await
}

/// Turns reports off, or on for recipients at these domains. An empty list allows any domain.
///
/// # Errors
/// 403 `OPERATOR_REQUIRED` when owners may not turn reports on, 400 for an invalid domain.
pub async fn decide(app: &App, by: &Member<impl Owns>, domains: Option<&[String]>) -> Result<()> {
    if domains.is_some() && !app.settings.reports.reports_by_owners {
        let told = "Only the operator of this service can turn scheduled reports on. Ask the operator to enable them.";
        return Err(Error::new(Code::OperatorRequired, told));
    }
    let read = domains.map(|domains| domains.iter().map(|text| domain(text)).collect::<Result<Vec<_>, _>>()).transpose();
    let rules = read.map_err(|problem| Error::invalid("recipientDomains", problem))?;
    let rules = rules.map(|recipient_domains| Rules { recipient_domains });
    let mut tx = app.db.write().await?;
    put(&mut tx.conn(), &by.actor(), by.organization, rules.as_ref()).await?;
    tx.commit().await
}

/// Stores an organization's rules and writes the audit event.
pub async fn put(conn: &mut Conn<'_>, by: &Actor, organization: OrganizationId, rules: Option<&Rules>) -> Result<()> {
    store::put_rules(conn, organization, rules).await?;
    let action = if rules.is_some() { "reports.enabled" } else { "reports.disabled" };
    let domains = rules.map(|rules| rules.recipient_domains.as_slice()).unwrap_or_default();
    audit::record(conn, by, Deed::new(action, organization.0).with("recipientDomains", json!(domains))).await
}

/// A domain in lower case.
pub fn domain(text: &str) -> Result<String, String> {
    let domain = text.trim().trim_start_matches('@').to_ascii_lowercase();
    let address: Result<Address, _> = format!("somebody@{domain}").parse();
    let read = address.map_err(|_| format!("`{domain}` is not a valid domain, such as example.com"))?;
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
