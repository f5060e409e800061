//! What has no meaning: the sentences that refuse a query or a model.

use super::asking::{also, ask, compared, compiled, days, filtered, made, model, model_of, newest, refused};
use inlay_query::{Model, SourceKind, check_model};
use serde_json::{Value, json};

#[test]
fn names_that_nobody_declared_are_refused() {
    let cases: [(Value, &str, &[&str]); _] = [
        (json!({}), "measures", &["must name a measure", "revenue"]),
        (ask("orders, profit"), "measures[1]", &["no measure `profit`", "return_rate"]),
        (ask("orders by stores.name"), "dimensions[0]", &["no table `stores`", "customers"]),
        (ask("orders by customers.name"), "dimensions[0]", &["customers has no dimension `name`", "id, region_id and segment"]),
        (ask("orders by segment"), "dimensions[0]", &["`segment` is not table.dimension"]),
        // A hidden column is no dimension.
        (ask("orders by orders.buyer_id"), "dimensions[0]", &["orders has no dimension `buyer_id`"]),
        (ask("heads by time"), "dimensions[0]", &["people has no default time dimension", "`time:`"]),
        (ask("by time"), "dimensions[0]", &["of a measure's table", "add a measure"]),
        (filtered("segment", json!("trade")), "filters[0].dimension", &["is not table.dimension"]),
        (filtered("customers.name", json!("Ada")), "filters[0].dimension", &["no dimension `name`"]),
    ];
    refused(&model(), cases);
}

#[test]
fn ways_that_would_count_twice_or_are_in_doubt_are_refused() {
    let twice = &["no key leads from customers to orders", "counted several times", "Take a measure of orders"];
    let cases: [(&str, &[&str]); _] = [
        ("clients by orders.status", twice),
        ("refunds by people.name", &["no key leads from returns to people"]),
        ("orders, refunds by orders.status", &["no key leads from returns to orders"]),
        ("closing by regions.name", &["several ways", "`via`: customer_id.region_id and manager_id.region_id"]),
        ("closing by customers.id via manager_id.region_id", &["from balances to regions, not to customers"]),
        ("orders by customers.id via status", &["cannot follow `status`", "orders.status refers to no table"]),
        ("orders by orders.id via customer_id", &["from orders to customers, not to orders"]),
        // Whether two rows share a value, only the model's author knows.
        ("orders by products.kind", &["refers to products.sku", "does not declare it as its key", "`key: sku`"]),
        ("orders by products.kind via product_id", &["cannot follow `product_id`", "`key: sku`"]),
        // Neither end of a join may be hidden.
        ("orders by agents.name", &["no key leads from orders to agents"]),
        ("orders by people.name", &["no key leads from orders to people"]),
        // The search ends where tables refer to themselves, or to each other.
        ("heads by regions.name", &["no key leads from people to regions"]),
        ("teams by regions.name", &["no key leads from teams to regions"]),
    ];
    refused(&model(), cases.map(|(query, parts)| (ask(query), "dimensions[0]", parts)));
    let cases: [(Value, &str, &[&str]); _] = [
        (filtered("products.kind", json!("toy")), "filters[0].dimension", &["no key leads from orders to products"]),
        (ask("by customers.segment, products.kind"), "dimensions[1]", &["no key leads from customers to products"]),
    ];
    refused(&model(), cases);
}

#[test]
fn metrics_that_mean_nothing_are_refused() {
    let wrong = json!({"itself": {"formula": "1 + other"}, "other": {"ratio": ["itself", "orders"]}, "formless": {},
        "twofold": {"ratio": ["orders", "revenue"], "running": "orders"}, "called": {"formula": "abs(orders)"},
        "told": {"formula": "orders + 'a'"}, "broken": {"formula": "orders +"}, "lost": {"formula": "orders / visits"},
        "means": {"running": "mean"}, "lasts": {"running": "closing"}, "rates": {"running": "return_rate"},
        "short": {"moving": {"of": "orders", "periods": 1}}, "inner": {"formula": "1 - this_year"}});
    let model = Model { metrics: model_of([], wrong).metrics.into_iter().chain(model().metrics).collect(), ..model() };
    let cases: [(&str, &[&str]); _] = [
        ("itself", &["`itself` is made of itself", "itself → other → itself"]),
        ("twofold", &["exactly one of ratio, formula, running, toDate, moving, total, share and only"]),
        ("formless", &["exactly one of"]),
        ("called", &["the formula of `called` may hold", "not `abs(orders)`"]),
        ("told", &["not `'a'`"]),
        ("broken", &["the formula of `broken` cannot be read"]),
        ("lost", &["no measure `visits`"]),
        ("means by time grain day", &["adds up `mean` over time", "only sums and counts"]),
        ("lasts by time grain day", &["adds up `closing`"]),
        ("rates by time grain day", &["no measure `return_rate`"]),
        ("short by time grain day", &["2 to 1,000 periods"]),
        ("so_far by orders.status", &["`so_far` goes along a time", "a `grain`"]),
        ("this_year by time", &["goes along a time"]),
        ("smooth", &["goes along a time"]),
        ("inner", &["goes along a time"]),
        ("this_month by time grain month", &["begins anew each month", "shorter periods"]),
        ("inner by time grain year", &["begins anew each year"]),
    ];
    refused(&model, cases.map(|(query, parts)| (ask(query), "measures[0]", parts)));
}

#[test]
fn parts_of_what_does_not_add_up_are_refused() {
    let part = |of: Value| also("part by time grain month", json!({"metrics": {"part": {"share": of}}}));
    let named = |name: &str| also("orders", json!({"metrics": {name: {"running": "orders"}}}));
    let cases: [(Value, &str, &[&str]); _] = [
        (part(json!({"of": "mean"})), "measures[0]", &["adds up `mean` over the groups, but only sums and counts"]),
        (part(json!({"of": "closing"})), "measures[0]", &["adds up `closing` over the groups"]),
        (part(json!({"of": "so_far"})), "measures[0]", &["cannot be of `so_far`, which goes along a time"]),
        (part(json!({"of": "part"})), "measures[0]", &["is made of itself: part → part"]),
        (
            part(json!({"of": "revenue", "within": "region"})),
            "measures[0]",
            &["within `region`, which is no dimension of this query; it has time_month"],
        ),
        (
            also("long", json!({"metrics": {"long": {"formula": format!("orders{}", "+orders".repeat(600))}}})),
            "measures[0]",
            &["too long"],
        ),
        (named("revenue"), "metrics.revenue", &["the project has a measure or metric of that name"]),
        (named("net"), "metrics.net", &["the project has a measure or metric of that name"]),
        (named("null"), "metrics.null", &["is a word of SQL"]),
        (named("a b"), "metrics.a b", &["letters, digits and `_`"]),
        (
            also("lost", json!({"metrics": {"found": {"running": "orders"}}})),
            "measures[0]",
            &["there is no measure `lost`", "found"],
        ),
    ];
    refused(&model(), cases);
}

#[test]
fn periods_from_the_newest_row_that_mean_nothing_are_refused() {
    let also_newest = |field: &str, value: Value| {
        let mut query = newest("orders", "last_7_days", "");
        query["filters"][0][field] = value;
        query
    };
    let cases: [(Value, &str, &[&str]); _] = [
        (newest("orders, refunds", "last_7_days", ""), "filters[0].newest", &["ask for measures of one table"]),
        (also_newest("value", json!("2024-01-01")), "filters[0].newest", &["needs a relative period"]),
        (also_newest("not", json!(true)), "filters[0].newest", &["does not go with `not` or `cycle`"]),
        (also_newest("cycle", json!("hour")), "filters[0].newest", &["does not go with `not` or `cycle`"]),
        (newest("orders", "last_2_months", "previous"), "compare", &["counts from the newest row has no earlier one"]),
        (newest("orders", "last_7_days", "year"), "compare", &["counts from the newest row has no earlier one"]),
        (newest("orders by time grain month", "last_7_days", "previous"), "compare", &["no earlier one of the same parts"]),
        (ask("orders by time grain day cycle hour"), "dimensions[0]", &["a `grain` or a `cycle`, not both"]),
    ];
    refused(&model(), cases);
}

#[test]
fn years_that_begin_in_different_months_are_not_put_side_by_side() {
    let mut model = model();
    model.tables.get_mut("orders").expect("orders").model.fiscal_year_start = Some(4);
    let why: &[&str] = &["the years of orders and returns begin in different months"];
    refused(&model, [(ask("orders, refunds by time grain quarter"), "dimensions[0]", why)]);
    made(SourceKind::Sqlite, &model, &ask("orders, refunds by time grain month")).expect("months are the same");
    model.tables.get_mut("returns").expect("returns").model.fiscal_year_start = Some(4);
    made(SourceKind::Sqlite, &model, &ask("orders, refunds by time grain quarter")).expect("the same years");
    model.tables.get_mut("orders").expect("orders").model.fiscal_year_start = Some(13);
    model.tables.get_mut("orders").expect("orders").model.drill = vec!["nothing".to_owned()];
    let problems: Vec<String> = check_model(SourceKind::Sqlite, &model)
        .into_iter()
        .filter(|one| one.table.as_deref() == Some("orders"))
        .map(|one| format!("{}: {}", one.at, one.why))
        .collect();
    assert_eq!(
        problems,
        [
            "drill: the table has no visible column `nothing`",
            "fiscalYearStart: must be a month, 1 for January to 12 for December"
        ]
    );
}

#[test]
fn periods_that_cannot_be_compared_are_refused() {
    let month = days("2024-03-01", "2024-04-01");
    let on = |dimension: &str, not: bool| json!({"dimension": dimension, "value": month, "not": not});
    let year = |text: &str, filters: Value| also(text, json!({"filters": filters, "compare": "year"}));
    let previous = |text: &str, from: &str, to: &str| compared(text, days(from, to), "previous");
    let cases: [(Value, &str, &[&str]); _] = [
        (year("revenue", json!([])), "compare", &["exactly one filter on the time of orders"]),
        (year("revenue", json!([on("time", false), on("orders.placed", false)])), "compare", &["exactly one filter"]),
        (year("revenue, refunds", json!([on("orders.placed", false)])), "compare", &["time of returns", "filter `time`"]),
        (year("revenue", json!([on("time", true)])), "compare", &["both ends"]),
        (compared("revenue", json!({"from": "2024-03-01"}), "year"), "compare", &["both ends"]),
        (compared("revenue", json!({"to": "2024-03-01"}), "previous"), "compare", &["both ends"]),
        (compared("revenue", json!("2024-03-01"), "previous"), "compare", &["both ends"]),
        (previous("revenue", "2024-04-01", "2024-03-01"), "compare", &["both ends"]),
        (year("revenue by orders.placed", json!([on("time", false)])), "dimensions[0]", &["`grain`"]),
        (year("by orders.status", json!([on("time", false)])), "compare", &["no measure to compare"]),
        (previous("revenue by time grain month", "2024-03-01", "2024-04-15"), "compare", &["same months", "whole months"]),
        (previous("revenue by time grain quarter", "2024-03-01", "2024-05-01"), "compare", &["whole quarters"]),
        (previous("revenue by time grain year", "2024-03-01", "2024-05-01"), "compare", &["whole years"]),
        (previous("revenue by time grain week", "2024-03-04", "2024-03-14"), "compare", &["whole weeks"]),
    ];
    refused(&model(), cases);
}

#[test]
fn parts_of_a_query_that_do_not_fit_are_refused() {
    let having = |name: &str| also("orders by orders.id", json!({"having": [{"measure": name, "comparison": ">", "than": 1}]}));
    let limit = |limit: u32| also("orders", json!({"limit": limit}));
    let cases: [(Value, &str, &[&str]); _] = [
        (ask("heads by people.name, people.name via boss_id"), "dimensions[1]", &["two columns are called `name`", "`as`"]),
        (ask("orders, orders"), "measures", &["`orders` is asked for twice"]),
        (also("orders", json!({"sort": [{"by": "revenue"}]})), "sort[0].by", &["no column `revenue`", "columns are orders"]),
        (having("revenue"), "having[0].measure", &["`revenue` is no measure of this query"]),
        (having("id"), "having[0].measure", &["`id` is no measure"]),
        (limit(0), "limit", &["1 to 50,000"]),
        (limit(50_001), "limit", &["1 to 50,000"]),
        (ask(&["orders"; 101].join(", ")), "measures", &["at most 100"]),
        (ask(&format!("by {}", ["orders.status"; 101].join(", "))), "dimensions", &["at most 100"]),
    ];
    refused(&model(), cases);
    for most in [1, 50_000] {
        let sql = compiled(SourceKind::Sqlite, &limit(most)).sql;
        assert!(sql.ends_with(&format!("LIMIT {most}")), "{sql}");
    }
}

#[test]
fn names_and_values_that_could_be_read_in_another_way_are_refused() {
    for odd in ["a\"b", "a`b", "a\\b", "a\nb"] {
        let counts = json!({"measures": {"n": {"aggregate": "count"}, odd: {"aggregate": "count"}}});
        let tables = [
            ("fine", &*format!("id {odd} {odd}>keyed.{odd}"), counts),
            ("keyed", &format!("{odd} name"), json!({"key": odd})),
            (odd, "id", json!({"measures": {"m": {"aggregate": "count"}}})),
        ];
        let cases: [(Value, &str, &[&str]); _] = [
            (ask(&format!("n by fine.id as {odd}")), "dimensions[0]", &["no quote, backslash or control character"]),
            (ask(&format!("n by fine.{odd} as x")), "dimensions[0]", &["no quote"]),
            (ask("n by keyed.name as x"), "dimensions[0]", &["no quote"]),
            (ask(odd), "measures", &["no quote"]),
            (ask("m"), "measures", &["a name that cannot be written safely"]),
        ];
        refused(&model_of(tables, json!({})), cases);
    }
    for kind in SourceKind::ALL {
        // Where a backslash may hide the quote behind it no text has one; elsewhere the printer of syntax trees would change this one.
        let escapes = matches!(kind, SourceKind::Mysql | SourceKind::Clickhouse);
        let told = if escapes { "holds a character" } else { "a quote behind a backslash" };
        let problem = made(kind, &model(), &filtered("orders.status", json!("\\' or 1 = 1 --"))).expect_err(kind.name());
        assert!(problem.at == "filters[0].value" && problem.why.contains(told), "{kind}: {problem}");
        let plain = made(kind, &model(), &filtered("orders.status", json!("a\\b")));
        assert_eq!(plain.is_err(), escapes, "{kind}: {plain:?}");
        assert!(made(kind, &model(), &filtered("orders.status", json!("a\0b"))).is_err(), "{kind}");
    }
}

#[test]
fn a_model_is_checked_as_a_whole() {
    for kind in SourceKind::ALL {
        let found: Vec<String> = check_model(kind, &model()).into_iter().map(|problem| problem.why).collect();
        assert_eq!(found, ["the table has no visible column `id`"], "the key of agents is hidden: {kind}");
    }
    let sum = |of: &str| json!({"aggregate": "sum", "of": of});
    let bad = json!({"key": ["id", "number"], "time": "moment",
        "dimensions": {"amount": {"sql": "id"}, "first name": {"sql": "id"}, "foreign": {"sql": "other.id"}, "inner": {"sql": "(select 1)"},
            "time": {"sql": "day"}, "total": {"sql": "sum(amount)"}, "unread": {"sql": "amount +"}},
        "measures": {"1st": {"aggregate": "count"}, "both": sum("id"), "fraction": {"aggregate": "sum", "of": "id", "fraction": 0.5},
            "last_previous": sum("id"), "of": sum("max(id)"), "ofless": {"aggregate": "min"},
            "percentile": {"aggregate": "percentile", "of": "id"}, "whole": {"aggregate": "percentile", "of": "id", "fraction": 1},
            "taken": {"aggregate": "median", "of": "id", "take": {"edge": "last", "over": "moment", "per": ["shop"]}},
            "where": {"aggregate": "count", "where": "id > ?"}}});
    let first = json!({"aggregate": "sum", "of": "id", "take": {"edge": "first"}});
    let other = json!({"measures": {"both": sum("id"), "first": first}});
    let metrics = json!({"both": {"running": "of"}, "of itself": {"running": "both"}, "lost": {"ratio": ["both", "visits"]}});
    let found = check_model(SourceKind::Sqlite, &model_of([("bad", "id day amount", bad), ("other", "id", other)], metrics));
    let expected = [
        "bad.key: the table has no visible column `number`",
        "bad.time: the table has no dimension or visible column `moment`",
        "bad.dimensions.amount: has the name of a column",
        "bad.dimensions.first name: a name has 1 to 50 letters",
        "bad.dimensions.foreign.sql: `other.id` names a table",
        "bad.dimensions.inner.sql: it holds a SELECT",
        "bad.dimensions.time: `time` is each table's default time dimension",
        "bad.dimensions.total.sql: sum gathers several rows",
        "bad.dimensions.unread.sql: ",
        "bad.measures.1st: a name has 1 to 50 letters",
        "bad.measures.both: another table has a measure of that name",
        "bad.measures.fraction.fraction: belongs to `percentile` alone",
        "bad.measures.last_previous: a name has 1 to 50 letters",
        "bad.measures.of.of: max gathers several rows",
        "bad.measures.ofless.of: is missing",
        "bad.measures.percentile.fraction: must lie between 0 and 1",
        "bad.measures.taken.take: does not go with a median or percentile",
        "bad.measures.taken.take: the table has no visible column `moment`",
        "bad.measures.taken.take: the table has no visible column `shop`",
        "bad.measures.where.where: it holds a parameter",
        "bad.measures.whole.fraction: must lie between 0 and 1",
        "other.measures.both: another table has a measure of that name",
        "other.measures.first.take: needs `over`",
        ".metrics.both: has the name of a measure",
        ".metrics.lost: there is no measure `visits`",
        ".metrics.of itself: a name has 1 to 50 letters",
    ];
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (problem, expected) in found.iter().zip(expected) {
        let found = format!("{}.{}: {}", problem.table.as_deref().unwrap_or_default(), problem.at, problem.why);
        assert!(found.starts_with(expected), "{found}");
    }
}
