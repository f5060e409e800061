//! Links that work once.

use super::{accept, invite, is_address, new_password, open};
use crate::{
    organizations::{
        self, MemberRole,
        members::{self, Member, Owner},
        sessions, sign_in,
    },
    testing::{World, on_both_stores},
    web::origin::Origin,
};

const PASSWORD: &str = "correct horse battery";

async fn owner(world: &World) -> Member<Owner> {
    let mut tx = world.app.db.write().await.expect("a transaction");
    organizations::store::put_member(&mut tx.conn(), world.organization, "own@example.test", MemberRole::Owner, None)
        .await
        .expect("a member");
    let all = members::store::of_organization(&mut tx.conn(), world.organization).await.expect("read");
    tx.commit().await.expect("committed");
    let found = all.into_iter().find(|member| member.email == "own@example.test").expect("there");
    Member::new(&found, Origin::default()).expect("an owner")
}

#[test]
fn addresses_have_a_name_and_a_host() {
    assert!(is_address("ada@example.test"));
    for bad in ["", "ada", "@", "ada@", "@example.test", "a b@example.test", "a@b@c", "a\n@b"] {
        assert!(!is_address(bad), "{bad:?}");
    }
}

on_both_stores! {
    async fn an_invitation_joins_once(world) {
        let by = owner(&world).await;
        let token = invite(&world.app, &by, "New@Example.test", MemberRole::Member).await.expect("a link");
        let origin = Origin::default();
        assert_eq!(accept(&world.app, &token, "short", &origin, None).await.expect_err("refused").code, "VALIDATION_FAILED");
        accept(&world.app, &token, PASSWORD, &origin, None).await.expect("joined");
        assert_eq!(accept(&world.app, &token, PASSWORD, &origin, None).await.expect_err("spent").code, "LINK_SPENT");
        assert_eq!(invite(&world.app, &by, "new@example.test", MemberRole::Member).await.expect_err("refused").code, "MEMBER_ALREADY");
        sign_in::sign_in(&world.app, "new@example.test", PASSWORD, &origin, None).await.expect("signed in");
    }

    async fn an_invitation_does_not_take_an_account_over(world) {
        let by = owner(&world).await;
        let origin = Origin::default();
        let (_, _) = world.neighbour().await;
        let mut tx = world.app.db.write().await.expect("a transaction");
        let elsewhere = organizations::store::create(&mut tx.conn(), "Elsewhere").await.expect("an organization");
        let hash = organizations::password::hash(PASSWORD).expect("hashed");
        organizations::store::put_member(&mut tx.conn(), elsewhere, "eve@example.test", MemberRole::Owner, Some(&hash)).await.expect("a member");
        tx.commit().await.expect("committed");
        let token = invite(&world.app, &by, "eve@example.test", MemberRole::Viewer).await.expect("a link");
        let refused = accept(&world.app, &token, "a password of mine", &origin, None).await.expect_err("refused");
        assert!(refused.details.is_some_and(|details| details.contains_key("password")));
        sign_in::sign_in(&world.app, "eve@example.test", PASSWORD, &origin, None).await.expect("the password is the old one");
        accept(&world.app, &token, PASSWORD, &origin, None).await.expect("joined");
    }

    async fn a_new_password_ends_every_session(world) {
        let by = owner(&world).await;
        let origin = Origin::default();
        let token = invite(&world.app, &by, "new@example.test", MemberRole::Member).await.expect("a link");
        let session = accept(&world.app, &token, PASSWORD, &origin, None).await.expect("joined");
        let member = members::list(&world.app, &by).await.expect("read").into_iter().find(|one| one.email == "new@example.test").expect("there");
        let token = new_password(&world.app, &by, member.id).await.expect("a link");
        accept(&world.app, &token, "another long password", &origin, None).await.expect("set");
        assert!(sessions::find(&world.app, &session).await.expect("read").is_none());
        assert_eq!(open(&world.app, &token).await.expect_err("spent").code, "LINK_SPENT");
        sign_in::sign_in(&world.app, "new@example.test", "another long password", &origin, None).await.expect("signed in");
    }
}
