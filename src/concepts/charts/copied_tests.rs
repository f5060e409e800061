//! A copy of a chart keeps every column except those named here.

use super::{Maker, store};
use crate::testing::{
    on_both_stores,
    rows::{differing, fill, id_in_sql, schema, texts, without_references},
};
use inlay_contract::ids::ChartId;
use uuid::Uuid;

/// Columns that are the copy's own: the chart, the creator and the time; and what a copy does not have: a project file's name
/// and, until it is set, an origin.
const OF_THE_COPY: [&str; 14] = [
    "connection_id",
    "created_at",
    "created_by",
    "definition",
    "id",
    "library_name",
    "name",
    "on_dashboard",
    "origin_id",
    "origin_version",
    "space_id",
    "unplaced_at",
    "updated_at",
    "version",
];

on_both_stores! {
    async fn a_copy_takes_every_column_of_its_original_along(world) {
        let mut tx = world.app.db.write().await.expect("a transaction");
        without_references(&mut tx).await;
        let conn = &mut tx.conn();
        let schema = schema(conn).await;
        let (original, copy) = (ChartId::generate(), ChartId::generate());
        let [of_original, of_copy, connection] = [original.0, copy.0, Uuid::now_v7()].map(|id| id_in_sql(conn, id));
        fill(conn, &schema, "charts", &[("id", of_original.clone())]).await;
        let version = [
            ("chart_id", of_original.clone()),
            ("version", "5".to_owned()),
            ("connection_id", connection),
            ("name", "'Its older name'".to_owned()),
            ("definition", r#"'{"title": "Older", "type": "line", "encoding": {}}'"#.to_owned()),
        ];
        fill(conn, &schema, "chart_versions", &version).await;
        assert!(store::copy(conn, original, 5, copy, Maker::default()).await.expect("the store answers"), "copied");

        let from = texts(conn, &schema, "charts", &format!("id = {of_original}")).await;
        let to = texts(conn, &schema, "charts", &format!("id = {of_copy}")).await;
        assert_eq!(differing(&from, &to), OF_THE_COPY);
        let from = texts(conn, &schema, "chart_versions", &format!("chart_id = {of_original}")).await;
        let first = texts(conn, &schema, "chart_versions", &format!("chart_id = {of_copy}")).await;
        assert_eq!(differing(&from, &first), ["chart_id", "created_at", "version"]);
        for column in ["connection_id", "name", "definition", "version", "created_at"] {
            assert_eq!(to[column], first[column], "{column} of the copy and of its first version");
        }
        tx.roll_back().await.expect("rolled back");
    }
}
