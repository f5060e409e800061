//! What is reached by the network: the mail server, identity providers, and this service from outside.

use super::{Finding, within};
use crate::{
    concepts::{
        identity_providers::{self, keys::FetchedKeys},
        tokens,
    },
    ground::{
        mail::{MailProblem, Mailer, settings::MailSettings},
        state::App,
    },
};
use futures::{StreamExt, stream};
use serde_json::Value;
use std::{collections::BTreeSet, time::Duration};

/// How many are asked at a time.
const AT_ONCE: usize = 8;

pub(super) async fn mail(settings: &MailSettings) -> Finding {
    let mailer = match Mailer::new(settings) {
        Ok(mailer) => mailer,
        Err(problem) => {
            return Finding::problem("mail", problem.to_string(), "Correct the setting; the service does not start with it.");
        }
    };
    match mailer.greet().await {
        Ok(()) => Finding::ok("mail", "the server greets and takes the sign-in"),
        Err(MailProblem::NotSetUp) => {
            let advice = "Set INLAY_SMTP_URL and INLAY_SMTP_FROM for reports, alerts, invitations and new passwords.";
            Finding::warning("mail", "no mail server is set up", advice)
        }
        Err(problem) => {
            let advice = "Check INLAY_SMTP_URL: host, port, user and password, and the certificate (INLAY_SMTP_CA_FILE).";
            Finding::problem("mail", problem.to_string(), advice)
        }
    }
}

/// Each provider whose keys are fetched.
pub(super) async fn providers(app: &App, limit: Duration) -> Vec<Finding> {
    let listed = async {
        let mut lease = app.db.read().await?;
        identity_providers::fetched(&mut lease.conn()).await
    };
    let listed = match listed.await {
        Ok(listed) => listed,
        Err(problem) => {
            let told = problem.context.unwrap_or(problem.message);
            return vec![Finding::problem("identity provider", told, "See the store's checks.")];
        }
    };
    let ask = |provider: identity_providers::IdentityProvider| async move {
        let asked = async {
            match app.part::<FetchedKeys>().reach(&provider).await {
                Ok(()) => Finding::ok("identity provider", "its keys are there"),
                Err(problem) => {
                    let told = problem.context.unwrap_or(problem.message);
                    let advice = "Members who sign in by it are refused. Check its address for keys; an address inside needs INLAY_ALLOW_PRIVATE_SOURCES.";
                    Finding::problem("identity provider", told, advice)
                }
            }
        };
        within(limit, "identity provider", asked).await.about(provider.issuer.clone())
    };
    stream::iter(listed).map(ask).buffered(AT_ONCE).collect().await
}

/// Whether the public addresses lead here: what answers there has to publish the keys of this store.
pub(super) async fn public_addresses(app: &App, limit: Duration) -> Vec<Finding> {
    let own = keys_of(&tokens::known(app).keyring.public_set());
    let addresses: BTreeSet<&str> = [app.base_url.as_str(), app.embed_url.as_str()].into();
    let ask = |address: &str| {
        let (address, own) = (address.to_owned(), own.clone());
        async move { within(limit, "public address", public(&address, &own)).await.about(address) }
    };
    stream::iter(addresses).map(ask).buffered(AT_ONCE).collect().await
}

async fn public(address: &str, own: &BTreeSet<String>) -> Finding {
    let away = |why: String| {
        let advice = "Start the service, and check the proxy and the name; INLAY_BASE_URL and INLAY_EMBED_URL say where callers reach it.";
        Finding::problem("public address", why, advice)
    };
    let client = match reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build() {
        Ok(client) => client,
        Err(problem) => return away(problem.to_string()),
    };
    let answered = match client.get(format!("{address}/.well-known/jwks.json")).send().await {
        Ok(answered) => answered,
        Err(problem) if problem.is_connect() => return away("nothing answers there".to_owned()),
        Err(problem) => return away(problem.without_url().to_string()),
    };
    let status = answered.status().as_u16();
    if status != 200 {
        return away(format!("it answered {status}"));
    }
    let told: Value = answered.json().await.unwrap_or_default();
    if keys_of(&told).is_disjoint(own) {
        let advice = "Point the name at this service: hosts and browsers reach another one, with another store.";
        return Finding::problem("public address", "what answers there has other keys", advice);
    }
    Finding::ok("public address", "this service answers there")
}

/// The names of a key set's keys.
fn keys_of(set: &Value) -> BTreeSet<String> {
    let keys = set["keys"].as_array().into_iter().flatten();
    keys.filter_map(|key| key["kid"].as_str().map(str::to_owned)).collect()
}
