//! Revocation through the router, on both stores: at once on the node that is told, within a second on the others.

use super::{revocation::SubjectKind, store};
use crate::testing::{ACME, GLOBEX, World, on_both_stores};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use uuid::Uuid;

async fn revoke(world: &World, kind: SubjectKind, id: &Value) {
    let id: Uuid = serde_json::from_value(id.clone()).expect("an id");
    let mut tx = world.app.db.write().await.expect("a transaction");
    assert_eq!(store::organization_of(&mut tx.conn(), kind, id).await.expect("read"), Some(world.organization));
    store::revoke(&mut tx.conn(), kind, id).await.expect("revoked");
    tx.commit().await.expect("committed");
}

async fn status(world: &World, token: &str) -> u16 {
    world.post(&world.chart_path("Rates"), token, &json!({})).await.status.as_u16()
}

fn token(data: &Value) -> String {
    data["token"].as_str().expect("a token").to_owned()
}

on_both_stores! {
    async fn each_kind_cuts_off_its_own_and_a_new_sign_in_works(world) {
        for (kind, field, colleague_too, stranger_too) in [
            (SubjectKind::User, "projectUserId", false, false),
            (SubjectKind::Customer, "projectOrganizationId", true, false),
            (SubjectKind::Project, "project", true, true),
        ] {
            let mut ada = world.sign_in_as(ACME, "ada", None).await;
            ada["project"] = json!(world.applied.project_id);
            let (bob, eve) = (world.sign_in_as(ACME, "bob", None).await, world.sign_in_as(GLOBEX, "eve", None).await);
            revoke(&world, kind, &ada[field]).await;
            world.app.refresh().await.expect("refreshed");
            world.post(&world.chart_path("Rates"), &token(&ada), &json!({})).await.refused(401, "TOKEN_REVOKED");
            let expected = |cut_off| if cut_off { 401 } else { 200 };
            assert_eq!(status(&world, &token(&bob)).await, expected(colleague_too), "{kind:?}");
            assert_eq!(status(&world, &token(&eve)).await, expected(stranger_too), "{kind:?}");
            // A token of the very millisecond of the cut-off counts as issued before it.
            tokio::time::sleep(Duration::from_millis(2)).await;
            assert_eq!(status(&world, &token(&world.sign_in_as(ACME, "ada", None).await)).await, 200);
        }
    }

    async fn other_nodes_follow_within_a_second(world) {
        let ada = world.sign_in_as(ACME, "ada", None).await;
        let watcher = tokio::spawn(world.app.clone().watch());
        assert_eq!(status(&world, &token(&ada)).await, 200);
        revoke(&world, SubjectKind::User, &ada["projectUserId"]).await;
        let revoked = Instant::now();
        while status(&world, &token(&ada)).await == 200 {
            assert!(revoked.elapsed() < Duration::from_secs(1), "the token still works");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        watcher.abort();
    }

    async fn a_tenant_is_cut_off_by_its_own_id_and_by_its_user_s(world) {
        let body = json!({"projectId": world.applied.project_id, "displayName": "t", "prefilters": {"company": ACME}});
        let register = async || world.post("/v1/api/tenant/register-tenant", &world.key, &body).await.data();
        register().await;
        crate::migration::map_tenants(&world.app.db, &crate::audit::Actor::operator(world.organization)).await.expect("mapped");
        let tenant = crate::tenants::find(&world.app, world.applied.project_id, serde_json::from_value(register().await["tenantId"].clone()).expect("an id"));
        let tenant = tenant.await.expect("read").expect("a tenant");
        let (user, customer) = tenant.user.expect("mapped");
        for (kind, id) in [(SubjectKind::User, json!(tenant.id)), (SubjectKind::User, json!(user)), (SubjectKind::Customer, json!(customer))] {
            tokio::time::sleep(Duration::from_millis(2)).await;
            let token = token(&register().await);
            assert_eq!(status(&world, &token).await, 200);
            revoke(&world, kind, &id).await;
            world.app.refresh().await.expect("refreshed");
            world.post(&world.chart_path("Rates"), &token, &json!({})).await.refused(401, "TOKEN_REVOKED");
        }
    }

    async fn what_is_not_there_belongs_to_nobody(world) {
        let mut lease = world.app.db.read().await.expect("a connection");
        for kind in [SubjectKind::Key, SubjectKind::User, SubjectKind::Customer, SubjectKind::Project] {
            assert_eq!(store::organization_of(&mut lease.conn(), kind, Uuid::now_v7()).await.expect("read"), None);
        }
    }
}
