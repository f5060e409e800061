//! The fuzz target without a fuzzer: random mutations of valid queries and of the bypass corpus.

use super::*;
use proptest::{
    prelude::*,
    sample::Index,
    test_runner::{Config, TestRunner},
};
use std::cell::Cell;

/// Valid queries of every shape.
const QUERIES: &[&str] = &[
    "select id, region, n from orders where n > 3 or region is null order by id limit 5",
    "select region, count(*) as c, sum(n) from orders group by region having count(*) > 1",
    "select o.id, r.n from orders o join rates r on r.id = o.id left join orders p on p.id = r.id",
    "select * from orders a cross join rates b where a.id = b.id",
    "with orders as (select * from orders) select orders.id from orders",
    "with a as (select id from orders), b as (select * from a union all select id from rates) select max(id) from b",
    "select (select max(n) from orders x where x.id = r.id) as m from rates r where exists (select 1 from orders)",
    "select id from orders union select id from (select id from rates union all select id from orders) u",
    "select id, row_number() over (partition by region order by n) from orders",
    "select case when n in (select n from rates) then 'a' else region end from orders",
    "select * from (select * from (select id from orders) x) y where id not in (select id from rates)",
    "select distinct lower(region), coalesce(n, 0) from orders where region like 'a%' and n between 1 and 5",
    "select count(*) from (select 1 from orders) a, (select 2 from rates) b",
];

/// Words that are inserted into mutated queries.
const WORDS: &[&str] = &[
    "orders",
    "rates",
    "unlisted",
    "public.orders",
    "main.orders",
    "\"orders\"",
    "`orders`",
    "[orders]",
    "'orders'",
    "margin",
    "inlay_row",
    "inlay_cte_1",
    "$1",
    "$2",
    "?",
    "(",
    ")",
    ",",
    ";",
    "*",
    ".",
    "'",
    "\"",
    "`",
    "--",
    "/*",
    "*/",
    "/*!",
    "#",
    "\\",
    "union all",
    "select",
    "from",
    "where",
    "or 1=1",
    "as",
    "with",
    "recursive",
    "lateral",
    "only",
    "natural join",
    "join",
    "using (id)",
    "on true",
    "exists",
    "in",
    "values",
    "table",
    "into",
    "for update",
    "returning",
    "delete from orders",
    "limit 1",
    "offset 1",
    "fetch first 1 rows only",
    "order by",
    "group by",
    "over ()",
    "filter (where true)",
    "pg_sleep(1)",
    "dblink('x')",
    "load_file('x')",
    "url('x')",
    "::regclass",
    "cast(id as text)",
    "e'\\''",
    "$$x$$",
    "\u{a0}",
    "\u{2028}",
    "\n",
    "é",
    "final",
    "settings x = 1",
    "format json",
    "sample 0.1",
    "array join",
    "prewhere true",
    "qualify true",
    "top 1",
    "pivot",
    "unnest",
    "tablesample bernoulli (1)",
    "for system_time as of 'x'",
    "at (timestamp => 1)",
    "except",
    "intersect",
    "minus",
];

fn seeds() -> Vec<String> {
    let corpus = [
        include_str!("../../corpus/rewriting.sql"),
        include_str!("../../corpus/f-read-only.sql"),
        include_str!("../../corpus/o-database-auth.sql"),
        include_str!("../../corpus/e-errors.sql"),
    ];
    let lines = corpus.iter().flat_map(|file| file.lines()).filter(|line| !line.is_empty() && !line.starts_with("--"));
    // A valid query is a better start: three of four cases begin with one.
    let often = QUERIES.iter().cycle().take(QUERIES.len() * 40).map(|sql| (*sql).to_owned());
    often.chain(lines.map(str::to_owned)).collect()
}

/// A mutation of a query.
#[derive(Clone, Debug)]
enum Damage {
    Insert(Index, Index),
    Replace(Index, Index),
    Drop(Index),
    Repeat(Index, Index),
    Splice(Index, Index, Index),
    Letter(Index, char),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<Index>;
    prop_oneof![
        3 => (at(), at()).prop_map(|(place, word)| Damage::Insert(place, word)),
        3 => (at(), at()).prop_map(|(place, word)| Damage::Replace(place, word)),
        2 => at().prop_map(Damage::Drop),
        1 => (at(), at()).prop_map(|(from, to)| Damage::Repeat(from, to)),
        2 => (at(), at(), at()).prop_map(|(seed, from, to)| Damage::Splice(seed, from, to)),
        1 => (at(), any::<char>()).prop_map(|(place, letter)| Damage::Letter(place, letter)),
    ]
}

fn damaged(seeds: &[String], start: Index, all: &[Damage]) -> String {
    let mut words: Vec<String> = start.get(seeds).split(' ').map(str::to_owned).collect();
    for one in all {
        if words.is_empty() {
            break;
        }
        match one {
            Damage::Insert(place, word) => words.insert(place.index(words.len()), (*word.get(WORDS)).to_owned()),
            Damage::Replace(place, word) => {
                let place = place.index(words.len());
                words[place] = (*word.get(WORDS)).to_owned();
            }
            Damage::Drop(place) => drop(words.remove(place.index(words.len()))),
            Damage::Repeat(from, to) => {
                let (from, to) = (from.index(words.len()), to.index(words.len()));
                let again = words[from.min(to)..=from.max(to)].to_vec();
                words.extend(again);
            }
            Damage::Splice(seed, from, to) => {
                let other: Vec<String> = seed.get(seeds).split(' ').map(str::to_owned).collect();
                words.truncate(to.index(words.len()) + 1);
                words.extend_from_slice(&other[from.index(other.len())..]);
            }
            Damage::Letter(place, letter) => {
                let place = place.index(words.len());
                words[place].push(*letter);
            }
        }
    }
    words.join(" ")
}

/// The number of cases: `INLAY_FUZZ_CASES`, or 2,000 per kind.
fn cases() -> u32 {
    std::env::var("INLAY_FUZZ_CASES").map_or(2_000, |asked| asked.parse().expect("INLAY_FUZZ_CASES is a number"))
}

#[test]
fn damaged_queries_never_leave_their_wrappers() {
    let seeds = seeds();
    for kind in KINDS {
        let ran = Cell::new(0_u32);
        let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(cases()) });
        let inputs = (any::<Index>(), proptest::collection::vec(damage(), 0..6));
        let result = runner.run(&inputs, |(start, all)| {
            ran.set(ran.get() + u32::from(try_one(kind, &damaged(&seeds, start, &all))));
            Ok(())
        });
        if let Err(problem) = result {
            panic!("{problem}");
        }
        // If hardly any query still runs, the mutations are too strong for the test to be meaningful.
        assert!(ran.get() > cases() / 20, "{kind}: only {} of {} ran", ran.get(), cases());
    }
}

#[test]
fn any_text_at_all_is_refused_or_wrapped() {
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(cases()) });
    let result = runner.run(&(0..KINDS.len(), ".{0,60}"), |(kind, sql)| {
        try_one(KINDS[kind], &sql);
        Ok(())
    });
    assert!(result.is_ok(), "{result:?}");
}

#[test]
fn the_judge_sees_what_is_wrong() {
    let wrapper = rewritten(SourceKind::Postgres, "select id from orders").expect("it runs");
    assert_eq!(judge(SourceKind::Postgres, &wrapper), Ok(()));
    for (from, to) in [
        ("WHERE (", "WHERE (true OR "),
        ("$1", "'acme'"),
        ("AS \"region\"", "AS \"margin\""),
        ("\"orders\" AS", "\"unlisted\" AS"),
        ("AS \"inlay_row\"", "AS \"row\""),
        ("SELECT id FROM", "SELECT pg_sleep(1) FROM"),
        ("AS orders", "AS orders, \"public\".\"orders\" AS other"),
        ("AS orders", "AS orders; DELETE FROM orders"),
    ] {
        let broken = wrapper.replacen(from, to, 1);
        assert_ne!(broken, wrapper, "{from}");
        // A widened rule still looks like a wrapper. Only its text differs, which `verify` compares in full.
        let told = judge(SourceKind::Postgres, &broken).is_err();
        assert!(told || to.contains("true OR"), "{to}: {broken}");
    }
}
