//! Who rotates the signing key.

use super::{may_rotate, rotate};
use crate::{
    concepts::organizations::members::{Member, Owner},
    ground::{error::Code, web::origin::Origin},
    testing::on_both_stores,
};

on_both_stores! {
    async fn owners_of_the_first_organization_alone_rotate_the_key_of_all(world) {
        let (_, key) = world.neighbour().await;
        let first = Member::<Owner>::new(&world.membership(&world.key).await, Origin::default()).expect("an owner");
        let second = Member::<Owner>::new(&world.membership(&key).await, Origin::default()).expect("an owner");
        assert!(may_rotate(&world.app, first.organization).await.expect("read"));
        assert_eq!(rotate(&world.app, &second).await.expect_err("refused").code, Code::MemberNotPermitted);
        rotate(&world.app, &first).await.expect("rotated");
        assert_eq!(rotate(&world.app, &first).await.expect_err("refused").code, Code::RateLimited);
    }
}
