//! Errors that every endpoint for a host's backend must return.

use super::{ACME, World};
use crate::concepts::organizations::MemberRole;
use axum::{
    body::Body,
    http::{Method, Request},
};
use serde_json::{Value, json};

/// Tests invalid credentials and bodies; `body` is a valid one. `project` says that the call names a project, which other
/// organizations must not find.
pub(crate) async fn refusals(world: &World, method: &Method, path: &str, body: &Value, project: bool) {
    let call = async |credential: &str, body: &Value| world.call(method.clone(), path, credential, Some(body)).await;
    for wrong in ["", "hello", "inlay_x_y", &world.key[..world.key.len() - 1]] {
        call(wrong, body).await.refused(401, "INVALID_API_KEY");
    }
    call(&world.token(ACME).await, body).await.refused(401, "INVALID_API_KEY");
    call(&world.member_key(MemberRole::Viewer, false).await, body).await.refused(403, "KEY_OWNER_NOT_PERMITTED");
    call(&world.member_key(MemberRole::Member, true).await, body).await.refused(400, "ORGANIZATION_ID_REQUIRED");
    if project {
        call(&world.neighbour().await.1, body).await.refused(404, "PROJECT_NOT_FOUND");
    }
    for (kind, text, status) in [
        ("application/json", "", 400),
        ("application/json", "[]", 400),
        ("application/json", "{", 400),
        ("text/plain", "{}", 415),
        ("application/x-www-form-urlencoded", "a=1", 415),
    ] {
        let request = Request::builder().method(method.clone()).uri(path).header("content-type", kind);
        let request = request.header("authorization", format!("Bearer {}", world.key));
        let reply = world.send(request.body(Body::from(text)).expect("a request")).await;
        assert_eq!(reply.status.as_u16(), status, "{kind} {text}: {}", reply.text);
        assert_eq!(reply.json()["status"], json!("error"));
    }
}

/// Sends a valid body with one field after another made invalid: `fields` gives a value of the wrong type for each. A field
/// marked with `!` is required too.
pub(crate) async fn bad_fields(world: &World, method: &Method, path: &str, good: &Value, fields: &[(&str, Value)]) {
    for (field, wrong) in fields {
        let name = field.trim_end_matches('!');
        let mut body = good.clone();
        body[name] = wrong.clone();
        let error = world.call(method.clone(), path, &world.key, Some(&body)).await.refused(400, "VALIDATION_FAILED");
        let told = error["details"].as_object().expect("details");
        assert!(told.keys().any(|path| path.starts_with(name)), "{name}: {error}");
        if field.ends_with('!') {
            body.as_object_mut().expect("an object").remove(name);
            let error = world.call(method.clone(), path, &world.key, Some(&body)).await.refused(400, "VALIDATION_FAILED");
            assert_eq!(error["details"][name], json!("is required"), "{name}");
        }
    }
}
