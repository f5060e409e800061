//! What the log keeps, on both stores.

use super::{
    Event,
    store::{Doer, Thing, Wanted, newest},
};
use crate::{
    ground::{paging::Side, time::Timestamp},
    testing::{ACME, World, on_both_stores},
};
use axum::{
    body::Body,
    http::{Method, Request},
};
use inlay_contract::ids::OrganizationId;
use serde_json::json;
use uuid::Uuid;

fn all(organization: OrganizationId) -> Wanted {
    Wanted::of(organization, 100)
}

async fn lines(world: &World, wanted: &Wanted) -> Vec<Event> {
    newest(&mut world.app.db.read().await.expect("a connection").conn(), wanted).await.expect("read")
}

fn roles(world: &World) -> String {
    format!("/v1/api/projects/{}/user-roles", world.applied.project_id)
}

on_both_stores! {
    async fn a_change_leaves_a_line_and_a_refusal_none(world) {
        let body = json!({"name": "Editor", "permissions": {"addChart": true}});
        let request = Request::builder().method(Method::POST).uri(roles(&world)).header("content-type", "application/json")
            .header("authorization", format!("Bearer {}", world.key)).header("x-request-id", "call-7");
        let made = world.send(request.body(Body::from(body.to_string())).expect("a request")).await.data();
        world.post(&roles(&world), &world.key, &body).await.refused(409, "ROLE_NAME_TAKEN");
        let found = lines(&world, &Wanted { action: Some("userRole".to_owned()), ..all(world.organization) }).await;
        assert_eq!(found.len(), 1);
        let event = &found[0];
        let key = crate::concepts::organizations::api_keys::PresentedKey::parse(&world.key).expect("a key").id;
        assert_eq!((event.actor_kind.as_str(), event.actor_id, event.action.as_str()), ("apiKey", Some(key.0), "userRole.created"));
        assert_eq!((json!(event.resource_id), event.resource_name.as_deref()), (made["userRole"]["id"].clone(), Some("Editor")));
        assert_eq!((event.request_id.as_deref(), event.project_id), (Some("call-7"), Some(world.applied.project_id)));
    }

    async fn a_sign_in_that_changes_nothing_leaves_no_line(world) {
        let mut body = world.sign_in_body(ACME, "ada");
        let sign_in = async |body| world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
        sign_in(body.clone()).await;
        let first = lines(&world, &all(world.organization)).await.len();
        sign_in(body.clone()).await;
        assert_eq!(lines(&world, &all(world.organization)).await.len(), first);
        body["user"]["name"] = json!("Ada");
        let user = sign_in(body).await["projectUserId"].clone();
        let changed = &lines(&world, &all(world.organization)).await[0];
        assert_eq!((changed.action.as_str(), json!(changed.resource_id)), ("projectUser.changed", user));
    }

    async fn lines_hold_neither_properties_nor_keys(world) {
        let mut body = world.sign_in_body(ACME, "ada");
        body["user"]["properties"] = json!({"secret": "hunter2"});
        world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
        let tenant = json!({"projectId": world.applied.project_id, "displayName": "t", "prefilters": {"secret": "hunter2"}, "customMetadata": {"secret": "hunter2"}});
        world.post("/v1/api/tenant/register-tenant", &world.key, &tenant).await.data();
        let told = serde_json::to_string(&lines(&world, &all(world.organization)).await).expect("JSON");
        let secret = world.key.rsplit('_').next().expect("a secret");
        assert!(told.contains("tenant.registered") && !told.contains("hunter2") && !told.contains(secret), "{told}");
    }

    async fn an_organization_reads_its_own_lines_as_it_asks(world) {
        let (_, key) = world.neighbour().await;
        world.post(&roles(&world), &world.key, &json!({"name": "One", "permissions": {}})).await.data();
        world.post(&roles(&world), &world.key, &json!({"name": "Two", "permissions": {}})).await.data();
        world.post(&roles(&world), &key, &json!({"name": "Three", "permissions": {}})).await.refused(404, "PROJECT_NOT_FOUND");
        let action = |text: &str| Wanted { action: Some(text.to_owned()), ..all(world.organization) };
        let names = async |wanted: Wanted| -> Vec<Option<String>> {
            lines(&world, &wanted).await.into_iter().map(|event| event.resource_name).collect()
        };
        let name = |text: &str| Some(text.to_owned());
        assert_eq!(names(action("userRole.created")).await, [name("Two"), name("One")]);
        assert_eq!(names(action("user%")).await, Vec::new());
        assert_eq!(names(Wanted { most: 1, ..action("userRole") }).await, [name("Two")]);
        assert_eq!(names(Wanted { since: Timestamp::now().plus(std::time::Duration::from_secs(60)), ..action("userRole") }).await, Vec::new());
        let first = lines(&world, &action("userRole")).await[1].resource_id;
        assert_eq!(names(Wanted { resource: Some(Thing::Id(first)), ..all(world.organization) }).await, [name("One")]);
        assert_eq!(names(Wanted { resource: Some(Thing::Id(Uuid::now_v7())), ..all(world.organization) }).await, Vec::new());
        assert_eq!(names(all(OrganizationId::generate())).await, Vec::new());
    }

    async fn lines_are_found_by_parts_of_names_whatever_the_case(world) {
        for name in ["Übersicht", "Night_Shift", "Nightxshift"] {
            world.post(&roles(&world), &world.key, &json!({"name": name, "permissions": {}})).await.data();
        }
        let names = async |wanted: Wanted| -> Vec<String> {
            lines(&world, &wanted).await.into_iter().filter_map(|event| event.resource_name).collect()
        };
        let named = |text: &str| Wanted { resource: Some(Thing::Named(text.to_owned())), ..all(world.organization) };
        assert_eq!(names(named("üBERsicht")).await, ["Übersicht"]);
        assert_eq!(names(named("night_")).await, ["Night_Shift"], "wild cards are meant as they are");
        let acted = |text: &str| Wanted { action: Some(text.to_owned()), resource: Some(Thing::Named("night".to_owned())), ..all(world.organization) };
        assert_eq!(names(acted("ROLE.c")).await, ["Nightxshift", "Night_Shift"]);
        assert_eq!(names(acted("role.d")).await, Vec::<String>::new());
    }

    async fn lines_are_found_by_who_did_it_when_and_where(world) {
        world.post(&roles(&world), &world.key, &json!({"name": "By key", "permissions": {}})).await.data();
        let key = crate::concepts::organizations::api_keys::PresentedKey::parse(&world.key).expect("a key").id;
        let mut tx = world.app.db.write().await.expect("a transaction");
        crate::concepts::organizations::keys::set_label(&mut tx.conn(), key, "Production").await.expect("named");
        tx.commit().await.expect("committed");
        let tenant = json!({"projectId": world.applied.project_id, "displayName": "Bakery", "key": "t-1", "prefilters": {}});
        world.post("/v1/api/tenant/register-tenant", &world.key, &tenant).await.data();
        let actions = async |wanted: Wanted| -> Vec<String> { lines(&world, &wanted).await.into_iter().map(|event| event.action).collect() };
        let who = |who: Doer| Wanted { who: Some(who), ..all(world.organization) };
        let named = |text: &str| who(Doer::Named(text.to_owned()));
        assert_eq!(actions(named("PRODUCT")).await, ["tenant.registered", "userRole.created"]);
        assert_eq!(actions(who(Doer::Id(key.0))).await, ["tenant.registered", "userRole.created"]);
        assert_eq!(actions(named("nobody")).await, Vec::<String>::new());
        assert_eq!(actions(who(Doer::Operator)).await, ["project.applied"]);
        let first = &lines(&world, &named("production")).await[1];
        assert_eq!(first.actor_name.as_deref(), Some("Production"));
        assert_eq!(actions(Wanted { until: first.at, ..named("production") }).await, Vec::<String>::new());
        let newest = lines(&world, &named("production")).await.remove(0);
        let place = |event: &Event| (event.at.0, event.id);
        let older = Wanted { since: first.at, from: Some(Side::After(place(&newest))), most: 1, ..named("production") };
        assert_eq!(actions(older).await, ["userRole.created"]);
        let newer = Wanted { from: Some(Side::Before(place(first))), ..named("production") };
        assert_eq!(actions(newer).await, ["tenant.registered"]);
        let here = Wanted { project: Some(world.applied.project_id), ..named("production") };
        assert_eq!(actions(here.clone()).await.len(), 2);
        assert_eq!(actions(Wanted { project: Some(inlay_contract::ids::ProjectId::generate()), ..here }).await, Vec::<String>::new());
        let (_, foreign) = world.neighbour().await;
        let foreign = crate::concepts::organizations::api_keys::PresentedKey::parse(&foreign).expect("a key").id;
        assert_eq!(actions(who(Doer::Id(foreign.0))).await, Vec::<String>::new());
    }
}
