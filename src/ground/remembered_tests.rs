//! A change of one organization leaves what others remember.

use super::{
    error::{Code, Error},
    remembered::{Kept, Remembered},
    store::version::{self, Scope},
};
use crate::testing::{ACME, World, on_both_stores};
use futures::future::join_all;
use inlay_contract::ids::OrganizationId;
use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

struct Thing(OrganizationId);

impl Kept for Thing {
    const MOST: u64 = 10;

    fn scopes(&self) -> Vec<Scope> {
        vec![self.0.into()]
    }
}

async fn bump(world: &World, scopes: &[Scope]) {
    let mut tx = world.app.db.write().await.expect("a transaction");
    version::bump(&mut tx.conn(), scopes).await.expect("raised");
    tx.commit().await.expect("committed");
}

/// Reads a thing of an organization, and counts the readings.
async fn read(world: &World, of: OrganizationId, reads: &AtomicUsize) {
    let thing = async || {
        reads.fetch_add(1, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(20)).await;
        Ok(Some(Thing(of)))
    };
    let found = world.app.part::<Remembered<OrganizationId, Thing>>().get(&world.app, of, thing).await;
    assert_eq!(found.expect("read").expect("a thing").0, of);
}

on_both_stores! {
    async fn a_change_of_one_organization_leaves_what_belongs_to_others(world) {
        let [one, other] = [OrganizationId::generate(), OrganizationId::generate()];
        let [reads, others] = [AtomicUsize::new(0), AtomicUsize::new(0)];
        for _ in 0..20 {
            bump(&world, &[one.into()]).await;
            world.app.refresh().await.expect("refreshed");
            join_all((0..16).map(|_| read(&world, one, &reads))).await;
            read(&world, other, &others).await;
        }
        assert_eq!((reads.load(Ordering::SeqCst), others.load(Ordering::SeqCst)), (20, 1), "of 16 at once one reads");
        // Changes that nodes do not tell apart, as an older version makes them.
        let mut tx = world.app.db.write().await.expect("a transaction");
        let sql = "UPDATE configuration_version SET number = number + 1";
        crate::on!(&mut tx.conn(), |c| sqlx::query(sql).execute(c).await.map(drop)).expect("raised");
        tx.commit().await.expect("committed");
        world.app.refresh().await.expect("refreshed");
        read(&world, other, &others).await;
        assert_eq!(others.load(Ordering::SeqCst), 2);
    }

    async fn what_changes_while_it_is_read_is_read_again(world) {
        let (one, reads) = (OrganizationId::generate(), AtomicUsize::new(0));
        let late = async || {
            bump(&world, &[one.into()]).await;
            Ok(Some(Thing(one)))
        };
        world.app.part::<Remembered<OrganizationId, Thing>>().get(&world.app, one, late).await.expect("read");
        world.app.refresh().await.expect("refreshed");
        read(&world, one, &reads).await;
        assert_eq!(reads.load(Ordering::SeqCst), 1);
    }

    async fn neither_a_missing_thing_nor_a_failure_is_remembered(world) {
        let (one, reads) = (OrganizationId::generate(), AtomicUsize::new(0));
        let things = world.app.part::<Remembered<OrganizationId, Thing>>();
        assert!(things.get(&world.app, one, async || Ok(None)).await.expect("read").is_none());
        let failed = things.get(&world.app, one, async || Err(Error::new(Code::StoreUnavailable, "Away."))).await;
        assert_eq!(failed.err().map(|problem| problem.code), Some(Code::StoreUnavailable));
        read(&world, one, &reads).await;
        assert_eq!(reads.load(Ordering::SeqCst), 1);
    }

    async fn a_thousand_changes_of_another_organization_leave_sign_ins_without_a_read_of_keys_and_roles(world) {
        let (neighbour, _) = world.neighbour().await;
        let elsewhere = crate::concepts::projects::by_id(&world.app, neighbour.project_id).await.expect("read").expect("there").organization;
        let body = world.sign_in_body(ACME, "ada");
        let sign_in = async || world.post("/v1/api/projects/embed-token", &world.key, &body).await.status.as_u16();
        assert_eq!(sign_in().await, 200);
        // Nobody tells of this change: whoever read the key or the project again would find neither.
        let mut tx = world.app.db.write().await.expect("a transaction");
        for sql in ["UPDATE api_keys SET revoked_at = 1", "UPDATE projects SET organization_id = $1, name = name || '2' WHERE organization_id <> $1"] {
            crate::on!(&mut tx.conn(), |c| {
                let change = sqlx::query(sql);
                let change = if sql.contains("$1") { change.bind(elsewhere) } else { change };
                change.execute(c).await.map(drop)
            }).expect("changed");
        }
        tx.commit().await.expect("committed");
        for at in 0..1_000 {
            bump(&world, &[elsewhere.into()]).await;
            if at % 50 == 0 {
                world.app.refresh().await.expect("refreshed");
                assert_eq!(sign_in().await, 200, "after {at} changes");
            }
        }
        bump(&world, &[world.organization.into()]).await;
        world.app.refresh().await.expect("refreshed");
        assert_ne!(sign_in().await, 200, "a change of its own");
    }
}
