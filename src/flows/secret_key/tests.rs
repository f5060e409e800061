//! A new secret key while the service runs.

use super::{count, renew, store::COLUMNS};
use crate::{
    ground::store::seal::Sealer,
    on,
    testing::{on_both_stores, rows::schema},
};
use uuid::Uuid;

const OLD: &str = "0123456789abcdef0123456789abcdef";
const NEW: &str = "another key of 32 bytes and more, new";

on_both_stores! {
    async fn every_encrypted_column_is_known(world) {
        let schema = schema(&mut world.app.db.read().await.expect("a connection").conn()).await;
        let sealed = schema.iter().flat_map(|(table, columns)| {
            let sealed = columns.iter().filter(|column| column.column_name.starts_with("sealed_"));
            sealed.map(move |column| format!("{table}.{}", column.column_name))
        });
        for name in sealed {
            assert!(COLUMNS.iter().any(|column| column.name == name), "{name} is not encrypted anew");
        }
    }

    async fn all_values_are_encrypted_anew_while_nodes_use_them(world) {
        world.listen().await;
        let db = &world.app.db;
        let (old, both, new) = (Sealer::new(OLD), Sealer::new(NEW).accepting(&[OLD.to_owned()]), Sealer::new(NEW));
        // Many more than a batch, of a table that has one row for each value.
        let mut tx = db.write().await.expect("a transaction");
        for _ in 0..50 {
            let id = Uuid::now_v7();
            let sealed = old.seal(id, b"a page").expect("sealed");
            let sql = "INSERT INTO signing_keys (id, public_key, sealed_private_key, created_at, retired_at) VALUES ($1, $2, $2, 1, 1)";
            on!(&mut tx.conn(), |c| sqlx::query(sql).bind(id).bind(sealed).execute(c).await.map(drop)).expect("inserted");
        }
        let lost = Uuid::now_v7();
        let sql = "INSERT INTO signing_keys (id, public_key, sealed_private_key, created_at, retired_at) VALUES ($1, $2, $2, 1, 1)";
        let foreign = Sealer::new("a key that nobody knows any more, of 32 bytes").seal(lost, b"lost").expect("sealed");
        on!(&mut tx.conn(), |c| sqlx::query(sql).bind(lost).bind(foreign).execute(c).await.map(drop)).expect("inserted");
        tx.commit().await.expect("committed");

        let before = count(db, &both).await.expect("counted");
        // The signing key, the connection, the webhook's two, and those of above.
        assert!(before.left >= 55 && before.unreadable == [format!("signing_keys.sealed_private_key {lost}")], "{before:?}");
        let node = world.node_with(Sealer::new(OLD).accepting(&[NEW.to_owned()])).await;
        let done = renew(db, &both).await.expect("renewed");
        assert_eq!((done.renewed, done.left, done.unreadable.len()), (before.left - 1, 1, 1));
        assert_eq!(renew(db, &both).await.expect("renewed").renewed, 0, "nothing is left to do");

        // A node of before that accepts the new key, and one that knows the new key alone.
        for app in [node, world.node_with(new).await] {
            assert_eq!(crate::concepts::tokens::known(&app).keyring.keys().len(), 1);
            let connection = *world.applied.connections.values().next().expect("a connection");
            crate::concepts::connections::open(&app, connection).await.expect("opened");
        }
        assert_eq!(count(db, &old).await.expect("counted").left, done.renewed + 1, "the old key opens none of them, nor the lost one");
    }
}
