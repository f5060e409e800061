//! Measures of one query, and the first rows of each group.

use super::asking::{also, compared, compiled, days, model, newest, refused};
use inlay_query::{Reach, SourceKind, reading, shape};
use serde_json::{Value, json};

/// A query of measures of its own.
fn own(text: &str, aggregates: Value) -> Value {
    also(text, json!({ "aggregates": aggregates }))
}

fn sql(query: &Value) -> String {
    compiled(SourceKind::Sqlite, query).sql
}

/// Queries of each form, each with parts that its SQL holds.
fn forms() -> Vec<(Value, &'static [&'static str])> {
    let trade = json!({"dimension": "customers.segment", "value": "trade"});
    let late = json!({"dimension": "orders.status", "value": ["late", "lost"], "not": true});
    let weekend = json!({"dimension": "time", "cycle": "partOfWeek", "value": "Weekend"});
    let spread = json!({
        "n": {"table": "orders", "aggregate": "count"},
        "worth": {"table": "orders", "aggregate": "sum", "of": ["orders.amount", "customers.region_id"], "filters": [trade, late]},
        "places": {"table": "orders", "aggregate": "countDistinct", "of": "customers.segment", "filters": [weekend]},
        "middle_one": {"table": "orders", "aggregate": "median", "of": "orders.amount", "filters": [trade]},
        "most": {"table": "orders", "aggregate": "percentile", "of": "orders.amount", "fraction": 0.9},
        "back": {"table": "returns", "aggregate": "average", "of": "returns.amount"},
    });
    let half = json!([{"dimension": "time", "value": days("2024-01-01", "2024-07-01")}]);
    let metrics =
        json!({"part": {"share": {"of": "worth"}}, "so_many": {"running": "n"}, "rate": {"ratio": ["back", "revenue"]}});
    let more = json!({"aggregates": spread, "metrics": metrics, "filters": half, "compare": "previous", "totals": true,
        "having": [{"measure": "worth", "comparison": ">", "than": 5}], "sort": [{"by": "n", "descending": true}],
        "top": {"rows": 3, "per": ["segment"]}, "limit": 10});
    let every = "n, worth, places, middle_one, most, back, part, so_many, rate, revenue by customers.segment, time grain month";
    let managed = json!({"m": {"table": "balances", "aggregate": "max", "of": ["balances.amount", "customers.region_id"], "via": "manager_id"}});
    let boss = json!({"m": {"table": "people", "aggregate": "min", "of": "people.name", "via": "boss_id"}});
    let mut recent = newest("n by orders.status", "last_7_days", "previous");
    recent["aggregates"] = json!({"n": {"table": "orders", "aggregate": "count", "of": "orders.amount", "filters": [late]}});
    vec![
        (
            also(every, more),
            &["count(DISTINCT CASE WHEN", "row_number() OVER (PARTITION BY \"r\".\"segment\"", "\"place\" <= 3"],
        ),
        (own("m by balances.id", managed), &["max(\"t\".\"amount\" * \"j0\".\"region_id\")", "\"t\".\"manager_id\""]),
        (own("m", boss), &["min(\"j0\".\"name\")", "\"j0\".\"id\" = \"t\".\"boss_id\""]),
        (recent, &["NOT (\"t\".\"status\" IN (('late'), ('lost')))", "THEN \"t\".\"amount\" END"]),
    ]
}

#[test]
fn every_form_passes_the_checks_of_every_database() {
    let catalog = super::forms::catalog();
    for (query, parts) in forms() {
        let written = sql(&query);
        assert!(parts.iter().all(|part| written.contains(part)), "{written}");
        for kind in SourceKind::ALL {
            let made = compiled(kind, &query);
            for sql in [Some(made.sql), made.totals].into_iter().flatten() {
                reading(kind, &sql, &catalog).unwrap_or_else(|problem| panic!("{kind}: {}: {sql}", problem.detail()));
            }
        }
    }
}

#[test]
fn measures_that_mean_nothing_are_refused() {
    let rows = |more: Value| {
        let mut fields = json!({"table": "orders", "aggregate": "sum", "of": "orders.amount"});
        for (field, value) in more.as_object().into_iter().flatten() {
            fields[field] = value.clone();
        }
        own("n by orders.status", json!({ "n": fields }))
    };
    let named = |name: &str| own("orders", json!({name: {"table": "orders", "aggregate": "count"}}));
    let filtered = |filter: Value| rows(json!({ "filters": [filter] }));
    let cases: [(Value, &str, &[&str]); _] = [
        (named("revenue"), "aggregates.revenue", &["the project has a measure or metric of that name"]),
        (named("net"), "aggregates.net", &["the project has a measure or metric of that name"]),
        (named("null"), "aggregates.null", &["is a word of SQL"]),
        (named("n_previous"), "aggregates.n_previous", &["does not end with `_previous`"]),
        (rows(json!({"table": "shops"})), "aggregates.n.table", &["there is no table `shops`"]),
        (rows(json!({"of": []})), "aggregates.n.of", &["only `count` counts rows by itself"]),
        (rows(json!({"of": "orders.weight"})), "aggregates.n.of[0]", &["orders has no dimension `weight`"]),
        // A hidden column is no dimension, also where a key leads to it.
        (rows(json!({"of": ["orders.amount", "orders.buyer_id"]})), "aggregates.n.of[1]", &["no dimension `buyer_id`"]),
        (rows(json!({"of": "agents.name"})), "aggregates.n.of[0]", &["no key leads from orders to agents"]),
        (rows(json!({"of": vec!["orders.amount"; 9]})), "aggregates.n.of", &["at most 8"]),
        (
            rows(json!({"aggregate": "countDistinct", "of": ["orders.id", "orders.status"]})),
            "aggregates.n.of",
            &["one dimension"],
        ),
        (
            rows(json!({"via": "customer_id"})),
            "aggregates.n.via",
            &["`customer_id` is the way to a dimension of another table"],
        ),
        (rows(json!({"of": "customers.id", "via": "status"})), "aggregates.n.of[0]", &["cannot follow `status`"]),
        (rows(json!({"aggregate": "percentile"})), "aggregates.n.fraction", &["between 0 and 1"]),
        (rows(json!({"fraction": 0.5})), "aggregates.n.fraction", &["belongs to `percentile` alone"]),
        (filtered(json!({"dimension": "returns.amount", "value": 1})), "aggregates.n.filters[0].dimension", &["no key leads"]),
        (
            filtered(json!({"dimension": "orders.status", "value": "a\0b"})),
            "aggregates.n.filters[0].value",
            &["holds a character"],
        ),
        (
            filtered(json!({"dimension": "time", "value": {"relative": "today"}, "newest": true})),
            "aggregates.n.filters[0].newest",
            &["among the query's own `filters`"],
        ),
        (
            rows(json!({"filters": vec![json!({"dimension": "orders.id", "value": 1}); 101]})),
            "aggregates.n.filters",
            &["at most 100"],
        ),
        (
            own("p", json!({"n": {"table": "orders", "aggregate": "count"}})),
            "measures[0]",
            &["no measure `p`; the measures are n, "],
        ),
        (own("", json!({"n": {"table": "orders", "aggregate": "count"}})), "measures", &["must name a measure", "n, clients"]),
    ];
    refused(&model(), cases);
    let both = json!({"n": {"table": "orders", "aggregate": "count"}});
    let query = also("n", json!({"aggregates": both, "metrics": {"n": {"running": "orders"}}}));
    refused(&model(), [(query, "aggregates.n", &["the query has a metric of that name"])]);
    let many: Value = (0..101).map(|at| (format!("n{at}"), json!({"table": "orders", "aggregate": "count"}))).collect();
    refused(&model(), [(own("orders", many), "aggregates", &["at most 100"])]);
    let filters = vec![json!({"dimension": "orders.id", "value": 1}); 91];
    let filtered = |at: usize| (format!("n{at}"), json!({"table": "orders", "aggregate": "count", "filters": filters}));
    let many: Value = (0..11).map(filtered).collect();
    refused(&model(), [(own("orders", many), "aggregates", &["at most 1,000 filters together"])]);
    let mean = json!({"n": {"table": "orders", "aggregate": "average", "of": "orders.amount"}});
    let query = also("part", json!({"aggregates": mean, "metrics": {"part": {"share": {"of": "n"}}}}));
    refused(&model(), [(query, "measures[0]", &["adds up `n` over the groups, but only sums and counts"])]);
}

#[test]
fn a_measure_filters_no_time_that_is_compared() {
    let query = |filter: Value| {
        let mut query = compared("n", days("2024-01-01", "2024-02-01"), "previous");
        query["aggregates"] = json!({"n": {"table": "orders", "aggregate": "count", "filters": [filter]}});
        query
    };
    for own in ["time", "orders.placed"] {
        let filter = json!({"dimension": own, "value": days("2024-01-10", "2024-01-20")});
        let parts: &[&str] = &["is on the time of orders", "`compare`"];
        refused(&model(), [(query(filter), "aggregates.n.filters[0]", parts)]);
    }
    // Others hold in both periods, also parts of the week.
    for other in [
        json!({"dimension": "orders.status", "value": "late"}),
        json!({"dimension": "time", "cycle": "weekday", "value": "Sat"}),
    ] {
        assert_eq!(sql(&query(other.clone())).matches("CASE WHEN").count(), sql(&query(other)).matches("THEN 1 END").count());
    }
}

#[test]
fn the_first_rows_of_each_group_need_groups_and_an_order() {
    let top =
        |top: Value, sort: Value| also("orders by customers.segment, time grain month", json!({"top": top, "sort": sort}));
    let by = || json!([{"by": "orders", "descending": true}]);
    let cases: [(Value, &str, &[&str]); _] = [
        (top(json!({"rows": 0, "per": "segment"}), by()), "top.rows", &["1 to 1,000"]),
        (top(json!({"rows": 1001, "per": "segment"}), by()), "top.rows", &["1 to 1,000"]),
        (top(json!({"rows": 3, "per": []}), by()), "top.per", &["must name a dimension", "segment and time_month"]),
        (top(json!({"rows": 3, "per": "orders"}), by()), "top.per", &["`orders` is no dimension", "segment and time_month"]),
        (top(json!({"rows": 3, "per": "customers.segment"}), by()), "top.per", &["`customers.segment` is no dimension"]),
        (top(json!({"rows": 3, "per": vec!["segment"; 101]}), by()), "top.per", &["at most 100"]),
        (top(json!({"rows": 3, "per": "segment"}), json!([])), "top", &["needs an order", "`sort`"]),
    ];
    refused(&model(), cases);
    let query =
        also("orders by orders.status as place", json!({"top": {"rows": 1000, "per": "place"}, "sort": by(), "totals": true}));
    let made = compiled(SourceKind::Sqlite, &query);
    assert!(made.sql.contains("AS \"place_\"") && made.sql.contains("\"place_\" <= 1000"), "{}", made.sql);
    assert!(!made.totals.expect("totals").contains("row_number"), "totals are of all rows");
    assert_eq!(made.columns.len(), 2);
}

#[test]
fn a_measure_is_called_by_its_label_or_what_it_is() {
    let trade = json!([{"dimension": "customers.segment", "value": "trade"}]);
    let label = |fields: Value| {
        let made = compiled(SourceKind::Sqlite, &own("n by orders.size", json!({ "n": fields })));
        assert!(made.columns[1].is_labelled);
        assert_eq!(made.sentence, format!("{} by Size.", made.columns[1].label));
        made.columns[1].label.clone()
    };
    let of = |aggregate: &str, of: &str| json!({"table": "orders", "aggregate": aggregate, "of": of});
    for (fields, expected) in [
        (json!({"table": "orders", "aggregate": "count"}), "Number of orders"),
        (json!({"table": "orders", "aggregate": "count", "filters": trade}), "Number of orders where segment is trade"),
        (of("count", "orders.amount"), "Number of amount"),
        (of("countDistinct", "orders.size"), "Different Size"),
        (of("average", "orders.amount"), "Average amount"),
        (of("min", "orders.amount"), "Least amount"),
        (of("max", "orders.amount"), "Greatest amount"),
        (of("median", "orders.amount"), "Median amount"),
        (
            json!({"table": "orders", "aggregate": "percentile", "of": "orders.amount", "fraction": 0.995}),
            "Percentile 99.5 of amount",
        ),
        (
            json!({"table": "orders", "aggregate": "sum", "of": ["orders.amount", "customers.segment"]}),
            "Sum of amount × segment",
        ),
        (json!({"table": "orders", "aggregate": "count", "label": "All", "filters": trade}), "All"),
    ] {
        assert_eq!(label(fields), expected);
    }
    let sort = json!([{"by": "orders", "descending": true}]);
    let top = also("orders by orders.size, time grain month", json!({"sort": sort, "top": {"rows": 3, "per": "size"}}));
    assert_eq!(
        compiled(SourceKind::Sqlite, &top).sentence,
        "orders by Size and placed (month), the first 3 for each Size in the order of orders."
    );
}

#[test]
fn the_rows_behind_a_measure_are_those_that_count() {
    let catalog = super::forms::catalog();
    let trade = json!({"dimension": "customers.segment", "value": "trade"});
    let measures = |other: Value| {
        json!({"n": {"table": "orders", "aggregate": "count", "filters": [trade]},
            "worth": {"table": "orders", "aggregate": "sum", "of": ["orders.amount", "customers.region_id"], "filters": other}})
    };
    for kind in SourceKind::ALL {
        let behind = |query: &Value| {
            let sql = compiled(kind, query).behind.expect("one table");
            let found = shape(kind, &sql, &catalog).unwrap_or_else(|problem| panic!("{kind}: {}: {sql}", problem.detail()));
            assert_eq!(found.as_ref().and_then(|shape| shape.table()), Some("orders"), "{kind}: {sql}");
            sql
        };
        let narrowed = behind(&own("n, worth by orders.status", measures(json!([trade]))));
        assert!(narrowed.contains("WHERE"), "{kind}: {narrowed}");
        for query in
            [own("n, worth by orders.status", measures(json!([]))), own("n, orders by orders.status", measures(json!([trade])))]
        {
            assert!(!behind(&query).contains("WHERE"), "{kind}");
        }
    }
}

#[test]
fn the_way_of_a_measure_is_that_of_filters_from_outside() {
    let reach = |query: Value| {
        let query = serde_json::from_value(query).expect("a query");
        let reach = Reach::of(SourceKind::Sqlite, &model(), &query, super::day()).expect("a meaning");
        reach.tables.into_iter().collect::<Vec<_>>().join(" ")
    };
    let of =
        |via: &str| json!({"n": {"table": "balances", "aggregate": "countDistinct", "of": "customers.segment", "via": via}});
    let filter = |via: &str| {
        let filters = json!([{"dimension": "customers.segment", "via": via, "value": "trade"}]);
        json!({"n": {"table": "balances", "aggregate": "count", "filters": filters}})
    };
    assert_eq!(reach(own("n", json!({"n": {"table": "balances", "aggregate": "count"}}))), "balances");
    assert_eq!(reach(own("n", of("manager_id"))), "balances customers");
    assert_eq!(reach(own("n", filter("customer_id"))), "balances customers");
    assert_eq!(reach(own("n by customers.id via customer_id", of("manager_id"))), "balances", "a filter could mean either");
    // Each table of a measure must be reached.
    let other = json!({"n": {"table": "returns", "aggregate": "count"}});
    assert_eq!(reach(own("orders, n", other)), "customers regions");
}

#[test]
fn numbers_of_the_project_are_those_that_a_query_names() {
    let mut query = own("n, part", json!({"n": {"table": "orders", "aggregate": "count"}}));
    query["metrics"] = json!({"part": {"ratio": ["n", "revenue"]}});
    let query = serde_json::from_value(query).expect("a query");
    assert_eq!(model().numbers_of(SourceKind::Sqlite, &query).into_iter().collect::<Vec<_>>(), ["revenue"]);
}

/// Queries of `revenue` and others over some of their rows.
fn narrowed(text: &str, only: Value) -> Value {
    also(text, json!({"metrics": {"part": {"only": only}, "rate": {"ratio": ["part", "revenue"]}}}))
}

#[test]
fn a_number_is_narrowed_to_some_rows() {
    let trade = json!([{"dimension": "customers.segment", "value": "trade"}]);
    let query = narrowed("part, revenue, rate by orders.status", json!({"of": "revenue", "filters": trade}));
    let catalog = super::forms::catalog();
    for kind in SourceKind::ALL {
        let made = compiled(kind, &query);
        reading(kind, &made.sql, &catalog).unwrap_or_else(|problem| panic!("{kind}: {}: {}", problem.detail(), made.sql));
    }
    let made = compiled(SourceKind::Sqlite, &query);
    assert_eq!(made.columns[1].label, "Revenue where segment is trade");
    assert!(made.sql.contains("THEN"), "{}", made.sql);
    // A metric of several measures is narrowed by each of them.
    let both = narrowed("part", json!({"of": "return_rate", "filters": trade}));
    assert_eq!(sql(&both).matches("'trade'").count(), 4, "{}", sql(&both));
}

#[test]
fn what_cannot_be_narrowed_is_refused() {
    let trade = || json!({"dimension": "customers.segment", "value": "trade"});
    let within = json!({"inner": {"only": {"of": "revenue", "filters": [trade()]}},
        "outer": {"only": {"of": "inner", "filters": [trade()]}}});
    let newest = json!({"dimension": "time", "value": {"relative": "today"}, "newest": true});
    let both = json!({"part": {"running": "revenue", "only": {"of": "revenue", "filters": [trade()]}}});
    let cases: [(Value, &str, &[&str]); _] = [
        (narrowed("part", json!({"of": "revenue", "filters": []})), "measures[0]", &["`part` has no filters"]),
        (narrowed("part", json!({"of": "nothing", "filters": [trade()]})), "measures[0]", &["there is no measure `nothing`"]),
        (narrowed("part", json!({"of": "revenue", "filters": vec![trade(); 101]})), "measures[0]", &["more than 100 filters"]),
        (narrowed("part", json!({"of": "revenue", "filters": [newest]})), "measures[0]", &["the newest rows"]),
        (
            narrowed("part", json!({"of": "revenue", "filters": [{"dimension": "orders.buyer_id", "value": 1}]})),
            "measures[0]",
            &["no dimension `buyer_id`"],
        ),
        (also("outer", json!({ "metrics": within })), "measures[0]", &["put all filters into one"]),
        (also("part", json!({ "metrics": both })), "measures[0]", &["exactly one of"]),
    ];
    refused(&model(), cases);
    let mut query = compared("part", days("2024-01-01", "2024-02-01"), "previous");
    let time = json!([{"dimension": "time", "value": days("2024-01-10", "2024-01-20")}]);
    query["metrics"] = json!({"part": {"only": {"of": "revenue", "filters": time}}});
    refused(&model(), [(query, "aggregates.revenue.filters[0]", &["is on the time of orders"])]);
}
