//! Account settings → Developer.

use super::{
    answer::Page,
    submission::{Submission, Typed, with_status},
    visit::Visit,
};
use crate::{
    concepts::{
        identity_providers::manage::{self as providers, NewIdentityProvider},
        organizations::{
            MemberRole,
            keys::{self, ListedKey},
            members::{Admin, Owner, Reads, Worker},
        },
        projects::{self, Project},
        single_sign_on::{self, Provider, manage::NewProvider, provider_lookup},
        tokens,
    },
    flows::management::signing_keys,
    ground::{
        config::limits::Limits,
        error::{Error, Result},
        time::Timestamp,
    },
};
use inlay_console::{
    Draft, Section,
    pages::developer::{self as views, Developer, Drafts, KeyLimit, KeyRow, OriginsRow, ProviderRow, SignInRow, SigningKeyRow},
};
use secrecy::SecretString;
use uuid::Uuid;

/// `GET /console/organizations/{organization}/developer`
pub async fn show(visit: Visit) -> Page {
    draw(&visit, Drafts::default(), None).await
}

/// The page with a rejected form. `drafts` holds the typed values.
pub(super) async fn refused<R: Reads>(
    visit: &Visit<R>,
    typed: &Typed,
    problem: Error,
    drafts: impl FnOnce(Draft) -> Drafts,
) -> Page {
    let (status, draft) = typed.refused(problem)?;
    Ok(with_status(draw(visit, drafts(draft), None).await?, status))
}

async fn draw<R: Reads>(visit: &Visit<R>, drafts: Drafts, made: Option<String>) -> Page {
    let app = visit.app();
    let member = &visit.member;
    let works = visit.is::<Worker>();
    let row = |key: ListedKey| {
        let own = key.account == member.account;
        KeyRow {
            id: key.id.to_string(),
            label: key.label.unwrap_or_else(|| key.id.to_string()),
            owner: key.owner,
            user_scoped: key.user_scoped,
            created_at: key.created_at.to_string(),
            last_used_at: key.last_used_at.map(|at| at.to_string()),
            per_second: key.per_second,
            active: key.revoked_at.is_none(),
            may_change: works && (own || (member.role.rank() >= MemberRole::Admin.rank() && !key.user_scoped)),
        }
    };
    let keys: Vec<_> = keys::list(app, member).await?.into_iter().map(row).collect();
    let short_name = single_sign_on::manage::short_name(app, member).await?;
    let drafts = drafts.over_short_name(short_name.as_deref().unwrap_or_default(), &super::seen(&short_name));
    let page = Developer {
        organization: member.organization.to_string(),
        keys,
        signing: signing_rows(visit),
        providers: provider_rows(visit).await?,
        sign_in: sign_in_rows(visit).await?,
        short_address: short_name.map(|name| format!("{}/console/sso?organization={name}", app.base_url)),
        most_per_second: keys::most_per_second(app),
        origins: origins(visit).await?,
        reports: super::reports::row(visit).await?,
        limits: limits(&app.settings.limits),
        jwks: format!("{}/.well-known/jwks.json", app.base_url),
        made,
        works,
        administers: visit.is::<Admin>(),
        owns: visit.is::<Owner>(),
        rotates: visit.is::<Owner>() && signing_keys::may_rotate(app, member.organization).await?,
    };
    visit.page("Developer", Section::Developer, || views::show(&page, &drafts)).await
}

async fn provider_rows<R: Reads>(visit: &Visit<R>) -> Result<Vec<ProviderRow>> {
    let row = |one: providers::ListedProvider| ProviderRow {
        id: one.id.to_string(),
        issuer: one.issuer,
        audience: one.audience,
        keys: one.keys_url.unwrap_or_else(|| "Kept here".to_owned()),
        trusts_addresses: one.trusts_addresses,
    };
    Ok(providers::list(visit.app(), &visit.member).await?.into_iter().map(row).collect())
}

async fn sign_in_rows<R: Reads>(visit: &Visit<R>) -> Result<Vec<SignInRow>> {
    let app = visit.app();
    let row = |one: Provider| SignInRow {
        id: one.id.to_string(),
        address: provider_lookup::address(app, one.id),
        callback: single_sign_on::callback(app, one.id),
        issuer: one.issuer,
        client: one.client,
        trusts_addresses: one.trusts_addresses,
    };
    Ok(single_sign_on::manage::list(app, &visit.member).await?.into_iter().map(row).collect())
}

async fn origins<R: Reads>(visit: &Visit<R>) -> Result<Vec<OriginsRow>> {
    let row = |project: Project| OriginsRow {
        project: project.id.to_string(),
        name: project.name,
        seen: super::seen(&project.allowed_origins),
        origins: project.allowed_origins,
    };
    Ok(projects::list(visit.app(), visit.member.organization).await?.into_iter().map(row).collect())
}

fn signing_rows<R: Reads>(visit: &Visit<R>) -> Vec<SigningKeyRow> {
    let known = tokens::known(visit.app());
    let made =
        |id: Uuid| id.get_timestamp().map(|time| Timestamp::from_seconds(i64::try_from(time.to_unix().0).unwrap_or_default()));
    let row = |key: &tokens::keyring::SigningKey| SigningKeyRow {
        id: key.id.to_string(),
        created_at: made(key.id).map(|at| at.to_string()).unwrap_or_default(),
        retired_at: key.retired_at.map(|at| at.to_string()),
    };
    known.keyring.keys().iter().rev().map(row).collect()
}

fn limits(limits: &Limits) -> Vec<(&'static str, String)> {
    let rate = |per_second: u32, burst: u32| match per_second {
        0 => "No limit".to_owned(),
        some => format!("{some} per second, {burst} at once"),
    };
    vec![
        ("Requests of an API key or member", rate(limits.key_requests_per_second, limits.key_burst)),
        ("Requests of a project user", rate(limits.user_requests_per_second, limits.user_burst)),
        ("A request's body", format!("{} KiB", limits.max_body_bytes / 1024)),
        (
            "A query",
            format!(
                "{} s, {} rows, {} MiB",
                limits.query_timeout_seconds,
                limits.query_max_rows,
                limits.query_max_bytes / 1024 / 1024
            ),
        ),
    ]
}

/// `POST …/developer/keys`
pub async fn create_key(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let user_scoped = typed.get("kind") == "user";
    // Such a key works in every organization that its owner belongs to.
    if user_scoped && visit.person.session.within.is_some() {
        return Err(super::account::not_here().into());
    }
    match keys::create(visit.app(), &visit.member, typed.get("label"), user_scoped).await {
        Ok(key) => draw(&visit, Drafts::default(), Some(key.text)).await,
        Err(problem) => refused(&visit, &typed, problem, |key| Drafts { key, ..Drafts::default() }).await,
    }
}

/// `POST …/developer/keys/{key}/revoke`
pub async fn revoke_key(Submission { visit, .. }: Submission<Visit<Worker>>) -> Page {
    let removal = keys::revoke(visit.app(), &visit.member, visit.person.id("key")?).await;
    visit.removed("developer", removal, "Key revoked.", "This key has already been revoked.")
}

/// `POST …/developer/keys/{key}/limit`
pub async fn limit_key(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let id = visit.person.id("key")?;
    let read = |name: &str| {
        let number = |text: &str| text.parse().map_err(|_| Error::invalid("perSecond", "is not a whole number"));
        typed.given(name).map(number).transpose()
    };
    let limited = async { keys::set_limit(visit.app(), &visit.member, id, read("seen")?, read("perSecond")?).await };
    match limited.await {
        Ok(()) => Ok(visit.done(&visit.at("developer"), "Limit set.")),
        Err(problem) => {
            let told = |draft: &Draft| {
                let field = draft.problem("perSecond").map(|told| format!("The limit {told}."));
                field.or_else(|| draft.message.clone()).unwrap_or_default()
            };
            let limit =
                |draft: Draft| KeyLimit { key: id.to_string(), typed: typed.get("perSecond").to_owned(), told: told(&draft) };
            refused(&visit, &typed, problem, |draft| Drafts { limit: Some(limit(draft)), ..Drafts::default() }).await
        }
    }
}

/// `POST …/developer/signing-keys`
pub async fn rotate(Submission { visit, .. }: Submission<Visit<Owner>>) -> Page {
    signing_keys::rotate(visit.app(), &visit.member).await?;
    Ok(visit.done(&visit.at("developer"), "New tokens are signed with a new key in a few seconds."))
}

/// `POST …/developer/identity-providers`
pub async fn add_provider(Submission { visit, typed }: Submission<Visit<Admin>>) -> Page {
    let new = NewIdentityProvider {
        issuer: typed.get("issuer"),
        audience: typed.get("audience"),
        keys_url: typed.given("keysUrl"),
        keys: typed.given("keys"),
        trusts_addresses: typed.ticked("trustsNames"),
    };
    match providers::add(visit.app(), &visit.member, &new).await {
        Ok(_) => Ok(visit.done(&visit.at("developer"), "Identity provider added.")),
        Err(problem) => {
            // Public keys are not secret, so the form shows them again.
            let drafts = |draft: Draft| Drafts { provider: draft.with("keys", typed.get("keys")), ..Drafts::default() };
            refused(&visit, &typed, problem, drafts).await
        }
    }
}

/// `POST …/developer/identity-providers/{provider}/remove`
pub async fn remove_provider(Submission { visit, .. }: Submission<Visit<Admin>>) -> Page {
    let removal = providers::remove(visit.app(), &visit.member, visit.person.id("provider")?).await;
    visit.removed("developer", removal, "Identity provider removed.", "This identity provider has already been removed.")
}

/// `POST …/developer/sign-in-providers`
pub async fn add_sign_in(Submission { visit, typed }: Submission<Visit<Owner>>) -> Page {
    let secret = SecretString::from(typed.get("secret").to_owned());
    let trusts_addresses = typed.ticked("trustsAddresses");
    let new = NewProvider { issuer: typed.get("ssoIssuer"), client: typed.get("client"), secret, trusts_addresses };
    match single_sign_on::manage::add(visit.app(), &visit.member, new).await {
        Ok(_) => Ok(visit.done(&visit.at("developer"), "Members can sign in through this provider.")),
        Err(problem) => refused(&visit, &typed, problem, |sign_in| Drafts { sign_in, ..Drafts::default() }).await,
    }
}

/// `POST …/developer/short-name`
pub async fn set_short_name(Submission { visit, typed }: Submission<Visit<Owner>>) -> Page {
    let now = super::seen(&single_sign_on::manage::short_name(visit.app(), &visit.member).await?);
    let saved = async {
        super::unchanged(typed.get("seen"), &now)?;
        single_sign_on::manage::set_short_name(visit.app(), &visit.member, typed.get("shortName")).await
    };
    match saved.await {
        Ok(()) => Ok(visit.done(&visit.at("developer"), "Saved.")),
        Err(problem) => refused(&visit, &typed, problem, |short_name| Drafts { short_name, ..Drafts::default() }).await,
    }
}

/// `POST …/developer/sign-in-providers/{provider}/remove`
pub async fn remove_sign_in(Submission { visit, .. }: Submission<Visit<Owner>>) -> Page {
    let removal = single_sign_on::manage::remove(visit.app(), &visit.member, visit.person.id("provider")?).await;
    let told = "Provider removed. The sessions of members who signed in through it have ended.";
    visit.removed("developer", removal, told, "This provider has already been removed.")
}
