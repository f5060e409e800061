//! The cache of prepared charts, on both stores: a cached chart parses nothing, and every change of its inputs invalidates it.

use crate::testing::{ACME, GLOBEX, Parses, World, on_both_stores};
use serde_json::{Value, json};

/// The ids that a chart shows for a token, and how many SQL texts that parsed.
async fn ask(world: &World, parses: &Parses, token: &str, body: &Value) -> (Vec<i64>, u64) {
    let before = parses.count();
    let data = world.post(&world.chart_path("Orders"), token, body).await.data();
    let ids = data["rows"].as_array().expect("rows").iter().map(|row| row[0].as_i64().expect("an id"));
    (ids.collect(), parses.count() - before)
}

on_both_stores! {
    async fn a_warm_chart_parses_nothing(world) {
        let parses = Parses::counted();
        let token = world.token(ACME).await;
        let (first, cold) = ask(&world, &parses, &token, &json!({})).await;
        assert!(first == [1, 2, 3] && cold > 0, "{first:?} {cold}");
        for body in [json!({}), json!({ "refresh": true }), json!({ "filters": { "filter_unknown": "x" } })] {
            let (again, warm) = ask(&world, &parses, &token, &body).await;
            assert_eq!((again.len(), warm), (3, 0), "{body}");
        }
        let page = format!("/share/application/{}?jwt={token}", world.applied.applications["Orders"].id);
        let opened = async || {
            let before = parses.count();
            assert_eq!(world.get(&page, "").await.status.as_u16(), 200);
            parses.count() - before
        };
        assert!(opened().await > 0);
        // `Notes` is a table without a rule, which is refused before anything is rewritten.
        assert_eq!(opened().await, 0);
    }

    async fn whatever_a_chart_depends_on_makes_it_cold(world) {
        let parses = Parses::counted();
        let (acme, globex) = (world.token(ACME).await, world.token(GLOBEX).await);
        let plain = json!({});
        assert_eq!(ask(&world, &parses, &acme, &plain).await.0, [1, 2, 3]);
        assert_eq!(ask(&world, &parses, &acme, &plain).await, (vec![1, 2, 3], 0));
        // Another viewer, another filter, another day.
        let (theirs, parsed) = ask(&world, &parses, &globex, &plain).await;
        assert!(theirs == [11, 12] && parsed > 0, "{theirs:?} {parsed}");
        for (body, expected) in [
            (json!({ "filters": { "filter_region": "north" } }), vec![1]),
            (json!({ "filters": { "filter_region": "south" } }), vec![2]),
            (json!({ "timezone": "Pacific/Kiritimati" }), vec![1, 2, 3]),
        ] {
            let (ids, parsed) = ask(&world, &parses, &acme, &body).await;
            assert!(ids == expected && parsed > 0, "{body}: {ids:?} {parsed}");
            assert_eq!(ask(&world, &parses, &acme, &body).await, (expected, 0), "{body}");
        }
        // A property, which is read from the store each time.
        let mut body = world.sign_in_body(ACME, "viewer");
        body["organization"]["properties"] = json!({ "company": GLOBEX });
        world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
        assert_eq!(ask(&world, &parses, &acme, &plain).await.0, [11, 12]);
        body["organization"]["properties"] = json!({ "company": ACME });
        world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
        assert_eq!(ask(&world, &parses, &acme, &plain).await, (vec![1, 2, 3], 0));
    }

    async fn a_changed_rule_chart_or_table_counts_at_once(world) {
        let parses = Parses::counted();
        let token = world.token(ACME).await;
        let plain = json!({});
        assert_eq!(ask(&world, &parses, &token, &plain).await.0, [1, 2, 3]);
        let file = World::project_file();
        let rule = "company = {{organization.company}}";
        let narrower = file.replace(rule, &format!("{rule} and id < 3"));
        world.apply(&narrower).await.expect("applied");
        let (ids, parsed) = ask(&world, &parses, &token, &plain).await;
        assert!(ids == [1, 2] && parsed > 0, "{ids:?} {parsed}");
        assert_eq!(ask(&world, &parses, &token, &plain).await, (vec![1, 2], 0));
        let closed = file.replace(&format!(", rowRule: \"{rule}\""), "");
        world.apply(&closed).await.expect("applied");
        world.post(&world.chart_path("Orders"), &token, &plain).await.refused(422, "ROW_RULE_UNRESOLVED");
        world.apply(file).await.expect("applied");
        assert_eq!(ask(&world, &parses, &token, &plain).await.0, [1, 2, 3]);
        let turned = file.replace("select id, region, amount, day from orders order by id", "select id from orders order by id desc");
        world.apply(&turned).await.expect("applied");
        let (ids, parsed) = ask(&world, &parses, &token, &plain).await;
        assert!(ids == [3, 2, 1] && parsed > 0, "{ids:?} {parsed}");
    }
}
