//! Single-use links.

use super::{accept, invitations, invite, is_address, join_vouched, new_password, open, reset_link};
use crate::{
    concepts::organizations::{
        self, MemberRole,
        members::{self, Admin, Member, Membership, Owner},
        sessions, sign_in,
    },
    ground::{error::Code, web::origin::Origin},
    testing::{World, on_both_stores},
};
use inlay_contract::ids::{MemberId, OrganizationId};

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

/// Creates a member without a password, as `inlay member add` does.
async fn put(world: &World, organization: OrganizationId, email: &str, role: MemberRole) -> MemberId {
    let mut tx = world.app.db.write().await.expect("a transaction");
    let id = organizations::store::put_member(&mut tx.conn(), organization, email, role, None).await.expect("a member");
    tx.commit().await.expect("committed");
    id
}

async fn elsewhere(world: &World) -> OrganizationId {
    let mut tx = world.app.db.write().await.expect("a transaction");
    let id = organizations::store::create(&mut tx.conn(), "Elsewhere").await.expect("an organization");
    tx.commit().await.expect("committed");
    id
}

async fn admin(world: &World, email: &str) -> Member<Admin> {
    let id = put(world, world.organization, email, MemberRole::Admin).await;
    let all = of_organization(world).await;
    Member::new(all.iter().find(|member| member.id == id).expect("there"), Origin::default()).expect("an admin")
}

async fn of_organization(world: &World) -> Vec<Membership> {
    let mut lease = world.app.db.read().await.expect("a connection");
    members::store::of_organization(&mut lease.conn(), world.organization).await.expect("read")
}

async fn role_of(world: &World, email: &str) -> Option<MemberRole> {
    of_organization(world).await.into_iter().find(|member| member.email == email).map(|member| member.role)
}

async fn code_of_use(world: &World, token: &str) -> &'static str {
    accept(&world.app, token, PASSWORD, &Origin::default(), None).await.expect_err("refused").code.as_str()
}

#[test]
fn addresses_have_a_name_and_a_host() {
    assert!(is_address("ada@example.test"));
    for bad in ["", "ada", "@", "ada@", "@example.test", "a b@example.test", "a@b@c", "a\n@b"] {
        assert!(!is_address(bad), "{bad:?}");
    }
}

on_both_stores! {
    async fn an_address_has_one_invitation_however_many_are_sent_at_once(world) {
        let by = owner(&world).await;
        let sent = (0..4).map(|_| invite(&world.app, &by, "new@example.test", MemberRole::Member));
        let sent = futures::future::join_all(sent).await;
        assert!(sent.iter().all(Result::is_ok), "{sent:?}");
        assert_eq!(invitations(&world.app, &by).await.expect("read").len(), 1);
    }

    async fn an_invitation_joins_once(world) {
        let by = owner(&world).await;
        let token = invite(&world.app, &by, "New@Example.test", MemberRole::Member).await.expect("a link");
        let origin = Origin::default();
        assert_eq!(accept(&world.app, &token, "short", &origin, None).await.expect_err("refused").code, Code::ValidationFailed);
        accept(&world.app, &token, PASSWORD, &origin, None).await.expect("joined");
        assert_eq!(accept(&world.app, &token, PASSWORD, &origin, None).await.expect_err("spent").code, Code::LinkSpent);
        assert_eq!(invite(&world.app, &by, "new@example.test", MemberRole::Member).await.expect_err("refused").code, Code::MemberAlready);
        sign_in::sign_in(&world.app, "new@example.test", PASSWORD, &origin, None, None).await.expect("signed in");
    }

    async fn of_four_uses_of_a_link_at_once_one_counts(world) {
        let by = owner(&world).await;
        let origin = Origin::default();
        let uses = async |token: &str, password: &'static [&'static str; 4]| {
            let uses = password.iter().map(|password| accept(&world.app, token, password, &origin, None));
            let used = futures::future::join_all(uses).await;
            let refused: Vec<Code> = used.iter().filter_map(|used| used.as_ref().err()).map(|refused| refused.code).collect();
            // Who comes when the account is there, but the link not yet gone in their eyes, is asked for the account's password.
            let told = |code: &Code| [Code::LinkSpent, Code::ValidationFailed].contains(code);
            assert!(refused.len() == 3 && refused.iter().all(told), "{refused:?}");
            used.iter().position(Result::is_ok).map(|at| password[at]).expect("one is accepted")
        };
        let token = invite(&world.app, &by, "new@example.test", MemberRole::Member).await.expect("a link");
        let password = uses(&token, &["a first password", "a second password", "a third password", "a fourth password"]).await;
        assert_eq!(of_organization(&world).await.iter().filter(|one| one.email == "new@example.test").count(), 1);
        sign_in::sign_in(&world.app, "new@example.test", password, &origin, None, None).await.expect("by the password that counted");
        let member = of_organization(&world).await.into_iter().find(|one| one.email == "new@example.test").expect("there");
        let token = new_password(&world.app, &by, member.id).await.expect("a link");
        let password = uses(&token, &["another password 1", "another password 2", "another password 3", "another password 4"]).await;
        sign_in::sign_in(&world.app, "new@example.test", password, &origin, None, None).await.expect("by the password that counted");
    }

    async fn of_four_arrivals_at_once_one_joins(world) {
        let by = owner(&world).await;
        invite(&world.app, &by, "new@example.test", MemberRole::Member).await.expect("a link");
        let arrive = async || {
            let mut tx = world.app.db.write().await.expect("a transaction");
            let joined = join_vouched(&mut tx.conn(), world.organization, "new@example.test", &Origin::default()).await.expect("decided");
            tx.commit().await.expect("committed");
            joined.is_some()
        };
        let joined = futures::future::join_all((0..4).map(|_| arrive())).await;
        assert_eq!(joined.into_iter().filter(|joined| *joined).count(), 1);
        assert_eq!(of_organization(&world).await.iter().filter(|one| one.email == "new@example.test").count(), 1);
        assert!(invitations(&world.app, &by).await.expect("read").is_empty());
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
        sign_in::sign_in(&world.app, "eve@example.test", PASSWORD, &origin, None, None).await.expect("the password is the old one");
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
        assert_eq!(open(&world.app, &token).await.expect_err("spent").code, Code::LinkSpent);
        sign_in::sign_in(&world.app, "new@example.test", "another long password", &origin, None, None).await.expect("signed in");
    }

    async fn an_invitation_gives_no_first_password_to_another_organization_s_member(world) {
        let by = owner(&world).await;
        put(&world, elsewhere(&world).await, "bea@example.test", MemberRole::Owner).await;
        let token = invite(&world.app, &by, "bea@example.test", MemberRole::Viewer).await.expect("a link");
        assert_eq!(code_of_use(&world, &token).await, "FIRST_PASSWORD_ELSEWHERE");
        let mut lease = world.app.db.read().await.expect("a connection");
        let bea = sign_in::store::account(&mut lease.conn(), "bea@example.test").await.expect("read").expect("an account");
        assert!(bea.password_hash.is_none());
        assert_eq!(role_of(&world, "bea@example.test").await, None);
    }

    async fn an_invitation_ends_with_the_rights_of_who_made_it(world) {
        let owner = owner(&world).await;
        for (email, change) in [("gone@example.test", None), ("lower@example.test", Some(MemberRole::Member))] {
            let by = admin(&world, email).await;
            let token = invite(&world.app, &by, &format!("for.{email}"), MemberRole::Member).await.expect("a link");
            match change {
                None => members::remove(&world.app, &owner, by.id, by.role).await.expect("removed"),
                Some(role) => members::set_role(&world.app, &owner, by.id, by.role, role).await.expect("changed"),
            }
            assert_eq!(code_of_use(&world, &token).await, "LINK_SPENT");
            assert_eq!(role_of(&world, &format!("for.{email}")).await, None);
            assert!(super::invitations(&world.app, &owner).await.expect("read").is_empty(), "nobody is told of it either");
        }
        // The command line changes roles and does not know about links.
        let by = admin(&world, "admin@example.test").await;
        let token = invite(&world.app, &by, "new@example.test", MemberRole::Member).await.expect("a link");
        put(&world, world.organization, "admin@example.test", MemberRole::Viewer).await;
        assert_eq!(code_of_use(&world, &token).await, "LINK_SPENT");
    }

    async fn an_old_invitation_changes_no_role(world) {
        let by = owner(&world).await;
        let token = invite(&world.app, &by, "new@example.test", MemberRole::Viewer).await.expect("a link");
        put(&world, world.organization, "new@example.test", MemberRole::Owner).await;
        assert_eq!(code_of_use(&world, &token).await, "LINK_SPENT");
        assert_eq!(role_of(&world, "new@example.test").await, Some(MemberRole::Owner));
    }

    async fn whoever_was_removed_does_not_come_back_by_an_old_link(world) {
        let by = owner(&world).await;
        let id = put(&world, world.organization, "new@example.test", MemberRole::Member).await;
        let token = new_password(&world.app, &by, id).await.expect("a link");
        members::remove(&world.app, &by, id, MemberRole::Member).await.expect("removed");
        assert_eq!(open(&world.app, &token).await.expect_err("spent").code, Code::LinkSpent);
    }

    async fn a_link_to_a_new_password_needs_the_same_rights_when_it_is_used(world) {
        let by = admin(&world, "admin@example.test").await;
        let promoted = put(&world, world.organization, "promoted@example.test", MemberRole::Member).await;
        let token = new_password(&world.app, &by, promoted).await.expect("a link");
        put(&world, world.organization, "promoted@example.test", MemberRole::Owner).await;
        assert_eq!(code_of_use(&world, &token).await, "LINK_SPENT");

        let shared = put(&world, world.organization, "shared@example.test", MemberRole::Member).await;
        let token = new_password(&world.app, &by, shared).await.expect("a link");
        put(&world, elsewhere(&world).await, "shared@example.test", MemberRole::Owner).await;
        assert_eq!(code_of_use(&world, &token).await, "LINK_SPENT");
        let mut lease = world.app.db.read().await.expect("a connection");
        let account = sign_in::store::account(&mut lease.conn(), "shared@example.test").await.expect("read").expect("an account");
        assert!(account.password_hash.is_none());
    }

    async fn whoever_runs_the_service_makes_links_for_everybody(world) {
        put(&world, world.organization, "shared@example.test", MemberRole::Owner).await;
        put(&world, elsewhere(&world).await, "shared@example.test", MemberRole::Owner).await;
        let mut tx = world.app.db.write().await.expect("a transaction");
        let token = reset_link(&mut tx.conn(), world.organization, "shared@example.test", None).await.expect("a link");
        tx.commit().await.expect("committed");
        accept(&world.app, &token, PASSWORD, &Origin::default(), None).await.expect("set");
    }
}
