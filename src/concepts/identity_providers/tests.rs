//! Members with tokens of an identity provider, through the router and on both stores.

use super::{
    keys::KeySet,
    store::{NewProvider, put},
};
use crate::{
    concepts::{
        organizations::{self, MemberRole},
        tokens::keyring::{self, Generated},
    },
    ground::time::Timestamp,
    on,
    testing::{ACME, World, on_both_stores},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use inlay_contract::ids::{MemberId, OrganizationId};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};

const ISSUER: &str = "https://login.example";
const AUDIENCE: &str = "analytics";

/// An identity provider with one Ed25519 key.
pub(crate) struct Provider(Generated);

impl Provider {
    fn new() -> Self {
        Self(keyring::generate().expect("a key"))
    }

    fn jwk(&self) -> Value {
        json!({"kty": "OKP", "crv": "Ed25519", "kid": self.0.id, "x": URL_SAFE_NO_PAD.encode(&self.0.public)})
    }

    /// A token with these claims beside the usual ones; null takes one away.
    pub(crate) fn token(&self, changes: &Value) -> String {
        let now = Timestamp::now().seconds();
        let mut claims = json!({"iss": ISSUER, "aud": AUDIENCE, "iat": now, "exp": now + 300});
        claims.as_object_mut().expect("an object").extend(changes.as_object().expect("an object").clone());
        claims.as_object_mut().expect("an object").retain(|_, value| !value.is_null());
        let header = Header { kid: Some(self.0.id.to_string()), ..Header::new(Algorithm::EdDSA) };
        jsonwebtoken::encode(&header, &claims, &EncodingKey::from_ed_der(&self.0.private)).expect("a token")
    }
}

/// Adds a member to an organization.
pub(crate) async fn add_member(world: &World, organization: OrganizationId, email: &str, role: MemberRole) -> MemberId {
    let mut tx = world.app.db.write().await.expect("a transaction");
    let id = organizations::put_member(&mut tx.conn(), organization, email, role, None).await.expect("a member");
    tx.commit().await.expect("committed");
    id
}

/// Registers a provider with its keys inline.
pub(crate) async fn trusted(world: &World) -> Provider {
    let provider = Provider::new();
    let keys = json!({"keys": [provider.jwk()]});
    KeySet::read(&keys).expect("a key set");
    let mut tx = world.app.db.write().await.expect("a transaction");
    let new = NewProvider { issuer: ISSUER, audience: AUDIENCE, keys_url: None, keys: Some(&keys), trusts_addresses: true };
    put(&mut tx.conn(), world.organization, &new).await.expect("stored");
    tx.commit().await.expect("committed");
    provider
}

/// Registers a provider whose keys are fetched.
pub(crate) async fn fetched_from(world: &World, url: &str) {
    let url = url.parse().expect("a URL");
    let mut tx = world.app.db.write().await.expect("a transaction");
    let new = NewProvider { issuer: ISSUER, audience: AUDIENCE, keys_url: Some(&url), keys: None, trusts_addresses: true };
    put(&mut tx.conn(), world.organization, &new).await.expect("stored");
    tx.commit().await.expect("committed");
}

fn roles_path(world: &World) -> String {
    format!("/v1/api/projects/{}/user-roles?organizationId={}", world.applied.project_id, world.organization)
}

on_both_stores! {
    async fn a_member_may_do_what_a_key_may(world) {
        let provider = trusted(&world).await;
        let id = add_member(&world, world.organization, "ada@example.test", MemberRole::Member).await;
        for names in [json!({"email": "Ada@Example.test"}), json!({"sub": "ada@example.test"}), json!({"sub": id}),
            json!({"sub": "opaque", "email": "ada@example.test", "email_verified": true})] {
            world.get(&roles_path(&world), &provider.token(&names)).await.data();
        }
        let token = provider.token(&json!({"email": "ada@example.test"}));
        let user = world.sign_in_as(ACME, "ada", None).await["projectUserId"].clone();
        let body = json!({"userId": user, "organizationId": world.organization});
        let data = world.post("/v1/api/projects/user-token", &token, &body).await.data();
        let issued = data["token"].as_str().expect("a token");
        assert_eq!(world.post(&world.chart_path("Rates"), issued, &json!({})).await.status.as_u16(), 200);
    }

    async fn the_organization_must_be_named(world) {
        let provider = trusted(&world).await;
        add_member(&world, world.organization, "ada@example.test", MemberRole::Owner).await;
        let token = provider.token(&json!({"email": "ada@example.test"}));
        let path = format!("/v1/api/projects/{}/user-roles", world.applied.project_id);
        world.get(&path, &token).await.refused(400, "ORGANIZATION_ID_REQUIRED");
        world.get(&format!("{path}?organizationId=x"), &token).await.refused(400, "VALIDATION_FAILED");
        world.get(&format!("{path}?organizationId={}", OrganizationId::generate()), &token).await.refused(401, "INVALID_TOKEN");
    }

    async fn only_members_who_may_work_are_let_in(world) {
        let provider = trusted(&world).await;
        add_member(&world, world.organization, "ada@example.test", MemberRole::Admin).await;
        add_member(&world, world.organization, "reader@example.test", MemberRole::Viewer).await;
        for names in [json!({"email": "nobody@example.test"}), json!({"email": "reader@example.test"}), json!({}), json!({"sub": " "}),
            json!({"email": "ada@example.test", "email_verified": false})] {
            world.get(&roles_path(&world), &provider.token(&names)).await.refused(403, "NOT_A_MEMBER");
        }
    }

    /// Where people choose their own address or user name, only a verified address and a member's id say who they are.
    async fn a_provider_that_is_not_trusted_has_to_verify_addresses(world) {
        let provider = trusted(&world).await;
        let id = add_member(&world, world.organization, "ada@example.test", MemberRole::Owner).await;
        let mut tx = world.app.db.write().await.expect("a transaction");
        let sql = "UPDATE identity_providers SET trusts_addresses = FALSE";
        on!(&mut tx.conn(), |c| sqlx::query(sql).execute(c).await.map(drop)).expect("changed");
        tx.commit().await.expect("committed");
        for names in [json!({"email": "ada@example.test"}), json!({"sub": "ada@example.test"}),
            json!({"sub": "x", "email": "ada@example.test", "email_verified": false})] {
            world.get(&roles_path(&world), &provider.token(&names)).await.refused(403, "NOT_A_MEMBER");
        }
        for names in [json!({"sub": id}), json!({"sub": "x", "email": "ada@example.test", "email_verified": true})] {
            world.get(&roles_path(&world), &provider.token(&names)).await.data();
        }
    }

    async fn a_neighbour_s_provider_vouches_for_nobody_here(world) {
        let (_, key) = world.neighbour().await;
        let provider = trusted(&world).await;
        add_member(&world, world.organization, "ada@example.test", MemberRole::Owner).await;
        let token = provider.token(&json!({"email": "ada@example.test"}));
        let theirs = crate::concepts::organizations::api_keys::PresentedKey::parse(&key).expect("a key").id;
        let mut lease = world.app.db.read().await.expect("a connection");
        let theirs = organizations::organizations_of_key(&mut lease.conn(), theirs).await.expect("read")[0];
        let path = format!("/v1/api/projects/{}/user-roles?organizationId={theirs}", world.applied.project_id);
        world.get(&path, &token).await.refused(401, "INVALID_TOKEN");
    }

    async fn tokens_that_nobody_vouches_for(world) {
        let (provider, stranger) = (trusted(&world).await, Provider::new());
        add_member(&world, world.organization, "ada@example.test", MemberRole::Owner).await;
        let ada = |changes: Value| {
            let mut claims = json!({"email": "ada@example.test"});
            claims.as_object_mut().expect("an object").extend(changes.as_object().expect("an object").clone());
            claims
        };
        let now = Timestamp::now().seconds();
        for changes in [json!({"aud": "other"}), json!({"aud": null}), json!({"iss": "https://other.example"}), json!({"exp": null}),
            json!({"nbf": now + 3600})] {
            world.get(&roles_path(&world), &provider.token(&ada(changes))).await.refused(401, "INVALID_TOKEN");
        }
        world.get(&roles_path(&world), &provider.token(&ada(json!({"exp": now - 3600})))).await.refused(401, "TOKEN_EXPIRED");
        world.get(&roles_path(&world), &stranger.token(&ada(json!({})))).await.refused(401, "INVALID_TOKEN");
        let borrowed = Header { kid: Some(provider.0.id.to_string()), ..Header::new(Algorithm::EdDSA) };
        let claims = json!({"iss": ISSUER, "aud": AUDIENCE, "exp": now + 300, "email": "ada@example.test"});
        let forged = jsonwebtoken::encode(&borrowed, &claims, &EncodingKey::from_ed_der(&stranger.0.private)).expect("a token");
        world.get(&roles_path(&world), &forged).await.refused(401, "INVALID_TOKEN");
        let hashed = Header { kid: Some(provider.0.id.to_string()), ..Header::new(Algorithm::HS256) };
        let forged = jsonwebtoken::encode(&hashed, &claims, &EncodingKey::from_secret(&provider.0.public)).expect("a token");
        world.get(&roles_path(&world), &forged).await.refused(401, "INVALID_TOKEN");
        let unsigned = format!("{}.{}.", URL_SAFE_NO_PAD.encode(r#"{"alg":"none"}"#), URL_SAFE_NO_PAD.encode(claims.to_string()));
        world.get(&roles_path(&world), &unsigned).await.refused(401, "INVALID_TOKEN");
        let ours = json!({"iss": world.app.base_url, "email": "ada@example.test"});
        world.get(&roles_path(&world), &provider.token(&ours)).await.refused(401, "INVALID_API_KEY");
    }

    async fn members_sign_nobody_in_by_embed_token_and_see_no_data(world) {
        let provider = trusted(&world).await;
        add_member(&world, world.organization, "ada@example.test", MemberRole::Owner).await;
        let token = provider.token(&json!({"email": "ada@example.test"}));
        let mut body = world.sign_in_body(ACME, "ada");
        body["organizationId"] = json!(world.organization);
        world.post("/v1/api/projects/embed-token", &token, &body).await.refused(401, "INVALID_API_KEY");
        let asked = json!({"organizationId": world.organization});
        world.post(&world.chart_path("Rates"), &token, &asked).await.refused(401, "INVALID_TOKEN");
    }
}
