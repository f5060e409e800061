//! Who may change which members.

use super::{Admin, Member, Membership, Owner, Reader, Worker, list, remove, set_role, store};
use crate::{
    concepts::organizations::{self, MemberRole},
    ground::error::Code,
    testing::{World, on_both_stores},
};

async fn membership(world: &World, email: &str, role: MemberRole) -> Membership {
    let mut tx = world.app.db.write().await.expect("a transaction");
    organizations::store::put_member(&mut tx.conn(), world.organization, email, role, None).await.expect("a member");
    let all = store::of_organization(&mut tx.conn(), world.organization).await.expect("read");
    tx.commit().await.expect("committed");
    all.into_iter().find(|member| member.email == email).expect("there")
}

#[test]
fn a_rank_takes_its_own_role_and_those_above() {
    let membership = |role| Membership {
        id: inlay_contract::ids::MemberId::generate(),
        account: inlay_contract::ids::AccountId::generate(),
        organization: inlay_contract::ids::OrganizationId::generate(),
        organization_name: String::new(),
        email: String::new(),
        role,
        has_password: true,
        created_at: crate::ground::time::Timestamp(0),
    };
    let passes = |role| {
        let of = membership(role);
        [
            Member::<Reader>::new(&of, Default::default()).is_ok(),
            Member::<Worker>::new(&of, Default::default()).is_ok(),
            Member::<Admin>::new(&of, Default::default()).is_ok(),
            Member::<Owner>::new(&of, Default::default()).is_ok(),
        ]
    };
    assert_eq!(passes(MemberRole::Viewer), [true, false, false, false]);
    assert_eq!(passes(MemberRole::Member), [true, true, false, false]);
    assert_eq!(passes(MemberRole::Admin), [true, true, true, false]);
    assert_eq!(passes(MemberRole::Owner), [true; 4]);
}

on_both_stores! {
    async fn an_admin_makes_no_owner_and_touches_none(world) {
        let admin = membership(&world, "admin@example.test", MemberRole::Admin).await;
        let by = Member::<Admin>::new(&admin, Default::default()).expect("an admin");
        let owner = list(&world.app, &by).await.expect("read").into_iter().find(|member| member.role == MemberRole::Owner).expect("an owner");
        assert_eq!(set_role(&world.app, &by, owner.id, MemberRole::Owner, MemberRole::Viewer).await.expect_err("refused").code, Code::OwnerRequired);
        assert_eq!(remove(&world.app, &by, owner.id, MemberRole::Owner).await.expect_err("refused").code, Code::OwnerRequired);
        assert_eq!(set_role(&world.app, &by, admin.id, MemberRole::Admin, MemberRole::Owner).await.expect_err("refused").code, Code::OwnerRequired);
        let plain = membership(&world, "plain@example.test", MemberRole::Member).await;
        set_role(&world.app, &by, plain.id, MemberRole::Member, MemberRole::Viewer).await.expect("changed");
        remove(&world.app, &by, plain.id, MemberRole::Viewer).await.expect("removed");
        assert!(list(&world.app, &by).await.expect("read").iter().all(|member| member.id != plain.id));
    }

    async fn the_last_owner_stays(world) {
        let owner = membership(&world, "owner@example.test", MemberRole::Owner).await;
        let by = Member::<Owner>::new(&owner, Default::default()).expect("an owner");
        for other in list(&world.app, &by).await.expect("read").into_iter().filter(|other| other.id != owner.id) {
            remove(&world.app, &by, other.id, other.role).await.expect("removed");
        }
        assert_eq!(remove(&world.app, &by, owner.id, owner.role).await.expect_err("refused").code, Code::LastOwner);
        assert_eq!(set_role(&world.app, &by, owner.id, owner.role, MemberRole::Admin).await.expect_err("refused").code, Code::LastOwner);
    }

    async fn another_organizations_member_does_not_exist(world) {
        let owner = membership(&world, "owner@example.test", MemberRole::Owner).await;
        let by = Member::<Owner>::new(&owner, Default::default()).expect("an owner");
        world.neighbour().await;
        let mut lease = world.app.db.read().await.expect("a connection");
        let own = list(&world.app, &by).await.expect("read");
        let foreign: inlay_contract::ids::MemberId = {
            let all: Vec<inlay_contract::ids::MemberId> =
                crate::on!(&mut lease.conn(), |c| sqlx::query_scalar("SELECT id FROM members").fetch_all(c).await).expect("read");
            all.into_iter().find(|id| own.iter().all(|member| member.id != *id)).expect("a neighbour")
        };
        drop(lease);
        assert_eq!(remove(&world.app, &by, foreign, MemberRole::Owner).await.expect_err("refused").code, Code::NotFound);
    }
}
