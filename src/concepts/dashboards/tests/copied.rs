//! A clone of a dashboard keeps every column except those named here.

use super::{clone, everything, id, overview, sign_in};
use crate::{
    concepts::dashboards::store,
    testing::{
        ACME, on_both_stores,
        rows::{differing, id_in_sql, run, schema, texts},
    },
};
use inlay_contract::ids::DashboardId;
use serde_json::json;
use uuid::Uuid;

/// Columns that are the clone's own: name, owner, the dashboard that it replaces, position, ids and times. A project file's
/// names stay with the original.
const OF_THE_CLONE: [&str; 11] = [
    "created_at",
    "customer_id",
    "id",
    "legacy_id",
    "name",
    "owner_id",
    "position",
    "replaces_id",
    "shared_name",
    "updated_at",
    "version",
];

on_both_stores! {
    async fn a_clone_takes_the_columns_of_dashboard_and_places_along(world) {
        let me = sign_in(&world, ACME, "me", &everything()).await;
        let shared: DashboardId = overview(&world).parse().expect("an id");
        let mut tx = world.app.db.write().await.expect("a transaction");
        let conn = &mut tx.conn();
        let schema = schema(conn).await;
        let [original, legacy] = [shared.0, Uuid::now_v7()].map(|id| id_in_sql(conn, id));
        for placed in store::charts_on(conn, shared).await.expect("charts").into_iter().skip(1) {
            store::unplace(conn, shared, placed.chart.id).await.expect("taken off");
        }
        let filters = r#"[{"key": "m", "label": "M", "column": "a.b.c", "control": "text"}]"#;
        let others = "position = 9, version = 7, created_at = 11, updated_at = 12";
        run(conn, format!("UPDATE dashboards SET legacy_id = {legacy}, filters = '{filters}', {others} WHERE id = {original}")).await;
        let places = "tile_name = 'Tile', x = 1, y = 2, w = 3, h = 4";
        run(conn, format!("UPDATE dashboard_charts SET {places} WHERE dashboard_id = {original}")).await;
        tx.commit().await.expect("committed");

        let copy = id(&clone(&world, &me, &shared.to_string(), json!({"name": "Mine"})).await["dashboardId"]);
        let mut lease = world.app.db.read().await.expect("a connection");
        let conn = &mut lease.conn();
        let copy = id_in_sql(conn, copy.parse().expect("an id"));
        let from = texts(conn, &schema, "dashboards", &format!("id = {original}")).await;
        let to = texts(conn, &schema, "dashboards", &format!("id = {copy}")).await;
        assert_eq!(differing(&from, &to), OF_THE_CLONE);
        let from = texts(conn, &schema, "dashboard_charts", &format!("dashboard_id = {original}")).await;
        let to = texts(conn, &schema, "dashboard_charts", &format!("dashboard_id = {copy}")).await;
        assert_eq!(differing(&from, &to), ["chart_id", "dashboard_id", "tile_name"]);
    }
}
