//! Fuzzes the reading of rules with any text and any kind of source.
#![no_main]

use inlay_query::fuzzing::{KINDS, try_rule};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &str)| {
    let (kind, text) = input;
    try_rule(KINDS[usize::from(kind) % KINDS.len()], text);
});
