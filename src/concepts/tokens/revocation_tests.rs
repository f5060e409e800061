//! Revocation through the router, on both stores: immediate on the node that gets the call, within a second on the others.

use super::{revocation::SubjectKind, store};
use crate::{
    concepts::organizations::{
        self, MemberRole,
        api_keys::PresentedKey,
        members::{self, Member, Owner, Worker},
    },
    flows::management::people,
    ground::{
        audit::{
            Actor, Event,
            store::{Wanted, newest},
        },
        web::origin::Origin,
    },
    testing::{ACME, GLOBEX, World, on_both_stores},
};
use inlay_contract::ids::{ApiKeyId, OrganizationId};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use uuid::Uuid;

async fn revoke(world: &World, kind: SubjectKind, id: &Value) {
    let id: Uuid = serde_json::from_value(id.clone()).expect("an id");
    let mut tx = world.app.db.write().await.expect("a transaction");
    let found = store::find(&mut tx.conn(), kind, id).await.expect("read").expect("there");
    assert_eq!((found.organization_id, found.project_id), (world.organization, world.applied.project_id));
    store::cut_off(&mut tx.conn(), kind, id).await.expect("revoked");
    tx.commit().await.expect("committed");
}

async fn status(world: &World, token: &str) -> u16 {
    world.post(&world.chart_path("Rates"), token, &json!({})).await.status.as_u16()
}

fn id_of(key: &str) -> ApiKeyId {
    PresentedKey::parse(key).expect("a key").id
}

/// The audit log of an organization.
async fn lines(world: &World, organization: OrganizationId) -> Vec<Event> {
    let wanted = Wanted::of(organization, 100);
    newest(&mut world.app.db.read().await.expect("a connection").conn(), &wanted).await.expect("read")
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
            // A token of the same millisecond as the revocation counts as issued before it.
            tokio::time::sleep(Duration::from_millis(2)).await;
            assert_eq!(status(&world, &token(&world.sign_in_as(ACME, "ada", None).await)).await, 200);
        }
    }

    async fn other_nodes_follow_within_a_second(world) {
        let ada = world.sign_in_as(ACME, "ada", None).await;
        let watcher = tokio::spawn(crate::ground::periodic::repeat(world.app.clone(), Vec::new()));
        assert_eq!(status(&world, &token(&ada)).await, 200);
        revoke(&world, SubjectKind::User, &ada["projectUserId"]).await;
        let revoked = Instant::now();
        while status(&world, &token(&ada)).await == 200 {
            assert!(revoked.elapsed() < Duration::from_secs(1), "the token still works");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        watcher.abort();
    }

    async fn what_a_node_lets_a_revoked_key_issue_counts_nowhere(world) {
        let key = world.member_key(MemberRole::Member, false).await;
        let sign_in = async || token(&world.post("/v1/api/projects/embed-token", &key, &world.sign_in_body(ACME, "ada")).await.data());
        // From here on, the node has the key in its cache until its next check.
        sign_in().await;
        let mut tx = world.app.db.write().await.expect("a transaction");
        organizations::revoke_key(&mut tx.conn(), id_of(&key)).await.expect("revoked");
        tx.commit().await.expect("committed");
        tokio::time::sleep(Duration::from_millis(2)).await;
        let late = sign_in().await;
        assert_eq!(status(&world, &late).await, 200);
        world.app.refresh().await.expect("refreshed");
        world.post(&world.chart_path("Rates"), &late, &json!({})).await.refused(401, "TOKEN_REVOKED");
        world.post("/v1/api/projects/embed-token", &key, &world.sign_in_body(ACME, "ada")).await.refused(401, "INVALID_API_KEY");
    }

    async fn what_a_member_s_keys_and_looks_made_ends_with_their_membership(world) {
        let owner = world.membership(&world.key).await;
        let owner = Member::<Owner>::new(&owner, Origin::default()).expect("an owner");
        let untouched = token(&world.sign_in_as(ACME, "ada", None).await);
        for change in [None, Some(MemberRole::Viewer)] {
            for user_scoped in [false, true] {
                let key = world.member_key(MemberRole::Member, user_scoped).await;
                let member = world.membership(&key).await;
                let mut body = world.sign_in_body(ACME, "ada");
                body["organizationId"] = json!(world.organization);
                let signed = world.post("/v1/api/projects/embed-token", &key, &body).await.data();
                let by = Member::<Worker>::new(&member, Origin::default()).expect("a member");
                let user = serde_json::from_value(signed["projectUserId"].clone()).expect("an id");
                let look = people::view_as(&world.app, &by, world.applied.project_id, user).await.expect("a token").token;
                let made = [token(&signed), look];
                for token in &made {
                    assert_eq!(status(&world, token).await, 200);
                }
                match change {
                    None => members::remove(&world.app, &owner, member.id, member.role).await.expect("removed"),
                    Some(role) => members::set_role(&world.app, &owner, member.id, member.role, role).await.expect("changed"),
                }
                for token in &made {
                    world.post(&world.chart_path("Rates"), token, &json!({})).await.refused(401, "TOKEN_REVOKED");
                }
                // A member who is added again may use the key again, unless it was revoked in the meantime.
                let mut tx = world.app.db.write().await.expect("a transaction");
                organizations::revoke_key(&mut tx.conn(), id_of(&key)).await.expect("revoked");
                organizations::put_member(&mut tx.conn(), world.organization, &member.email, MemberRole::Member, None).await.expect("a member");
                tx.commit().await.expect("committed");
                world.app.refresh().await.expect("refreshed");
                assert_eq!(status(&world, &made[0]).await, 401);
            }
        }
        assert_eq!(status(&world, &untouched).await, 200);
    }

    async fn a_cut_is_told_with_project_and_name(world) {
        let ada = world.sign_in_as(ACME, "ada", None).await;
        let id = serde_json::from_value(ada["projectUserId"].clone()).expect("an id");
        let mut tx = world.app.db.write().await.expect("a transaction");
        let conn = &mut tx.conn();
        let found = store::find(conn, SubjectKind::User, id).await.expect("read").expect("there");
        let actor = Actor::operator(found.organization_id);
        super::revoke(conn, &actor, found.project_id, SubjectKind::User, id, &found.name).await.expect("revoked");
        crate::flows::management::signing_keys::sign_anew(conn, &world.app.sealer, None).await.expect("a key");
        tx.commit().await.expect("committed");
        let lines = lines(&world, world.organization).await;
        let cut = lines.iter().find(|line| line.action == "token.revoked").expect("a line");
        assert_eq!((cut.project_id, cut.resource_name.as_deref()), (Some(world.applied.project_id), Some("ada")));
        assert!(lines.iter().any(|line| line.action == "signingKey.rotated"));
    }

    async fn a_tenant_is_cut_off_by_its_own_id_and_by_its_user_s(world) {
        let body = json!({"projectId": world.applied.project_id, "displayName": "t", "prefilters": {"company": ACME}});
        let register = async || world.post("/v1/api/tenant/register-tenant", &world.key, &body).await.data();
        register().await;
        crate::flows::v1_migration::map_tenants(&world.app.db, &crate::ground::audit::Actor::operator(world.organization)).await.expect("mapped");
        let tenant = crate::concepts::tenants::find(&world.app, world.applied.project_id, serde_json::from_value(register().await["tenantId"].clone()).expect("an id"));
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
            assert_eq!(store::find(&mut lease.conn(), kind, Uuid::now_v7()).await.expect("read"), None);
        }
    }
}
