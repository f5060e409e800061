//! What hosts that were written against v1 send (docs/spec/contract.md, section 12: D1, D2, D9, D11).

use crate::testing::{ACME, StoreKind, World, on_both_stores};
use inlay_contract::{
    ids::{AgentId, TenantId},
    permissions::Flag,
};
use serde_json::{Value, json};
use uuid::Uuid;

const SAVE: &str = "/v1/api/chart/save-from-chat";
const REGISTER: &str = "/v1/api/tenant/register-tenant";

/// The permissions object of an old component, with a key that no role has.
fn of_component() -> Value {
    json!({"addChart": true, "editDashboardName": true, "removeChart": null, "theme": {"dark": true}, "readOnly": false})
}

async fn tenant(world: &World, permissions: &Value) -> Value {
    let body = json!({"projectId": world.applied.project_id, "displayName": Uuid::now_v7(), "prefilters": {"company": ACME},
        "tenantEditingPermissions": permissions});
    world.post(REGISTER, &world.key, &body).await.data()
}

fn token(data: &Value) -> &str {
    data["token"].as_str().expect("a token")
}

fn saved(world: &World) -> Value {
    json!({"workspaceId": world.applied.workspaces["Ask"], "chartConfig": {"title": "Rates", "type": "bar",
        "sqlOverride": "SELECT name,   rate\nFROM rates -- reformatted", "encoding": {"x": "name", "y": ["rate"], "tooltip": "rate"}}})
}

on_both_stores! {
    async fn an_old_component_s_permissions_register_and_propose(world) {
        let registered = tenant(&world, &of_component()).await;
        let id: TenantId = serde_json::from_value(registered["tenantId"].clone()).expect("an id");
        let stored = crate::concepts::tenants::find(&world.app, world.applied.project_id, id).await.expect("read").expect("a tenant");
        assert_eq!(json!(stored.permissions), json!({"addChart": true, "readOnly": false}));
        let body = json!({"sdkTenantEditingPermissions": {"aiCharts": true, "editDashboardName": true, "hideHeader": null}});
        let proposed = world.post("/v1/api/migration/analyze-roles", &world.key, &body).await.data();
        let proposed = proposed["proposedRoles"].as_array().expect("roles").clone();
        assert_eq!(proposed.len(), 1);
        let permissions = proposed[0]["permissions"].as_object().expect("flags").clone();
        assert!(permissions.keys().all(|name| Flag::named(name).is_some()), "{permissions:?}");
        let on: Vec<&String> = permissions.iter().filter(|(_, on)| **on == json!(true)).map(|(name, _)| name).collect();
        assert_eq!(on, ["addChart", "aiCharts"]);
        let role = json!({"name": "R", "permissions": permissions, "tenantIds": proposed[0]["tenantIds"]});
        world.post("/v1/api/migration/create-roles", &world.key, &json!({"roles": [role]})).await.data();
        let role = json!({"name": "S", "permissions": of_component(), "tenantIds": []});
        world.post("/v1/api/migration/create-roles", &world.key, &json!({"roles": [role]})).await.refused(400, "VALIDATION_FAILED");
    }

    async fn whoever_has_a_credential_saves_any_query(world) {
        let read_only = json!({"readOnly": true});
        let plain = world.token(ACME).await;
        let (viewing, editing) = (tenant(&world, &read_only).await, tenant(&world, &json!({"addChart": true})).await);
        for credential in [&world.key, &plain, token(&viewing), token(&editing)] {
            let data = world.post(SAVE, credential, &saved(&world)).await.data();
            assert_eq!((&data["chartVersion"], &data["name"]), (&json!(1), &json!("Rates")));
        }
        let mut mapped = saved(&world);
        mapped["chartConfig"]["sqlOverride"] = json!("select id from orders");
        world.post(SAVE, token(&viewing), &mapped).await.data();
        let actor = crate::ground::audit::Actor::operator(world.organization);
        crate::flows::v1_migration::map_tenants(&world.app.db, &actor).await.expect("mapped");
        world.post(SAVE, token(&viewing), &mapped).await.data();
        // What can never run is refused to them, and its text is not told.
        mapped["chartConfig"]["sqlOverride"] = json!("drop table orders");
        world.post(SAVE, token(&viewing), &mapped).await.refused(422, "QUERY_FAILED");
    }

    async fn whoever_may_not_save_is_told_before_anything_is_read(world) {
        let owner = world.membership(&world.key).await;
        let by = crate::concepts::organizations::members::Member::<crate::concepts::organizations::members::Worker>::new(&owner, Default::default());
        let ada = world.sign_in_as(ACME, "ada", None).await;
        let user = serde_json::from_value(ada["projectUserId"].clone()).expect("an id");
        let project = world.applied.project_id;
        let viewing = crate::flows::management::people::view_as(&world.app, &by.expect("a member"), project, user).await.expect("a token").token;
        let broken = json!({"chartConfig": {"type": 5, "sqlOverride": "("}, "connectionId": "x"});
        for body in [saved(&world), broken.clone(), json!({})] {
            world.post(SAVE, &viewing, &body).await.refused(403, "VIEWING_AS");
        }
        let read_only = world.member_key(crate::concepts::organizations::MemberRole::Viewer, false).await;
        world.post(SAVE, &read_only, &broken).await.refused(403, "KEY_OWNER_NOT_PERMITTED");
        world.post(SAVE, token(&ada), &broken).await.refused(400, "VALIDATION_FAILED");
    }

    async fn a_thumbnail_never_stops_a_chart_from_being_saved(world) {
        let thumbnail = |length: usize| {
            let mut body = saved(&world);
            body["thumbnail"] = json!(format!("data:image/png;base64,{}", "A".repeat(length - 22)));
            body
        };
        for length in [1_000, 1024 * 1024, 1024 * 1024 + 1, 4 * 1024 * 1024] {
            let reply = world.post(SAVE, &world.key, &thumbnail(length)).await;
            assert_eq!(reply.status, 200, "{length}: {}", reply.text);
        }
        world.post(SAVE, &world.key, &thumbnail(6 * 1024 * 1024)).await.refused(413, "BODY_TOO_LARGE");
        let mut body = saved(&world);
        body["unknown"] = json!("A".repeat(1024 * 1024));
        world.post(SAVE, &world.key, &body).await.refused(413, "BODY_TOO_LARGE");
        body["unknown"] = json!(null);
        body["chartConfig"]["thumbnail"] = json!("A".repeat(1024 * 1024));
        world.post(SAVE, &world.key, &body).await.refused(413, "BODY_TOO_LARGE");
    }

    async fn an_agent_is_the_workspace_that_replaces_it(world) {
        let agent = AgentId::generate();
        let text = World::project_file().replace("name: Ask, connection", &format!("name: Ask, agentId: {agent}, connection"));
        world.apply(&text).await.expect("applied");
        let body = |id: Value| {
            let mut body = saved(&world);
            body.as_object_mut().expect("an object").remove("workspaceId");
            body["agentId"] = id;
            body
        };
        let viewer = world.token(ACME).await;
        let v1 = tenant(&world, &json!({})).await;
        for credential in [&world.key, &viewer, token(&v1)] {
            world.post(SAVE, credential, &body(json!(agent))).await.data();
            for unknown in [json!(AgentId::generate()), json!(world.applied.workspaces["Ask"])] {
                world.post(SAVE, credential, &body(unknown)).await.refused(404, "NOT_FOUND");
            }
        }
        world.post(SAVE, &world.key, &body(json!("my agent"))).await.refused(400, "VALIDATION_FAILED");
        let mut both = body(json!("my agent"));
        both["workspaceId"] = json!(world.applied.workspaces["Ask"]);
        world.post(SAVE, &world.key, &both).await.data();
        let (neighbour, key) = world.neighbour().await;
        world.post(SAVE, &key, &body(json!(agent))).await.refused(404, "NOT_FOUND");
        let mut theirs = body(json!(agent));
        theirs["connectionId"] = json!(neighbour.connections["warehouse"]);
        world.post(SAVE, &world.key, &theirs).await.refused(404, "NOT_FOUND");
    }

    async fn an_agent_moves_with_the_project_file(world) {
        let (one, two) = (AgentId::generate(), AgentId::generate());
        let file = |ask: Option<AgentId>, second: Option<AgentId>| {
            let line = |name: &str, agent: Option<AgentId>| {
                let agent = agent.map(|agent| format!(", agentId: {agent}")).unwrap_or_default();
                format!("  - {{ name: {name}{agent}, connection: warehouse, publish: true }}")
            };
            let old = r#"  - { name: Ask, connection: warehouse, publish: true, exampleQuestions: ["How many orders?"] }"#;
            World::project_file().replace(old, &format!("{}\n{}", line("Ask", ask), line("Second", second)))
        };
        let agents = async || {
            let mut lease = world.app.db.read().await.expect("a lease");
            let all = crate::concepts::workspaces::latest_versions(&mut lease.conn(), world.applied.project_id).await.expect("read");
            all.into_iter().map(|workspace| (workspace.agent, workspace.version)).collect::<Vec<_>>()
        };
        let mut last = None;
        for (ask, second) in [(Some(one), Some(two)), (Some(two), Some(one)), (Some(two), None), (None, Some(two)), (None, None)] {
            world.apply(&file(ask, second)).await.expect("applied");
            let now = agents().await;
            assert_eq!(now.iter().map(|(agent, _)| *agent).collect::<Vec<_>>(), [ask, second]);
            let versions: Vec<i64> = now.iter().map(|(_, version)| *version).collect();
            assert_eq!(*last.get_or_insert(versions.clone()), versions, "an agent is no change of a version");
            let exported = crate::flows::project_file::export::export(&world.app.db, &world.app.sealer, world.organization, "Shop").await;
            let text = exported.expect("exported").to_yaml().expect("YAML");
            assert_eq!(text.matches("agentId").count(), now.iter().filter(|(agent, _)| agent.is_some()).count());
            world.apply(&text).await.expect("what was exported applies");
            assert_eq!(agents().await, now);
        }
        let told = world.apply(&file(Some(one), Some(one))).await.expect_err("refused").to_string();
        assert!(told.contains("workspaces[1].agentId"), "{told}");
        let malformed = file(Some(one), None).replace(&one.to_string(), "my-agent");
        assert!(world.apply(&malformed).await.is_err());
    }
}

/// The size of a body without its thumbnail is limited as that of any other.
#[tokio::test]
async fn a_thumbnail_is_as_large_as_it_may_be_whatever_the_limit_of_bodies() {
    let world = World::with(StoreKind::Sqlite, &["--max-body-bytes", "2000"]).await;
    let mut body = saved(&world);
    body["thumbnail"] = json!(format!("data:image/png;base64,{}", "A".repeat(100_000)));
    world.post(SAVE, &world.key, &body).await.data();
    body["more"] = json!("A".repeat(2_000));
    world.post(SAVE, &world.key, &body).await.refused(413, "BODY_TOO_LARGE");
}
