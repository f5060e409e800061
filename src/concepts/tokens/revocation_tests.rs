//! Revocation through the router, on both stores: immediate on the node that gets the call, within a second on the others.

use super::{
    Subject, issue,
    keyring::Keyring,
    known, now,
    revocation::{Granted, SubjectKind},
    store, verify,
};
use crate::{
    concepts::organizations::{
        self, MemberRole,
        api_keys::PresentedKey,
        members::{self, Member, Membership, Owner, Worker},
    },
    flows::management::people,
    ground::{
        audit::{
            Actor, Event,
            store::{Wanted, newest},
        },
        store::version,
        web::origin::Origin,
    },
    on,
    testing::{ACME, GLOBEX, World, on_both_stores},
};
use inlay_contract::{
    ids::{ApiKeyId, OrganizationId},
    lifetime::Lifetime,
};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use uuid::Uuid;

async fn revoke(world: &World, kind: SubjectKind, id: &Value) {
    let id: Uuid = serde_json::from_value(id.clone()).expect("an id");
    let mut tx = world.app.db.write().await.expect("a transaction");
    let found = store::find(&mut tx.conn(), kind, id).await.expect("read").expect("there");
    assert_eq!((found.organization_id, found.project_id), (world.organization, world.applied.project_id));
    store::cut_off(&mut tx.conn(), kind, id, &[]).await.expect("revoked");
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

/// The token of a user whom a member's key signed in, and that of the member's own look at that user's page.
async fn signed_and_looked(world: &World, key: &str, member: &Membership) -> (String, String) {
    let mut body = world.sign_in_body(ACME, "ada");
    body["organizationId"] = json!(world.organization);
    let signed = world.post("/v1/api/projects/embed-token", key, &body).await.data();
    let by = Member::<Worker>::new(member, Origin::default()).expect("a member");
    let user = serde_json::from_value(signed["projectUserId"].clone()).expect("an id");
    let look = people::view_as(&world.app, &by, world.applied.project_id, user).await.expect("a token").token;
    for token in [&token(&signed), &look] {
        assert_eq!(status(world, token).await, 200);
    }
    (token(&signed), look)
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
        let (_stop, stopped) = tokio::sync::watch::channel(false);
        tokio::spawn(crate::ground::periodic::repeat(world.app.clone(), Vec::new(), stopped));
        assert_eq!(status(&world, &token(&ada)).await, 200);
        revoke(&world, SubjectKind::User, &ada["projectUserId"]).await;
        let revoked = Instant::now();
        while status(&world, &token(&ada)).await == 200 {
            assert!(revoked.elapsed() < Duration::from_secs(1), "the token still works");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn a_node_that_cannot_look_for_revocations_refuses_everybody(world) {
        let ada = world.sign_in_as(ACME, "ada", None).await;
        let (path, sign_in) = (world.chart_path("Rates"), world.sign_in_body(ACME, "bob"));
        world.app.forget_looking(Duration::from_secs(29));
        assert_eq!(status(&world, &token(&ada)).await, 200);
        world.app.forget_looking(Duration::from_secs(2));
        world.post(&path, &token(&ada), &json!({})).await.refused(503, "STORE_UNAVAILABLE");
        world.post("/v1/api/projects/embed-token", &world.key, &sign_in).await.refused(503, "STORE_UNAVAILABLE");
        world.app.refresh().await.expect("refreshed");
        assert_eq!(status(&world, &token(&ada)).await, 200);
        world.post("/v1/api/projects/embed-token", &world.key, &sign_in).await.data();
    }

    async fn a_token_by_a_key_that_another_node_just_created_is_accepted(world) {
        let ada = world.token(ACME).await;
        let claims = verify(&known(&world.app).keyring, &world.app.base_url, &ada, world.app.now()).expect("valid");
        let mut tx = world.app.db.write().await.expect("a transaction");
        store::add_key(&mut tx.conn(), &world.app.sealer).await.expect("rotated");
        tx.commit().await.expect("committed");
        let theirs = Keyring::new(store::signing_keys(&world.app.db, &world.app.sealer).await.expect("keys"));
        let subject = Subject {
            id: claims.sub, audience: claims.aud, organization: claims.org, project: claims.project, customer: claims.customer, role: claims.role,
            permissions: claims.permissions, key: claims.azp, member: None, edits: None,
        };
        let granted = Granted { at: world.app.now().plus(store::PUBLISHED_BEFORE), ..now(&world.app).await.expect("a version") };
        let token = issue(&theirs, &world.app.base_url, &subject, Lifetime::Hour, granted).expect("issued").token;
        assert!(known(&world.app).keyring.misses_key_of(&token));
        assert_eq!(status(&world, &token).await, 200);
    }

    async fn nodes_that_start_together_share_one_signing_key(world) {
        let mut tx = world.app.db.write().await.expect("a transaction");
        on!(&mut tx.conn(), |c| sqlx::query("DELETE FROM signing_keys").execute(c).await.map(drop)).expect("deleted");
        tx.commit().await.expect("committed");
        let before = version::current(&world.app.db).await.expect("a version");
        let start = || store::signing_keys(&world.app.db, &world.app.sealer);
        let (one, two, three) = tokio::join!(start(), start(), start());
        let ids = [one, two, three].map(|keys| keys.expect("keys").iter().map(|key| key.id).collect::<Vec<_>>());
        assert!(ids[0].len() == 1 && ids.iter().all(|other| *other == ids[0]), "{ids:?}");
        assert!(version::current(&world.app.db).await.expect("a version") > before, "the nodes that run learn of it");
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
        for user_scoped in [false, true] {
            let key = world.member_key(MemberRole::Member, user_scoped).await;
            let member = world.membership(&key).await;
            let (signed, look) = signed_and_looked(&world, &key, &member).await;
            members::remove(&world.app, &owner, member.id, member.role).await.expect("removed");
            for token in [&signed, &look] {
                world.post(&world.chart_path("Rates"), token, &json!({})).await.refused(401, "TOKEN_REVOKED");
            }
            // A member who is added again may use the key again, unless it was revoked in the meantime.
            let mut tx = world.app.db.write().await.expect("a transaction");
            organizations::revoke_key(&mut tx.conn(), id_of(&key)).await.expect("revoked");
            organizations::put_member(&mut tx.conn(), world.organization, &member.email, MemberRole::Member, None).await.expect("a member");
            tx.commit().await.expect("committed");
            world.app.refresh().await.expect("refreshed");
            assert_eq!(status(&world, &signed).await, 401);
        }
        assert_eq!(status(&world, &untouched).await, 200);
    }

    async fn a_member_who_becomes_a_viewer_signs_nobody_in_and_signs_nobody_out(world) {
        let owner = world.membership(&world.key).await;
        let owner = Member::<Owner>::new(&owner, Origin::default()).expect("an owner");
        for user_scoped in [false, true] {
            let key = world.member_key(MemberRole::Member, user_scoped).await;
            let member = world.membership(&key).await;
            let (signed, look) = signed_and_looked(&world, &key, &member).await;
            members::set_role(&world.app, &owner, member.id, member.role, MemberRole::Viewer).await.expect("changed");
            assert_eq!(status(&world, &signed).await, 200, "the host's user stays signed in");
            world.post(&world.chart_path("Rates"), &look, &json!({})).await.refused(401, "TOKEN_REVOKED");
            let mut body = world.sign_in_body(ACME, "ada");
            body["organizationId"] = json!(world.organization);
            world.post("/v1/api/projects/embed-token", &key, &body).await.refused(403, "KEY_OWNER_NOT_PERMITTED");
            let user_token = json!({"userId": world.sign_in_as(ACME, "ada", None).await["projectUserId"], "organizationId": world.organization});
            world.post("/v1/api/projects/user-token", &key, &user_token).await.refused(403, "KEY_OWNER_NOT_PERMITTED");
            // The other nodes learn of the key's end, or the membership's, within a second.
            let (_stop, stopped) = tokio::sync::watch::channel(false);
            tokio::spawn(crate::ground::periodic::repeat(world.app.clone(), Vec::new(), stopped));
            if user_scoped {
                let mut tx = world.app.db.write().await.expect("a transaction");
                organizations::revoke_key(&mut tx.conn(), id_of(&key)).await.expect("revoked");
                tx.commit().await.expect("committed");
            } else {
                members::remove(&world.app, &owner, member.id, MemberRole::Viewer).await.expect("removed");
            }
            let cut = Instant::now();
            while status(&world, &signed).await == 200 {
                assert!(cut.elapsed() < Duration::from_secs(1), "the token still works");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            world.post(&world.chart_path("Rates"), &signed, &json!({})).await.refused(401, "TOKEN_REVOKED");
        }
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
        for (kind, id) in [(SubjectKind::Tenant, json!(tenant.id)), (SubjectKind::User, json!(user)), (SubjectKind::Customer, json!(customer))] {
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
        for kind in [SubjectKind::Key, SubjectKind::User, SubjectKind::Tenant, SubjectKind::Customer, SubjectKind::Project] {
            assert_eq!(store::find(&mut lease.conn(), kind, Uuid::now_v7()).await.expect("read"), None);
        }
    }
}
