//! save-from-chat through the router, on both stores.

use crate::{
    concepts::organizations::{
        self, MemberRole,
        members::{self, Member, Worker},
    },
    flows::management::charts::try_as,
    ground::{
        audit::store::{Wanted, newest},
        web::origin::Origin,
    },
    testing::{ACME, Reply, World, ids_of, on_both_stores},
};
use inlay_contract::ids::ProjectUserId;
use serde_json::{Value, json};
use uuid::Uuid;

const PATH: &str = "/v1/api/chart/save-from-chat";
const RATES: &str = "select name, rate from rates order by name";

fn config(sql: &str) -> Value {
    json!({"title": "Saved", "type": "bar", "sqlOverride": sql, "encoding": {"x": "name", "y": ["rate"]}})
}

fn body(world: &World, sql: &str) -> Value {
    json!({"workspaceId": world.applied.workspaces["Ask"], "chartConfig": config(sql)})
}

/// The rows of a saved chart on a shared dashboard.
async fn drawn(world: &World, chart: &Value, credential: &str) -> Reply {
    let dashboards = format!("/v2/api/applications/{}/dashboards", world.applied.applications["Orders"].id);
    let made = world.post(&dashboards, &world.key, &json!({"name": "x"})).await.data();
    let charts = format!("{dashboards}/{}/charts", made["dashboardId"].as_str().expect("an id"));
    let added = world.post(&charts, &world.key, &json!({"charts": [{"chartId": chart}]})).await.data();
    let path = format!("{charts}/{}/data", added["addedChartIds"][0].as_str().expect("an id"));
    world.post(&path, credential, &json!({})).await
}

async fn tenant(world: &World, permissions: &Value) -> String {
    let body = json!({"displayName": Uuid::now_v7(), "prefilters": {}, "projectId": world.applied.project_id,
        "tenantEditingPermissions": permissions});
    let data = world.post("/v1/api/tenant/register-tenant", &world.key, &body).await.data();
    data["token"].as_str().expect("a token").to_owned()
}

on_both_stores! {
    async fn a_saved_chart_draws_with_the_viewer_s_rows(world) {
        let token = world.token(ACME).await;
        let data = world.post(PATH, &world.key, &body(&world, "select id from orders order by id")).await.data();
        assert_eq!((&data["chartVersion"], &data["name"]), (&json!(1), &json!("Saved")));
        let rows = drawn(&world, &data["chartId"], &token).await.data()["rows"].clone();
        assert_eq!(rows, json!(ids_of(ACME).into_iter().map(|id| [id]).collect::<Vec<_>>()));
    }

    async fn an_answer_s_chart_is_saved_by_whoever_has_it(world) {
        let token = world.token(ACME).await;
        let asked = format!("/v2/api/workspaces/{}/chat", world.applied.workspaces["Ask"]);
        let events = world.post(&asked, &token, &json!({"message": "orders by region"})).await.events();
        let drawn = events.iter().find(|event| event["type"] == "tool-result").expect("a chart");
        let config = &drawn["toolResult"]["result"]["chartConfig"];
        let body = json!({"workspaceId": world.applied.workspaces["Ask"], "chartConfig": config, "name": "Rates ü"});
        let colleague = world.sign_in_as(ACME, "other", None).await;
        for credential in [token.as_str(), colleague["token"].as_str().expect("a token"), &tenant(&world, &json!({})).await, &world.key] {
            assert_eq!(world.post(PATH, credential, &body).await.data()["name"], json!("Rates ü"));
        }
        let mut body = body;
        body["apiKey"] = json!(world.key);
        world.post(PATH, "", &body).await.data();
        world.post(PATH, "hello", &body).await.refused(401, "INVALID_API_KEY");
    }

    async fn whoever_tries_a_query_as_a_user_is_told_of(world) {
        let mut tx = world.app.db.write().await.expect("a transaction");
        let conn = &mut tx.conn();
        let id = organizations::put_member(conn, world.organization, "m@example.test", MemberRole::Member, None).await.expect("a member");
        let member = members::find_membership(conn, id).await.expect("read").expect("a member");
        tx.commit().await.expect("committed");
        let by = Member::<Worker>::new(&member, Origin::default()).expect("a member");
        let user: ProjectUserId = serde_json::from_value(world.sign_in_as(ACME, "ada", None).await["projectUserId"].clone()).expect("an id");
        let (project, connection) = (world.applied.project_id, world.applied.connections["warehouse"]);
        for (sql, runs) in [("select id from orders", true), ("select * from nowhere", false)] {
            assert_eq!(try_as(&world.app, &by, project, connection, sql, user).await.is_ok(), runs, "{sql}");
        }
        let wanted = Wanted { action: Some("chart.triedAs".to_owned()), resource: Some(crate::ground::audit::store::Thing::Id(user.0)), ..Wanted::of(world.organization, 10) };
        let lines = newest(&mut world.app.db.read().await.expect("a connection").conn(), &wanted).await.expect("read");
        assert_eq!(lines.len(), 2, "what does not run is told of, too");
        assert!(lines.iter().all(|line| line.actor_id == Some(id.0) && line.details["connectionId"] == json!(connection)));
    }

    async fn the_connection_is_resolved_from_either(world) {
        let connection = world.applied.connections["warehouse"];
        let workspace = world.applied.workspaces["Ask"];
        for (fields, status) in [
            (json!({"connectionId": connection}), 200),
            (json!({"workspaceId": workspace}), 200),
            (json!({"agentId": workspace}), 404),
            (json!({"workspaceId": workspace, "agentId": Uuid::now_v7()}), 200),
            (json!({"workspaceId": workspace, "agentId": "x"}), 200),
            (json!({"workspaceId": workspace, "connectionId": connection}), 200),
            (json!({"workspaceId": Uuid::now_v7(), "connectionId": connection}), 404),
            (json!({"workspaceId": Uuid::now_v7()}), 404),
            (json!({"agentId": Uuid::now_v7()}), 404),
            (json!({"connectionId": Uuid::now_v7()}), 404),
            (json!({"workspaceId": workspace, "connectionId": Uuid::now_v7()}), 404),
            (json!({}), 400),
            (json!({"workspaceId": "x"}), 400),
            (json!({"agentId": "x"}), 400),
            (json!({"connectionId": 5}), 400),
        ] {
            let mut body = json!({"chartConfig": config(RATES)});
            body.as_object_mut().expect("an object").extend(fields.as_object().expect("fields").clone());
            let reply = world.post(PATH, &world.key, &body).await;
            assert_eq!(reply.status.as_u16(), status, "{fields}: {}", reply.text);
        }
    }

    async fn an_unpublished_workspace_leads_to_no_connection(world) {
        let applied = world.apply(&World::project_file().replace("publish: true", "publish: false")).await.expect("applied");
        let body = json!({"workspaceId": applied.workspaces["Ask"], "chartConfig": config(RATES)});
        let error = world.post(PATH, &world.key, &body).await.refused(400, "VALIDATION_FAILED");
        assert!(error["details"]["connectionId"].is_string());
        let body = json!({"workspaceId": applied.workspaces["Ask"], "connectionId": applied.connections["warehouse"],
            "chartConfig": config(RATES)});
        world.post(PATH, &world.key, &body).await.data();
    }

    async fn other_projects_and_organizations_do_not_exist(world) {
        let sibling = world.apply(&World::project_file().replace("name: Shop", "name: Sibling")).await.expect("applied");
        let (neighbour, foreign_key) = world.neighbour().await;
        let viewer = world.token(ACME).await;
        let tenant = tenant(&world, &json!({})).await;
        let ours = world.applied.workspaces["Ask"];
        for (credential, fields) in [
            (&foreign_key, json!({"workspaceId": ours})),
            (&foreign_key, json!({"connectionId": world.applied.connections["warehouse"]})),
            (&world.key, json!({"workspaceId": ours, "connectionId": sibling.connections["warehouse"]})),
            (&world.key, json!({"workspaceId": ours, "connectionId": neighbour.connections["warehouse"]})),
            (&world.key, json!({"connectionId": neighbour.connections["warehouse"]})),
            (&viewer, json!({"connectionId": sibling.connections["warehouse"]})),
            (&viewer, json!({"workspaceId": sibling.workspaces["Ask"]})),
            (&tenant, json!({"connectionId": sibling.connections["warehouse"]})),
            (&tenant, json!({"agentId": neighbour.workspaces["Ask"]})),
        ] {
            let mut body = fields.clone();
            body["chartConfig"] = config(RATES);
            world.post(PATH, credential, &body).await.refused(404, "NOT_FOUND");
        }
    }

    async fn sql_that_could_never_run_is_not_saved_for_a_user(world) {
        let viewer = world.token(ACME).await;
        let tenant = tenant(&world, &json!({})).await;
        for sql in [
            "delete from orders",
            "select 1; select 2",
            "select * from sqlite_master",
            "select load_extension('x')",
            "with gone as (delete from orders returning id) select * from gone",
            "not sql",
        ] {
            for credential in [&viewer, &tenant] {
                let error = world.post(PATH, credential, &body(&world, sql)).await.refused(422, "QUERY_FAILED");
                let told = error.to_string().to_lowercase();
                assert!(["orders", "sqlite", "select", "load_extension"].iter().all(|word| !told.contains(word)), "{told}");
            }
        }
    }

    async fn a_chart_without_sql_is_saved_and_shows_nothing(world) {
        let mut body = body(&world, RATES);
        body["chartConfig"]["sqlOverride"] = Value::Null;
        let chart = world.post(PATH, &world.key, &body).await.data()["chartId"].clone();
        drawn(&world, &chart, &world.token(ACME).await).await.refused(422, "QUERY_FAILED");
        body["sql"] = json!(RATES);
        let chart = world.post(PATH, &world.key, &body).await.data()["chartId"].clone();
        drawn(&world, &chart, &world.token(ACME).await).await.data();
    }

    async fn only_a_good_credential_will_do(world) {
        let good = body(&world, RATES);
        world.post(PATH, "", &good).await.refused(401, "MISSING_CREDENTIALS");
        world.post(PATH, "a.b.c", &good).await.refused(401, "INVALID_TOKEN");
        let read_only = world.member_key(MemberRole::Viewer, false).await;
        world.post(PATH, &read_only, &good).await.refused(403, "KEY_OWNER_NOT_PERMITTED");
        let scoped = world.member_key(MemberRole::Member, true).await;
        world.post(PATH, &scoped, &good).await.refused(400, "ORGANIZATION_ID_REQUIRED");
        let mut named = good.clone();
        named["organizationId"] = json!(world.organization);
        world.post(PATH, &scoped, &named).await.data();
        let error = world.post(PATH, &world.key, &json!({})).await.refused(400, "VALIDATION_FAILED");
        assert!(error["details"]["chartConfig"].is_string() && error["details"]["connectionId"].is_string(), "{error}");
    }
}
