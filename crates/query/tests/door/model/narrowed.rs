//! Filters from outside of a query: its rows are those of the same query with the filter among its own.

use super::{Case, are_equal, asking, cells, compiled_query, day, declared, world, world::Dice};
use crate::databases::{Database, viewer};
use inlay_contract::{
    filter::{FilterValue, Scalar},
    model::{ModelFilter, ModelQuery},
};
use inlay_query::{DimensionFilter, Filter, Narrowing, Query, Reach, SourceKind, compile_narrowed};

/// A filter from outside: what it asks of the query, the filter of the table's rows, and the same as a filter of the query.
struct Outside {
    narrowing: Narrowing,
    filters: Vec<Filter>,
    inside: ModelQuery,
}

/// One filter on each table that the query reaches, and one on a declared dimension.
pub(super) async fn agrees(database: &Database, case: &Case<'_>, seed: u64) {
    let model = declared(case);
    let reached = Reach::of(database.source.kind, &model, &case.query, case.today).expect("a query with a meaning").tables;
    let facts: Vec<&str> = case.measures.iter().map(|made| made.table).collect();
    let mut dice = Dice::new(seed);
    let mut all: Vec<Outside> = reached.iter().filter_map(|table| on_table(&mut dice, case, table)).collect();
    all.extend(reached.iter().filter(|table| facts.contains(&table.as_str())).map(|table| on_size(case, table)));
    all.extend(reached.contains("customers").then(|| on_tier(case)).flatten());
    all.extend(of_period(case));
    // One of them each time: many seeds meet all kinds.
    let Some(outside) = (!all.is_empty()).then(|| all.swap_remove(dice.below(all.len()))) else { return };
    let compiled = compile_narrowed(database.source.kind, &model, &case.query, outside.narrowing.clone(), case.today)
        .unwrap_or_else(|problem| panic!("{seed}: {problem}: {:?}", outside.narrowing));
    let asked = Query { filters: outside.filters, ..compiled_query(&compiled.sql) };
    let answer = database.engine.run(&database.source, &world::catalog(), &viewer("acme"), &asked).await;
    let found = cells(&answer.unwrap_or_else(|problem| panic!("{seed}: {}\n{}", problem.detail(), compiled.sql)));
    let (measures, asked) = (case.measures.clone(), case.asked.clone());
    let expected = Case { query: outside.inside.clone(), measures, asked, ..*case }.answer();
    assert!(
        are_equal(&found, &expected),
        "{seed}: {:?}\n{:?}\n{}\nfound    {found:?}\nexpected {expected:?}",
        outside.narrowing,
        outside.inside,
        compiled.sql
    );
}

fn with(case: &Case<'_>, dimension: &str, via: Option<String>, value: FilterValue) -> ModelQuery {
    let mut query = case.query.clone();
    query.filters.push(ModelFilter { via, ..ModelFilter::of(dimension, value) });
    query
}

/// The dimensions that the query or a measure of its own reaches by a way that it names.
fn ways(case: &Case<'_>) -> Vec<(String, String)> {
    let groups = case.query.dimensions.iter().map(|group| (&group.name, &group.via));
    let measures = || case.measures.iter().filter(|_| !case.asked.is_empty());
    let own = || measures().filter_map(|made| made.own.as_ref());
    let of = own().flat_map(|own| own.of.iter().map(|name| (name, &own.via)).filter(|(name, _)| !name.starts_with(&own.table)));
    let only = measures().filter_map(|made| made.only.as_ref()).flat_map(|(_, filters)| filters);
    let filters = own().flat_map(|own| &own.filters).chain(only).map(|filter| (&filter.dimension, &filter.via));
    let outer = case.query.filters.iter().map(|filter| (&filter.dimension, &filter.via));
    groups.chain(of).chain(filters).chain(outer).filter_map(|(name, via)| Some((name.clone(), via.clone()?))).collect()
}

fn on_table(dice: &mut Dice, case: &Case<'_>, table: &str) -> Option<Outside> {
    let (column, values) = match table {
        "regions" => ("name", ["north", "south"]),
        "customers" => ("segment", ["retail", "trade"]),
        "products" => ("category", ["toys", "books"]),
        _ => ("status", ["paid", "open"]),
    };
    let text = |text: &str| Scalar::Text(text.to_owned());
    let mut values: Vec<Scalar> = values.into_iter().map(text).collect();
    values.truncate(1 + dice.below(2));
    let value = FilterValue::AnyOf(values);
    // The way that the query takes itself: only the balances have two, and their queries say which.
    let ways = ways(case);
    let own = ways.iter().find(|(name, _)| name.starts_with(&format!("{table}."))).or_else(|| ways.first());
    let via = own.map(|(_, via)| via).map(|via| {
        let own = via.split('.').next().unwrap_or_default();
        if table == "regions" { format!("{own}.region_id") } else { own.to_owned() }
    });
    let via = via.filter(|_| matches!(table, "regions" | "customers"));
    // Each fact goes its own way, which one filter of the query cannot say.
    let is_of_balances = case.measures.iter().all(|made| made.table == "balances");
    if !is_of_balances && via.as_ref().is_some_and(|via| via.starts_with("manager_id")) {
        return None;
    }
    let inside = with(case, &format!("{table}.{column}"), via, value.clone());
    let narrowing = Narrowing { tables: [table.to_owned()].into(), ..Narrowing::default() };
    let filters = vec![Filter { table: table.to_owned(), column: column.to_owned(), value }];
    Some(Outside { narrowing, filters, inside })
}

fn on_size(case: &Case<'_>, table: &str) -> Outside {
    let value = FilterValue::AnyOf(vec![Scalar::Text("large".to_owned())]);
    let inside = with(case, &format!("{table}.size"), None, value.clone());
    let dimension = DimensionFilter { table: table.to_owned(), dimension: "size".to_owned(), value };
    Outside { narrowing: Narrowing { dimensions: vec![dimension], ..Narrowing::default() }, filters: Vec::new(), inside }
}

/// A filter that rows without a customer do not pass, though its expression makes a value of nulls.
fn on_tier(case: &Case<'_>) -> Option<Outside> {
    // The way that the query takes itself is told by `on_table`.
    let is_plain = ways(case).is_empty();
    let value = FilterValue::AnyOf(vec![Scalar::Text("none".to_owned())]);
    let inside = with(case, "customers.tier", None, value.clone());
    let dimension = DimensionFilter { table: "customers".to_owned(), dimension: "tier".to_owned(), value };
    let narrowing = Narrowing { dimensions: vec![dimension], ..Narrowing::default() };
    is_plain.then_some(Outside { narrowing, filters: Vec::new(), inside })
}

/// Another period for a query that compares.
fn of_period(case: &Case<'_>) -> Option<Outside> {
    case.query.compare?;
    let day = |text: &str| Some(Scalar::Text(text.to_owned()));
    let value = FilterValue::Range { from: day("2024-01-01"), to: day("2025-01-01") };
    let mut inside = case.query.clone();
    let own = inside.filters.iter_mut().find(|filter| filter.dimension == "time" && filter.cycle.is_none())?;
    (own.value, own.newest) = (value.clone(), false);
    // The weeks of a year are no whole number.
    let weeks = case.query.dimensions.iter().any(|group| group.grain == Some(inlay_contract::chart::question::Grain::Week));
    let narrowing = Narrowing { period: Some(value), ..Narrowing::default() };
    (!weeks).then_some(Outside { narrowing, filters: Vec::new(), inside })
}

#[test]
fn a_filter_reaches_a_query_by_one_way() {
    let cases: [(&str, &[&str]); _] = [
        ("orders", &["customers", "orders", "regions"]),
        ("revenue by customers.segment", &["customers", "orders", "regions"]),
        // Each of the numbers is reached, or none of them counts as reached.
        ("revenue, refunds", &["customers", "regions"]),
        ("return_rate", &["customers", "regions"]),
        // Two keys lead to the customers: the query says which, or a filter could mean either.
        ("closing", &["balances"]),
        ("closing by customers.segment via manager_id", &["balances", "customers"]),
        ("closing by regions.name via customer_id.region_id", &["balances", "customers", "regions"]),
        ("closing by customers.id via manager_id, regions.name via customer_id.region_id", &["balances", "regions"]),
        // Tables that refer to themselves and to each other.
        ("heads", &["people", "teams"]),
        ("by customers.segment", &["customers", "regions"]),
    ];
    let model = asking::model();
    for (text, tables) in cases {
        let query = serde_json::from_value(asking::ask(text)).expect("a query");
        let reach = Reach::of(SourceKind::Sqlite, &model, &query, day()).unwrap_or_else(|problem| panic!("{text}: {problem}"));
        assert_eq!(reach.tables.iter().map(String::as_str).collect::<Vec<_>>(), tables, "{text}");
        // What is reached compiles, what is not is refused.
        for table in model.tables.keys() {
            let narrowing = Narrowing { tables: [table.clone()].into(), ..Narrowing::default() };
            let compiled = compile_narrowed(SourceKind::Sqlite, &model, &query, narrowing, day());
            assert_eq!(compiled.is_ok(), reach.tables.contains(table), "{text}: {table}");
        }
    }
}

#[test]
fn a_filter_asks_for_a_row_of_its_table() {
    let sql = |text: &str, table: &str| {
        let query = serde_json::from_value(asking::ask(text)).expect("a query");
        let narrowing = Narrowing { tables: [table.to_owned()].into(), ..Narrowing::default() };
        compile_narrowed(SourceKind::Sqlite, &asking::model(), &query, narrowing, day()).expect("a meaning").sql
    };
    assert!(sql("orders", "regions").contains("WHERE \"j1\".\"id\" IS NOT NULL"), "{}", sql("orders", "regions"));
    assert_eq!(
        sql("orders", "orders"),
        sql("orders", "orders").replace("IS NOT NULL", ""),
        "its own rows are filtered where they stand"
    );
    assert_eq!(sql("orders by regions.name", "regions").matches("JOIN \"regions\"").count(), 1, "no table is joined twice");
}
