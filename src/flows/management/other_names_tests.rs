//! Other names beside what other members change at the same time.

use super::other_names::{OtherName, add};
use crate::{
    concepts::{
        catalog,
        organizations::members::{Member, Worker},
        projects,
    },
    ground::{store::version, web::origin::Origin},
    testing::on_both_stores,
};
use inlay_query::RowAccess;
use std::time::Duration;

on_both_stores! {
    async fn a_synonym_leaves_what_another_member_changes_meanwhile(world) {
        let by: Member<Worker> = Member::new(&world.membership(&world.key).await, Origin::default()).expect("a member who works");
        let organization = by.organization;
        let (project, connection) = (world.applied.project_id, world.applied.connections["warehouse"]);
        for of in ["table orders", "column orders.amount"] {
            let mut tx = world.app.db.write().await.expect("a transaction");
            projects::lock(&mut tx.conn(), project).await.expect("locked");
            let name = OtherName { word: "turnover", of, value: "" };
            let closed = async move {
                // Until then the synonym has read the table, and waits for the lock.
                tokio::time::sleep(Duration::from_millis(700)).await;
                let conn = &mut tx.conn();
                let tables = catalog::of_connection(conn, connection).await.expect("tables");
                let mut table = tables.into_iter().find(|table| table.name == "orders").expect("a table");
                table.rows = RowAccess::Nothing;
                table.columns.entry("amount".to_owned()).or_default().hidden = true;
                catalog::put(conn, connection, &table).await.expect("closed");
                version::bump(conn, &[organization.into()]).await.expect("raised");
                tx.commit().await.expect("committed");
            };
            let (added, ()) = tokio::join!(add(&world.app, &by, project, connection, name), closed);
            added.expect("added");
            let mut lease = world.app.db.read().await.expect("a connection");
            let tables = catalog::of_connection(&mut lease.conn(), connection).await.expect("tables");
            drop(lease);
            let table = tables.into_iter().find(|table| table.name == "orders").expect("a table");
            let amount = &table.columns["amount"];
            assert_eq!((&table.rows, amount.hidden), (&RowAccess::Nothing, true), "{of}");
            let names = if of.starts_with("table") { &table.synonyms } else { &amount.synonyms };
            assert!(names.contains(&"turnover".to_owned()), "{names:?}");
            // Open again for the next round.
            let mut tx = world.app.db.write().await.expect("a transaction");
            let mut open = table.clone();
            open.rows = RowAccess::All;
            open.columns.entry("amount".to_owned()).or_default().hidden = false;
            catalog::put(&mut tx.conn(), connection, &open).await.expect("opened");
            version::bump(&mut tx.conn(), &[by.organization.into()]).await.expect("raised");
            tx.commit().await.expect("committed");
            world.app.refresh().await.expect("refreshed");
        }
    }
}
