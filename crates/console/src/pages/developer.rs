//! The Developer page: API keys, single sign-on, identity providers, signing keys, allowed origins, limits, reports.

mod keys;
mod origins;
mod reports;

pub use keys::{KeyLimit, KeyRow};
pub use origins::{OriginsRow, field as origins_field};
pub use reports::ReportsRow;

use crate::ui::{
    draft::Draft,
    form::{Control, Field, Form},
    html::{Html, IntoHtml},
    parts,
};
use leptos::prelude::*;

/// A signing key in the list.
#[derive(Clone, Debug)]
pub struct SigningKeyRow {
    /// Its `kid`.
    pub id: String,
    /// When it was made.
    pub created_at: String,
    /// When it stopped signing.
    pub retired_at: Option<String>,
}

/// An identity provider in the list.
#[derive(Clone, Debug)]
pub struct ProviderRow {
    /// Its id.
    pub id: String,
    /// The `iss` of its tokens.
    pub issuer: String,
    /// The required `aud` of its tokens.
    pub audience: String,
    /// The URL of its keys.
    pub keys: String,
    /// Whether every email address that it reports counts as verified.
    pub trusts_addresses: bool,
}

/// A provider for single sign-on.
#[derive(Clone, Debug)]
pub struct SignInRow {
    /// Its id.
    pub id: String,
    /// Its issuer URL.
    pub issuer: String,
    /// The client id.
    pub client: String,
    /// The URL where members start to sign in.
    pub address: String,
    /// The redirect URL.
    pub callback: String,
    /// Whether every email address that it reports counts as verified.
    pub trusts_addresses: bool,
}

/// What was typed into each form.
#[derive(Clone, Debug, Default)]
pub struct Drafts {
    /// Creating a key.
    pub key: Draft,
    /// Adding an identity provider.
    pub provider: Draft,
    /// Adding a provider for single sign-on.
    pub sign_in: Draft,
    /// The organization's short name.
    pub short_name: Draft,
    /// A refused limit of a key.
    pub limit: Option<KeyLimit>,
    /// The refused origins of a project, with its id.
    pub origins: Option<(String, Draft)>,
    /// The report settings.
    pub reports: Draft,
}

impl Drafts {
    /// Fills in the current short name unless another was typed, and the value that detects concurrent changes.
    #[must_use]
    pub fn over_short_name(mut self, name: &str, seen: &str) -> Self {
        let typed = self.short_name.is_refused();
        let draft = if typed { self.short_name } else { self.short_name.with("shortName", name) };
        self.short_name = draft.with("seen", seen);
        self
    }
}

/// The page.
#[derive(Clone, Debug)]
pub struct Developer {
    /// The organization.
    pub organization: String,
    /// Its API keys.
    pub keys: Vec<KeyRow>,
    /// The service's signing keys.
    pub signing: Vec<SigningKeyRow>,
    /// Its identity providers.
    pub providers: Vec<ProviderRow>,
    /// Its providers for single sign-on.
    pub sign_in: Vec<SignInRow>,
    /// The page that lists the providers, if the organization has a short name.
    pub short_address: Option<String>,
    /// The highest limit of a key, in requests per second.
    pub most_per_second: u32,
    /// The projects' allowed origins.
    pub origins: Vec<OriginsRow>,
    /// The report settings.
    pub reports: ReportsRow,
    /// The limits: name and value.
    pub limits: Vec<(&'static str, String)>,
    /// The URL of the public keys.
    pub jwks: String,
    /// A key that was just created.
    pub made: Option<String>,
    /// Whether the member may create keys.
    pub works: bool,
    /// Whether the member may set up identity providers.
    pub administers: bool,
    /// Whether the member may set up single sign-on.
    pub owns: bool,
    /// Whether the member may rotate the signing keys of the installation.
    pub rotates: bool,
}

/// Draws it.
#[must_use]
pub fn show(page: &Developer, drafts: &Drafts) -> Html {
    let made = page.made.as_ref().map(|text| {
        parts::secret(
            "Your new API key.",
            "Copy it now: it is not shown again. Keep it on your server, never in a browser.",
            text,
        )
    });
    view! {
        {parts::head("Developer", None, ())}
        {parts::facts(vec![("Organization id", parts::code(page.organization.clone()))])}
        {made}
        {keys::part(page, &drafts.key, drafts.limit.as_ref())}
        {origins::part(page, drafts.origins.as_ref())}
        {sign_in(page, drafts)}
        {providers(page, &drafts.provider)}
        {signing(page)}
        {limits(page)}
        {reports::part(page, &drafts.reports)}
    }
    .html()
}

fn sign_in(page: &Developer, drafts: &Drafts) -> Html {
    let draft = &drafts.sign_in;
    let at = |rest: &str| format!("/console/organizations/{}/developer/sign-in-providers{rest}", page.organization);
    let row = |one: &SignInRow| {
        let action = if page.owns {
            let told = view! { <p>"Members then sign in with their passwords. Members who signed in with this provider are signed out."</p> };
            Form::new(at(&format!("/{}/remove", one.id)), "Remove").asking(&one.id, "Remove this provider?", told)
        } else {
            ().html()
        };
        vec![
            parts::code(one.issuer.clone()),
            parts::code(one.client.clone()),
            parts::link(one.address.clone(), "Sign-in address"),
            parts::code(one.callback.clone()),
            parts::text(if one.trusts_addresses { "All trusted" } else { "Verified addresses" }),
            action,
        ]
    };
    let list = (!page.sign_in.is_empty()).then(|| {
        let rows = page.sign_in.iter().map(row).collect();
        parts::table(
            "Single sign-on",
            &[
                "Provider",
                "Client id",
                "Members sign in at",
                "Redirect address to register at the provider",
                "Email addresses",
                "",
            ],
            rows,
        )
    });
    let form = page.owns.then(|| {
        let secret = Field::new("secret", "Client secret", Control::Input("password")).optional();
        let trusts = Field::new("trustsAddresses", "Trust all its email addresses", Control::Tick).optional();
        let fields = view! {
            {Field::text("ssoIssuer", "Provider").like("https://login.example.com").hint("Its issuer URL, with OpenID Connect discovery.").draw(draft)}
            {Field::text("client", "Client id").hint("After you add the provider, the list shows the redirect address to register there.").draw(draft)}
            {secret.hint("Stored encrypted and never shown again. Leave it empty for a public client; PKCE is always used.").draw(draft)}
            {trusts.hint("Only for a provider that does not send email_verified, and only if its users cannot choose their own address: a user with a member's address there is that member here.").draw(draft)}
        };
        parts::adding("New sign-in provider", false, draft.is_refused(), Form::new(at(""), "Add provider").draw(draft, fields))
    });
    parts::part(
        "Single sign-on to this console",
        "Members sign in through the organization's OpenID Connect provider, with the email address of their invitation. Such a session opens this organization only.",
        view! { {list}{short_name(page, &drafts.short_name)}{form} },
    )
}

/// The short name, once there is a provider.
fn short_name(page: &Developer, draft: &Draft) -> Option<Html> {
    if page.sign_in.is_empty() && !draft.is_refused() {
        return None;
    }
    let told = "Members can also use Single sign-on on the sign-in page.";
    let address = page
        .short_address
        .clone()
        .map(|address| parts::facts(vec![("All members sign in at", parts::link(address.clone(), address))]));
    let form = page.owns.then(|| {
        let field = Field::text("shortName", "Short name").like("acme").optional();
        let hint = "The short name is public. Anybody who guesses it learns that your organization exists here and which provider it has, but nothing about its members. Without a short name, members need the provider's own sign-in address.";
        let form = Form::new(format!("/console/organizations/{}/developer/short-name", page.organization), "Save short name")
            .draw(draft, field.hint(hint).draw(draft));
        let name = if page.short_address.is_some() { "Change the short name" } else { "Choose a short name" };
        parts::adding(name, false, draft.is_refused(), form)
    });
    Some(view! { <p class="muted">{told}</p>{address}{form} }.html())
}

fn providers(page: &Developer, draft: &Draft) -> Html {
    let at = |rest: &str| format!("/console/organizations/{}/developer/identity-providers{rest}", page.organization);
    let row = |one: &ProviderRow| {
        let action = if page.administers {
            let told = view! { <p>"Tokens of this issuer are then refused."</p> };
            Form::new(at(&format!("/{}/remove", one.id)), "Remove").asking(&one.id, "Remove this identity provider?", told)
        } else {
            ().html()
        };
        let addresses = parts::text(if one.trusts_addresses { "All trusted" } else { "Verified addresses" });
        vec![
            parts::code(one.issuer.clone()),
            parts::code(one.audience.clone()),
            parts::text(one.keys.clone()),
            addresses,
            action,
        ]
    };
    let list = (!page.providers.is_empty()).then(|| {
        let rows = page.providers.iter().map(row).collect();
        parts::table("Identity providers", &["Issuer", "Audience", "Keys", "Email addresses", ""], rows)
    });
    let form = page.administers.then(|| {
        let trusts = Field::new("trustsNames", "Trust all its email addresses", Control::Tick).optional();
        let fields = view! {
            {Field::text("issuer", "Issuer").like("https://login.example.com").hint("The value of iss in its tokens.").draw(draft)}
            {Field::text("audience", "Audience").hint("The required value of aud in its tokens.").draw(draft)}
            {Field::new("keysUrl", "URL of its keys (JWKS)", Control::Input("url")).optional().draw(draft)}
            {Field::new("keys", "Or the keys themselves", Control::Code(3)).optional().hint("A JSON Web Key Set.").draw(draft)}
            {trusts.hint("Only for a provider that does not send email_verified, and only if its users cannot choose their own address or subject.").draw(draft)}
        };
        let form = Form::new(at(""), "Add identity provider").draw(draft, fields);
        parts::adding("New identity provider", false, draft.is_refused(), form)
    });
    parts::part("Identity providers", "Members can call the API with tokens of these issuers.", view! { {list}{form} })
}

fn signing(page: &Developer) -> Html {
    let row = |key: &SigningKeyRow| {
        let state = match &key.retired_at {
            None => parts::badge("good", "Signs"),
            Some(since) => view! { {parts::badge("", "Verifies only")}" since "{parts::time(since)} }.html(),
        };
        vec![parts::code(key.id.clone()), parts::time(&key.created_at), state]
    };
    let rotate = page.rotates.then(|| {
        let told = view! { <p>"New tokens are signed with a new key. Issued tokens stay valid: the old key verifies them until they expire."</p> };
        let address = format!("/console/organizations/{}/developer/signing-keys", page.organization);
        Form::new(address, "Rotate").asking("rotate", "Sign with a new key?", told)
    });
    let told = format!("Embed tokens are signed with Ed25519. The public keys are at {}.", page.jwks);
    let rows = page.signing.iter().map(row).collect();
    parts::part("Signing keys", &told, view! { {parts::table("Signing keys", &["Key id", "Created", "State"], rows)}{rotate} })
}

fn limits(page: &Developer) -> Html {
    let facts = page.limits.iter().map(|(name, value)| (*name, parts::text(value.clone()))).collect();
    parts::part(
        "Limits",
        "Set by the operator, for each node. Above a limit, calls return 429 with Retry-After. You can give a key a lower limit in the list above.",
        parts::facts(facts),
    )
}
