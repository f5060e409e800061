//! Other names beside what other members change at the same time.

use super::other_names::{OtherName, add};
use crate::{
    concepts::{
        catalog,
        organizations::members::{Member, Worker},
        projects,
    },
    flows::catalogues::Catalogues,
    ground::{store::version, web::origin::Origin},
    testing::on_both_stores,
};
use inlay_query::RowAccess;
use std::time::Duration;

on_both_stores! {
    async fn two_members_name_the_same_number_at_once(world) {
        let by: Member<Worker> = Member::new(&world.membership(&world.key).await, Origin::default()).expect("a member who works");
        let organization = by.organization;
        let (project, connection) = (world.applied.project_id, world.applied.connections["warehouse"]);
        let both = ["earnings".to_owned(), "turnover".to_owned()];
        for of in ["measure revenue", "dimension orders.place", "metric mean_order"] {
            let mut tx = world.app.db.write().await.expect("a transaction");
            projects::lock(&mut tx.conn(), project).await.expect("locked");
            let name = OtherName { word: "turnover", of, value: "" };
            let other = async {
                // Until then the synonym is checked, and waits for the lock.
                tokio::time::sleep(Duration::from_millis(700)).await;
                let conn = &mut tx.conn();
                let before = Catalogues::read(conn, &world.app.sealer, project).await.expect("a model");
                let (mut metrics, tables) = (before.metrics, catalog::of_connection(conn, connection).await.expect("tables"));
                let mut table = tables.into_iter().find(|table| table.name == "orders").expect("a table");
                let earnings = || vec!["earnings".to_owned()];
                match of {
                    "measure revenue" => table.model.measures.get_mut("revenue").expect("a measure").synonyms = earnings(),
                    "metric mean_order" => metrics.get_mut("mean_order").expect("a metric").synonyms = earnings(),
                    _ => table.model.dimensions.get_mut("place").expect("a dimension").synonyms = earnings(),
                }
                catalog::put(conn, connection, &table).await.expect("named");
                projects::set_metrics(conn, project, &metrics).await.expect("named");
                version::bump(conn, &[organization.into()]).await.expect("raised");
                tx.commit().await.expect("committed");
            };
            let (added, ()) = tokio::join!(add(&world.app, &by, project, connection, name), other);
            added.expect(of);
            let mut lease = world.app.db.read().await.expect("a connection");
            let now = Catalogues::read(&mut lease.conn(), &world.app.sealer, project).await.expect("a model");
            let tables = catalog::of_connection(&mut lease.conn(), connection).await.expect("tables");
            let orders = tables.into_iter().find(|table| table.name == "orders").expect("a table");
            let names = match of {
                "measure revenue" => &orders.model.measures["revenue"].synonyms,
                "metric mean_order" => &now.metrics["mean_order"].synonyms,
                _ => &orders.model.dimensions["place"].synonyms,
            };
            assert_eq!(names[..], both, "{of}");
        }
    }

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
