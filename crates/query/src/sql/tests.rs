//! Reading a text takes a bounded number of steps, whatever it holds.

use super::*;
use crate::dialect::steps::taken;
use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use std::time::{Duration, Instant};

/// Constructs with room for an expression (`A`) or a query (`Q`). Many have two readings.
const NESTS: &[&str] = &[
    "position(A, 1)",
    "position(A in 'x')",
    "1 in (values (A), 1)",
    "1 in (values (A))",
    "1 in ((A), 1)",
    "1 in ((Q), 1)",
    "1 not in (Q)",
    "interval A day",
    "interval (A)",
    "interval(A, 1)",
    "cast(A, 1)",
    "cast(A as text)",
    "extract(A, 1)",
    "extract(year from A)",
    "substring(A, 1)",
    "substring(A from 1 for 2)",
    "trim(A, 1)",
    "trim(both 'x' from A)",
    "overlay(A, 1)",
    "ceil(A, 1)",
    "floor(A to day)",
    "convert(A, 1)",
    "convert(A using utf8mb4)",
    "case A when 1 then 2 end",
    "case when A then A end",
    "case(A)",
    "case-A",
    "not A",
    "not(A, 1)",
    "exists(Q)",
    "exists(A)",
    "(A)",
    "(A, 1)",
    "(Q)",
    "-A",
    "A + 1",
    "1 + A",
    "A is distinct from 1",
    "A between 1 and A",
    "1 between A and 2",
    "A like 'x' escape 'y'",
    "A glob 1",
    "1 glob A",
    "A div 1",
    "1 is A",
    "A[1]",
    "array[A]",
    "array(A)",
    "[A, 1]",
    "f(A)",
    "f(A, A)",
    "f(a => A)",
    "f(A order by A)",
    "f(A) filter (where A)",
    "f(A) over (partition by A order by A)",
    "f(1)(A)",
    "a.f(A)",
    "(A).b",
    "date A",
    "timestamp(A)",
    "decimal(A)",
    "left(A, 1)",
    "if(A, 1, 2)",
    "values(A)",
    "struct(A)",
    "map(A)",
    "{fn f(A)}",
    "match(A) against (A)",
    "A at time zone A",
    "A::text",
    "x -> A",
    "any(A)",
    "1 = any (A)",
    "1 = all (Q)",
    "grouping sets ((A))",
    "cube(A)",
    "try_cast(A as text)",
    "listagg(A, 'x') within group (order by A)",
    "lambda x: A",
    "xmlparse(document A)",
    "json_object(A : A)",
];

/// Queries with room for an expression or a query.
const QUERIES: &[&str] = &[
    "select A",
    "select A from t where A",
    "select * from (Q) a",
    "select * from ((Q) a)",
    "select * from ((Q) a join (Q) b on A)",
    "select * from (((t)))",
    "select * from ((t join (Q) a on A))",
    "select * from lateral (Q) a",
    "select * from f(A) a",
    "select * from f((Q)) a",
    "select * from table(A) a",
    "select * from t tablesample (A)",
    "select * from unnest(A) a",
    "with a as (Q) select * from a",
    "with a as (Q), b as (Q) Q",
    "(Q) union (Q)",
    "Q union all Q",
    "values (A), (A)",
    "select A from t group by A having A order by A limit 1",
    "select top A b from t",
    "select distinct on (A) b from t",
    "select * from t pivot (f(A) for b in (A))",
    "select * from t qualify A",
    "from t select A",
    "table t",
];

/// Reads a text, and asserts that its steps and its time are bounded.
fn assert_bounded(kind: SourceKind, sql: &str) {
    let begun = Instant::now();
    let made = on_deep_stack(|| parse(kind, sql).map(drop));
    let (steps, bound) = (taken(), 2_000 + 20 * sql.len());
    assert!(steps <= bound + 1, "{kind:?}: {steps} steps for {} bytes: {sql}", sql.len());
    assert!(begun.elapsed() < Duration::from_secs(5), "{kind:?}: {:?} for {sql}", begun.elapsed());
    drop(made);
}

/// `position(position(…, 1), 1)`, and the like.
fn nested(around: &str, inside: &str, levels: usize) -> String {
    (0..levels).fold(inside.to_owned(), |inside, _| around.replace('A', &inside))
}

#[test]
fn texts_that_are_read_twice_at_each_level_end_with_what_to_do() {
    for kind in SourceKind::ALL {
        for around in ["position(A, 1)", "1 in (values (A), 1)"] {
            let sql = format!("select {}", nested(around, "1", 22));
            let begun = Instant::now();
            let Refusal(reason) = on_deep_stack(|| parse(kind, &sql)).expect_err(&sql);
            assert!(begun.elapsed() < Duration::from_secs(2), "{kind:?}: {:?} for {sql}", begun.elapsed());
            assert!(reason.contains("too many steps") && reason.contains("WITH"), "{kind:?}: {reason}");
        }
    }
}

#[test]
fn a_rule_that_is_read_twice_at_each_level_ends_too() {
    for kind in SourceKind::ALL {
        let rule = format!("{} = 1", nested("position(A, 1)", "1", 22));
        let Refusal(reason) = on_deep_stack(|| parse_condition(kind, &rule)).expect_err("too many steps");
        assert!(reason.contains("too many steps"), "{kind:?}: {reason}");
    }
}

#[test]
fn a_few_levels_of_anything_are_read() {
    for kind in SourceKind::ALL {
        for around in ["position(A, 1)", "coalesce(A, 1)", "(A + 1)", "case when A > 1 then 2 else 3 end"] {
            let sql = format!("select {}", nested(around, "1", 6));
            assert_eq!(on_deep_stack(|| parse(kind, &sql).map(drop)), Ok(()), "{kind:?}: {sql}");
        }
    }
}

#[test]
fn a_chain_whose_left_side_is_copied_has_a_limit() {
    for (kind, link) in [(SourceKind::Sqlite, " glob a"), (SourceKind::Sqlite, " is a"), (SourceKind::Mysql, " div a")] {
        let chain = |links: usize| format!("select a{}", link.repeat(links));
        assert!(on_deep_stack(|| parse(kind, &chain(400)).map(drop)).is_ok());
        let begun = Instant::now();
        assert!(on_deep_stack(|| parse(kind, &chain(9_000)).map(drop)).is_err());
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    }
}

#[test]
fn every_construct_in_itself_is_bounded() {
    for kind in SourceKind::ALL {
        for around in NESTS {
            let query = "select A from t";
            for levels in [8, 14, 20, 45] {
                let around = around.replace('Q', &query.replace('A', "1"));
                assert_bounded(
                    kind,
                    &format!(
                        "select {}",
                        nested(&around.replacen('A', "\u{1}", 1).replace('A', "2").replace('\u{1}', "A"), "1", levels)
                    ),
                );
            }
        }
        for around in QUERIES {
            let around = around.replace('A', "1");
            let sql = (0..20).fold("select 1".to_owned(), |inside, _| {
                around.replacen('Q', "\u{1}", 1).replace('Q', "select 1").replace('\u{1}', &inside)
            });
            assert_bounded(kind, &sql);
        }
    }
}

/// Grows a text from a tape of choices: the deepest place is filled again and again.
fn grown(tape: &[u8]) -> String {
    let mut sql = "Q".to_owned();
    for choice in tape {
        let choice = usize::from(*choice);
        let Some(place) = sql.rfind(['A', 'Q']) else { break };
        let list = if sql[place..].starts_with('A') { NESTS } else { QUERIES };
        let filling = list[choice % list.len()];
        sql.replace_range(place..=place, filling);
        if sql.len() > 4_000 {
            break;
        }
    }
    sql.replace('A', "1").replace('Q', "select 1")
}

#[test]
fn any_nest_of_constructs_is_bounded() {
    let cases = std::env::var("INLAY_FUZZ_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(300);
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(cases) });
    let tapes = proptest::collection::vec(any::<u8>(), 1..40);
    let run = runner.run(&tapes, |tape| {
        for kind in SourceKind::ALL {
            assert_bounded(kind, &grown(&tape));
        }
        Ok(())
    });
    run.expect("every text is bounded");
}

#[test]
fn honest_queries_need_few_steps() {
    for sql in [
        "select region, count(*) as c, sum(n) from orders group by region having count(*) > 1 order by 2 desc limit 5",
        "with a as (select id from orders), b as (select * from a union all select id from rates) select max(id) from b",
        "select * from (select * from (select id from orders) x) y where id not in (select id from rates where (n + 1) * 2 > 3)",
        "select case when a in ('x', 'y') then coalesce(b, 0) else round(c * 100.0 / nullif(d, 0), 2) end from orders",
    ] {
        for kind in SourceKind::ALL {
            on_deep_stack(|| parse(kind, sql)).expect(sql);
            assert!(taken() <= 2 * sql.split([' ', ',', '(', ')']).count(), "{kind:?}: {} steps for {sql}", taken());
        }
    }
}
