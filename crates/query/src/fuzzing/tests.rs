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

/// A text of crates/query/fuzz/seeds: what is valid, or words that damage it. libFuzzer begins with the same.
macro_rules! seeds {
    ($name:literal) => {
        include_str!(concat!("../../fuzz/seeds/", $name))
    };
}

/// The lines of a text.
fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// The words of a text, and those that cannot stand in a file by themselves.
fn words(text: &str) -> Vec<&str> {
    text.lines().chain(["\n", "\u{202e}"]).collect()
}

fn queries() -> Vec<String> {
    let corpus = [
        include_str!("../../corpus/rewriting.sql"),
        include_str!("../../corpus/f-read-only.sql"),
        include_str!("../../corpus/o-database-auth.sql"),
        include_str!("../../corpus/e-errors.sql"),
    ];
    let bypasses = corpus.iter().flat_map(|file| file.lines()).filter(|line| !line.is_empty() && !line.starts_with("--"));
    let valid = lines(seeds!("queries.txt"));
    // A valid query is a better start: three of four cases begin with one.
    let often = valid.iter().cycle().take(valid.len() * 40).cloned();
    often.chain(bypasses.map(str::to_owned)).collect()
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
fn run_damaged(seeds: &[String], words: &[&str], try_it: fn(SourceKind, &str) -> bool) {
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
    run_damaged(&queries(), &words(seeds!("queries.words")), try_one);
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
    run_damaged(&lines(seeds!("rules.txt")), &words(seeds!("rules.words")), try_rule);
}

#[test]
fn damaged_filters_stay_values() {
    run_damaged(&lines(seeds!("filters.txt")), &words(seeds!("filters.words")), try_filter);
}

#[test]
fn damaged_messages_are_read_as_they_were_written() {
    run_damaged(&lines(seeds!("messages.txt")), &words(seeds!("filters.words")), |_, text| try_message(text));
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
