//! The fuzz target without a fuzzer: random mutations of valid queries and of the bypass corpus.

use super::*;
use proptest::{
    prelude::*,
    sample::Index,
    test_runner::{Config, TestRunner},
};
use std::{
    cell::Cell,
    time::{Duration, Instant},
};

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

/// Valid rules.
const RULES: &[&str] = &[
    "company_id = {{organization.company}}",
    "company_id = {{ organization.company }} and region in ( 'north' , 'south' )",
    "( company_id = {{organization.company}} or region is null ) and id > 3",
    "region like 'a%' and not ( id between 1 and 5 )",
    "company_id in ( {{organization.company}} )",
    "{{user.admin}} = true or company_id = {{organization.company}}",
    "lower ( region ) = {{organization.company}}",
];

/// Words that are inserted into mutated rules.
const RULE_WORDS: &[&str] = &[
    "{{organization.company}}",
    "{{organization.",
    "{{",
    "}}",
    "}}}}",
    "{{user.x}}",
    "{{ }}",
    "or 1=1",
    "true",
    "null",
    "or",
    "and",
    "not",
    "(",
    ")",
    "in",
    "select",
    "exists",
    "--",
    "/*",
    "*/",
    ";",
    "'",
    "\"",
    "`",
    "\\",
    "$1",
    "?",
    "is",
    "between",
    "like",
    "margin",
    "orders.id",
    "inlay_row",
    "::text",
    "cast(id as text)",
    "pg_sleep(1)",
    "current_user",
    "count(*)",
    "over ()",
    "\u{a0}",
    "é",
    "||",
    "e'\\''",
    "$$",
    "#",
    "case when id = 1 then true end",
];

/// Values of filters.
const FILTERS: &[&str] = &[
    "north",
    "[ \"north\" , \"south\" ]",
    "{ \"from\" : 1 , \"to\" : 10 }",
    "{ \"from\" : \"2026-01-01\" }",
    "{ \"relative\" : \"last_7_days\" }",
    "{ \"relative\" : \"this_month\" }",
    "[ 1 , 2.5 , true , \"x\" ]",
    "[]",
    "-12.50",
    "true",
];

/// Words that are inserted into mutated values and messages.
const FILTER_WORDS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "'",
    "\\",
    "\\u0000",
    "null",
    "true",
    "1e999",
    "-0",
    "9223372036854775808",
    "0.1",
    "\"from\"",
    "\"to\"",
    "\"relative\"",
    "\"last_7_days\"",
    "\"last_99999999999_days\"",
    "\"2026-02-30\"",
    "' or 1=1 --",
    "$1",
    "é",
    "\u{202e}",
    "\n",
    "1",
    "2",
    "\"v\"",
    "\"type\"",
];

/// Messages of host pages.
const MESSAGES: &[&str] = &[
    "{ \"type\" : \"embed:set-token\" , \"v\" : 1 , \"token\" : \"a.b.c\" }",
    "{ \"type\" : \"embed:set-params\" , \"v\" : 1 , \"search\" : \"?filter_region=%5B%22north%22%5D&f_shop.orders.id=3\" }",
    "{ \"type\" : \"embed:set-params\" , \"v\" : 1.0 , \"search\" : \"\" }",
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

fn damaged(seeds: &[String], dictionary: &[&str], start: Index, all: &[Damage]) -> String {
    let mut words: Vec<String> = start.get(seeds).split(' ').map(str::to_owned).collect();
    for one in all {
        if words.is_empty() {
            break;
        }
        match one {
            Damage::Insert(place, word) => words.insert(place.index(words.len()), (*word.get(dictionary)).to_owned()),
            Damage::Replace(place, word) => {
                let place = place.index(words.len());
                words[place] = (*word.get(dictionary)).to_owned();
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

/// Runs cases, and goes on for this kind's part of `INLAY_FUZZ_SECONDS` if that is set. Each round has another seed.
fn run<S: Strategy>(inputs: &S, test: impl Fn(S::Value)) -> u32 {
    let seconds =
        std::env::var("INLAY_FUZZ_SECONDS").map_or(0.0, |asked| asked.parse().expect("INLAY_FUZZ_SECONDS is a number"));
    let (begun, longest) = (Instant::now(), Duration::from_secs_f64(seconds / KINDS.len() as f64));
    let mut rounds = 0;
    while rounds == 0 || begun.elapsed() < longest {
        let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(cases()) });
        let result = runner.run(inputs, |input| {
            test(input);
            Ok(())
        });
        if let Err(problem) = result {
            panic!("{problem}");
        }
        rounds += 1;
    }
    rounds * cases()
}

/// Runs damaged texts on each kind of source. Some of them must still be read, or the damage is too strong for the test to mean anything.
#[expect(clippy::print_stdout, reason = "how much a longer run has tried")]
fn run_damaged(seeds: &[String], words: &'static [&'static str], try_it: fn(SourceKind, &str) -> bool) {
    for kind in KINDS {
        let read = Cell::new(0_u32);
        let ran = run(&(any::<Index>(), proptest::collection::vec(damage(), 0..6)), |(start, all)| {
            read.set(read.get() + u32::from(try_it(kind, &damaged(seeds, words, start, &all))));
        });
        assert!(read.get() > ran / 20, "{kind}: only {} of {ran} were read", read.get());
        println!("{kind}: {ran} texts, {} of them read", read.get());
    }
}

#[test]
fn damaged_queries_never_leave_their_wrappers() {
    run_damaged(&seeds(), WORDS, try_one);
}

#[test]
fn any_text_at_all_is_refused_or_wrapped() {
    for kind in KINDS {
        run(&".{0,60}", |text: String| {
            try_one(kind, &text);
            try_rule(kind, &text);
            try_filter(kind, &text);
            try_message(&text);
        });
    }
}

#[test]
fn damaged_rules_stay_rules() {
    let seeds: Vec<String> = RULES.iter().map(|&rule| rule.to_owned()).collect();
    run_damaged(&seeds, RULE_WORDS, try_rule);
}

#[test]
fn damaged_filters_stay_values() {
    let seeds: Vec<String> = FILTERS.iter().map(|&filter| filter.to_owned()).collect();
    run_damaged(&seeds, FILTER_WORDS, try_filter);
}

#[test]
fn damaged_messages_are_read_as_they_were_written() {
    let seeds: Vec<String> = MESSAGES.iter().map(|&message| message.to_owned()).collect();
    run_damaged(&seeds, FILTER_WORDS, |_, text| try_message(text));
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
