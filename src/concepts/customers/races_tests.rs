//! Calls that change one customer or user at the same moment: none undoes what another one was told it had stored. On both stores.

use super::{ProjectUser, properties::Properties, store};
use crate::{
    ground::store::Tx,
    testing::{ACME, World, on_both_stores, overlapped},
};
use axum::http::Method;
use inlay_contract::ids::{ProjectUserId, RoleId};
use serde_json::{Value, json};

const EMBED_TOKEN: &str = "/v1/api/projects/embed-token";
const REGISTER_TENANT: &str = "/v1/api/tenant/register-tenant";

fn read<T: serde::de::DeserializeOwned>(id: &Value) -> T {
    serde_json::from_value(id.clone()).expect("an id")
}

/// `embed-token` for a user, with further properties of the user or their customer.
async fn sign_in(world: &World, whose: &str, properties: Value) -> Value {
    let mut body = world.sign_in_body(ACME, "ada");
    body[whose]["properties"] = properties;
    world.post(EMBED_TOKEN, &world.key, &body).await.data()
}

async fn put(world: &World, user: &Value, body: Value) -> Value {
    let path = format!("/v1/api/projects/{}/users/{}", world.applied.project_id, user.as_str().expect("an id"));
    world.call(Method::PUT, &path, &world.key, Some(&body)).await.data()
}

/// The user as it is stored.
async fn stored(world: &World, user: &Value) -> ProjectUser {
    super::users::of_project(&world.app, world.applied.project_id, read(user)).await.expect("a user")
}

/// The customer's properties as they are stored.
async fn of_customer(world: &World, customer: &str) -> Properties {
    let mut lease = world.app.db.read().await.expect("a connection");
    let found = store::find_customer(&mut lease.conn(), world.applied.project_id, customer).await.expect("read");
    found.expect("a customer").properties
}

/// A transaction in which somebody else has just given a user a property, not committed yet.
async fn giving_user(world: &World, id: &Value, key: &str) -> Tx {
    let mut tx = world.app.db.write().await.expect("a transaction");
    let conn = &mut tx.conn();
    let mut user = store::find_user(conn, world.applied.project_id, read(id)).await.expect("read").expect("a user");
    user.properties.insert(key.to_owned(), json!(true));
    store::update_user(conn, &user).await.expect("changed");
    tx
}

/// The same for a customer.
async fn giving_customer(world: &World, external_id: &str, key: &str) -> Tx {
    let mut tx = world.app.db.write().await.expect("a transaction");
    let conn = &mut tx.conn();
    let found = store::find_customer(conn, world.applied.project_id, external_id).await.expect("read");
    let mut customer = found.expect("a customer");
    customer.properties.insert(key.to_owned(), json!(true));
    store::update_customer(conn, &customer).await.expect("changed");
    tx
}

fn keys(properties: &Properties) -> Vec<&str> {
    let mut keys: Vec<&str> = properties.keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

/// A tenant with a project user: what the migration makes of a registration.
async fn migrated_tenant(world: &World, body: &Value) -> Value {
    world.post(REGISTER_TENANT, &world.key, body).await.data();
    let actor = crate::ground::audit::Actor::operator(world.organization);
    crate::flows::v1_migration::map_tenants(&world.app.db, &actor).await.expect("mapped");
    let mut lease = world.app.db.read().await.expect("a connection");
    let conn = &mut lease.conn();
    let key = body["displayName"].as_str().expect("a name");
    let customer = store::find_customer(conn, world.applied.project_id, key).await.expect("read").expect("a customer");
    let user = store::find_user_of_customer(conn, customer.id, key).await.expect("read").expect("a user");
    json!(user.id)
}

fn tenant(world: &World, prefilters: Value) -> Value {
    json!({"projectId": world.applied.project_id, "displayName": "Initech", "prefilters": prefilters})
}

on_both_stores! {
    async fn simultaneous_merges_keep_every_key(world) {
        let user = sign_in(&world, "user", json!({})).await["projectUserId"].clone();
        for round in 0..4 {
            let calls = (0..16).map(async |number| {
                let properties = json!({ format!("k{round}_{number}"): number });
                if number % 2 == 0 {
                    sign_in(&world, "user", properties).await;
                } else {
                    put(&world, &user, json!({ "properties": properties })).await;
                }
            });
            futures::future::join_all(calls).await;
            assert_eq!(stored(&world, &user).await.properties.len(), (round + 1) * 16, "in round {round}");
        }
    }

    async fn simultaneous_merges_of_a_customer_keep_every_key(world) {
        let before = of_customer_after_sign_in(&world).await;
        let calls = (0..16).map(async |number| sign_in(&world, "organization", json!({ format!("k{number}"): number })).await);
        futures::future::join_all(calls).await;
        assert_eq!(of_customer(&world, ACME).await.len(), before + 16);
    }

    async fn a_sign_in_keeps_what_was_stored_while_it_waited(world) {
        let user = sign_in(&world, "user", json!({"old": 1})).await["projectUserId"].clone();
        let first = giving_user(&world, &user, "theirs").await;
        overlapped(&world, first, sign_in(&world, "user", json!({"own": 1}))).await;
        assert_eq!(keys(&stored(&world, &user).await.properties), ["old", "own", "theirs"]);
        let first = giving_customer(&world, ACME, "theirs").await;
        overlapped(&world, first, sign_in(&world, "organization", json!({"own": 1}))).await;
        assert_eq!(keys(&of_customer(&world, ACME).await), ["company", "own", "theirs"]);
    }

    async fn a_change_of_a_user_keeps_what_was_stored_while_it_waited(world) {
        let user = sign_in(&world, "user", json!({})).await["projectUserId"].clone();
        let first = giving_user(&world, &user, "theirs").await;
        overlapped(&world, first, put(&world, &user, json!({"properties": {"own": 1}, "name": "Ada"}))).await;
        assert_eq!(keys(&stored(&world, &user).await.properties), ["own", "theirs"]);
    }

    async fn a_registration_keeps_what_was_stored_while_it_waited(world) {
        let user = migrated_tenant(&world, &tenant(&world, json!({"company": "a"}))).await;
        let register = async |body: Value| world.post(REGISTER_TENANT, &world.key, &body).await.data();
        let first = giving_user(&world, &user, "theirs").await;
        overlapped(&world, first, register(tenant(&world, json!({"company": "b"})))).await;
        assert_eq!(stored(&world, &user).await.properties, properties(json!({"company": "b", "theirs": true})));
        let first = giving_customer(&world, "Initech", "theirs").await;
        overlapped(&world, first, register(tenant(&world, json!({"company": "c"})))).await;
        assert_eq!(of_customer(&world, "Initech").await, properties(json!({"company": "c", "theirs": true})));
    }

    async fn a_role_is_set_without_undoing_properties(world) {
        let user = sign_in(&world, "user", json!({})).await["projectUserId"].clone();
        let id: ProjectUserId = read(&user);
        let role: RoleId = world.applied.roles["Analyst"];
        let first = giving_user(&world, &user, "theirs").await;
        let set = async {
            let mut tx = world.app.db.write().await.expect("a transaction");
            store::set_role(&mut tx.conn(), world.applied.project_id, id, Some(role)).await.expect("set");
            tx.commit().await.expect("committed");
        };
        overlapped(&world, first, set).await;
        let found = stored(&world, &user).await;
        assert_eq!((keys(&found.properties), found.user_role_id), (vec!["theirs"], Some(role)));
    }

    async fn the_migration_keeps_what_was_stored_while_it_waited(world) {
        let mut body = world.sign_in_body("Initech", "Initech");
        body["organization"]["properties"] = json!({});
        let user = world.post(EMBED_TOKEN, &world.key, &body).await.data()["projectUserId"].clone();
        world.post(REGISTER_TENANT, &world.key, &tenant(&world, json!({"region": "north"}))).await.data();
        let first = giving_user(&world, &user, "theirs").await;
        let actor = crate::ground::audit::Actor::operator(world.organization);
        let mapped = overlapped(&world, first, crate::flows::v1_migration::map_tenants(&world.app.db, &actor)).await;
        assert_eq!(mapped.expect("mapped").mapped_tenants, 1);
        assert_eq!(keys(&stored(&world, &user).await.properties), ["region", "theirs"]);
    }

    async fn a_user_who_is_registered_meanwhile_is_the_one_who_signs_in(world) {
        let customer: Value = sign_in(&world, "user", json!({})).await["projectOrganizationId"].clone();
        let mut new = stored(&world, &sign_in(&world, "user", json!({})).await["projectUserId"]).await;
        (new.id, new.external_id) = (ProjectUserId::generate(), "bob".to_owned());
        assert_eq!(json!(new.project_organization_id), customer);
        let mut first = world.app.db.write().await.expect("a transaction");
        assert!(store::insert_user(&mut first.conn(), &new).await.expect("stored"));
        let body = world.sign_in_body(ACME, "bob");
        let data = overlapped(&world, first, world.post(EMBED_TOKEN, &world.key, &body)).await.data();
        assert_eq!((&data["projectUserId"], &data["userCreated"]), (&json!(new.id), &json!(false)));
    }
}

/// Signs in once and returns how many properties the customer has.
async fn of_customer_after_sign_in(world: &World) -> usize {
    sign_in(world, "user", json!({})).await;
    of_customer(world, ACME).await.len()
}

fn properties(value: Value) -> Properties {
    value.as_object().expect("an object").clone()
}
