//! Who may create and revoke keys, and what the list shows.

use super::{create, list, revoke, set_limit};
use crate::{
    concepts::organizations::{
        self, MemberRole,
        keys::KeyUse,
        members::{self, Admin, Member, Worker},
    },
    ground::{error::Code, web::origin::Origin},
    testing::{ACME, World, on_both_stores},
};

async fn membership(world: &World, email: &str, role: MemberRole) -> members::Membership {
    let mut tx = world.app.db.write().await.expect("a transaction");
    organizations::store::put_member(&mut tx.conn(), world.organization, email, role, None).await.expect("a member");
    let all = members::store::of_organization(&mut tx.conn(), world.organization).await.expect("read");
    tx.commit().await.expect("committed");
    all.into_iter().find(|member| member.email == email).expect("there")
}

on_both_stores! {
    async fn of_two_who_saw_the_same_limit_one_sets_it(world) {
        let by = Member::<Worker>::new(&membership(&world, "a@example.test", MemberRole::Admin).await, Origin::default()).expect("a member");
        let key = create(&world.app, &by, "Shared", false).await.expect("made");
        let answers = futures::future::join_all([1, 2, 3].map(|limit| set_limit(&world.app, &by, key.id, None, Some(limit)))).await;
        let codes: Vec<Code> = answers.into_iter().filter_map(|answer| answer.err().map(|error| error.code)).collect();
        assert_eq!(codes, [Code::ChangedMeanwhile; 2]);
    }

    async fn a_new_key_works_until_it_is_revoked(world) {
        let by = Member::<Worker>::new(&membership(&world, "a@example.test", MemberRole::Member).await, Origin::default()).expect("a member");
        let key = create(&world.app, &by, "Production", false).await.expect("made");
        let body = world.sign_in_body(ACME, "ada");
        let signed = world.post("/v1/api/projects/embed-token", &key.text, &body).await.data();
        world.app.part::<KeyUse>().write_down(&world.app).await.expect("written");
        let listed = list(&world.app, &by).await.expect("read").into_iter().find(|one| one.id == key.id).expect("listed");
        assert!(listed.last_used_at.is_some() && listed.label.as_deref() == Some("Production") && !listed.user_scoped);
        revoke(&world.app, &by, key.id).await.expect("revoked");
        world.post("/v1/api/projects/embed-token", &key.text, &body).await.refused(401, "INVALID_API_KEY");
        let token = signed["token"].as_str().expect("a token");
        world.get("/v2/api/applications", token).await.refused(401, "TOKEN_REVOKED");
    }

    async fn a_key_asks_no_more_often_than_it_may(world) {
        let by = Member::<Worker>::new(&membership(&world, "a@example.test", MemberRole::Member).await, Origin::default()).expect("a member");
        let [slow, quick] = [create(&world.app, &by, "Slow", false).await.expect("made"), create(&world.app, &by, "Quick", true).await.expect("made")];
        let mut body = world.sign_in_body(ACME, "ada");
        body["organizationId"] = serde_json::json!(world.organization);
        // More requests than any limit allows.
        let refused = async |key: &str| {
            let mut refused = 0;
            for _ in 0..40 {
                let reply = world.post("/v1/api/projects/embed-token", key, &body).await;
                if reply.status == 429 {
                    reply.refused(429, "RATE_LIMITED");
                    assert!(reply.headers.contains_key("retry-after"));
                    refused += 1;
                } else {
                    reply.data();
                }
            }
            refused
        };
        assert_eq!(refused(&slow.text).await, 0);
        set_limit(&world.app, &by, slow.id, None, Some(1)).await.expect("limited");
        assert!(refused(&slow.text).await > 0);
        assert_eq!(refused(&quick.text).await, 0, "another key has its own share");
        assert_eq!(set_limit(&world.app, &by, slow.id, None, Some(5)).await.expect_err("overtaken").code, Code::ChangedMeanwhile);
        for wrong in [0, 1_001] {
            assert_eq!(set_limit(&world.app, &by, slow.id, Some(1), Some(wrong)).await.expect_err("refused").code, Code::ValidationFailed);
        }
        let other = Member::<Worker>::new(&membership(&world, "b@example.test", MemberRole::Member).await, Origin::default()).expect("a member");
        assert_eq!(set_limit(&world.app, &other, slow.id, Some(1), None).await.expect_err("refused").code, Code::MemberNotPermitted);
        set_limit(&world.app, &by, slow.id, Some(1), None).await.expect("lifted");
        assert_eq!(refused(&slow.text).await, 0);
    }

    async fn only_owners_and_admins_revoke(world) {
        let one = membership(&world, "one@example.test", MemberRole::Member).await;
        let other = membership(&world, "other@example.test", MemberRole::Member).await;
        let admin = membership(&world, "admin@example.test", MemberRole::Admin).await;
        let by = Member::<Worker>::new(&one, Origin::default()).expect("a member");
        let bound = create(&world.app, &by, "Bound", false).await.expect("made");
        let scoped = create(&world.app, &by, "Scoped", true).await.expect("made");
        let stranger = Member::<Worker>::new(&other, Origin::default()).expect("a member");
        assert_eq!(revoke(&world.app, &stranger, bound.id).await.expect_err("refused").code, Code::MemberNotPermitted);
        let admin = Member::<Admin>::new(&admin, Origin::default()).expect("an admin");
        assert_eq!(revoke(&world.app, &admin, scoped.id).await.expect_err("refused").code, Code::MemberNotPermitted);
        revoke(&world.app, &admin, bound.id).await.expect("revoked");
        revoke(&world.app, &by, scoped.id).await.expect("revoked");
        world.neighbour().await;
        let foreign = inlay_contract::ids::ApiKeyId::generate();
        assert_eq!(revoke(&world.app, &admin, foreign).await.expect_err("refused").code, Code::NotFound);
    }

    async fn a_session_of_one_organization_s_provider_changes_no_key_that_serves_others(world) {
        let mut by = Member::<Worker>::new(&membership(&world, "a@example.test", MemberRole::Member).await, Origin::default()).expect("a member");
        let bound = create(&world.app, &by, "Bound", false).await.expect("made");
        let scoped = create(&world.app, &by, "Scoped", true).await.expect("made");
        by.confined = true;
        assert_eq!(revoke(&world.app, &by, scoped.id).await.expect_err("refused").code, Code::SingleSignOn);
        assert_eq!(set_limit(&world.app, &by, scoped.id, None, Some(1)).await.expect_err("refused").code, Code::SingleSignOn);
        revoke(&world.app, &by, bound.id).await.expect("this organization's own");
        by.confined = false;
        revoke(&world.app, &by, scoped.id).await.expect("signed in by password");
    }
}
