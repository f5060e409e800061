//! Fuzzes the reading of messages of host pages with any text.
#![no_main]

use inlay_query::fuzzing::try_message;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    try_message(text);
});
