//! Tests of every type of chart: its option, and that no definition and no rows cause a panic.

use inlay_contract::{
    chart::{self, ChartProblem, definition::ChartDefinition, number, pivot, table},
    data::{ChartData, Column, ColumnType},
    theme::{ChartTheme, Theme},
};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Sample {
    definition: ChartDefinition,
    data: ChartData,
}

fn gallery() -> Vec<Sample> {
    serde_json::from_str(include_str!("gallery.json")).expect("a gallery")
}

fn definition(json: Value) -> ChartDefinition {
    serde_json::from_value(json).expect("a definition")
}

fn rows(columns: &[(&str, ColumnType)], rows: Value) -> ChartData {
    ChartData {
        columns: columns.iter().map(|(name, kind)| Column { name: (*name).to_owned(), kind: *kind }).collect(),
        rows: serde_json::from_value(rows).expect("rows"),
        truncated: false,
        cached: false,
        duration_ms: 0,
        as_of: None,
    }
}

fn option(definition_json: Value, data: &ChartData) -> Result<Value, ChartProblem> {
    chart::option(&definition(definition_json), data, &ChartTheme::default(), "en")
}

#[test]
fn options_are_what_they_were() {
    for mut sample in gallery().into_iter().filter(|sample| !sample.definition.kind.is_html()) {
        // The first rows are enough to see the shape.
        sample.data.rows.truncate(6);
        let title = sample.definition.title.clone();
        let option = chart::option(&sample.definition, &sample.data, &ChartTheme::default(), "en").expect(&title);
        insta::assert_json_snapshot!(title.to_lowercase().replace(' ', "-"), option);
    }
}

#[test]
fn the_gallery_has_every_type() {
    let mut types: Vec<String> = gallery().iter().map(|sample| format!("{:?}", sample.definition.kind)).collect();
    types.sort();
    types.dedup();
    assert_eq!(types.len(), 24, "{types:?}");
}

#[test]
fn a_dark_theme_changes_colours_and_nothing_else() {
    let dark = Theme { background: Some("#0f1216".into()), ..Theme::default() }.chart();
    for sample in gallery().into_iter().filter(|sample| !sample.definition.kind.is_html()) {
        let light = chart::option(&sample.definition, &sample.data, &ChartTheme::default(), "en").expect("an option");
        let dark = chart::option(&sample.definition, &sample.data, &dark, "en").expect("an option");
        assert_ne!(light, dark);
        assert_eq!(without_colours(light), without_colours(dark), "{}", sample.definition.title);
    }
}

fn without_colours(value: Value) -> Value {
    match value {
        Value::String(text) if text.len() == 7 && text.starts_with('#') => Value::Null,
        Value::Array(items) => items.into_iter().map(without_colours).collect(),
        Value::Object(fields) => fields.into_iter().map(|(key, inner)| (key, without_colours(inner))).collect(),
        other => other,
    }
}

#[test]
fn a_definition_that_does_not_fit_its_rows_says_so() {
    let data = rows(&[("day", ColumnType::Date), ("airport", ColumnType::Text)], json!([["2001-01-01", "ATL"]]));
    let problem = |kind: &str, encoding: Value| {
        option(json!({"title": "T", "type": kind, "encoding": encoding}), &data).expect_err("a problem").to_string()
    };
    assert_eq!(problem("line", json!({"y": "day"})), "This chart needs `x` in its encoding.");
    assert_eq!(
        problem("bar", json!({"x": "day", "y": ["flights"]})),
        "The encoding's `y` names the column `flights`, which the query does not return."
    );
    assert_eq!(
        problem("pie", json!({"label": "day", "value": "airport"})),
        "The encoding's `value` needs numbers, but the column `airport` holds none."
    );
    assert_eq!(problem("bubble", json!({"x": "day", "y": "day"})), "This chart needs `size` in its encoding.");
    let dates = rows(&[("day", ColumnType::Text), ("n", ColumnType::Number)], json!([["Monday", 3]]));
    let calendar = option(json!({"title": "T", "type": "calendar", "encoding": {"date": "day", "value": "n"}}), &dates);
    assert_eq!(
        calendar.expect_err("a problem").to_string(),
        "The encoding's `date` needs dates, but the column `day` holds none."
    );
    assert_eq!(option(json!({"title": "T", "type": "text"}), &data), Err(ChartProblem::NoPicture));
}

#[test]
fn a_calendar_without_a_value_has_no_squares() {
    let data =
        rows(&[("day", ColumnType::Date), ("n", ColumnType::Number)], json!([["2024-03-01", null], ["2024-03-02", null]]));
    let chart =
        option(json!({"title": "T", "type": "calendar", "encoding": {"date": "day", "value": "n"}}), &data).expect("an option");
    assert_eq!((&chart["series"], chart.get("calendar")), (&json!([]), None));
}

#[test]
fn series_stand_in_a_declared_order_and_others_come_after_them() {
    let data = rows(
        &[("x", ColumnType::Text), ("day", ColumnType::Text), ("n", ColumnType::Number)],
        json!([["a", "Fri", 1], ["a", "Sun", 2], ["b", "Mon", 3], ["b", "?", 4]]),
    );
    let series = |options: Value| {
        let chart = json!({"title": "T", "type": "bar", "encoding": {"x": "x", "y": "n", "series": "day"}, "options": options});
        let chart = option(chart, &data).expect("an option");
        let names = chart["series"].as_array().expect("series").iter().map(|one| one["name"].clone());
        names.collect::<Vec<_>>()
    };
    assert_eq!(series(json!({"order": {"day": ["Mon", "Fri", "Sat", "Sun"]}})), ["Mon", "Fri", "Sun", "?"]);
    assert_eq!(series(json!({})), ["?", "Fri", "Mon", "Sun"]);
}

#[test]
fn series_without_a_declared_order_are_ordered_as_people_count_unless_the_query_orders_them() {
    let columns = [("x", ColumnType::Text), ("gate", ColumnType::Text), ("n", ColumnType::Number)];
    let series = |sql: Value, data: &ChartData| {
        let chart =
            json!({"title": "T", "type": "line", "sqlOverride": sql, "encoding": {"x": "x", "y": "n", "series": "gate"}});
        let chart = option(chart, data).expect("an option");
        let names = chart["series"].as_array().expect("series").iter().map(|one| one["name"].clone());
        names.collect::<Vec<_>>()
    };
    let by_letters = rows(
        &columns,
        json!([["a", "Gate 1", 1], ["b", "Gate 1", 2], ["a", "Gate 10", 3], ["b", "Gate 10", 4], ["a", "Gate 2", 5]]),
    );
    let counted = ["Gate 1", "Gate 2", "Gate 10"];
    assert_eq!(series(json!(null), &by_letters), counted);
    assert_eq!(series(json!("select … order by gate, x"), &by_letters), counted, "letters are no order of the author's");
    let by_size = rows(&columns, json!([["a", "small", 1], ["b", "small", 2], ["a", "medium", 3], ["a", "large", 4]]));
    assert_eq!(series(json!("select … ORDER BY size, x"), &by_size), ["small", "medium", "large"]);
    assert_eq!(series(json!("select …"), &by_size), ["large", "medium", "small"], "no order was asked for");
    let mixed = rows(&columns, json!([["a", "small", 1], ["a", "medium", 3], ["a", "large", 4], ["b", "small", 2]]));
    assert_eq!(series(json!("select … order by x"), &mixed), ["large", "medium", "small"]);
}

#[test]
fn a_gauge_without_a_value_says_so() {
    let gauge = |value: Value, encoding: Value| {
        let data = rows(&[("v", ColumnType::Number)], json!([[value]]));
        let gauge = option(json!({"title": "T", "type": "gauge", "encoding": encoding}), &data).expect("an option");
        let one = &gauge["series"][0];
        let tip = &gauge["tooltip"]["formatter"]["$tip"]["rows"][0]["at"];
        json!([
            one["detail"]["formatter"]["$text"],
            one["progress"]["show"],
            one["data"][0][tip.as_str().expect("a field")],
            one["axisLabel"]["formatter"]
        ])
    };
    let labels = json!({"$value": {"style": "number", "compactFrom": 10_000.0}});
    assert_eq!(gauge(json!(null), json!({"value": "v", "max": 20})), json!(["–", false, null, labels]));
    assert_eq!(
        gauge(json!(null), json!({"value": "v"})),
        json!(["–", false, null, {"$text": ""}]),
        "its ends would be made up"
    );
    assert_eq!(gauge(json!(0), json!({"value": "v", "max": 20})), json!(["0", true, 0.0, labels]));
    assert_eq!(gauge(json!(25), json!({"value": "v", "max": 20}))[2], json!(25.0), "the tooltip says what the arc cannot");
}

#[test]
fn many_horizontal_bars_have_room_for_their_names_and_say_their_values() {
    let bars = |count: usize, options: Value| {
        let data: Vec<Value> = (0..count).map(|at| json!([format!("c{at}"), at])).collect();
        let data = rows(&[("x", ColumnType::Text), ("y", ColumnType::Number)], json!(data));
        option(json!({"title": "T", "type": "bar", "encoding": {"x": "x", "y": "y"}, "options": options}), &data)
            .expect("an option")
    };
    let across = json!({"horizontal": true});
    let many = bars(200, across.clone());
    assert!(many["$tall"].as_u64().is_some_and(|tall| tall >= 200 * 18), "{}", many["$tall"]);
    assert_eq!(many["series"][0]["label"]["show"], json!(true));
    for few in [bars(30, across.clone()), bars(200, json!({})), bars(2_000, across)] {
        assert_eq!((few.get("$tall"), few["series"][0].get("label")), (None, None));
    }
}

#[test]
fn names_of_two_hundred_characters_are_whole_in_options() {
    let name = "Revenue of all orders ".repeat(10)[..200].trim().to_owned();
    let data = rows(&[("x", ColumnType::Text), ("y", ColumnType::Number)], json!([[name, 1], ["b", 2]]));
    let goal = json!({"goal": {"value": 3, "label": name}});
    let line = option(json!({"title": "T", "type": "line", "encoding": {"x": "x", "y": "y"}, "options": goal}), &data)
        .expect("an option");
    assert_eq!(line["xAxis"]["data"][0], json!(name), "the tooltip shows it");
    let label = line["series"][0]["markLine"]["data"][0]["label"]["formatter"]["$text"].as_str().expect("a label").to_owned();
    assert!(label.chars().count() < 32 && label.ends_with("… 3"), "{label}");
}

#[test]
fn bars_stand_on_zero_and_lines_may_leave_it() {
    let data = rows(&[("x", ColumnType::Text), ("y", ColumnType::Number)], json!([["a", 990], ["b", 1000]]));
    let axis = |kind: &str| {
        option(json!({"title": "T", "type": kind, "encoding": {"x": "x", "y": "y"}}), &data).expect("an option")["yAxis"]
            .clone()
    };
    assert_eq!(axis("line")["scale"], json!(true));
    assert_eq!(axis("bar").get("scale"), None);
    assert_eq!(axis("area").get("scale"), None);
}

#[test]
fn a_colour_stays_with_its_name_when_others_go() {
    let columns = [("x", ColumnType::Text), ("who", ColumnType::Text), ("y", ColumnType::Number)];
    let chart = json!({"title": "T", "type": "bar", "encoding": {"x": "x", "y": "y", "series": "who"}, "options": {"colors": {"DFW": "#123456"}}});
    let colour = |data: &ChartData, name: &str| {
        let option = option(chart.clone(), data).expect("an option");
        let series = option["series"].as_array().expect("series").iter().find(|one| one["name"] == name).cloned();
        series.expect("the series")["color"].as_str().expect("a colour").to_owned()
    };
    let all = rows(&columns, json!([["a", "ATL", 1], ["a", "ORD", 2], ["a", "DFW", 3]]));
    let some = rows(&columns, json!([["a", "ORD", 2], ["a", "DFW", 3]]));
    assert_eq!(colour(&all, "ORD"), colour(&some, "ORD"));
    assert_eq!(colour(&all, "DFW"), "#123456");
    assert_ne!(colour(&all, "ATL"), colour(&all, "ORD"));
}

#[test]
fn up_to_eight_names_have_none_of_the_colours_that_look_alike() {
    let theme = Theme { primary: Some("#7aa2ff".into()), background: Some("#0b1020".into()), ..Theme::default() }.chart();
    let names = ["DCA", "DFW", "EWR", "LGA", "ORD", "ATL", "SFO", "JFK"];
    let data: Vec<Value> = names.iter().map(|name| json!(["a", name, 1])).collect();
    let data = rows(&[("x", ColumnType::Text), ("who", ColumnType::Text), ("y", ColumnType::Number)], json!(data));
    let chart = definition(json!({"title": "T", "type": "bar", "encoding": {"x": "x", "y": "y", "series": "who"}}));
    let option = chart::option(&chart, &data, &theme, "en").expect("an option");
    let mut used: Vec<&str> =
        option["series"].as_array().expect("series").iter().filter_map(|one| one["color"].as_str()).collect();
    used.sort_unstable();
    used.dedup();
    assert_eq!(used.len(), 8, "each once");
    assert!(!used.contains(&theme.palette[8].as_str()) && !used.contains(&theme.palette[9].as_str()), "{used:?}");
}

#[test]
fn a_pie_of_one_slice_names_it() {
    let data = rows(&[("x", ColumnType::Text), ("y", ColumnType::Number)], json!([["Only", 12]]));
    let pie = option(json!({"title": "T", "type": "pie", "encoding": {"label": "x", "value": "y"}}), &data).expect("an option");
    assert_eq!(pie["legend"]["data"], json!(["Only"]));
}

#[test]
fn a_legend_starts_where_the_language_does() {
    let data = rows(
        &[("x", ColumnType::Text), ("who", ColumnType::Text), ("y", ColumnType::Number)],
        json!([["a", "ATL", 1], ["a", "ORD", 2]]),
    );
    let chart = definition(json!({"title": "T", "type": "bar", "encoding": {"x": "x", "y": "y", "series": "who"}}));
    let start = |locale: &str| {
        chart::option(&chart, &data, &ChartTheme::default(), locale).expect("an option")["legend"]["left"].clone()
    };
    assert_eq!((start("de"), start("ar-EG"), start("he")), (json!(0), json!("right"), json!("right")));
}

#[test]
fn the_smallest_become_other() {
    let data = rows(&[("x", ColumnType::Text), ("y", ColumnType::Number)], json!([["a", 1], ["b", 9], ["c", 5], ["d", 2]]));
    let bars =
        json!({"title": "T", "type": "bar", "encoding": {"x": "x", "y": "y"}, "options": {"limit": 2, "sort": "descending"}});
    let bars = option(bars, &data).expect("an option");
    assert_eq!(bars["xAxis"]["data"], json!(["b", "c", "Other"]));
    assert_eq!(bars["series"][0]["data"], json!([9.0, 5.0, 3.0]));
    let cut = ChartData { truncated: true, ..data };
    let has_other = |kind: &str| {
        let encoding = json!({"x": "x", "y": "y", "label": "x", "value": "y"});
        let chart = json!({"title": "T", "type": kind, "encoding": encoding, "options": {"limit": 2}});
        option(chart, &cut).expect("an option").to_string().contains("Other")
    };
    assert!(!has_other("bar"), "how much the rest is, is not known");
    assert!(has_other("pie"), "without the rest, the shares of the others would be larger still");
}

#[test]
fn a_last_period_that_is_not_over_is_dashed() {
    let data = rows(
        &[("m", ColumnType::Date), ("y", ColumnType::Number)],
        json!([["2001-01-01", 5], ["2001-02-01", 6], ["2001-03-01", 2]]),
    );
    let line = json!({"title": "T", "type": "line", "encoding": {"x": "m", "y": "y"}, "options": {"partialLast": true}});
    let line = option(line, &data).expect("an option");
    assert_eq!(line["series"][0]["data"][2][1], Value::Null);
    assert_eq!(line["series"][1]["lineStyle"]["type"], json!([4, 4]));
    assert_eq!(line["series"][1]["data"][2][1], json!(2.0));
    assert_eq!(line["series"][0]["name"], line["series"][1]["name"]);
}

#[test]
fn periods_without_rows_are_zero_or_have_no_value() {
    let columns = [("day", ColumnType::Date), ("n", ColumnType::Number), ("mean", ColumnType::Number)];
    let chart = |kind: &str, grain: &str| {
        json!({"title": "T", "type": kind, "encoding": {"x": "day", "y": ["n", "mean"]},
        "options": {"missing": {"grain": grain, "zero": ["n"]}}})
    };
    let data = rows(&columns, json!([["2001-01-31", 5, 2.5], ["2001-02-03", 1, 1], ["2001-02-01", null, 3]]));
    let line = option(chart("line", "day"), &data).expect("an option");
    let values = |series: usize| -> Vec<Value> {
        line["series"][series]["data"].as_array().expect("data").iter().map(|point| point[1].clone()).collect()
    };
    assert_eq!(values(0), [json!(5.0), json!(0.0), json!(0.0), json!(1.0)]);
    assert_eq!(values(1), [json!(2.5), json!(3.0), Value::Null, json!(1.0)]);
    assert_eq!((&line["series"][0]["connectNulls"], &line["series"][1]["connectNulls"]), (&Value::Null, &json!(true)));
    let bars = option(chart("bar", "day"), &data).expect("an option");
    assert_eq!(bars["series"][0]["data"], json!([5.0, 0.0, 0.0, 1.0]));
    let months = rows(&columns, json!([["2001-01-01", 5, 2], ["2001-04-01", 1, 1]]));
    let months = option(chart("bar", "month"), &months).expect("an option");
    assert_eq!(months["series"][0]["data"], json!([5.0, 0.0, 0.0, 1.0]));

    // Days that are not beginnings of months, centuries of days, and an answer that was cut: nothing is made up.
    let places = |data: &ChartData, grain: &str| {
        let option = option(chart("bar", grain), data).expect("an option");
        option["series"][0]["data"].as_array().expect("data").len()
    };
    assert_eq!(places(&data, "month"), 3);
    assert_eq!(places(&rows(&columns, json!([["1001-01-01", 5, 2], ["2001-04-01", 1, 1]])), "day"), 2);
    assert_eq!(places(&ChartData { truncated: true, ..data }, "day"), 3);
}

#[test]
fn each_series_of_a_count_is_zero_where_it_has_no_rows() {
    let columns = [("day", ColumnType::Date), ("who", ColumnType::Text), ("n", ColumnType::Number)];
    let data = rows(&columns, json!([["2001-01-01", "a", 5], ["2001-01-03", "b", 1]]));
    let area = json!({"title": "T", "type": "area", "encoding": {"x": "day", "y": ["n"], "series": "who"},
        "options": {"stacked": true, "missing": {"grain": "day", "zero": ["n"]}}});
    let area = option(area, &data).expect("an option");
    let values = |at: usize| {
        area["series"][at]["data"].as_array().expect("data").iter().map(|point| point[1].clone()).collect::<Vec<_>>()
    };
    assert_eq!((values(0), values(1)), (vec![json!(5.0), json!(0.0), json!(0.0)], vec![json!(0.0), json!(0.0), json!(1.0)]));
}

#[test]
fn names_from_rows_never_become_markers_or_keys() {
    let evil = "$value";
    let data = rows(
        &[("x", ColumnType::Text), ("who", ColumnType::Json), ("y", ColumnType::Number)],
        json!([[evil, {"$text": "alert(1)"}, 1], ["__proto__", "constructor", 2], ["<img onerror=alert(1)>", null, 3]]),
    );
    for kind in ["bar", "line", "area", "radar"] {
        let option = option(json!({"title": evil, "type": kind, "encoding": {"x": "x", "y": "y", "series": "who"}}), &data);
        assert_no_key(&option.expect("an option"));
    }
}

/// Checks that no object of the option has a key from a row.
fn assert_no_key(value: &Value) {
    match value {
        Value::Array(items) => items.iter().for_each(assert_no_key),
        Value::Object(fields) => {
            for (key, inner) in fields {
                assert!(!["__proto__", "constructor", "<img onerror=alert(1)>"].contains(&key.as_str()), "{key}");
                if key == "$text" {
                    assert!(inner.is_string());
                }
                assert_no_key(inner);
            }
        }
        _ => {}
    }
}

fn cell() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-1000.0..1000.0f64).prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        "[0-9]{1,4}-[0-9]{2}-[0-9]{2}".prop_map(Value::from),
        Just(json!("2001-02-28")),
        Just(json!({"$value": {}})),
        Just(json!(["x"])),
    ]
}

fn part() -> impl Strategy<Value = Value> {
    prop_oneof![4 => Just(json!("a")), 4 => Just(json!("b")), 4 => Just(json!("c")), 1 => Just(json!("missing")), 1 => Just(Value::Null)]
}

fn options() -> impl Strategy<Value = Value> {
    (any::<bool>(), any::<bool>(), 0..4usize, prop_oneof![Just(json!(true)), Just(json!(false)), Just(json!("percent"))]).prop_map(
        |(on, off, limit, stacked)| {
            json!({"stacked": stacked, "limit": limit, "partialLast": on, "valueLabels": off, "horizontal": off, "signed": on,
                "goal": 3, "total": on, "sort": if on { "descending" } else { "label" }, "format": {"style": "compact", "decimals": limit}})
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 400 } else { 4000 }))]

    #[test]
    fn no_definition_and_no_rows_make_a_chart_panic(
        kind in 0..24usize,
        parts in proptest::collection::vec(part(), 6),
        options in options(),
        kinds in proptest::collection::vec(0..6usize, 3),
        cells in proptest::collection::vec(proptest::collection::vec(cell(), 0..4), 0..12),
        locale in prop_oneof![Just("en"), Just("de-CH"), Just("ja"), Just("")],
    ) {
        let mut definition = gallery().into_iter().map(|sample| sample.definition).nth(kind).expect("a definition");
        let [x, y, series, label, value, other] = <[Value; 6]>::try_from(parts).expect("six parts");
        let bins = if kind % 2 == 0 { json!(7) } else { Value::Null };
        let encoding = json!({"x": x, "y": [y], "series": series, "label": [label], "value": value, "size": other, "date": x, "source": x,
            "target": series, "latitude": value, "longitude": other, "rows": [x], "columns": [series], "compare": other, "bins": bins});
        let encoding = encoding.as_object().expect("an object").iter().filter(|(_, part)| **part != json!([null]) && !part.is_null());
        let encoding: Value = encoding.map(|(key, part)| (key.clone(), part.clone())).collect::<serde_json::Map<_, _>>().into();
        definition.encoding = serde_json::from_value(encoding).expect("an encoding");
        definition.options = options.as_object().expect("an object").clone();
        let all = [ColumnType::Number, ColumnType::Text, ColumnType::Date, ColumnType::Timestamp, ColumnType::Boolean, ColumnType::Json];
        let columns = [("a", all[kinds[0]]), ("b", all[kinds[1]]), ("c", all[kinds[2]])];
        let data = rows(&columns, json!(cells));
        let made = chart::option(&definition, &data, &ChartTheme::default(), locale);
        if let Ok(option) = made {
            prop_assert!(!option.to_string().contains("NaN"));
        }
        let views = (number::view(&definition, &data, locale), table::view(&definition, &data, locale), pivot::view(&definition, &data, locale));
        if let Ok(table) = views.1 {
            prop_assert!(table.rows.iter().all(|row| row.len() == table.columns.len()));
        }
    }
}
