//! `Test as…`, and the warnings about a connection's role.

use crate::databases::{Database, SCHEMA, catalog, rule, table, viewer};
use inlay_query::{Catalog, DatabaseAuth, Limits, RowAccess, Source};
use serde_json::json;

#[tokio::test]
async fn an_operator_sees_what_a_rule_does_for_somebody() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let Database { engine, source, .. } = database;
        let test = async |company: &str, table: &str| engine.test_as(source, &catalog(), &viewer(company), table, 2).await;
        let acme = test("acme", "orders").await.expect("a trial");
        assert_eq!((acme.rule.as_deref(), acme.count), (Some("company_id = 'acme'"), 4));
        assert_eq!(acme.rows.rows.len(), 2);
        assert!(acme.rows.rows.iter().all(|row| row[1] == json!("acme")), "{:?}", acme.rows.rows);
        assert!(acme.rows.columns.iter().all(|column| column.name != "margin"), "a hidden column stays hidden");
        assert_eq!(test("nobody", "orders").await.expect("a trial").count, 0);
        let open = test("acme", "rates").await.expect("a trial");
        assert_eq!((open.rule, open.count), (None, 2));
        database.execute("delete from orders where id = 1").await;
        assert_eq!(test("acme", "orders").await.expect("a trial").count, 3, "asked of the source, not of the cache");
        assert_eq!(test("acme", "unlisted").await.map_err(|problem| problem.code().as_str()), Err("QUERY_FAILED"));
        assert_eq!(test("acme", "notes").await.map_err(|problem| problem.code().as_str()), Err("ROW_RULE_UNRESOLVED"));
        let lacking = Catalog::new(vec![table("orders", rule("region in ({{user.regions}})"), &[])]);
        let problem = engine.test_as(source, &lacking, &viewer("acme"), "orders", 2).await.expect_err("it lacks a property");
        assert!(problem.detail().contains("user.regions"), "{}", problem.detail());
    })
    .await;
}

const ROLES: &str = "
    create table ledger (id int, tenant text);
    insert into ledger values (1, 'acme'), (2, 'globex'), (3, 'acme');
    create table open_ledger (id int);
    create view overview as select * from ledger;
    alter table ledger enable row level security;
    create policy own on ledger using (tenant = current_setting('app.tenant_id'));
    do $$ begin
        if not exists (select from pg_roles where rolname = 'inlay_clerk') then create role inlay_clerk login password 'clerk'; end if;
    exception when unique_violation or duplicate_object then null; end $$;
    grant select on all tables in schema public to inlay_clerk;
    grant update on open_ledger to inlay_clerk;";

#[tokio::test]
async fn an_operator_is_told_what_a_role_may_do_too_much() {
    let database = Database::postgres(ROLES, Limits::default()).await;
    let mut url: url::Url = database.source.url.parse().expect("an address");
    url.set_username("inlay_clerk").and_then(|()| url.set_password(Some("clerk"))).expect("a user");
    let clerk = Source { url: url.to_string(), ..database.source.clone() };
    let names = ["ledger", "open_ledger", "overview", "missing"];
    let catalog = Catalog::new(names.map(|name| table(name, RowAccess::All, &[])).to_vec());
    let told = async |source: &Source| {
        let told = database.engine.audit(source, &catalog).await.expect("warnings");
        told.into_iter().map(|warning| (warning.table.unwrap_or_default(), warning.message)).collect::<Vec<_>>()
    };
    let superuser = told(&database.source).await;
    assert!(superuser.len() == 1 && superuser[0].1.contains("superuser"), "{superuser:?}");
    let plain = told(&clerk).await;
    assert!(plain.len() == 1 && plain[0].0 == "open_ledger" && plain[0].1.contains("SELECT"), "{plain:?}");
    let property = "organization.company".parse().expect("a property");
    let auth = DatabaseAuth::Equals { setting: "app.tenant_id".into(), property };
    let relying = Source { database_auth: Some(auth), ..clerk };
    let relying_told = told(&relying).await;
    let of = |table: &str, word: &str| relying_told.iter().any(|(named, message)| named == table && message.contains(word));
    assert!(of("open_ledger", "no row security") && of("overview", "security_invoker"), "{relying_told:?}");
    // `Test as…` passes the same token as a host would.
    let trial = database.engine.test_as(&relying, &catalog, &viewer("acme"), "ledger", 10).await.expect("a trial");
    assert_eq!((trial.count, json!(trial.rows.rows)), (2, json!([[1, "acme"], [3, "acme"]])));
    database.execute("alter table ledger owner to inlay_clerk").await;
    assert!(told(&relying).await.iter().any(|(named, message)| named == "ledger" && message.contains("owns")));
    database.remove().await;
    let file = Database::sqlite(SCHEMA, Limits::default()).await;
    assert_eq!(file.engine.audit(&file.source, &catalog).await.expect("warnings"), []);
    file.remove().await;
}
