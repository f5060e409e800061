//! What `embed-token` fills in, and the user's own properties in a row rule, on both stores.

use super::store;
use crate::testing::{ACME, World, on_both_stores};
use serde_json::{Value, json};

/// The names of a user and of their customer, as they are stored.
async fn names(world: &World, data: &Value) -> (String, String) {
    let id = |field: &str| data[field].as_str().expect("an id").to_owned();
    let mut lease = world.app.db.read().await.expect("a connection");
    let conn = &mut lease.conn();
    let user = id("projectUserId").parse().expect("an id");
    let user = store::find_user(conn, world.applied.project_id, user).await.expect("read").expect("a user");
    let customer = id("projectOrganizationId").parse().expect("an id");
    let customer =
        store::find_customer_by_id(conn, world.applied.project_id, customer).await.expect("read").expect("a customer");
    (user.name, customer.name)
}

on_both_stores! {
    async fn names_default_to_the_external_id(world) {
        let sign_in = async |body: &Value| world.post("/v1/api/projects/embed-token", &world.key, body).await.data();
        let mut body = world.sign_in_body(ACME, "ada");
        let data = sign_in(&body).await;
        assert_eq!(names(&world, &data).await, ("ada".to_owned(), ACME.to_owned()));
        body["user"]["name"] = json!("Ada");
        body["organization"]["name"] = json!("Acme Inc.");
        assert_eq!(names(&world, &sign_in(&body).await).await, ("Ada".to_owned(), "Acme Inc.".to_owned()));
        // A name that is left out stays as it is.
        assert_eq!(names(&world, &sign_in(&world.sign_in_body(ACME, "ada")).await).await, ("Ada".to_owned(), "Acme Inc.".to_owned()));
    }

    async fn a_rule_reads_the_user_s_own_properties(world) {
        let rule = "company = {{organization.company}}";
        let narrower = World::project_file().replace(rule, &format!("{rule} and region = {{{{user.region}}}}"));
        world.apply(&narrower).await.expect("applied");
        let mut body = world.sign_in_body(ACME, "ada");
        for (region, ids) in [("north", json!([1])), ("south", json!([2])), ("nowhere", json!([]))] {
            body["user"]["properties"] = json!({ "region": region });
            let data = world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
            let rows = world.post(&world.chart_path("Orders"), data["token"].as_str().expect("a token"), &json!({})).await.data();
            let found: Value = rows["rows"].as_array().expect("rows").iter().map(|row| row[0].clone()).collect();
            assert_eq!(found, ids, "{region}");
        }
        let without = world.token(ACME).await;
        world.post(&world.chart_path("Orders"), &without, &json!({})).await.refused(422, "ROW_RULE_UNRESOLVED");
    }
}
