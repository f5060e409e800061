//! `finalize` beside writes of v1 that overlap it: what v1 acknowledges has gone along, or was made after it. On both stores.

use super::{finalize, finalize_in, map_tenants};
use crate::{
    concepts::{
        dashboards::{
            Owner,
            writer::{Generation, Who, Writer},
            writes::{self, Home},
        },
        organizations,
        tenants::{self, Tenant},
        tokens::{Audience, verify},
    },
    ground::{audit::Actor, error::Code, store::Tx},
    testing::{ACME, GLOBEX, Reply, World, on_both_stores, overlapped},
};
use futures::future::join_all;
use inlay_contract::{
    ids::{DashboardId, TenantId},
    permissions::RolePermissions,
};
use serde_json::{Map, Value, json};

const REGISTER: &str = "/v1/api/tenant/register-tenant";

fn operator(world: &World) -> Actor {
    Actor::operator(world.organization)
}

fn tenant(world: &World, key: &str, company: &str) -> Value {
    json!({"projectId": world.applied.project_id, "key": key, "displayName": key, "prefilters": {"company": company}})
}

/// The audience of a registration's token.
fn audience(world: &World, registered: &Value) -> Audience {
    let token = registered["token"].as_str().expect("a token");
    let keyring = &crate::concepts::tokens::known(&world.app).keyring;
    verify(keyring, &world.app.base_url, token, world.app.now()).expect("valid").aud
}

/// A transaction that has just finalized the migration, not committed yet.
async fn finalizing(world: &World) -> Tx {
    map_tenants(&world.app.db, &operator(world)).await.expect("mapped");
    let mut tx = world.app.db.write().await.expect("a transaction");
    finalize_in(&mut tx.conn(), &operator(world)).await.expect("finalized");
    tx
}

async fn unmapped(world: &World) -> usize {
    let mut lease = world.app.db.read().await.expect("a connection");
    tenants::unmapped(&mut lease.conn(), world.organization).await.expect("read").len()
}

async fn owner(world: &World, dashboard: DashboardId) -> Owner {
    let mut lease = world.app.db.read().await.expect("a connection");
    crate::concepts::dashboards::find(&mut lease.conn(), dashboard).await.expect("read").expect("kept").owner
}

on_both_stores! {
    async fn a_v1_write_that_waited_for_finalize_is_gone(world) {
        let (workspace, chart) = (world.applied.workspaces["Ask"], world.applied.charts["Rates"]);
        let (overview, more) = (&world.applied.dashboards["Orders/Overview"], &world.applied.dashboards["Orders/More"]);
        let calls = [
            ("create", json!({"workspaceId": workspace, "name": "Late"})),
            ("clone", json!({"sourceDashboardId": overview.id, "name": "Late"})),
            ("add-charts", json!({"targetDashboardId": overview.id, "charts": [{"chartId": chart, "chartVersion": 1}]})),
            ("append-charts-from", json!({"sourceDashboardId": more.id, "targetDashboardId": overview.id})),
            ("remove-charts", json!({"dashboardId": overview.id, "chartIds": [overview.charts["Notes"]]})),
        ];
        let first = finalizing(&world).await;
        let sent = calls.iter().map(async |(call, body)| world.post(&format!("/v1/api/dashboard/{call}"), &world.key, body).await);
        let replies: Vec<Reply> = overlapped(&world, first, join_all(sent)).await;
        for ((call, _), reply) in calls.iter().zip(&replies) {
            let error = reply.refused(410, "MIGRATED_TO_V2");
            let endpoint = error["details"]["endpoint"].as_str().expect("an endpoint");
            assert!(endpoint.contains(" /v2/api/applications/") && !endpoint.contains('{'), "{call}: {endpoint}");
        }
    }

    async fn a_registration_that_waited_for_finalize_is_a_project_user_s(world) {
        world.post(REGISTER, &world.key, &tenant(&world, "known", ACME)).await.data();
        let first = finalizing(&world).await;
        let sent = [tenant(&world, "new", ACME), tenant(&world, "known", GLOBEX)];
        let calls = sent.iter().map(async |body| world.post(REGISTER, &world.key, body).await);
        for reply in overlapped(&world, first, join_all(calls)).await {
            assert_eq!(audience(&world, &reply.data()), Audience::Embed);
        }
        assert_eq!(unmapped(&world).await, 0);
    }

    async fn finalize_takes_along_what_a_v1_write_makes_that_has_begun(world) {
        let registered = world.post(REGISTER, &world.key, &tenant(&world, "one", ACME)).await.data();
        map_tenants(&world.app.db, &operator(&world)).await.expect("mapped");
        let permissions: RolePermissions = serde_json::from_value(json!({"addDashboard": true})).expect("permissions");
        let tenant: TenantId = serde_json::from_value(registered["tenantId"].clone()).expect("an id");
        // Its caller was read before the tenant had a user.
        let who = Who::Tenant { tenant, project: world.applied.project_id, user: None, permissions: permissions.in_v1() };
        let writer = Writer { who, organization: world.organization, generation: Generation::V1 };
        let mut first = world.app.db.write().await.expect("a transaction");
        let home = Home::Workspace(world.applied.workspaces["Ask"]);
        let made = writes::create_with(&mut first.conn(), &world.app, &operator(&world), &writer, home, "Late", &[]).await;
        let made = made.expect("created").id;
        let step = overlapped(&world, first, finalize(&world.app.db, &operator(&world))).await.expect("finalized");
        assert_eq!((step.moved_dashboards, step.after.tenant_dashboards), (1, 0));
        assert!(matches!(owner(&world, made).await, Owner::User { .. }), "it is in nobody's space");
    }

    async fn finalize_waits_for_a_registration_that_has_begun(world) {
        let late = Tenant {
            id: TenantId::generate(),
            project: world.applied.project_id,
            key: "late".to_owned(),
            name: "late".to_owned(),
            prefilters: Map::new(),
            permissions: RolePermissions::default(),
            metadata: Map::new(),
            user: None,
            role: None,
            role_kept: false,
        };
        let mut first = world.app.db.write().await.expect("a transaction");
        organizations::find_held(&mut first.conn(), world.organization).await.expect("held");
        assert!(tenants::insert(&mut first.conn(), &late).await.expect("stored"));
        let refused = overlapped(&world, first, finalize(&world.app.db, &operator(&world))).await.expect_err("unmapped");
        assert_eq!(refused.code, Code::MigrationIncomplete);
    }
}
