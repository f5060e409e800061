//! What has a meaning: the SQL that is written, on every kind of database, and what is said of it.

use super::asking::{also, ask, compared, compiled, days, filtered, made, model, model_of, newest, refused};
use crate::databases::{rule, table};
use inlay_query::{Catalog, ModelTable, RowAccess, SourceKind, reading, shape};
use serde_json::{Value, json};

/// Queries of each form, and what they read: the tables that each SELECT joins.
fn forms() -> Vec<(Value, &'static [&'static str])> {
    let half = days("2024-01-01", "2024-07-01");
    let rich = json!({"totals": true, "limit": 5, "sort": [{"by": "revenue", "descending": true}],
        "filters": [{"dimension": "regions.name", "value": ["north", "o'clock"], "not": true},
            {"dimension": "time", "value": {"relative": "last_3_months"}}, {"dimension": "customers.id", "value": {"from": 2}}],
        "having": [{"measure": "orders", "comparison": ">=", "than": 2.5}, {"measure": "net", "comparison": "<>", "than": -1}]});
    let filters = json!([{"dimension": "orders.status", "value": []}, {"dimension": "orders.amount", "value": {"from": 1, "to": 9.5}},
        {"dimension": "time", "value": {"to": "2024-05-01"}, "not": true}, {"dimension": "orders.size", "value": true}]);
    let rich = also("return_rate, net, revenue, orders by customers.segment, regions.name as region", rich);
    let windows = "so_far, this_year, this_month, smooth by time grain day, orders.status";
    let cycles = json!({"sort": [{"by": "placed_weekday", "descending": true}], "filters": [
        {"dimension": "time", "cycle": "weekday", "value": ["Sat", "Sun"], "not": true}, {"dimension": "time", "cycle": "hour", "value": {"from": 8, "to": 18}}]});
    let wholes = json!({"totals": true, "having": [{"measure": "part", "comparison": ">", "than": 0.1}], "metrics": {
        "part": {"share": {"of": "revenue", "within": "name"}}, "share_of_rate": {"formula": "part * 100"}, "whole": {"total": {"of": "return_rate"}}}});
    let fortnight = days("2024-03-04", "2024-03-18");
    vec![
        (rich, &["returns customers regions", "orders customers regions"]),
        (also("orders", json!({"filters": filters})), &["orders"]),
        // A median and a percentile are each gathered alone.
        (ask("middle, slow, revenue, mean, paid by orders.size"), &["orders", "orders", "orders"]),
        (ask("closing by customers.segment via manager_id, customers.id via customer_id"), &["balances customers customers"]),
        (compared(windows, half.clone(), "previous"), &["orders", "orders"]),
        (compared("revenue by time grain month", half.clone(), "previous"), &["orders", "orders"]),
        (compared("revenue, refunds by time grain quarter", half.clone(), "year"), &["orders", "returns", "orders", "returns"]),
        (compared("revenue by time grain week", fortnight, "previous"), &["orders", "orders"]),
        (compared("revenue by time grain day", half, "year"), &["orders", "orders"]),
        (ask("by customers.segment, regions.name"), &["customers regions"]),
        // Tables that refer to themselves, and to each other.
        (ask("heads by people.name via team_id.lead_id"), &["people teams people"]),
        (ask("teams by people.name"), &["teams people"]),
        (also("orders by time cycle hour, orders.placed cycle weekday, time cycle partOfWeek as part", cycles), &["orders"]),
        (
            also("part, share_of_rate, whole, return_rate by regions.name, time grain year", wholes),
            &["orders customers regions", "returns customers regions"],
        ),
        (
            newest("revenue by time grain week", "last_2_weeks", "previous"),
            &["orders", "orders", "orders", "orders", "orders", "orders"],
        ),
        (
            newest("revenue by time grain month", "previous_quarter", "year"),
            &["orders", "orders", "orders", "orders", "orders", "orders"],
        ),
        (newest("closing", "last_1_months", ""), &["balances", "balances", "balances"]),
    ]
}

#[test]
fn every_form_passes_the_checks_of_every_database() {
    let catalog = catalog();
    for kind in SourceKind::ALL {
        for (query, reads) in forms() {
            let made = compiled(kind, &query);
            for sql in [Some(made.sql), made.totals].into_iter().flatten() {
                let found =
                    reading(kind, &sql, &catalog).unwrap_or_else(|problem| panic!("{kind}: {}: {sql}", problem.detail()));
                assert!(found.tables.iter().all(|table| reads.concat().contains(table)), "{kind}: {sql}");
            }
        }
    }
}

pub(super) fn catalog() -> Catalog {
    let tables = model().tables.into_keys().map(|name| {
        let rows = if name == "orders" { rule("company_id = {{organization.company}}") } else { RowAccess::All };
        table(&name, rows, &[])
    });
    Catalog::new(tables.collect())
}

/// What one SELECT over one table can say of an answer has a shape, so that marks lead to their rows.
#[test]
fn the_rows_behind_an_answer_are_those_of_its_table() {
    let catalog = catalog();
    for kind in SourceKind::ALL {
        for (query, table, groups, says) in [
            ("orders", "orders", 0, "count(*)"),
            ("revenue, orders by customers.segment, time grain month", "orders", 2, "sum("),
            ("middle, slow, revenue by orders.size", "orders", 1, "sum("),
            ("so_far, orders by time grain day", "orders", 1, "count("),
            ("by customers.segment, customers.id", "customers", 2, ""),
        ] {
            let sql = compiled(kind, &ask(query)).behind.unwrap_or_else(|| panic!("{kind}: {query}"));
            let found = shape(kind, &sql, &catalog).unwrap_or_else(|problem| panic!("{kind}: {}: {sql}", problem.detail()));
            let found = found.unwrap_or_else(|| panic!("{kind}: no shape: {sql}"));
            assert_eq!((found.table(), found.groups.len()), (Some(table), groups), "{kind}: {sql}");
            assert!(sql.to_lowercase().contains(says), "{kind}: {sql}");
        }
        for query in ["revenue, refunds by regions.name", "closing"] {
            assert_eq!(compiled(kind, &ask(query)).behind, None, "{kind}: {query}");
        }
    }
}

#[test]
fn each_fact_is_gathered_alone() {
    for (query, expected) in forms() {
        let sql = compiled(SourceKind::Sqlite, &query).sql;
        // A table begins with a quote, gathered rows with a parenthesis. The latter are never joined.
        assert_eq!(sql.matches("JOIN").count(), sql.matches("LEFT JOIN \"").count(), "{sql}");
        let tables = sql.split("FROM \"").skip(1).map(|from| {
            let from = from.split(')').next().and_then(|from| from.split(" WHERE ").next()).unwrap_or_default();
            from.split(" LEFT JOIN \"").filter_map(|table| table.split('"').next()).collect::<Vec<_>>().join(" ")
        });
        assert_eq!(tables.collect::<Vec<_>>(), expected, "{sql}");
        assert_eq!(sql.matches("AS \"t\"").count(), expected.len(), "{sql}");
    }
}

#[test]
fn a_row_that_is_not_there_has_no_value() {
    let kinds =
        json!({"key": "sku", "dimensions": {"kind": {"sql": "coalesce(category, 'other')"}, "plain": {"sql": "category"}}});
    let orders = json!({"key": "id", "measures": {"orders": {"aggregate": "count"}}});
    let tables = [("products", "sku category", kinds), ("orders", "id product_id>products.sku", orders)];
    let model = model_of(tables, json!({}));
    let sql = |text: &str| made(SourceKind::Sqlite, &model, &ask(text)).expect("compiled").sql;
    let joined = sql("orders by products.kind");
    assert!(joined.contains("CASE WHEN \"j0\".\"sku\" IS NOT NULL THEN coalesce(\"j0\".category, 'other') END"), "{joined}");
    let plain = sql("orders by products.plain");
    assert!(plain.contains("\"j0\".category") && !plain.contains("CASE"), "a column is null by itself: {plain}");
    let own = sql("by products.kind");
    assert!(!own.contains("CASE"), "{own}");
}

#[test]
fn an_earlier_period_is_as_long() {
    for (groups, value, compare, from, to) in [
        ("by time grain month", days("2024-03-01", "2024-05-01"), "previous", "2024-01-01", "2024-03-01"),
        ("", days("2024-03-01", "2024-05-01"), "previous", "2024-01-01", "2024-03-01"),
        ("", days("2024-03-01", "2024-03-31"), "previous", "2024-01-31", "2024-03-01"),
        ("by time grain week", days("2024-02-05", "2024-02-19"), "previous", "2024-01-22", "2024-02-05"),
        ("by time grain week", days("2024-02-05", "2024-02-19"), "year", "2023-02-06", "2023-02-20"),
        ("by time grain month", days("2024-02-05", "2024-02-19"), "year", "2023-02-05", "2023-02-19"),
        ("by time grain day", json!({"relative": "last_7_days"}), "previous", "2025-01-29", "2025-02-05"),
        ("by time grain quarter", json!({"relative": "this_quarter"}), "previous", "2024-10-01", "2025-01-01"),
        // Around a day that the other year lacks.
        ("", days("2024-02-01", "2024-02-29"), "year", "2023-02-01", "2023-03-01"),
        ("", days("2024-02-29", "2024-03-10"), "year", "2023-03-01", "2023-03-10"),
        ("", days("2025-02-01", "2025-03-01"), "year", "2024-02-01", "2024-03-01"),
    ] {
        let query = compared(&format!("revenue {groups}"), value, compare);
        let sql = compiled(SourceKind::Sqlite, &query).sql;
        let range = format!("(\"t\".\"placed\" >= ('{from}')) AND (\"t\".\"placed\" < ('{to}'))");
        assert!(sql.contains(&range), "{query}: {range}\n{sql}");
    }
}

#[test]
fn the_answer_says_what_was_worked_out() {
    let more = json!({"compare": "year", "having": [{"measure": "revenue", "comparison": ">", "than": 2.5}],
        "filters": [{"dimension": "orders.status", "value": ["open", "paid"]}, {"dimension": "customers.segment", "value": "trade", "not": true},
            {"dimension": "time", "value": {"relative": "previous_quarter"}}]});
    let made = compiled(SourceKind::Sqlite, &also("revenue, orders by orders.size, time grain month", more));
    assert_eq!(
        made.sentence,
        "Revenue and orders by Size and placed (month), where status is one of open and paid, segment is not trade \
         and placed is from 2024-10-01 up to 2025-01-01, kept where Revenue is over 2.5, beside the year before."
    );
    let columns: Vec<String> = made.columns.iter().map(|column| format!("{}: {}", column.name, column.label)).collect();
    let expected = "size: Size; time_month: placed (month); revenue: Revenue; orders: orders; \
        revenue_previous: Revenue, period before; orders_previous: orders, period before";
    assert_eq!(columns.join("; "), expected);
    assert_eq!(compiled(SourceKind::Sqlite, &ask("by regions.name")).sentence, "The different values of name.");
}

#[test]
fn a_dimension_by_two_ways_is_told_apart() {
    let labels = |text: &str| {
        let made = compiled(SourceKind::Sqlite, &ask(text));
        made.columns.into_iter().map(|column| column.label).collect::<Vec<_>>()
    };
    let both = "closing by customers.segment via customer_id, customers.segment via manager_id as managers";
    assert_eq!(labels(both), ["segment (customer_id)", "segment (manager_id)", "closing"]);
    assert_eq!(labels("closing by customers.segment via customer_id"), ["segment", "closing"]);
}

#[test]
fn totals_are_of_the_same_periods_as_the_rows() {
    let query = compared("revenue by time grain week", days("2024-02-05", "2024-02-19"), "year");
    let query = also("revenue by time grain week", json!({"filters": query["filters"], "compare": "year", "totals": true}));
    let made = compiled(SourceKind::Sqlite, &query);
    let earlier = "(\"t\".\"placed\" >= ('2023-02-06')) AND (\"t\".\"placed\" < ('2023-02-20'))";
    assert!(made.sql.contains(earlier) && made.totals.expect("totals").contains(earlier));
}

#[test]
fn a_text_is_read_back_as_it_was_given() {
    let catalog = Catalog::new(vec![table("orders", rule("amount = {{user.amount}}"), &[])]);
    let texts = [
        "'",
        "''",
        "\\'",
        "\\\\''",
        "a' or 'a' = 'a",
        "\\' or 1 = 1 or 'a' = 'a",
        "'; drop table orders --",
        "--",
        "/*",
        "$1",
        "?",
        "%",
        "é",
    ];
    for (kind, text) in SourceKind::ALL.into_iter().flat_map(|kind| texts.map(|text| (kind, text))) {
        match made(kind, &model(), &filtered("orders.status", json!(text))) {
            Ok(made) => {
                let written = format!("('{}')", text.replace('\'', "''"));
                assert!(
                    made.sql.contains(&format!("\"status\" = {written})"))
                        || made.sql.contains(&format!("`status` = {written})")),
                    "{kind}: {}",
                    made.sql
                );
                assert!(
                    reading(kind, &made.sql, &catalog).is_ok(),
                    "{kind}: {}: {:?}",
                    made.sql,
                    reading(kind, &made.sql, &catalog)
                );
            }
            // The printer of syntax trees would change them.
            Err(problem) => {
                let unusual = text.contains('\\') || text.contains("''");
                assert!(unusual && problem.at == "filters[0].value", "{kind}: {text}: {problem}");
            }
        }
    }
}

#[test]
fn whatever_is_declared_is_compiled_in_bounded_time() {
    // Each metric doubles the one before.
    let doubled = |at: usize| {
        let before = if at == 0 { "n".to_owned() } else { format!("m{}", at - 1) };
        (format!("m{at}"), json!({"formula": format!("{before} + {before}")}))
    };
    let metrics: Value = (0..19).map(doubled).collect();
    let one = model_of([("t", "id", json!({"key": "id", "measures": {"n": {"aggregate": "count"}}}))], metrics);
    refused(&one, [(ask("m18"), "measures[0]", &["more than 2000 parts"])]);
    assert!(made(SourceKind::Sqlite, &one, &ask("m5")).is_ok());
    // All tables refer to all others.
    let names: Vec<String> = (0..14).map(|at| format!("t{at}")).collect();
    let mut dense = model_of([("t0", "id", json!({"key": "id", "measures": {"n": {"aggregate": "count"}}}))], json!({}));
    for name in &names {
        let columns = names.iter().filter(|other| *other != name).map(|other| format!("{other}_id>{other}.id"));
        let columns = format!("id {}", columns.collect::<Vec<_>>().join(" "));
        let [(_, table)] = model_of([(name, &columns, json!({"key": "id"}))], json!({}))
            .tables
            .into_iter()
            .collect::<Vec<_>>()
            .try_into()
            .expect("one");
        let measures = dense.tables.get(name).map(|table| table.model.measures.clone()).unwrap_or_default();
        let mut table: ModelTable = table;
        table.model.measures = measures;
        dense.tables.insert(name.clone(), table);
    }
    refused(&dense, [(ask("n by t9.id"), "dimensions[0]", &["too many ways", "`via`"])]);
    assert!(made(SourceKind::Sqlite, &dense, &ask("n by t9.id via t9_id")).is_ok());
}

#[test]
fn the_longest_formula_of_a_query_is_compiled() {
    let formula = format!("orders{}", "+1".repeat(1_990));
    let query = also("long", json!({"metrics": {"long": {"formula": formula}}}));
    let nested = format!("{}orders{}", "(".repeat(1_990), ")".repeat(1_990));
    let deep = also("long", json!({"metrics": {"long": {"formula": nested}}}));
    for query in [query, deep] {
        // Each is compiled, or refused in a sentence.
        if let Err(problem) = made(SourceKind::Sqlite, &model(), &query) {
            assert_eq!(problem.at, "measures[0]", "{problem}");
        }
    }
}

#[test]
fn formulas_may_put_a_number_for_none() {
    let with = |formula: &str| {
        let mut model = model();
        model.metrics.insert("made".to_owned(), serde_json::from_value(json!({"formula": formula})).expect("a metric"));
        made(SourceKind::Sqlite, &model, &ask("made by customers.segment"))
    };
    let sql = with("revenue - coalesce(refunds, 0)").expect("compiled").sql;
    assert!(sql.contains("coalesce(\"q\".\"m1\", 0)"), "{sql}");
    for wrong in ["coalesce(revenue)", "abs(revenue)", "coalesce(distinct revenue, 0)", "coalesce('a', revenue)", "1 + 1"] {
        assert!(with(wrong).is_err(), "{wrong}");
    }
}
