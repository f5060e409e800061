//! The migration from v1 to v2 through router and store, on both stores.

use super::{finalize, map_tenants};
use crate::{
    concepts::{
        dashboards::{Dashboard, Owner},
        tenants::Tenant,
        tokens::{Audience, Claims, verify},
    },
    ground::{audit::Actor, error::Code, time::Timestamp},
    testing::{ACME, GLOBEX, World, bad_fields, ids_of, on_both_stores, refusals},
};
use axum::http::Method;
use inlay_contract::{
    ids::{ApplicationId, DashboardId, TenantId},
    permissions::{Flag, RolePermissions},
};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

const ANALYZE: &str = "/v1/api/migration/analyze-roles";
const CREATE: &str = "/v1/api/migration/create-roles";

async fn register(world: &World, key: &str, company: &str, permissions: Value) -> (String, String) {
    let body = json!({
        "projectId": world.applied.project_id, "key": key, "displayName": key, "prefilters": {"company": company},
        "tenantEditingPermissions": permissions,
    });
    let data = world.post("/v1/api/tenant/register-tenant", &world.key, &body).await.data();
    (data["tenantId"].as_str().expect("an id").to_owned(), data["token"].as_str().expect("a token").to_owned())
}

fn claims(world: &World, token: &str) -> Claims {
    verify(&crate::concepts::tokens::known(&world.app).keyring, &world.app.base_url, token, world.app.now()).expect("valid")
}

async fn create_proposed(world: &World) -> Vec<Value> {
    let proposed = world.post(ANALYZE, &world.key, &json!({"sdkTenantEditingPermissions": {"aiCharts": true}})).await.data();
    let roles: Vec<Value> = proposed["proposedRoles"]
        .as_array()
        .expect("roles")
        .iter()
        .map(|role| json!({"name": role["suggestedName"], "permissions": role["permissions"], "tenantIds": role["tenantIds"]}))
        .collect();
    let made = world.post(CREATE, &world.key, &json!({"projectId": world.applied.project_id, "roles": roles})).await.data();
    made["userRoles"].as_array().expect("roles").clone()
}

fn operator(world: &World) -> Actor {
    Actor::operator(world.organization)
}

async fn orders(world: &World, token: &str) -> Vec<i64> {
    let data = world.post(&world.chart_path("Orders"), token, &json!({})).await.data();
    data["rows"].as_array().expect("rows").iter().map(|row| row[0].as_i64().expect("an id")).collect()
}

async fn add_dashboard(world: &World, application: ApplicationId, tenant: TenantId) -> DashboardId {
    let mut tx = world.app.db.write().await.expect("a transaction");
    let id = insert_dashboard(&mut tx.conn(), application, tenant).await;
    tx.commit().await.expect("committed");
    id
}

async fn insert_dashboard(
    conn: &mut crate::ground::store::Conn<'_>,
    application: ApplicationId,
    tenant: TenantId,
) -> DashboardId {
    let dashboard = Dashboard {
        id: DashboardId::generate(),
        application,
        legacy_id: Some(DashboardId::generate()),
        name: "Mine".to_owned(),
        owner: Owner::Tenant(tenant),
        replaces: None,
        filters: Vec::new(),
        refresh: None,
        created_at: Timestamp::now(),
    };
    crate::concepts::dashboards::insert(conn, &dashboard, crate::concepts::dashboards::Origin::default())
        .await
        .expect("stored");
    dashboard.id
}

on_both_stores! {
    async fn tenants_become_customers_with_their_rows_and_roles(world) {
        let editing = json!({"addChart": true, "addDashboard": true});
        let (editor, token) = register(&world, "editor", ACME, editing.clone()).await;
        let (_, twin) = register(&world, "twin", GLOBEX, editing).await;
        let (_, viewer) = register(&world, "viewer", ACME, json!({})).await;
        let application = world.applied.applications["Orders"].id;
        let own = add_dashboard(&world, application, editor.parse().expect("an id")).await;
        let refused = finalize(&world.app.db, &operator(&world)).await.expect_err("tenants are unmapped");
        assert_eq!(refused.code, Code::MigrationIncomplete);
        let roles = create_proposed(&world).await;
        assert_eq!(roles.len(), 2);
        let step = map_tenants(&world.app.db, &operator(&world)).await.expect("mapped");
        assert_eq!((step.mapped_tenants, step.moved_dashboards, step.after.unmapped_tenants), (3, 1, 0));
        assert_eq!(orders(&world, &token).await, ids_of(ACME));
        assert_eq!(orders(&world, &twin).await, ids_of(GLOBEX));
        let mut lease = world.app.db.read().await.expect("a connection");
        let moved = crate::concepts::dashboards::find(&mut lease.conn(), own).await.expect("read").expect("kept");
        assert!(matches!(moved.owner, Owner::User { .. }), "{:?}", moved.owner);
        drop(lease);
        assert_eq!(claims(&world, &register(&world, "viewer", ACME, json!({})).await.1).aud, Audience::Tenant, "until finalize");
        finalize(&world.app.db, &operator(&world)).await.expect("finalized");
        let after = claims(&world, &register(&world, "editor", ACME, json!({})).await.1);
        assert_eq!(after.aud, Audience::Embed);
        assert!(after.permissions.allows(Flag::AddChart) && after.permissions.allows(Flag::AiCharts) && !after.permissions.allows(Flag::RemoveChart));
        assert!(roles.iter().any(|role| role["id"] == json!(after.role)));
        assert_eq!(orders(&world, &viewer).await, ids_of(ACME), "an old tenant token works on");
        let again = finalize(&world.app.db, &operator(&world)).await.expect("finalized already");
        assert_eq!(again.before, again.after);
    }

    async fn a_tenant_registered_later_gets_the_role_of_its_like(world) {
        register(&world, "first", ACME, json!({"addChart": true})).await;
        let roles = create_proposed(&world).await;
        map_tenants(&world.app.db, &operator(&world)).await.expect("mapped");
        let (late, _) = register(&world, "late", GLOBEX, json!({"addChart": true})).await;
        let own = add_dashboard(&world, world.applied.applications["Orders"].id, late.parse().expect("an id")).await;
        assert_eq!(finalize(&world.app.db, &operator(&world)).await.expect_err("unmapped").code, Code::MigrationIncomplete);
        let step = map_tenants(&world.app.db, &operator(&world)).await.expect("mapped");
        assert_eq!((step.mapped_tenants, step.moved_dashboards), (1, 1));
        finalize(&world.app.db, &operator(&world)).await.expect("finalized");
        let like = claims(&world, &register(&world, "late", GLOBEX, json!({"addChart": true})).await.1);
        assert_eq!(json!(like.role), roles[0]["id"]);
        let (_, newest) = register(&world, "newest", GLOBEX, json!({"addChart": true})).await;
        assert_eq!((claims(&world, &newest).aud, json!(claims(&world, &newest).role)), (Audience::Embed, roles[0]["id"].clone()));
        assert_eq!(orders(&world, &newest).await, ids_of(GLOBEX));
        let (_, unlike) = register(&world, "unlike", GLOBEX, json!({"removeChart": true})).await;
        assert!(!claims(&world, &unlike).permissions.can_edit(), "nobody has such a role: view-only");
        let mut lease = world.app.db.read().await.expect("a connection");
        assert!(crate::concepts::dashboards::find(&mut lease.conn(), own).await.expect("read").is_some());
    }

    async fn twins_are_known_by_what_they_may_not_by_its_words(world) {
        register(&world, "first", ACME, json!({"addChart": true})).await;
        let roles = create_proposed(&world).await;
        map_tenants(&world.app.db, &operator(&world)).await.expect("mapped");
        // The same 20 flags, written otherwise: false, and without effect.
        let alike = [json!({"addChart": true, "readOnly": false}), json!({"addChart": true, "createChartSQL": true})];
        for (key, permissions) in ["late", "later"].into_iter().zip(&alike) {
            register(&world, key, GLOBEX, permissions.clone()).await;
        }
        map_tenants(&world.app.db, &operator(&world)).await.expect("mapped");
        finalize(&world.app.db, &operator(&world)).await.expect("finalized");
        for (key, permissions) in ["late", "later", "newest"].into_iter().zip(alike.iter().chain(&alike)) {
            let (_, token) = register(&world, key, GLOBEX, permissions.clone()).await;
            assert_eq!(json!(claims(&world, &token).role), roles[0]["id"], "{key}");
        }
    }

    async fn what_the_component_allowed_makes_a_twin_too(world) {
        register(&world, "first", ACME, json!({})).await;
        let body = json!({"sdkTenantEditingPermissions": {"addChart": true}});
        let proposed = world.post(ANALYZE, &world.key, &body).await.data()["proposedRoles"][0].clone();
        let chosen = json!({"name": "Adder", "permissions": proposed["permissions"], "tenantIds": proposed["tenantIds"]});
        let role = world.post(CREATE, &world.key, &json!({"roles": [chosen]})).await.data()["userRoles"][0]["id"].clone();
        for (key, permissions) in [("silent", json!({})), ("told", json!({"addChart": true}))] {
            register(&world, key, GLOBEX, permissions.clone()).await;
            map_tenants(&world.app.db, &operator(&world)).await.expect("mapped");
        }
        finalize(&world.app.db, &operator(&world)).await.expect("finalized");
        for (key, permissions) in [("silent", json!({})), ("told", json!({"addChart": true}))] {
            assert_eq!(json!(claims(&world, &register(&world, key, GLOBEX, permissions).await.1).role), role, "{key}");
        }
    }

    async fn a_tenant_registered_between_the_steps_gets_its_twin_s_role(world) {
        let permissions = json!({"addChart": true});
        register(&world, "first", ACME, permissions.clone()).await;
        let proposed = world.post(ANALYZE, &world.key, &json!({})).await.data()["proposedRoles"][0].clone();
        register(&world, "between", GLOBEX, permissions.clone()).await;
        // Created before the roles are: the users get the role when it is there.
        map_tenants(&world.app.db, &operator(&world)).await.expect("mapped");
        let chosen = json!({"name": "Adder", "permissions": proposed["permissions"], "tenantIds": proposed["tenantIds"]});
        let role = world.post(CREATE, &world.key, &json!({"roles": [chosen]})).await.data()["userRoles"][0]["id"].clone();
        finalize(&world.app.db, &operator(&world)).await.expect("finalized");
        for key in ["first", "between"] {
            assert_eq!(json!(claims(&world, &register(&world, key, GLOBEX, permissions.clone()).await.1).role), role, "{key}");
        }
    }

    async fn create_roles_gives_twins_their_role_at_once(world) {
        register(&world, "first", ACME, json!({"addChart": true})).await;
        let proposed = world.post(ANALYZE, &world.key, &json!({})).await.data()["proposedRoles"][0].clone();
        register(&world, "between", GLOBEX, json!({"addChart": true})).await;
        map_tenants(&world.app.db, &operator(&world)).await.expect("mapped");
        let chosen = json!({"name": "Adder", "permissions": proposed["permissions"], "tenantIds": proposed["tenantIds"]});
        let role = world.post(CREATE, &world.key, &json!({"roles": [chosen]})).await.data()["userRoles"][0]["id"].clone();
        assert_eq!(role_of(&world, "between").await, role, "and not only with the next step");
    }

    /// A registration that overlaps create-roles misses its twins' role. Each later step looks again.
    async fn a_twin_that_missed_its_role_gets_it_with_the_next_step(world) {
        register(&world, "first", ACME, json!({"addChart": true})).await;
        let role = create_proposed(&world).await[0]["id"].clone();
        late_twin(&world, "before the users", false).await;
        map_tenants(&world.app.db, &operator(&world)).await.expect("mapped");
        assert_eq!(role_of(&world, "before the users").await, role);
        late_twin(&world, "after the users", true).await;
        assert_eq!(role_of(&world, "after the users").await, Value::Null);
        finalize(&world.app.db, &operator(&world)).await.expect("finalized");
        assert_eq!(role_of(&world, "after the users").await, role);
    }

    async fn a_registration_leaves_a_role_that_embed_token_set(world) {
        for (key, permissions) in [("signed", json!({"addChart": true})), ("other", json!({"removeChart": true}))] {
            register(&world, key, ACME, permissions).await;
        }
        create_proposed(&world).await;
        map_tenants(&world.app.db, &operator(&world)).await.expect("mapped");
        world.sign_in_as("signed", "signed", Some("Analyst")).await;
        for permissions in [json!({"removeChart": true}), json!({"addChart": true}), json!({"removeChart": true})] {
            register(&world, "signed", ACME, permissions).await;
            assert_eq!(role_of(&world, "signed").await, json!(world.applied.roles["Analyst"]));
        }
    }

    async fn a_registration_leaves_a_role_that_the_host_set(world) {
        let (adding, removing) = (json!({"addChart": true}), json!({"removeChart": true}));
        for (key, permissions) in [("moved", &adding), ("same", &adding), ("none", &adding), ("free", &adding), ("other", &removing)] {
            register(&world, key, ACME, permissions.clone()).await;
        }
        let roles = create_proposed(&world).await;
        map_tenants(&world.app.db, &operator(&world)).await.expect("mapped");
        let analyst = json!(world.applied.roles["Analyst"]);
        let given = |key: &str| match key { "moved" => analyst.clone(), "same" => roles[0]["id"].clone(), _ => Value::Null };
        for key in ["moved", "same", "none"] {
            let user = world.sign_in_as(key, key, None).await["projectUserId"].clone();
            let path = format!("/v1/api/projects/{}/users/{}", world.applied.project_id, user.as_str().expect("an id"));
            world.call(Method::PUT, &path, &world.key, Some(&json!({"userRoleId": given(key)}))).await.data();
        }
        // Twice: what the first one leaves must not look to the second as if the migration had given it.
        for permissions in [&removing, &adding, &removing] {
            for key in ["moved", "same", "none", "free"] {
                register(&world, key, ACME, permissions.clone()).await;
            }
        }
        map_tenants(&world.app.db, &operator(&world)).await.expect("mapped");
        finalize(&world.app.db, &operator(&world)).await.expect("finalized");
        for key in ["moved", "same", "none"] {
            assert_eq!(json!(claims(&world, &register(&world, key, ACME, removing.clone()).await.1).role), given(key), "{key}");
        }
        let free = claims(&world, &register(&world, "free", ACME, removing.clone()).await.1);
        assert_eq!(json!(free.role), roles[1]["id"], "nobody set this one");
    }

    async fn changed_prefilters_reach_the_mapped_customer(world) {
        let (_, token) = register(&world, "moving", ACME, json!({})).await;
        map_tenants(&world.app.db, &operator(&world)).await.expect("mapped");
        assert_eq!(orders(&world, &token).await, ids_of(ACME));
        register(&world, "moving", GLOBEX, json!({})).await;
        assert_eq!(orders(&world, &token).await, ids_of(GLOBEX));
        let body = json!({"projectId": world.applied.project_id, "key": "moving", "displayName": "moving", "prefilters": {"other": 1}});
        world.post("/v1/api/tenant/register-tenant", &world.key, &body).await.data();
        world.post(&world.chart_path("Orders"), &token, &json!({})).await.refused(422, "ROW_RULE_UNRESOLVED");
    }

    async fn a_customer_who_is_there_keeps_what_embed_token_said(world) {
        world.sign_in_as(ACME, "ada", None).await;
        let (_, token) = register(&world, ACME, GLOBEX, json!({})).await;
        map_tenants(&world.app.db, &operator(&world)).await.expect("mapped");
        assert_eq!(orders(&world, &token).await, ids_of(ACME));
    }

    async fn roles_are_made_all_or_none(world) {
        let (tenant, _) = register(&world, "one", ACME, json!({})).await;
        let (neighbour, key) = world.neighbour().await;
        let theirs = json!({"projectId": neighbour.project_id, "displayName": "theirs", "prefilters": {}});
        let theirs = world.post("/v1/api/tenant/register-tenant", &key, &theirs).await.data()["tenantId"].clone();
        let role = |name: &str, tenants: Value| json!({"name": name, "permissions": {}, "tenantIds": tenants});
        let roles = async || world.get(&format!("/v1/api/projects/{}/user-roles", world.applied.project_id), &world.key).await.data();
        let before = roles().await;
        for (sent, status, code) in [
            (json!([role("New", json!([tenant])), role("Foreign", json!([theirs]))]), 404, "NOT_FOUND"),
            (json!([role("New", json!([tenant])), role("Analyst", json!([]))]), 409, "ROLE_NAME_TAKEN"),
            (json!([role("New", json!([tenant])), role("Newer", json!([tenant]))]), 400, "VALIDATION_FAILED"),
        ] {
            world.post(CREATE, &world.key, &json!({"roles": sent})).await.refused(status, code);
            assert_eq!(roles().await, before);
        }
    }

    async fn what_the_role_steps_refuse(world) {
        let wrong = [("projectId", json!("x")), ("sdkTenantEditingPermissions", json!([])), ("sdkTenantEditingPermissions", json!({"addChart": "yes"}))];
        let analyze = json!({"projectId": world.applied.project_id});
        bad_fields(&world, &Method::POST, ANALYZE, &analyze, &wrong).await;
        refusals(&world, &Method::POST, ANALYZE, &analyze, true).await;
        let create = json!({"projectId": world.applied.project_id, "roles": [{"name": "R", "permissions": {}, "tenantIds": []}]});
        let wrong = [("projectId", json!("x")), ("roles!", json!("x")), ("roles", json!([])), ("roles", json!([5])),
            ("roles", json!([{"permissions": {}, "tenantIds": []}])), ("roles", json!([{"name": "x", "tenantIds": []}])),
            ("roles", json!([{"name": "x", "permissions": {"root": 1}, "tenantIds": []}])), ("roles", json!([{"name": "x", "permissions": {}}])),
            ("roles", json!([{"name": "x", "permissions": {}, "tenantIds": ["x"]}]))];
        bad_fields(&world, &Method::POST, CREATE, &create, &wrong).await;
        refusals(&world, &Method::POST, CREATE, &create, true).await;
        let error = world.post(CREATE, &world.key, &json!({"roles": [{"name": "x", "permissions": {}, "tenantIds": ["x"]}]})).await;
        assert_eq!(error.refused(400, "VALIDATION_FAILED")["details"], json!({"roles[0].tenantIds[0]": "must be a UUID"}));
    }

    /// 1,000 tenants with 5,000 dashboards: all are kept, under their ids and with their tenant's user.
    async fn a_rehearsal_loses_nothing(world) {
        let owners = populate(&world, 1_000, 5).await;
        let step = map_tenants(&world.app.db, &operator(&world)).await.expect("mapped");
        tell("users", &step);
        let last = finalize(&world.app.db, &operator(&world)).await.expect("finalized");
        tell("finalize", &last);
        let (before, after) = (step.before, last.after);
        assert_eq!((before.tenants, before.unmapped_tenants, before.tenant_dashboards), (1_000, 1_000, 5_000));
        assert_eq!((after.tenants, after.unmapped_tenants, after.tenant_dashboards), (1_000, 0, 0));
        assert_eq!((after.dashboards, after.charts), (before.dashboards, before.charts));
        assert_eq!((after.user_dashboards, after.customers, after.project_users), (5_000, 1_000, 1_000));
        let mut lease = world.app.db.read().await.expect("a connection");
        let conn = &mut lease.conn();
        let users: BTreeMap<TenantId, _> = crate::concepts::tenants::of_project(conn, world.applied.project_id).await.expect("read")
            .into_iter().map(|tenant| (tenant.id, tenant.user.expect("mapped"))).collect();
        let kept = crate::concepts::dashboards::of_application(conn, world.applied.applications["Orders"].id).await.expect("read");
        let kept: BTreeMap<DashboardId, Owner> = kept.into_iter().map(|dashboard| (dashboard.id, dashboard.owner)).collect();
        for (dashboard, tenant) in owners {
            let (user, customer) = users[&tenant];
            let owned = matches!(kept[&dashboard], Owner::User { user: is, customer: of, .. } if is == user && of == Some(customer));
            assert!(owned, "{:?}", kept[&dashboard]);
        }
    }
}

/// The role of the user of a tenant.
async fn role_of(world: &World, key: &str) -> Value {
    let mut lease = world.app.db.read().await.expect("a connection");
    let tenant = crate::concepts::tenants::find_by_key(&mut lease.conn(), world.applied.project_id, key).await.expect("read");
    let (user, _) = tenant.expect("a tenant").user.expect("mapped");
    drop(lease);
    let user = crate::concepts::customers::users::of_project(&world.app, world.applied.project_id, user).await;
    json!(user.expect("a user").user_role_id)
}

/// Stores a tenant that may add charts, without the role of its twins.
async fn late_twin(world: &World, key: &str, with_user: bool) {
    let mut tx = world.app.db.write().await.expect("a transaction");
    let conn = &mut tx.conn();
    let permissions = serde_json::from_value(json!({"addChart": true})).expect("permissions");
    let tenant = Tenant { permissions, ..tenant(world, key) };
    crate::concepts::tenants::insert(conn, &tenant).await.expect("stored");
    if with_user {
        crate::concepts::tenants::mapping::map(conn, &operator(world), &tenant).await.expect("mapped");
    }
    tx.commit().await.expect("committed");
}

fn tenant(world: &World, key: &str) -> Tenant {
    Tenant {
        id: TenantId::generate(),
        project: world.applied.project_id,
        key: key.to_owned(),
        name: key.to_owned(),
        prefilters: Map::new(),
        permissions: RolePermissions::default(),
        metadata: Map::new(),
        user: None,
        role: None,
        role_kept: false,
    }
}

/// Registers tenants with dashboards. Returns the owner of each dashboard.
async fn populate(world: &World, tenants_wanted: usize, dashboards_each: usize) -> BTreeMap<DashboardId, TenantId> {
    let application = world.applied.applications["Orders"].id;
    let mut owners = BTreeMap::new();
    let mut tx = world.app.db.write().await.expect("a transaction");
    for number in 0..tenants_wanted {
        let prefilters = json!({"company": format!("company {number}")}).as_object().expect("an object").clone();
        let tenant = Tenant { prefilters, ..tenant(world, &format!("tenant {number}")) };
        crate::concepts::tenants::insert(&mut tx.conn(), &tenant).await.expect("stored");
        for _ in 0..dashboards_each {
            owners.insert(insert_dashboard(&mut tx.conn(), application, tenant.id).await, tenant.id);
        }
    }
    tx.commit().await.expect("committed");
    owners
}

#[expect(clippy::print_stdout, reason = "a rehearsal is there to be read")]
fn tell(step: &str, counts: &super::Step) {
    println!("{step}: {}", serde_json::to_string_pretty(counts).expect("JSON"));
}
