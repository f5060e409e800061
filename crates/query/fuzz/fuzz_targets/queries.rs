//! Fuzzes the rewriting with any text and any kind of source: its output reads every table through a wrapper, or there is none.
#![no_main]

use inlay_query::fuzzing::{KINDS, try_one};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &str)| {
    let (kind, sql) = input;
    try_one(KINDS[usize::from(kind) % KINDS.len()], sql);
});
