//! Tests that the messages' TypeScript types and their table in the documentation match the declaration. `INLAY_WRITE=1 cargo
//! test -p inlay-contract --test messages` updates the types.

use inlay_contract::frame::message::{ErrorCode, In, Message, Out, SessionState, Source, Typed};
use std::{env, fs, path::PathBuf};

const TYPES: &str = "sdk/page/types/messages.d.ts";
const PAGE: &str = "docs/pages.md";

fn path(of: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(of)
}

fn interface(message: &Message) -> String {
    let fields =
        message.fields.iter().map(|field| format!("  /** {} */\n  {}: {};\n", field.doc, field.name, named(&field.kind)));
    format!(
        "/** {} */\nexport interface {}Message {{\n  type: '{}';\n  v: 1;\n{}}}\n",
        message.doc,
        message.variant,
        message.name,
        fields.collect::<String>()
    )
}

/// The enums with a name in TypeScript.
fn words() -> [(&'static str, &'static str, String); 3] {
    [
        ("Source", "Who changed the filters.", Source::typescript()),
        ("SessionState", "The state of a token's lifetime.", SessionState::typescript()),
        ("ErrorCode", "The codes of `embed:error`.", ErrorCode::typescript()),
    ]
}

fn named(kind: &str) -> String {
    words().into_iter().find(|(_, _, words)| words == kind).map_or_else(|| kind.to_owned(), |(name, ..)| name.to_owned())
}

fn union(name: &str, doc: &str, messages: &[Message]) -> String {
    let names: Vec<String> = messages.iter().map(|message| format!("{}Message", message.variant)).collect();
    format!("/** {doc} */\nexport type {name} = {};\n", names.join(" | "))
}

fn types() -> String {
    let (out, to) = (Out::table(), In::table());
    let mut text = "// Written by `INLAY_WRITE=1 cargo test -p inlay-contract --test messages`; do not edit.\n\n".to_owned();
    for (name, doc, words) in words() {
        text += &format!("/** {doc} */\nexport type {name} = {words};\n\n");
    }
    for message in out.iter().chain(&to) {
        text += &format!("{}\n", interface(message));
    }
    text + &union("PageMessage", "What a page posts to its host.", &out)
        + "\n"
        + &union("HostMessage", "What a host posts to a page.", &to)
}

#[test]
fn the_typescript_types_are_those_of_the_table() {
    let wanted = types();
    if env::var_os("INLAY_WRITE").is_some() {
        fs::write(path(TYPES), &wanted).expect("the types are written");
    }
    let stored = fs::read_to_string(path(TYPES)).unwrap_or_default();
    assert!(stored == wanted, "{TYPES} is out of date: set INLAY_WRITE=1 and run this test again");
}

#[test]
fn the_documentation_has_every_message_field_and_word() {
    let page = fs::read_to_string(path(PAGE)).expect("the page");
    for message in Out::table().into_iter().chain(In::table()) {
        let start = format!("| `{}` |", message.name);
        let row = page.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("{PAGE} has no row {start}"));
        for field in message.fields {
            assert!(row.contains(&format!("`{}`", field.name)), "{PAGE}: {} without {}", message.name, field.name);
            for word in field.kind.split('\'').skip(1).step_by(2) {
                assert!(row.contains(&format!("`{word}`")), "{PAGE}: {} without {word}", message.name);
            }
        }
    }
}

#[test]
fn the_documentation_has_no_message_that_is_not_in_the_table() {
    let page = fs::read_to_string(path(PAGE)).expect("the page");
    let known: Vec<&str> = Out::table().iter().chain(&In::table()).map(|message| message.name).collect();
    for name in page.lines().filter_map(|line| line.strip_prefix("| `embed:")?.split('`').next()) {
        assert!(known.contains(&format!("embed:{name}").as_str()), "{PAGE} has embed:{name}");
    }
}
