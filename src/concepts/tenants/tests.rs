//! `register-tenant` through the router, on both stores.

use crate::{
    concepts::{
        organizations::MemberRole,
        tokens::{Audience, Claims, verify},
    },
    testing::{World, bad_fields, on_both_stores, refusals},
};
use axum::http::Method;
use inlay_contract::permissions::Flag;
use serde_json::{Value, json};

const PATH: &str = "/v1/api/tenant/register-tenant";

fn body(world: &World, name: &str) -> Value {
    json!({"projectId": world.applied.project_id, "displayName": name, "prefilters": {"company": "acme"}})
}

async fn register(world: &World, body: &Value) -> Value {
    world.post(PATH, &world.key, body).await.data()
}

fn claims(world: &World, data: &Value) -> Claims {
    let token = data["token"].as_str().expect("a token");
    verify(&crate::concepts::tokens::known(&world.app).keyring, &world.app.base_url, token, world.app.now()).expect("valid")
}

on_both_stores! {
    async fn a_tenant_token_says_what_the_tenant_may(world) {
        let mut body = body(&world, "Acme");
        body["tenantEditingPermissions"] = json!({"addChart": true});
        body["expiration"] = json!("15m");
        body["customMetadata"] = json!({"plan": "gold"});
        let data = register(&world, &body).await;
        let keys: Vec<&String> = data.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["message", "token", "tenantId"]);
        let claims = claims(&world, &data);
        assert_eq!((json!(claims.sub), claims.aud, claims.exp - claims.iat), (data["tenantId"].clone(), Audience::Tenant, 900));
        assert_eq!((claims.org, claims.project, claims.customer, claims.role), (world.organization, world.applied.project_id, None, None));
        let on: Vec<Flag> = Flag::ALL.into_iter().filter(|flag| claims.permissions.allows(*flag)).collect();
        assert_eq!(on, [Flag::AddChart], "in v1 an unset flag is off");
    }

    async fn the_same_key_is_the_same_tenant(world) {
        let mut keyed = body(&world, "Acme");
        keyed["key"] = json!("k1");
        let first = register(&world, &keyed).await["tenantId"].clone();
        keyed["displayName"] = json!("Acme Corp.");
        assert_eq!(register(&world, &keyed).await["tenantId"], first);
        keyed["key"] = json!("k2");
        assert_ne!(register(&world, &keyed).await["tenantId"], first);
        let unkeyed = body(&world, "Google 'Inc' ü");
        assert_eq!(register(&world, &unkeyed).await["tenantId"], register(&world, &unkeyed).await["tenantId"]);
    }

    async fn what_a_registration_leaves_out_is_kept(world) {
        let mut full = body(&world, "Acme");
        full["tenantEditingPermissions"] = json!({"addChart": true});
        register(&world, &full).await;
        let again = register(&world, &body(&world, "Acme")).await;
        assert!(claims(&world, &again).permissions.allows(Flag::AddChart));
        full["tenantEditingPermissions"] = json!({});
        let changed = register(&world, &full).await;
        assert!(!claims(&world, &changed).permissions.can_edit());
    }

    async fn simultaneous_registrations_make_one_tenant(world) {
        let body = body(&world, "Acme");
        let answers = futures::future::join_all((0..16).map(|_| register(&world, &body))).await;
        assert!(answers.iter().all(|data| data["tenantId"] == answers[0]["tenantId"]));
    }

    async fn the_project_may_be_left_out_when_there_is_one(world) {
        let mut unnamed = body(&world, "Acme");
        unnamed.as_object_mut().expect("an object").remove("projectId");
        let named = register(&world, &body(&world, "Acme")).await;
        assert_eq!(register(&world, &unnamed).await["tenantId"], named["tenantId"]);
        world.apply("version: 1\nproject: { name: Second }\n").await.expect("applied");
        let error = world.post(PATH, &world.key, &unnamed).await.refused(400, "VALIDATION_FAILED");
        assert!(error["details"]["projectId"].is_string());
    }

    async fn what_should_not_do(world) {
        let good = body(&world, "Acme");
        let wrong = [("displayName!", json!(5)), ("displayName", json!("")), ("prefilters!", json!([])), ("projectId", json!("x")),
            ("key", json!(5)), ("tenantEditingPermissions", json!([])), ("tenantEditingPermissions", json!({"addChart": "yes"})),
            ("customMetadata", json!("x")), ("expiration", json!("2d"))];
        bad_fields(&world, &Method::POST, PATH, &good, &wrong).await;
        refusals(&world, &Method::POST, PATH, &good, true).await;
        let scoped = world.member_key(MemberRole::Member, true).await;
        let mut named = good.clone();
        named["organizationId"] = json!(world.organization);
        world.post(PATH, &scoped, &named).await.data();
        named["apiKey"] = json!(world.key);
        world.post(PATH, "", &named).await.data();
    }

    async fn a_tenant_token_is_no_key_and_no_embed_token(world) {
        let token = register(&world, &body(&world, "Acme")).await["token"].as_str().expect("a token").to_owned();
        world.post("/v1/api/projects/embed-token", &token, &world.sign_in_body("acme", "ada")).await.refused(401, "INVALID_API_KEY");
        world.post(PATH, &token, &body(&world, "Acme")).await.refused(401, "INVALID_API_KEY");
        let reply = world.post(&world.chart_path("Rates"), &token, &json!({})).await;
        let error = reply.refused(401, "TENANT_NOT_MIGRATED");
        assert!(error["message"].as_str().expect("a message").contains("register-tenant"));
        let application = world.applied.applications["Orders"].id;
        let page = world.get(&format!("/share/application/{application}?jwt={token}"), "").await;
        assert_eq!(page.status.as_u16(), 401, "an iframe needs a project user's token");
    }
}
