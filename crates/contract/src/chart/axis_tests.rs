use super::*;
use crate::{
    chart::{option, tests_support::definition},
    data::{ChartData, Column, ColumnType},
    theme::ChartTheme,
};

fn chart(kind: &str, x: ColumnType, options: Value, rows: Vec<(String, f64)>) -> Value {
    let column = |name: &str, kind| Column { name: name.into(), kind };
    let data = ChartData {
        columns: vec![column("x", x), column("y", ColumnType::Number)],
        rows: rows.into_iter().map(|(x, y)| vec![json!(x), json!(y)]).collect(),
        ..ChartData::default()
    };
    let chart = definition(json!({"title": "T", "type": kind, "encoding": {"x": "x", "y": "y"}, "options": options}));
    option(&chart, &data, &ChartTheme::default(), "en").expect("an option")
}

/// The labels of the axis of time that a chart of these days has.
fn dates(kind: &str, days: &[&str]) -> Vec<String> {
    let chart = chart(kind, ColumnType::Date, json!({}), days.iter().map(|day| ((*day).to_owned(), 1.0)).collect());
    let axis = &chart["xAxis"];
    let label = &axis["axisLabel"];
    let format = &label["formatter"]["$value"];
    let locale = crate::format::locale::Locale::of("en");
    let grain = match format["date"].as_str().expect("a grain") {
        "year" => Grain::Year,
        "quarter" => Grain::Quarter,
        "month" => Grain::Month,
        "week" => Grain::Week,
        "day" => Grain::Day,
        _ => Grain::Minute,
    };
    let form = if format["form"] == "year" { DateForm::Year } else { DateForm::Axis };
    let is_full = |tick: &Value| format["full"].as_array().is_some_and(|full| full.contains(tick));
    let text = |tick: &Value| {
        let moment = tick.as_i64().or_else(|| calendar::parse(tick.as_str()?)).expect("a moment");
        crate::format::date(moment, grain, if is_full(tick) { DateForm::Words } else { form }, &locale)
    };
    let ticks = label["customValues"].as_array().expect("ticks").iter();
    let ticks = ticks
        .map(|tick| if axis["type"] == "category" { &axis["data"][tick.as_u64().expect("a place") as usize] } else { tick });
    ticks.map(text).collect()
}

fn step(kind: &str, options: Value, values: &[f64]) -> Option<f64> {
    let rows = values.iter().enumerate().map(|(at, value)| (format!("c{at}"), *value)).collect();
    chart(kind, ColumnType::Text, options, rows)["yAxis"]["minInterval"].as_f64()
}

#[test]
fn periods_of_centuries_are_named_by_their_years() {
    let years: Vec<String> = (0..60).map(|at| format!("{}-03-01", 1700 + 5 * at)).collect();
    let years: Vec<&str> = years.iter().map(String::as_str).collect();
    assert_eq!(dates("bar", &years), ["1700", "1745", "1790", "1835", "1880", "1925", "1970"]);
    assert_eq!(dates("line", &years), ["1750", "1800", "1850", "1900", "1950"]);
}

#[test]
fn a_label_names_the_year_that_begins() {
    assert_eq!(
        dates("bar", &["2023-03-01", "2023-06-01", "2024-03-01", "2024-06-01", "2025-03-01"]),
        ["Mar", "Jun", "March 2024", "Jun", "March 2025"]
    );
    assert_eq!(dates("bar", &["2023-11-01", "2023-12-01", "2024-01-01", "2024-02-01"]), ["Nov", "Dec", "2024", "Feb"]);
    let days: Vec<String> = (0..5)
        .map(|week| calendar::written(calendar::parse("2023-12-12").expect("a day") + week * 7 * calendar::DAY))
        .collect();
    let days: Vec<&str> = days.iter().map(String::as_str).collect();
    assert_eq!(dates("bar", &days), ["Dec 12", "Dec 19", "Dec 26", "Jan 2, 2024", "Jan 9"]);
    assert_eq!(dates("line", &days)[3], "Jan 2, 2024");
    assert_eq!(dates("line", &["2024-01-01", "2024-02-01", "2024-03-01"]), ["Jan", "Feb", "Mar"], "one year needs no name");
}

#[test]
fn no_two_labels_of_an_axis_are_alike() {
    assert_eq!(step("line", json!({}), &[1.0, 2.0, 0.0]), Some(1.0));
    assert_eq!(step("bar", json!({"format": {"decimals": 0}}), &[0.0, 0.0]), Some(1.0));
    assert_eq!(step("line", json!({"format": {"decimals": 1}}), &[0.2, 0.3]), Some(0.1));
    assert_eq!(step("line", json!({}), &[100.001, 100.004]), Some(0.01));
    assert_eq!(step("bar", json!({"format": {"style": "percent"}}), &[0.0, 1.0]), None, "whole, but in hundredths");
    assert_eq!(step("bar", json!({}), &[0.5, 700.0]), None);
    assert_eq!(step("bar", json!({}), &[1.0, 700.0]), None, "large steps are whole by themselves");
    let close = chart("line", ColumnType::Text, json!({}), vec![("a".into(), 1_000_000.0), ("b".into(), 1_000_040.0)]);
    let format = &close["yAxis"]["axisLabel"]["formatter"]["$value"];
    assert!(format["compactFrom"].as_f64().is_some_and(|least| least > 1e9), "not 1M five times: {format}");
}

#[test]
fn whole_numbers_on_the_right_are_not_divided_to_meet_lines() {
    let column = |name: &str, kind| Column { name: name.into(), kind };
    let data = ChartData {
        columns: vec![column("x", ColumnType::Text), column("y", ColumnType::Number), column("z", ColumnType::Number)],
        rows: vec![vec![json!("a"), json!(1000), json!(1)], vec![json!("b"), json!(4000), json!(2)]],
        ..ChartData::default()
    };
    let combo = definition(json!({"title": "T", "type": "combo", "encoding": {"x": "x", "y": ["y", "z"]}}));
    let combo = option(&combo, &data, &ChartTheme::default(), "en").expect("an option");
    assert_eq!((&combo["yAxis"][1]["minInterval"], combo["yAxis"][1].get("alignTicks")), (&json!(1.0), None));
}
