use super::*;
use crate::calendar::parse;

fn en(value: f64, format: NumberFormat) -> String {
    number(value, &format, &Locale::of("en"))
}

fn style(style: NumberStyle) -> NumberFormat {
    NumberFormat { style, ..NumberFormat::default() }
}

#[test]
fn numbers_are_grouped_and_cut_to_what_matters() {
    let plain = |value| en(value, NumberFormat::default());
    assert_eq!(plain(1234.0), "1,234");
    assert_eq!(plain(1_234_567.891), "1,234,567.89");
    assert_eq!(plain(-3.2), "−3.2");
    assert_eq!(plain(0.001_234), "0.0012");
    assert_eq!(plain(-0.000_000_000_1), "0");
    assert_eq!(plain(f64::NAN), "–");
    assert_eq!(plain(1e21), "1.0e21");
    assert_eq!(en(2.5, NumberFormat { decimals: Some(0), ..NumberFormat::default() }), "3");
    assert_eq!(en(0.125, NumberFormat { decimals: Some(2), ..NumberFormat::default() }), "0.13");
    assert_eq!(en(9.999, NumberFormat { decimals: Some(2), ..NumberFormat::default() }), "10.00");
}

#[test]
fn compact_numbers_have_one_digit_and_never_a_thousand_of_a_unit() {
    let compact = |value| en(value, style(NumberStyle::Compact));
    assert_eq!(compact(1234.0), "1,234");
    assert_eq!(compact(12_345.0), "12.3K");
    assert_eq!(compact(4_500_000.0), "4.5M");
    assert_eq!(compact(999_950.0), "1M");
    assert_eq!(compact(-12_000.0), "−12K");
}

#[test]
fn percent_is_of_a_fraction_and_units_follow() {
    assert_eq!(en(0.1234, style(NumberStyle::Percent)), "12.3%");
    assert_eq!(en(12.5, NumberFormat { unit: Some("min".into()), ..NumberFormat::default() }), "12.5\u{a0}min");
    assert_eq!(en(12.5, NumberFormat { unit: Some("%".into()), ..NumberFormat::default() }), "12.5%");
}

#[test]
fn currencies_stand_where_the_language_puts_them() {
    let euros = NumberFormat { style: NumberStyle::Currency, currency: Some("EUR".into()), ..NumberFormat::default() };
    assert_eq!(number(-1234.5, &euros, &Locale::of("en")), "−€1,234.50");
    assert_eq!(number(1234.5, &euros, &Locale::of("de-DE")), "1.234,50\u{a0}€");
    assert_eq!(number(1234.0, &euros, &Locale::of("fr")), "1\u{202f}234\u{a0}€");
    let francs = NumberFormat { currency: Some("CHF".into()), ..euros };
    assert_eq!(number(1234.0, &francs, &Locale::of("de-CH")), "1’234\u{a0}CHF");
}

#[test]
fn periods_are_named() {
    let at = parse("2001-01-05T14:30").expect("a moment");
    let day = parse("2001-01-05").expect("a day");
    let english = Locale::of("en");
    let words = |grain| date(day, grain, DateForm::Words, &english);
    assert_eq!(words(Grain::Day), "Jan 5, 2001");
    assert_eq!(words(Grain::Week), "Jan 5, 2001 – Jan 11, 2001");
    assert_eq!(words(Grain::Month), "January 2001");
    assert_eq!(words(Grain::Quarter), "Q1 2001");
    assert_eq!(words(Grain::Year), "2001");
    assert_eq!(date(at, Grain::Minute, DateForm::Words, &english), "Jan 5, 2001, 2:30 PM");
    assert_eq!(date(at, Grain::Minute, DateForm::Axis, &Locale::of("en-GB")), "14:30");
    assert_eq!(date(day, Grain::Month, DateForm::Axis, &english), "2001");
    assert_eq!(date(day, Grain::Month, DateForm::Year, &english), "Jan");
    assert_eq!(date(day, Grain::Month, DateForm::Words, &Locale::of("de")), "Januar 2001");
    assert_eq!(date(day, Grain::Day, DateForm::Words, &Locale::of("ja")), "2001年1月5日");
}

#[test]
fn unknown_languages_read_english() {
    assert_eq!(Locale::of("tlh").language, "en");
    assert_eq!(Locale::of("").language, "en");
    assert_eq!(Locale::of("no-NO").language, "nb");
}

#[test]
fn the_script_says_which_way_a_language_is_written_before_its_name_does() {
    for tag in ["ar", "he-IL", "fa", "ur_PK", "AR-eg", "az-Arab", "pa-Arab-PK"] {
        assert!(locale::is_right_to_left(tag), "{tag}");
    }
    for tag in ["en", "de-AT", "ar-Latn", "az", "", "x"] {
        assert!(!locale::is_right_to_left(tag), "{tag}");
    }
}
