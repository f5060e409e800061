//! Tests that the SQL editor of the pages knows every kind of database by its name on the wire.

use inlay_contract::source::SourceKind;
use std::collections::BTreeSet;

const EDITOR: &str = include_str!("../../../frontend/sql/editor.js");

#[test]
fn the_editor_has_a_dialect_for_each_kind_and_for_nothing_else() {
    let (_, table) = EDITOR.split_once("const DIALECTS = {").expect("the table");
    let (table, _) = table.split_once('}').expect("the table's end");
    let entries = table.split(',').map(str::trim).filter(|entry| !entry.is_empty());
    let keys: BTreeSet<&str> =
        entries.map(|entry| entry.split_once(':').expect("a key and a dialect").0.trim_matches(['"', ' ', '\n'])).collect();
    assert_eq!(keys, SourceKind::ALL.map(SourceKind::name).into());
}
