//! The exchange with Apache Ossie, on both stores: out, in, and what an import may never do.

use super::{
    exchange::{Unexchanged, document_of, import},
    export::export,
    tests::edited,
};
use crate::testing::{World, on_both_stores};

async fn file(world: &World) -> super::model::ProjectFile {
    export(&world.app.db, &world.app.sealer, world.organization, "Shop").await.expect("a project")
}

on_both_stores! {
    async fn a_model_that_goes_out_and_comes_in_is_the_same(world) {
        let mut project = file(&world).await;
        let (document, before) = (document_of(&project, None).expect("a document"), project.to_yaml().expect("YAML"));
        assert!(document.contains("mean_order") && document.contains("SUM(orders.amount)"), "{document}");
        assert_eq!(import(&mut project, None, &document), Ok(Vec::new()));
        assert_eq!(project.to_yaml().expect("YAML"), before);
        assert_eq!(document_of(&project, Some("warehouse")).expect("a document"), document);
    }

    async fn what_a_document_says_is_taken_and_the_rest_stays(world) {
        let mut project = file(&world).await;
        let document = document_of(&project, None).expect("a document").replace(r#"label\":\"Revenue\""#, r#"label\":\"Turnover\""#);
        import(&mut project, None, &document).expect("read");
        let told = project.to_yaml().expect("YAML");
        assert!(told.contains("Turnover") && told.contains("company = {{organization.company}}") && told.contains("notes"), "{told}");
        world.apply(&told).await.unwrap_or_else(|problem| panic!("{problem}\n{told}"));
    }

    async fn a_hidden_column_goes_nowhere_and_a_new_table_is_closed(world) {
        let hidden = edited("columns: { name: { label: Currency } }", "columns: { name: { label: Currency }, rate: { hidden: true, label: Secret } }")
            .replace("measures: { mean_rate: { aggregate: average, of: rate } }", "measures: { rate_count: { aggregate: count } }");
        world.apply(&hidden).await.unwrap_or_else(|problem| panic!("{problem}"));
        let mut project = file(&world).await;
        let document = document_of(&project, None).expect("a document");
        assert!(!document.contains("Secret") && document.contains("rate_count"), "{document}");

        let foreign = "version: 0.2.0.dev0\nsemantic_model:\n  - name: other\n    datasets:\n      - name: rates\n        source: rates\n        fields:\n          - name: rate\n            expression: { dialects: [{ dialect: ANSI_SQL, expression: rate }] }\n      - name: visits\n        source: visits\n        primary_key: [id]\n        fields:\n          - name: id\n            expression: { dialects: [{ dialect: ANSI_SQL, expression: id }] }\n";
        let notes = import(&mut project, None, foreign).expect("read");
        let told: Vec<String> = notes.iter().map(ToString::to_string).collect();
        assert!(told.iter().any(|note| note.contains("tables.rates.columns.rate") && note.contains("stays hidden")), "{told:?}");
        assert!(told.iter().any(|note| note.contains("tables.visits") && note.contains("nobody may read its rows")), "{told:?}");
        let visits = project.tables.iter().find(|table| table.table.value == "visits").expect("the table");
        assert!(visits.row_rule.is_none() && visits.rows.is_none() && visits.key == ["id"]);
        let rates = project.tables.iter().find(|table| table.table.value == "rates").expect("the table");
        assert!(rates.columns["rate"].hidden);
    }

    async fn what_cannot_be_exchanged_says_why(world) {
        let mut project = file(&world).await;
        let unknown = document_of(&project, Some("lake")).expect_err("refused");
        assert_eq!(unknown.to_string(), "the project has no connection `lake`; its connections are warehouse");
        let unread = import(&mut project, None, "datasets: []").expect_err("refused");
        assert!(matches!(&unread, Unexchanged::Unreadable(why) if !why.is_empty()), "{unread}");
        for table in &mut project.tables {
            (table.key, table.time) = (Vec::new(), None);
            table.measures.clear();
            table.dimensions.clear();
        }
        assert!(matches!(document_of(&project, None), Err(Unexchanged::NoModel(_))));
        project.connections.push(file(&world).await.connections.remove(0));
        project.connections[1].name.value = "lake".to_owned();
        assert_eq!(document_of(&project, None), Err(Unexchanged::SeveralConnections("warehouse, lake".to_owned())));
    }
}
