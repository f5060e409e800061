//! `Test as…` for users of the store.

use super::table_trial::test_as;
use crate::{
    concepts::{access::security_context_of, connections},
    ground::error::Code,
    testing::{ACME, GLOBEX, on_both_stores},
};
use inlay_contract::ids::ProjectUserId;
use inlay_query::SecurityContext;
use serde_json::json;
use std::collections::BTreeSet;

on_both_stores! {
    async fn a_rule_is_tried_for_a_chosen_user(world) {
        let connection = connections::open(&world.app, world.applied.connections["warehouse"]).await.expect("the connection");
        let table = connection.tables.iter().find(|table| table.name == "orders").expect("listed");
        for (company, rows) in [(ACME, json!([[1], [2]])), (GLOBEX, json!([[11], [12]]))] {
            let user = world.sign_in_as(company, "viewer", None).await["projectUserId"].as_str().expect("an id").parse().expect("an id");
            let trial = test_as(&world.app, &connection, table, user, 2).await.expect("a trial");
            assert_eq!(trial.rule, Some(format!("company = '{company}'")));
            let ids: Vec<_> = trial.rows.rows.iter().map(|row| [row[0].clone()]).collect();
            assert_eq!((json!(ids), trial.count), (rows, if company == ACME { 3 } else { 2 }));
        }
        let stranger = ProjectUserId::generate();
        assert_eq!(test_as(&world.app, &connection, table, stranger, 2).await.expect_err("nobody").code, Code::NotFound);
    }

    async fn who_looks_as_a_user_takes_a_share_of_that_user(world) {
        let mut shares = Vec::new();
        for (company, email) in [(ACME, "one"), (ACME, "other"), (GLOBEX, "one")] {
            let signed_in = world.sign_in_as(company, email, None).await;
            let user: ProjectUserId = serde_json::from_value(signed_in["projectUserId"].clone()).expect("an id");
            let seen = security_context_of(&world.app, world.applied.project_id, user).await.expect("read").expect("the user");
            shares.push(seen.share);
        }
        assert_ne!(shares[0], SecurityContext::default().share, "everybody would wait in one line");
        assert_eq!(shares.iter().collect::<BTreeSet<_>>().len(), 3, "{shares:?}");
    }
}
