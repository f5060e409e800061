//! Hidden columns: not in any result, not usable in any condition, however a query refers to them.

use crate::databases::{Database, SCHEMA, query, rule, table, viewer};
use inlay_query::{Catalog, Limits, RowAccess};
use serde_json::json;

/// `margin` contains 901 to 910 and is hidden. No other data looks like that.
fn is_secret(text: &str) -> bool {
    (901..=910).any(|secret| text.contains(&secret.to_string()))
}

#[tokio::test]
async fn no_way_to_name_a_hidden_column_leads_to_it() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        for sql in [
            "select * from orders",
            "select o.* from orders o",
            "select orders.* from orders",
            "select * from orders a join orders b on a.id = b.id",
            "select a.*, b.* from orders a cross join orders b",
            "select * from orders a join orders b using (id)",
            "select * from orders a natural join orders b",
            "select * from orders natural left join rates",
            "select b.* from rates a left join orders b on true",
            "select * from (select * from orders) o",
            "select x.* from (select o.* from orders o) x",
            "with c as (select * from orders) select * from c",
            "with c as (select * from orders), d as (select * from c) select d.* from d",
            "select * from orders union all select * from orders",
            "select * from orders where exists (select * from orders b where b.id = orders.id)",
            "select max(id), min(region) from (select * from orders) o",
            "select count(*) over (), o.* from orders o",
            "select margin from orders",
            "select o.margin from orders o",
            "select MARGIN from orders",
            "select \"margin\" from orders",
            "select id from orders order by margin",
            "select id from orders where margin > 0",
            "select count(margin) from orders",
            "select max(margin) from orders group by region",
            "select id from orders group by id, margin",
            "select region from orders group by region having max(margin) > 1",
            "select sum(margin) over () from orders",
            "select lag(id) over (order by margin) from orders",
            "select a.margin from orders a join orders b using (margin)",
            "select * from orders a join orders b using (margin)",
            "select (select o.margin from rates limit 1) from orders o",
            "select (select max(margin) from orders)",
            "select case when margin > 0 then 1 end from orders",
            "select coalesce(null, margin) from orders",
            "select id from orders where margin in (select id from rates)",
            "select id from rates where id in (select margin from orders)",
            "with c (a, b, c, d, e, margin) as (select * from orders) select margin from c",
            "select margin from (select * from orders) o",
            "select unlisted.* from rates",
            "select inlay_row.margin from orders",
            "select * from orders where inlay_row.margin > 0",
            "select inlay_row.margin from rates as inlay_row where exists (select 1 from orders)",
        ] {
            let text = match database.ask(&viewer("acme"), &query(sql)).await {
                Ok(answer) => format!("{} {}", json!(answer.columns), json!(answer.rows)),
                Err(problem) => problem.to_string(),
            };
            assert!(!is_secret(&text), "{} {sql}: {text}", database.source.kind);
        }
    })
    .await;
}

#[tokio::test]
async fn whole_rows_hold_visible_columns_alone() {
    let database = Database::postgres(SCHEMA, Limits::default()).await;
    for sql in [
        "select o from orders o where id = 1",
        "select orders from orders",
        "select row_to_json(o) from orders o",
        "select to_json(o), to_jsonb(o) from orders o",
        "select json_agg(o), jsonb_agg(o), array_agg(o) from orders o",
        "select json_build_object('o', o) from orders o",
        "select o::text from orders o",
        "select cast(o as text) from orders o",
        "select count(o), count(distinct o) from orders o",
        "select (o).* from orders o",
        "select (o).margin from orders o",
        "select o.margin from orders o",
        "select margin(o) from orders o",
        "select string_agg(o::text, ',') from orders o",
        "select concat(o, ''), concat_ws(',', o) from orders o",
        "select greatest(o, o) from orders o",
        "select x from (select o from orders o) x",
        "select x.o from (select o from orders o) x",
        "select o = o from orders o",
        "select o is null from orders o order by o",
        "select * from orders o where o::text like '%90%'",
        "select * from rates r, lateral (select o from orders o) x",
    ] {
        let text = match database.ask(&viewer("acme"), &query(sql)).await {
            Ok(answer) => json!(answer.rows).to_string(),
            Err(problem) => problem.to_string(),
        };
        assert!(!is_secret(&text), "{sql}: {text}");
        // Nor can a condition read it.
        assert!(!sql.contains("%90%") || text == "[]" || !text.starts_with('['), "{sql}: {text}");
    }
    database.remove().await;
}

#[tokio::test]
async fn a_rule_reads_what_a_query_may_not() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let hidden = &["margin", "company_id"];
        let own = rule("company_id = {{organization.company}} and margin > 902");
        let catalog = Catalog::new(vec![table("orders", own, hidden)]);
        let ask = async |sql: &str| {
            let answer = database.engine.run(&database.source, &catalog, &viewer("acme"), &query(sql)).await;
            answer.map(|answer| json!(answer.rows)).map_err(|problem| problem.code().as_str())
        };
        assert_eq!(ask("select id from orders order by id").await, Ok(json!([[3], [4]])));
        assert_eq!(ask("select o.company_id from orders o").await, Err("QUERY_FAILED"));
    })
    .await;
}

#[tokio::test]
async fn the_case_of_a_hidden_columns_name_is_the_databases_affair() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let kind = database.source.kind;
        for spelled in ["MARGIN", "Margin"] {
            let catalog = Catalog::new(vec![table("orders", RowAccess::All, &[spelled])]);
            let answer = database.engine.run(&database.source, &catalog, &viewer("acme"), &query("select * from orders")).await;
            let shown = json!(answer.expect("an answer").rows).to_string();
            // PostgreSQL distinguishes `Margin` from `margin`: that column is then not hidden, and the project file's check
            // reports it.
            assert_eq!(is_secret(&shown), database.is_postgres(), "{kind} {spelled}");
        }
    })
    .await;
}
