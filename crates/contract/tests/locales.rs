//! Tests that the locale tables of the browser's tests equal this crate's.

use inlay_contract::format::locale::Locale;

/// The file that the chart runtime's tests read. `INLAY_BLESS=1 cargo test -p inlay-contract --test locales` updates it.
const FIXTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../frontend/charts/test/locales.json");

#[test]
fn the_fixture_is_current() {
    let tags = ["en", "en-GB", "de", "fr", "es", "it", "ja", "pl", "he"];
    let locales: serde_json::Map<String, serde_json::Value> =
        tags.iter().map(|tag| ((*tag).to_owned(), serde_json::json!(Locale::of(tag)))).collect();
    let text = serde_json::to_string_pretty(&locales).expect("JSON") + "\n";
    if std::env::var_os("INLAY_BLESS").is_some() {
        std::fs::write(FIXTURE, &text).expect("the fixture is written");
    }
    assert_eq!(std::fs::read_to_string(FIXTURE).expect("the fixture"), text, "run with INLAY_BLESS=1");
}
