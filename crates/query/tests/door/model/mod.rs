//! The semantic model beside a reference that works its answers out row by row: made-up models and queries, on every database.

mod asking;
mod forms;
mod made;
mod meaning;
mod moments;
mod narrowed;
mod own;
mod periods;
mod reference;
mod rows;
mod world;

use crate::databases::{Database, in_mysql, query, viewer};
use chrono::NaiveDate;
use inlay_contract::{
    chart::question::{Comparison, Cycle, Grain},
    data::ChartData,
    filter::{FilterValue, Period, Scalar},
    model::{
        Aggregate, Compare, Edge, Measure, Metric, ModelFilter, ModelGroup, ModelHaving, ModelOrder, ModelQuery, Moving, Only,
        Take, ToDate, Top, Whole,
    },
};
use inlay_query::{Limits, Model, compile};
use made::{How, Made, Of, Where};
use reference::{Answer, Case, Cell};
use serde_json::Value as Json;
use world::{Dice, FACTS, World};

/// The number of models, or `INLAY_ORACLE_CASES` for a long run.
fn many(cases: u64) -> u64 {
    let asked = std::env::var("INLAY_ORACLE_CASES").ok();
    asked.map_or(cases, |asked| asked.parse().expect("INLAY_ORACLE_CASES is a number"))
}

fn day() -> NaiveDate {
    NaiveDate::from_ymd_opt(2025, 2, 11).expect("a day")
}

/// A made-up model with measures of one or more tables, and a query that has a meaning in it.
fn made_up<'a>(dice: &mut Dice, world: &'a World) -> Case<'a> {
    let facts = match dice.below(5) {
        0 => vec![0],
        1 => vec![1],
        2 => vec![2],
        3 => vec![0, 1],
        _ => vec![0, 1, 2],
    };
    let count = facts.len().max(1 + dice.below(4));
    let mut measures: Vec<Made> = (0..count).map(|at| measure(dice, facts[at % facts.len()])).collect();
    for at in 0..measures.len() {
        if measures[at].take.is_none() && dice.once_in(5) {
            let only = Some((at, made::only(dice, measures[at].table)));
            measures.push(Made { only, ..measures[at].clone() });
        }
    }
    let mut query = ModelQuery::default();
    let lists = dice.once_in(25);
    dimensions(dice, &facts, lists, &mut query);
    let asked = if lists { Vec::new() } else { asked(dice, &measures, &query) };
    query.measures = asked.iter().enumerate().map(|(at, how)| name_of(at, how)).collect();
    let has_own = measures.iter().any(|made| made.own.is_some() || made.only.is_some());
    for (at, how) in asked.iter().enumerate() {
        // The project knows no measures of a query.
        if has_own || matches!(how, How::Total(..) | How::Share(..)) {
            query.metrics.extend(metric(how, &query).map(|metric| (name_of(at, how), metric)));
        }
    }
    filters(dice, &facts, lists, &mut query);
    own_measures(&mut measures, &mut query);
    query.totals = !lists && dice.once_in(3);
    if !lists && dice.once_in(4) {
        let comparison = if dice.once_in(2) { Comparison::Above } else { Comparison::AtMost };
        let than = dice.below(60) as f64 + 0.25;
        query.having.push(ModelHaving { measure: query.measures[0].clone(), comparison, than });
    }
    order(dice, &asked, &measures, &mut query);
    let grain = query.dimensions.iter().filter(|group| group.name == "time").find_map(|group| group.grain);
    let year = if dice.once_in(4) { 1 + u32::try_from(dice.below(11)).expect("few") } else { 0 };
    Case { world, measures, asked, query, grain, today: day(), year }
}

fn name_of(at: usize, how: &How) -> String {
    match how {
        How::Base(base) => format!("measure_{base}"),
        _ => format!("metric_{at}"),
    }
}

/// The query's own measures, which filter no time that it compares.
fn own_measures(measures: &mut [Made], query: &mut ModelQuery) {
    for (at, made) in measures.iter_mut().enumerate() {
        let compares = query.compare.is_some();
        let is_kept = |filter: &ModelFilter| !compares || filter.dimension != "time" || filter.cycle.is_some();
        if let Some(own) = &mut made.own {
            own.filters.retain(is_kept);
        }
        match (&mut made.only, &made.own) {
            (Some((of, filters)), _) => {
                filters.retain(is_kept);
                if filters.is_empty() {
                    let value = FilterValue::Range { from: Some(Scalar::Number(3.into())), to: None };
                    filters.push(ModelFilter::of(format!("{}.pieces", made.table), value));
                }
                let only = Only { of: format!("measure_{of}"), filters: filters.clone() };
                query.metrics.insert(format!("measure_{at}"), Metric { only: Some(only), ..Metric::default() });
            }
            (None, Some(own)) => drop(query.aggregates.insert(format!("measure_{at}"), own.clone())),
            (None, None) => {}
        }
    }
}

/// How a metric of measures is made.
fn metric(how: &How, query: &ModelQuery) -> Option<Metric> {
    let of = |at: usize| format!("measure_{at}");
    let whole = |at: usize, within: bool| {
        let first = query.dimensions.first().filter(|_| within);
        Some(Whole { of: of(at), within: first.map(ModelGroup::column).into_iter().collect() })
    };
    Some(match *how {
        How::Base(_) => return None,
        How::Ratio(a, b) => Metric { ratio: Some([of(a), of(b)]), ..Metric::default() },
        How::Formula(a, b, c) => {
            Metric { formula: Some(format!("({} + {}) * 2 - {} / 4", of(a), of(b), of(c))), ..Metric::default() }
        }
        How::Running(a) => Metric { running: Some(of(a)), ..Metric::default() },
        How::ToDate(a, grain) => Metric { to_date: Some(ToDate { of: of(a), grain }), ..Metric::default() },
        How::Moving(a, periods) => Metric { moving: Some(Moving { of: of(a), periods }), ..Metric::default() },
        How::Total(at, within) => Metric { total: whole(at, within), ..Metric::default() },
        How::Share(at, within) => Metric { share: whole(at, within), ..Metric::default() },
    })
}

fn measure(dice: &mut Dice, fact: usize) -> Made {
    let (table, time) = FACTS[fact];
    let aggregate = match dice.below(10) {
        0 | 1 => Aggregate::Count,
        2 => Aggregate::CountDistinct,
        3 => Aggregate::Average,
        4 => Aggregate::Min,
        5 => Aggregate::Max,
        6 => Aggregate::Median,
        7 => Aggregate::Percentile,
        _ => Aggregate::Sum,
    };
    let of = match dice.below(6) {
        0 if aggregate == Aggregate::Count => Of::Rows,
        0 => Of::Difference,
        1 => Of::Some,
        2 => Of::Column("pieces"),
        3 if matches!(aggregate, Aggregate::Count | Aggregate::CountDistinct) => Of::Column("status"),
        _ => Of::Column("amount"),
    };
    let condition = match dice.below(6) {
        0 => Some(Where::Paid),
        1 => Some(Where::Many),
        2 => Some(Where::NoStatus),
        _ => None,
    };
    let ranked = matches!(aggregate, Aggregate::Median | Aggregate::Percentile);
    let take = (!ranked && dice.once_in(4)).then(|| {
        let edge = if dice.once_in(2) { Edge::First } else { Edge::Last };
        (edge, if dice.once_in(2) { vec!["status"] } else { Vec::new() })
    });
    let fraction = (1 + dice.below(19)) as f64 / 20.0;
    if dice.once_in(3) {
        let own = Some(made::own(dice, table, aggregate, fraction));
        return Made { table, time, aggregate, of: Of::Rows, condition: None, fraction, take: None, own, only: None };
    }
    Made { table, time, aggregate, of, condition, fraction, take, own: None, only: None }
}

fn dimensions(dice: &mut Dice, facts: &[usize], lists: bool, query: &mut ModelQuery) {
    let customers = if dice.once_in(2) { "customers.tier" } else { "customers.segment" };
    let mut groups = vec![ModelGroup::of(customers), ModelGroup::of("regions.name")];
    if facts.iter().all(|fact| *fact < 2) {
        groups.push(ModelGroup::of("products.category"));
    }
    if let [one] = facts {
        let (table, _) = FACTS[*one];
        groups.push(ModelGroup::of(format!("{table}.status")));
        groups.push(ModelGroup::of(format!("{table}.size")));
        groups.push(ModelGroup::of(format!("{table}.pieces")));
    }
    if facts.contains(&2) {
        // Two keys of the balances lead to the customers. Both exist in no other table.
        groups.retain(|group| !group.name.starts_with("customers") && !group.name.starts_with("regions"));
        if facts == [2] {
            let via = |name: &str, via: &str| ModelGroup { via: Some(via.to_owned()), ..ModelGroup::of(name) };
            groups.push(via(customers, "manager_id"));
            groups.push(via("regions.name", "customer_id.region_id"));
        } else {
            let via = |name: &str, via: &str| ModelGroup { via: Some(via.to_owned()), ..ModelGroup::of(name) };
            groups.push(via(customers, "customer_id"));
            groups.push(via("regions.name", "customer_id.region_id"));
        }
    }
    if lists {
        let table = FACTS[facts[0]].0;
        query.dimensions = vec![ModelGroup::of(format!("{table}.status"))];
        if dice.once_in(2) {
            query.dimensions.push(ModelGroup::of(format!("{table}.size")));
        }
        return;
    }
    for group in groups {
        if dice.once_in(3) {
            query.dimensions.push(group);
        }
    }
    if dice.below(5) < 2 {
        let grain = Some(Grain::ALL[dice.below(5)]);
        query.dimensions.push(ModelGroup { grain, ..ModelGroup::of("time") });
    }
    if dice.once_in(6) {
        let cycle = Some(if dice.once_in(2) { Cycle::Weekday } else { Cycle::PartOfWeek });
        query.dimensions.push(ModelGroup { cycle, ..ModelGroup::of("time") });
    }
}

fn asked(dice: &mut Dice, measures: &[Made], query: &ModelQuery) -> Vec<How> {
    let grain = query.dimensions.iter().find_map(|group| group.grain);
    let mut asked: Vec<How> = (0..measures.len()).map(How::Base).collect();
    let summed: Vec<usize> = (0..measures.len())
        .filter(|at| matches!(measures[*at].aggregate, Aggregate::Sum | Aggregate::Count) && measures[*at].take.is_none())
        // Only measures themselves go along a time.
        .filter(|at| measures[*at].only.is_none())
        .collect();
    for _ in 0..dice.below(3) {
        let any = |dice: &mut Dice| dice.below(measures.len());
        asked.push(match (dice.below(7), summed.first(), grain) {
            (5, Some(at), _) => How::Total(*at, dice.once_in(2)),
            (6, Some(at), _) => How::Share(*at, dice.once_in(2)),
            (2, Some(at), Some(_)) => How::Running(*at),
            (3, Some(at), Some(Grain::Day | Grain::Week | Grain::Month)) => {
                How::ToDate(*at, if dice.once_in(2) { Grain::Year } else { Grain::Quarter })
            }
            (4, Some(at), Some(_)) => How::Moving(*at, 2 + u16::try_from(dice.below(4)).expect("few")),
            (0, ..) => How::Formula(any(dice), any(dice), any(dice)),
            _ => How::Ratio(any(dice), any(dice)),
        });
    }
    asked
}

fn filters(dice: &mut Dice, facts: &[usize], lists: bool, query: &mut ModelQuery) {
    let text = |text: &str| Scalar::Text(text.to_owned());
    let filter = |dimension: &str, value: FilterValue, not: bool| ModelFilter { not, ..ModelFilter::of(dimension, value) };
    if lists {
        return;
    }
    if facts.iter().all(|fact| *fact < 2) && dice.once_in(4) {
        let value = FilterValue::AnyOf(vec![text("retail"), text("o'clock"), text("none")]);
        let dimension = if dice.once_in(2) { "customers.tier" } else { "customers.segment" };
        query.filters.push(filter(dimension, value, dice.once_in(2)));
    }
    if let [one] = facts
        && dice.once_in(4)
    {
        let (table, _) = FACTS[*one];
        let (from, to) = (Some(Scalar::Number(2.into())), Some(Scalar::Number(6.into())));
        let value = if dice.once_in(3) { FilterValue::AnyOf(Vec::new()) } else { FilterValue::Range { from, to } };
        query.filters.push(filter(&format!("{table}.pieces"), value, dice.once_in(2)));
    }
    let grain = query.dimensions.iter().find_map(|group| group.grain);
    let of_days = |from: &str, to: &str| FilterValue::Range { from: Some(text(from)), to: Some(text(to)) };
    let period = match (dice.below(7), grain) {
        (_, Some(Grain::Week)) => of_days("2024-09-02", "2024-10-14"),
        (_, Some(Grain::Quarter)) => of_days("2024-07-01", "2025-01-01"),
        (_, Some(Grain::Year)) => of_days("2024-01-01", "2025-01-01"),
        (0, _) => of_days("2024-02-01", "2024-04-01"),
        (5, None | Some(Grain::Day)) => of_days("2024-02-10", "2024-02-29"),
        (6, None | Some(Grain::Day)) => of_days("2024-02-29", "2024-06-11"),
        (1, _) => FilterValue::Relative("previous_month".parse::<Period>().expect("a period")),
        (2, None | Some(Grain::Day)) => of_days("2024-06-10", "2024-08-25"),
        (3, None | Some(Grain::Day)) => FilterValue::Relative("last_90_days".parse::<Period>().expect("a period")),
        _ => of_days("2024-03-01", "2024-12-01"),
    };
    if dice.once_in(8) {
        let value = FilterValue::AnyOf(["Mon", "Sat", "Sun"].map(text).into());
        let cycle = Some(Cycle::Weekday);
        query.filters.push(ModelFilter { cycle, ..filter("time", value, dice.once_in(2)) });
    }
    if facts.len() == 1 && dice.once_in(6) {
        let (period, has_year) = match (grain, dice.once_in(2)) {
            (None | Some(Grain::Day), true) => ("last_90_days", false),
            (None | Some(Grain::Day), false) => ("previous_month", true),
            (Some(Grain::Week), _) => ("last_8_weeks", false),
            (Some(Grain::Month), true) => ("this_quarter", true),
            (Some(Grain::Month), false) => ("previous_year", true),
            (Some(Grain::Quarter | Grain::Year), _) => ("this_year", true),
        };
        let value = FilterValue::Relative(period.parse::<Period>().expect("a period"));
        query.filters.push(ModelFilter { newest: true, ..filter("time", value, false) });
        let by_year = has_year && dice.once_in(2);
        query.compare = dice.once_in(2).then_some(if by_year { Compare::Year } else { Compare::Previous });
    } else if dice.once_in(3) {
        query.filters.push(filter("time", period, false));
        if dice.below(3) > 0 {
            query.compare = Some(if dice.once_in(2) { Compare::Year } else { Compare::Previous });
        }
    }
}

fn order(dice: &mut Dice, asked: &[How], measures: &[Made], query: &mut ModelQuery) {
    let whole = |how: &How| match how {
        How::Base(at) => {
            matches!(measures[*at].aggregate, Aggregate::Count | Aggregate::CountDistinct | Aggregate::Max | Aggregate::Min)
        }
        _ => false,
    };
    let sortable = asked.iter().position(whole).filter(|_| dice.once_in(2));
    if let Some(at) = sortable {
        query.sort.push(ModelOrder { by: query.measures[at].clone(), descending: dice.once_in(2) });
    }
    let columns: Vec<String> = query.dimensions.iter().map(ModelGroup::column).collect();
    if !columns.is_empty() && dice.once_in(3) {
        if query.sort.is_empty() {
            query.sort.push(ModelOrder { by: columns[dice.below(columns.len())].clone(), descending: dice.once_in(2) });
        }
        let per = columns.into_iter().enumerate().filter(|(at, _)| *at == 0 || dice.once_in(2)).map(|(_, name)| name).collect();
        query.top = Some(Top { rows: 1 + u32::try_from(dice.below(3)).expect("few"), per });
    }
    if dice.once_in(4) {
        query.limit = Some(1 + u32::try_from(dice.below(6)).expect("few"));
    }
}

/// The model of a case, as its project would declare it.
fn declared(case: &Case<'_>) -> Model {
    let mut model = world::model();
    for (fact, _) in FACTS {
        let table = model.tables.get_mut(fact).expect("a table");
        table.model.fiscal_year_start = Some(u8::try_from(case.year + 1).expect("a month"));
    }
    for (at, made) in case.measures.iter().enumerate().filter(|(_, made)| made.own.is_none() && made.only.is_none()) {
        let measure = Measure {
            aggregate: made.aggregate,
            of: made.of.sql(),
            condition: made.condition.map(|condition| condition.sql().to_owned()),
            fraction: (made.aggregate == Aggregate::Percentile).then_some(made.fraction),
            take: made.take.as_ref().map(|(edge, per)| Take {
                edge: *edge,
                over: None,
                per: per.iter().map(|column| (*column).to_owned()).collect(),
            }),
            label: None,
            description: None,
            synonyms: Vec::new(),
            format: None,
            lower_is_better: false,
        };
        let table = model.tables.get_mut(made.table).expect("a table");
        table.model.measures.insert(format!("measure_{at}"), measure);
    }
    for (at, how) in case.asked.iter().enumerate() {
        let name = name_of(at, how);
        if !case.query.metrics.contains_key(&name) {
            model.metrics.extend(metric(how, &case.query).map(|metric| (name, metric)));
        }
    }
    model
}

fn cells(answer: &ChartData) -> Answer {
    let cell = |value: &Json| match value {
        Json::Null => None,
        Json::Number(number) => Some(Cell::Number(number.as_f64().expect("a number"))),
        Json::String(text) => Some(text.parse().map_or_else(|_| Cell::Text(text.clone()), Cell::Number)),
        other => panic!("a value of no known kind: {other}"),
    };
    answer.rows.iter().map(|row| row.iter().map(cell).collect()).collect()
}

/// Numbers may differ by what rounding does to them.
fn are_equal(one: &Answer, other: &Answer) -> bool {
    let same = |a: &Option<Cell>, b: &Option<Cell>| match (a, b) {
        (Some(Cell::Number(a)), Some(Cell::Number(b))) => (a - b).abs() <= 1e-6 * a.abs().max(b.abs()).max(1.0),
        (a, b) => a == b,
    };
    let rows = |a: &[Option<Cell>], b: &[Option<Cell>]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b));
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| rows(a, b))
}

async fn agrees(database: &Database, case: &Case<'_>, seed: u64) {
    let model = declared(case);
    let asked = serde_json::to_string(&case.query).expect("JSON");
    let compiled = compile(database.source.kind, &model, &case.query, case.today)
        .unwrap_or_else(|problem| panic!("{seed}: {problem}\n{asked}\n{:#?}", case.measures));
    let answer = |sql: String| async move {
        let catalog = world::catalog();
        let answer = database.engine.run(&database.source, &catalog, &viewer("acme"), &query(&sql)).await;
        cells(&answer.unwrap_or_else(|problem| panic!("{seed}: {}\n{sql}", problem.detail())))
    };
    let (found, expected) = (answer(compiled.sql.clone()).await, case.answer());
    assert!(
        are_equal(&found, &expected),
        "{seed}: {asked}\n{:#?}\n{}\nfound    {found:?}\nexpected {expected:?}",
        case.measures,
        compiled.sql
    );
    if let Some(totals) = compiled.totals {
        let (found, expected) = (answer(totals.clone()).await, totals_of(case).answer());
        assert!(are_equal(&found, &expected), "{seed}, totals: {asked}\n{totals}\nfound    {found:?}\nexpected {expected:?}");
    }
}

fn totals_of<'a>(case: &Case<'a>) -> Case<'a> {
    let query = ModelQuery {
        dimensions: Vec::new(),
        having: Vec::new(),
        sort: Vec::new(),
        top: None,
        limit: None,
        totals: false,
        ..case.query.clone()
    };
    Case { query, measures: case.measures.clone(), asked: case.asked.clone(), ..*case }
}

/// So many made-up models over a few worlds.
async fn all_agree(open: impl AsyncFn(&str) -> Database, cases: u64) {
    let cases = many(cases);
    let worlds = 1 + cases / 250;
    for world in 0..worlds {
        let of = World::of(world + 1);
        let database = open(&of.script()).await;
        for seed in (world * cases / worlds)..((world + 1) * cases / worlds) {
            let case = made_up(&mut Dice::new(seed * 7919 + 1), &of);
            agrees(&database, &case, seed).await;
            narrowed::agrees(&database, &case, seed).await;
        }
        database.remove().await;
    }
}

fn limits() -> Limits {
    Limits { rows: 1_000_000, bytes: 1 << 30, ..Limits::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_answers_as_the_rows_say() {
    all_agree(async |script| Database::sqlite(script, limits()).await, 500).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_answers_as_the_rows_say() {
    all_agree(async |script| Database::postgres(script, limits()).await, 500).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn mariadb_answers_as_the_rows_say() {
    all_agree(async |script| Database::mysql(&in_mysql(script), limits()).await, 500).await;
}

#[cfg(feature = "duckdb")]
#[tokio::test(flavor = "multi_thread")]
async fn duckdb_answers_as_the_rows_say() {
    all_agree(async |script| Database::duckdb(script, limits()), 500).await;
}
