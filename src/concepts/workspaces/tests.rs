//! Versions of workspaces, on both stores.

use super::{Version, store, versions};
use crate::{
    ground::error::Code,
    testing::{World, on_both_stores},
};
use inlay_assistant::WrittenQuery;
use inlay_contract::ids::WorkspaceId;

/// The project file with another workspace section.
fn file(section: &str) -> String {
    let old = r#"  - { name: Ask, connection: warehouse, publish: true, exampleQuestions: ["How many orders?"] }"#;
    assert!(World::project_file().contains(old));
    World::project_file().replace(old, section)
}

const FULL: &str = r#"  - name: Ask
    connection: warehouse
    publish: PUBLISH
    exampleQuestions: ["How many orders?"]
    instructions: Speak of revenue in euros.
    tables: [orders]
    placeholders: { inputPlaceholder: Ask away, assistantName: Ada }
    examples: [{ question: "Revenue?", sql: "select sum(amount) from orders" }, { question: "By place?", query: { measures: [revenue], dimensions: [{ name: orders.place }] } }]"#;

const BY_PLACE: &str = "{ measures: [revenue], dimensions: [{ name: orders.place }] }";

async fn all(world: &World, id: WorkspaceId) -> (Vec<Version>, Option<i64>) {
    let mut lease = world.app.db.read().await.expect("a connection");
    let conn = &mut lease.conn();
    let production = store::production(conn, id).await.expect("read").map(|version| version.number);
    (store::list_versions(conn, id).await.expect("read"), production)
}

on_both_stores! {
    async fn the_project_file_makes_versions_and_repeats_none(world) {
        let id = world.applied.workspaces["Ask"];
        assert_eq!(all(&world, id).await.1, Some(1));
        let draft = file(&FULL.replace("PUBLISH", "false"));
        world.apply(&draft).await.expect("applied");
        world.apply(&draft).await.expect("applied");
        let (versions, production) = all(&world, id).await;
        assert_eq!((versions.len(), production, versions[1].published), (2, None, false));
        let settings = &versions[1].settings;
        assert_eq!(settings.tables.as_deref(), Some(&["orders".to_owned()][..]));
        assert_eq!(settings.placeholders.assistant_name.as_deref(), Some("Ada"));
        let examples: Vec<_> = settings.examples.iter().map(|example| (&*example.question, &example.query)).collect();
        let [("Revenue?", WrittenQuery::Sql(_)), ("By place?", WrittenQuery::Model(query))] = &examples[..] else {
            panic!("{examples:?}")
        };
        assert_eq!((&*query.measures, settings.instructions.is_some()), (&["revenue".to_owned()][..], true));
        world.apply(&file(&FULL.replace("PUBLISH", "true"))).await.expect("applied");
        let (versions, production) = all(&world, id).await;
        assert_eq!((versions.len(), production, versions[1].published), (2, Some(2), true));
    }

    async fn an_export_says_the_same(world) {
        let text = file(&FULL.replace("PUBLISH", "true")).replace(
            "rowRule: \"company = {{organization.company}}\"",
            "description: What was bought, synonyms: [sales, purchases], columns: { amount: { synonyms: [revenue] } }, \
             rowRule: \"company = {{organization.company}}\"",
        );
        world.apply(&text).await.expect("applied");
        let app = &world.app;
        let exported = crate::flows::project_file::export::export(&app.db, &app.sealer, world.organization, "Shop").await;
        let text = exported.expect("exported").to_yaml().expect("YAML");
        world.apply(&text).await.expect("what was exported applies");
        let (versions, production) = all(&world, world.applied.workspaces["Ask"]).await;
        assert_eq!((versions.len(), production), (2, Some(2)), "nothing changed: {text}");
        for told in ["sales", "revenue", "What was bought", "Ask away", "Speak of revenue"] {
            assert!(text.contains(told), "{told}: {text}");
        }
    }

    async fn an_example_that_no_query_answers_is_told(world) {
        let full = FULL.replace("PUBLISH", "true");
        for (query, wanted) in [
            ("{ measures: [profit] }", "workspaces[0].examples[1].query.measures[0]: there is no measure `profit`"),
            ("{ measure: [revenue] }", "workspaces[0].examples[1].query.measure: `measure` is not a field here"),
            ("{ measures: [revenue] }, sql: select 1", "an example has either `sql` or `query`"),
        ] {
            let told = world.apply(&file(&full.replace(BY_PLACE, query))).await.expect_err("refused").to_string();
            assert!(told.contains(wanted), "{wanted}: {told}");
        }
    }

    async fn a_table_that_is_not_listed_is_told(world) {
        let bad = file(&FULL.replace("PUBLISH", "true").replace("[orders]", "[orders, secrets]"));
        let told = world.apply(&bad).await.expect_err("refused").to_string();
        assert!(told.contains("workspaces[0].tables[1]") && told.contains("secrets"), "{told}");
    }

    async fn drafts_are_published_promoted_and_rolled_back(world) {
        let id = world.applied.workspaces["Ask"];
        world.apply(&file(&FULL.replace("PUBLISH", "false"))).await.expect("applied");
        let mut tx = world.app.db.write().await.expect("a transaction");
        let conn = &mut tx.conn();
        assert_eq!(versions::promote(conn, id, Some(2)).await.expect_err("a draft").code, Code::VersionNotPublished);
        assert_eq!(versions::promote(conn, id, Some(9)).await.expect_err("none").code, Code::NotFound);
        assert_eq!(versions::promote(conn, id, None).await.expect("promoted"), 1, "the newest that is published");
        assert_eq!(versions::roll_back(conn, id).await.expect_err("the first").code, Code::NoEarlierVersion);
        assert_eq!(versions::publish(conn, id, None).await.expect("published"), 2);
        assert_eq!(versions::promote(conn, id, None).await.expect("promoted"), 2);
        assert_eq!(versions::roll_back(conn, id).await.expect("rolled back"), 1);
        assert_eq!(store::production(conn, id).await.expect("read").map(|version| version.number), Some(1));
    }
}
