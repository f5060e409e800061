//! What has a meaning and what has none: the sentences that refuse a query.

use crate::databases::{rule, table};
use chrono::NaiveDate;
use inlay_query::{
    Catalog, Compiled, Model, ModelTable, NoMeaning, Reference, RowAccess, SourceKind, check_model, compile, reading,
};
use serde_json::{Value, json};

/// A model of tables. Columns have what they refer to behind `>`; hidden ones begin with `-`.
fn model_of<const N: usize>(tables: [(&str, &str, Value); N], metrics: Value) -> Model {
    let tables = tables.into_iter().map(|(name, columns, model)| {
        let model = serde_json::from_value(model).expect("a table's model");
        let mut made = ModelTable { model, ..ModelTable::default() };
        for (column, to) in columns.split(' ').map(|column| column.split_once('>').unwrap_or((column, ""))) {
            if !column.starts_with('-') {
                made.columns.insert(column.to_owned(), None);
            }
            let reference = Reference::read(to).map(|to| (column.trim_start_matches('-').to_owned(), to));
            made.references.extend(reference);
        }
        (name.to_owned(), made)
    });
    Model { tables: tables.collect(), metrics: serde_json::from_value(metrics).expect("metrics") }
}

fn model() -> Model {
    let counts = |name: &str| json!({"key": "id", "measures": {name: {"aggregate": "count"}}});
    let orders = json!({"key": "id", "time": "placed",
        "dimensions": {"size": {"sql": "case when amount >= 50 then 'large' else 'small' end", "label": "Size"}},
        "measures": {"orders": {"aggregate": "count"}, "revenue": {"aggregate": "sum", "of": "amount", "label": "Revenue"},
            "paid": {"aggregate": "sum", "of": "amount", "where": "status = 'paid'"}, "mean": {"aggregate": "average", "of": "amount"},
            "middle": {"aggregate": "median", "of": "amount"}, "slow": {"aggregate": "percentile", "of": "amount", "fraction": 0.9}}});
    let returns = json!({"key": "id", "time": "returned", "measures": {"refunds": {"aggregate": "sum", "of": "amount"}}});
    let balances = json!({"key": "id", "time": "day",
        "measures": {"closing": {"aggregate": "sum", "of": "amount", "take": {"edge": "last", "per": ["customer_id"]}}}});
    let keys = "customer_id>customers.id product_id>products.sku agent_id>agents.id -buyer_id>people.id";
    let tables = [
        ("regions", "id name", json!({"key": "id"})),
        ("customers", "id region_id>regions.id segment", counts("clients")),
        ("products", "sku category", json!({"dimensions": {"kind": {"sql": "lower(category)"}}})),
        ("agents", "-id name", json!({"key": "id"})),
        ("orders", &format!("id placed amount status {keys}"), orders),
        ("returns", "id customer_id>customers.id returned amount", returns),
        ("balances", "id customer_id>customers.id manager_id>customers.id day amount", balances),
        ("people", "id name boss_id>people.id team_id>teams.id", counts("heads")),
        ("teams", "id title lead_id>people.id", counts("teams")),
    ];
    let metrics = json!({"return_rate": {"ratio": ["refunds", "revenue"]}, "net": {"formula": "(revenue - refunds) * 2 / 3 + -1"},
        "so_far": {"running": "revenue"}, "this_year": {"toDate": {"of": "revenue", "grain": "year"}},
        "this_month": {"toDate": {"of": "revenue", "grain": "month"}}, "smooth": {"moving": {"of": "orders", "periods": 3}}});
    model_of(tables, metrics)
}

/// `orders by customers.segment via customer_id as own, time grain month` as a query, with more fields.
fn also(text: &str, more: Value) -> Value {
    let (measures, groups) = text.split_once("by ").unwrap_or((text, ""));
    let listed = |text: &str| text.split(", ").map(|one| one.trim().to_owned()).filter(|one| !one.is_empty()).collect();
    let (measures, groups): (Vec<String>, Vec<String>) = (listed(measures), listed(groups));
    let group = |text: &String| {
        let words: Vec<&str> = text.split(' ').collect();
        let fields = words[1..].chunks(2).map(|pair| (pair[0].to_owned(), json!(pair[1])));
        fields.chain([("name".to_owned(), json!(words[0]))]).collect::<Value>()
    };
    let mut query = json!({"measures": measures, "dimensions": groups.iter().map(group).collect::<Value>()});
    for (field, value) in more.as_object().into_iter().flatten() {
        query[field] = value.clone();
    }
    query
}

fn ask(text: &str) -> Value {
    also(text, json!({}))
}

fn filtered(dimension: &str, value: Value) -> Value {
    also("orders", json!({"filters": [{"dimension": dimension, "value": value}]}))
}

/// A query of a time beside an earlier one.
fn compared(text: &str, value: Value, compare: &str) -> Value {
    also(text, json!({"filters": [{"dimension": "time", "value": value}], "compare": compare}))
}

fn days(from: &str, to: &str) -> Value {
    json!({"from": from, "to": to})
}

fn made(kind: SourceKind, model: &Model, query: &Value) -> Result<Compiled, NoMeaning> {
    let query = serde_json::from_value(query.clone()).expect("a query");
    compile(kind, model, &query, NaiveDate::from_ymd_opt(2025, 2, 11).expect("a day"))
}

fn compiled(kind: SourceKind, query: &Value) -> Compiled {
    made(kind, &model(), query).unwrap_or_else(|problem| panic!("{kind}: {query}: {problem}"))
}

/// Each query is refused at a field, by a sentence that holds all the parts.
fn refused<const N: usize>(model: &Model, cases: [(Value, &str, &[&str]); N]) {
    for (query, at, parts) in cases {
        let problem = made(SourceKind::Sqlite, model, &query).expect_err(&query.to_string());
        assert_eq!(problem.at, at, "{query}: {}", problem.why);
        assert!(parts.iter().all(|part| problem.why.contains(part)), "{query}: {}", problem.why);
    }
}

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
        ("twofold", &["exactly one of ratio, formula, running, toDate and moving"]),
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
    ]
}

#[test]
fn every_form_passes_the_checks_of_every_database() {
    let tables = model().tables.into_keys().map(|name| {
        let rows = if name == "orders" { rule("company_id = {{organization.company}}") } else { RowAccess::All };
        table(&name, rows, &[])
    });
    let catalog = Catalog::new(tables.collect());
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
        let range = format!("(\"t\".\"placed\" >= '{from}') AND (\"t\".\"placed\" < '{to}')");
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
fn totals_are_of_the_same_periods_as_the_rows() {
    let query = compared("revenue by time grain week", days("2024-02-05", "2024-02-19"), "year");
    let query = also("revenue by time grain week", json!({"filters": query["filters"], "compare": "year", "totals": true}));
    let made = compiled(SourceKind::Sqlite, &query);
    let earlier = "(\"t\".\"placed\" >= '2023-02-06') AND (\"t\".\"placed\" < '2023-02-20')";
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
                let written = format!("'{}'", text.replace('\'', "''"));
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
