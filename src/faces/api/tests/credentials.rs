//! Whose request each endpoint takes, and in which order it refuses (docs/spec/contract.md, sections 2 and 12: D3, D10, P8).

use crate::{
    concepts::{
        identity_providers::tests::{add_member, trusted},
        organizations::MemberRole,
    },
    ground::audit::Actor,
    testing::{
        ACME,
        endpoints::{Endpoint, Takes, endpoints},
        on_both_stores,
    },
};
use axum::http::Method;
use serde_json::{Value, json};
use uuid::Uuid;

/// Values that a host may send as `organizationId`.
fn organizations() -> [Value; 10] {
    [
        json!(""),
        json!(" "),
        json!("acme"),
        json!("0190"),
        json!(Uuid::now_v7()),
        json!(5),
        json!(true),
        json!(null),
        json!([]),
        json!({"id": 1}),
    ]
}

/// The good request of an endpoint, with everything in it wrong except its shape.
fn nonsense(one: &Endpoint) -> Value {
    let mut body = one.fresh();
    for (_, value) in body.as_object_mut().into_iter().flatten() {
        *value = json!({"wrong": [null]});
    }
    if let Some(fields) = body.as_object_mut() {
        fields.insert("organizationId".to_owned(), json!([5]));
    }
    body
}

/// A path with something that is no id in the place of each id.
fn without_ids(path: &str) -> String {
    path.split('/').map(|part| if part.parse::<Uuid>().is_ok() { "x" } else { part }).collect::<Vec<_>>().join("/")
}

on_both_stores! {
    async fn a_wrong_credential_is_refused_before_anything_else(world) {
        let (all, _) = endpoints(&world).await;
        let mistyped = &world.key[..world.key.len() - 1];
        for one in &all {
            let wrong = nonsense(one).to_string();
            for credential in ["inlay_x_y", mistyped, "undefined", "a.b.c", "null"] {
                let header = format!("Bearer {credential}");
                for (path, body) in [
                    (one.path.clone(), one.fresh().to_string()),
                    (one.path.clone(), wrong.clone()),
                    (one.path.clone(), "{".to_owned()),
                    (one.path.clone(), "[]".to_owned()),
                    (without_ids(&one.path), wrong.clone()),
                    (one.with_query("organizationId", "acme"), one.fresh().to_string()),
                ] {
                    let reply = one.send(&world, &path, &[&header], &body).await;
                    let code = reply.json()["error"]["code"].clone();
                    let expected = [json!("INVALID_API_KEY"), json!("INVALID_TOKEN")].contains(&code);
                    assert!(reply.status == 401 && expected, "{} {path} {credential} {body}: {}", one.method, reply.text);
                }
            }
        }
    }

    async fn a_request_without_a_credential_is_refused_before_its_fields(world) {
        let (all, _) = endpoints(&world).await;
        for one in &all {
            let expected = if matches!(one.takes, Takes::Key | Takes::Host) { "INVALID_API_KEY" } else { "MISSING_CREDENTIALS" };
            for body in [one.fresh().to_string(), nonsense(one).to_string()] {
                for path in [one.path.clone(), without_ids(&one.path), one.with_query("organizationId", "acme")] {
                    one.send(&world, &path, &[], &body).await.refused(401, expected);
                }
            }
            // The key may be in a body that cannot be read.
            let unreadable = one.send(&world, &one.path, &[], "{").await;
            match one.has_body() && one.key_in_body {
                true => unreadable.refused(400, "VALIDATION_FAILED"),
                false => unreadable.refused(401, expected),
            };
        }
    }

    async fn a_bad_id_in_the_path_is_refused_after_the_credential(world) {
        let (all, token) = endpoints(&world).await;
        for one in all.iter().filter(|one| without_ids(&one.path) != one.path) {
            let header = format!("Bearer {}", if one.takes == Takes::Viewer { &token } else { &world.key });
            let path = without_ids(&one.path);
            let first = path.split('/').position(|part| part == "x").expect("an id");
            let reply = one.send(&world, &path, &[&header], &nonsense(one).to_string()).await;
            let details = reply.refused(400, "VALIDATION_FAILED")["details"].clone();
            let (name, problem) = details.as_object().expect("details").iter().next().expect("a field");
            assert_eq!(problem, "must be a UUID", "{first}");
            assert!(name.ends_with("Id") && details.as_object().expect("details").len() == 1, "{details}");
        }
    }

    async fn a_bound_key_ignores_any_organization(world) {
        let (all, _) = endpoints(&world).await;
        let header = format!("Bearer {}", world.key);
        for one in all.iter().filter(|one| one.takes != Takes::Viewer) {
            for organization in organizations() {
                let (path, body) = one.with("organizationId", &organization);
                let reply = one.send(&world, &path, &[&header], &body.to_string()).await;
                one.accepted(&reply, &organization.to_string());
                if let Some(text) = organization.as_str().filter(|_| one.has_body()) {
                    let path = one.with_query("organizationId", text);
                    one.accepted(&one.send(&world, &path, &[&header], &one.fresh().to_string()).await, "in the query");
                }
            }
        }
    }

    async fn a_token_ignores_any_organization(world) {
        let (all, token) = endpoints(&world).await;
        for one in all.iter().filter(|one| one.takes == Takes::Viewer || one.path.ends_with("/data")) {
            for organization in organizations() {
                let (path, body) = one.with("organizationId", &organization);
                let reply = one.send(&world, &path, &[&format!("Bearer {token}")], &body.to_string()).await;
                one.accepted(&reply, &organization.to_string());
            }
        }
    }

    async fn a_user_scoped_key_names_its_organization(world) {
        let (all, _) = endpoints(&world).await;
        let key = world.member_key(MemberRole::Member, true).await;
        let read_only = world.member_key(MemberRole::Viewer, true).await;
        let header = format!("Bearer {key}");
        for one in all.iter().filter(|one| one.takes != Takes::Viewer) {
            one.send(&world, &one.path, &[&header], &nonsense_without_organization(one)).await.refused(400, "ORGANIZATION_ID_REQUIRED");
            for organization in [json!("acme"), json!("")] {
                let (path, body) = one.with("organizationId", &organization);
                let error = one.send(&world, &path, &[&header], &body.to_string()).await.refused(400, "VALIDATION_FAILED");
                assert_eq!(error["details"], json!({"organizationId": "must be a UUID"}), "{}", one.path);
            }
            let (path, body) = one.with("organizationId", &json!(Uuid::now_v7()));
            one.send(&world, &path, &[&header], &body.to_string()).await.refused(403, "KEY_OWNER_NOT_PERMITTED");
            let (path, body) = one.with("organizationId", &json!(world.organization));
            let unpermitted = one.send(&world, &path, &[&format!("Bearer {read_only}")], &body.to_string()).await;
            unpermitted.refused(403, "KEY_OWNER_NOT_PERMITTED");
            one.accepted(&one.send(&world, &path, &[&header], &body.to_string()).await, "named");
            if one.has_body() {
                // The other place is accepted too, also beside a null.
                let path = one.with_query("organizationId", &world.organization.to_string());
                let body = one.with("organizationId", &Value::Null).1.to_string();
                one.accepted(&one.send(&world, &path, &[&header], &body).await, "named in the query");
            }
        }
    }

    async fn a_member_of_an_identity_provider_names_the_organization(world) {
        let (all, _) = endpoints(&world).await;
        let provider = trusted(&world).await;
        add_member(&world, world.organization, "ada@example.test", MemberRole::Member).await;
        add_member(&world, world.organization, "reader@example.test", MemberRole::Viewer).await;
        let member = format!("Bearer {}", provider.token(&json!({"email": "ada@example.test"})));
        let reader = format!("Bearer {}", provider.token(&json!({"email": "reader@example.test"})));
        for one in &all {
            let (path, body) = one.with("organizationId", &json!(world.organization));
            let body = body.to_string();
            if !matches!(one.takes, Takes::Host | Takes::HostOrTenant) {
                assert_eq!(one.send(&world, &path, &[&member], &body).await.status, 401, "{} {}", one.method, one.path);
                continue;
            }
            one.send(&world, &one.path, &[&member], &one.fresh().to_string()).await.refused(400, "ORGANIZATION_ID_REQUIRED");
            one.send(&world, &path, &[&reader], &body).await.refused(403, "NOT_A_MEMBER");
            one.accepted(&one.send(&world, &path, &[&member], &body).await, "by a member");
        }
    }

    async fn v1_takes_the_header_in_every_form(world) {
        let (all, _) = endpoints(&world).await;
        let key = &world.key;
        let accepted = [key.clone(), format!("Bearer {key}"), format!("bearer   {key}"), format!("BEARER {key}")];
        for one in all.iter().filter(|one| one.takes != Takes::Viewer) {
            for header in &accepted {
                let reply = one.send(&world, &one.path, &[header], &one.fresh().to_string()).await;
                match one.is_v1() || header.contains(' ') {
                    true => one.accepted(&reply, header.split(' ').next().unwrap_or_default()),
                    false => drop(reply.refused(401, "INVALID_API_KEY")),
                }
            }
            for other in ["Basic dXNlcjpwYXNz", "ApiKey abc", "Digest username=\"a\", realm=\"b\"", "Bearer", ""] {
                let reply = one.send(&world, &one.path, &[other], &one.fresh().to_string()).await;
                let none = one.send(&world, &one.path, &[], &one.fresh().to_string()).await;
                assert_eq!(reply.status, 401, "{other}");
                if one.is_v1() {
                    assert_eq!(reply.text, none.text, "{} {other}", one.path);
                }
                if one.key_in_body {
                    let body = one.with("apiKey", &json!(key)).1.to_string();
                    one.accepted(&one.send(&world, &one.path, &[other], &body).await, other);
                }
            }
            // A mistyped header counts, whatever the body holds.
            let body = if one.key_in_body { one.with("apiKey", &json!(key)).1 } else { one.fresh() };
            for header in ["undefined", "Bearer undefined", "Bearer a b"] {
                one.send(&world, &one.path, &[header], &body.to_string()).await.refused(401, "INVALID_API_KEY");
            }
        }
    }

    async fn an_empty_key_in_the_body_is_no_key(world) {
        let (all, _) = endpoints(&world).await;
        for one in all.iter().filter(|one| one.key_in_body) {
            for empty in [json!(""), json!(" "), json!(null), json!(5), json!([world.key])] {
                let body = one.with("apiKey", &empty).1.to_string();
                assert_eq!(one.send(&world, &one.path, &[], &body).await.status, 401, "{} {empty}", one.path);
            }
            let elsewhere = one.with_query("apiKey", &world.key);
            assert_eq!(one.send(&world, &elsewhere, &[], &one.fresh().to_string()).await.status, 401, "{}", one.path);
        }
        let roles = all.iter().find(|one| one.method == Method::GET && one.path.ends_with("/user-roles")).expect("the list");
        roles.accepted(&roles.send(&world, &roles.with_query("apiKey", &world.key), &["Basic dXNlcjpwYXNz"], "").await, "in the query");
    }

    async fn a_tenant_s_token_is_taken_where_a_user_s_is(world) {
        let (all, _) = endpoints(&world).await;
        let body = json!({"projectId": world.applied.project_id, "displayName": "v1", "prefilters": {"company": ACME}});
        let registered = world.post("/v1/api/tenant/register-tenant", &world.key, &body).await.data();
        let bearer = format!("Bearer {}", registered["token"].as_str().expect("a token"));
        let of_viewers = || all.iter().filter(|one| matches!(one.takes, Takes::Viewer | Takes::HostOrViewer));
        for one in of_viewers() {
            let reply = one.send(&world, &one.path, &[&bearer], &nonsense(one).to_string()).await;
            let error = reply.refused(401, "TENANT_NOT_MIGRATED");
            assert!(error["message"].as_str().expect("a message").contains("register-tenant"));
        }
        crate::flows::v1_migration::map_tenants(&world.app.db, &Actor::operator(world.organization)).await.expect("mapped");
        for one in of_viewers() {
            let reply = one.send(&world, &one.path, &[&bearer], &one.fresh().to_string()).await;
            // The user of the tenant has no role, and other users' threads are not found.
            let code = reply.json()["error"]["code"].as_str().unwrap_or_default().to_owned();
            let taken = reply.status == 200 || ["VIEW_ONLY", "NOT_FOUND", "ROW_RULE_UNRESOLVED"].contains(&code.as_str());
            assert!(taken, "{} {}: {}", one.method, one.path, reply.text);
        }
    }
}

fn nonsense_without_organization(one: &Endpoint) -> String {
    let mut body = nonsense(one);
    if let Some(fields) = body.as_object_mut() {
        fields.remove("organizationId");
    }
    body.to_string()
}
