use super::*;
use inlay_contract::{
    calendar::Grain,
    format::{self, DateForm, NumberFormat, NumberStyle, locale::Locale},
};
use proptest::prelude::*;
use serde_json::json;

const TAGS: [&str; 10] = ["en", "en-GB", "de", "fr", "es", "pl", "ja", "pt-BR", "ar", "he"];

thread_local! {
    static ENGINE: Engine = Engine::start(128 << 20).expect("an engine");
}

fn number_format() -> impl Strategy<Value = NumberFormat> {
    let style = prop_oneof![
        Just(NumberStyle::Number),
        Just(NumberStyle::Compact),
        Just(NumberStyle::Percent),
        Just(NumberStyle::Currency)
    ];
    let currency = prop_oneof![
        Just(None),
        Just(Some("EUR".to_owned())),
        Just(Some("CHF".to_owned())),
        Just(Some("constructor".to_owned()))
    ];
    let unit = prop_oneof![Just(None), Just(Some("min".to_owned())), Just(Some("%".to_owned())), Just(Some(String::new()))];
    (style, currency, unit, proptest::option::of(0..6u8), proptest::option::of(Just(1000.0))).prop_map(
        |(style, currency, unit, decimals, compact_from)| NumberFormat { style, currency, unit, decimals, compact_from },
    )
}

fn value() -> impl Strategy<Value = f64> {
    prop_oneof![
        -1e6..1e6f64,
        (-1e15..1e15f64).prop_map(f64::round),
        (-20_000..20_000i32).prop_map(|halves| f64::from(halves) / 8.0),
        -0.01..0.01f64,
        (9.9e5..1.01e6f64),
        Just(0.0),
        Just(-0.0),
        Just(999_950.0),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn browser_and_server_write_the_same_number(value in value(), format in number_format(), tag in 0..TAGS.len()) {
        let locale = Locale::of(TAGS[tag]);
        let asked = json!({"value": value, "format": format, "locale": locale}).to_string();
        let browser = ENGINE.with(|engine| engine.formatted(&asked)).expect("a text");
        prop_assert_eq!(browser, format::number(value, &format, &locale));
    }

    #[test]
    fn browser_and_server_write_the_same_date(minutes in -1_000_000_000..4_000_000_000i64, grain in 0..6usize, form in 0..3usize, tag in 0..TAGS.len()) {
        let locale = Locale::of(TAGS[tag]);
        let grain = [Grain::Minute, Grain::Day, Grain::Week, Grain::Month, Grain::Quarter, Grain::Year][grain];
        let form = [DateForm::Axis, DateForm::Year, DateForm::Words][form];
        let moment = minutes * 60_000;
        let asked = json!({"value": moment, "format": {"date": grain, "form": form}, "locale": locale}).to_string();
        let browser = ENGINE.with(|engine| engine.formatted(&asked)).expect("a text");
        prop_assert_eq!(browser, format::date(moment, grain, form, &locale));
    }
}

#[test]
fn the_engine_reaches_neither_files_nor_network() {
    let engine = Engine::start(64 << 20).expect("an engine");
    for name in ["fetch", "XMLHttpRequest", "require", "process", "std", "os", "Worker"] {
        let kind: String = engine.context.with(|ctx| ctx.eval(format!("typeof {name}"))).expect("a type");
        assert_eq!(kind, "undefined", "{name}");
    }
}
