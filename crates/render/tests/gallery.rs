//! Draws every type of chart.

use inlay_contract::{
    chart::{
        self,
        definition::{ChartDefinition, ChartType},
    },
    data::ChartData,
    theme::ChartTheme,
};
use inlay_render::{RenderError, Renderer, RendererSettings};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;

#[derive(Deserialize)]
struct Sample {
    definition: ChartDefinition,
    data: ChartData,
}

fn gallery() -> Vec<Sample> {
    let samples: Vec<Sample> = serde_json::from_str(include_str!("../../contract/tests/gallery.json")).expect("a gallery");
    samples.into_iter().filter(|sample| !sample.definition.kind.is_html()).collect()
}

fn option(sample: &Sample) -> Value {
    chart::option(&sample.definition, &sample.data, &ChartTheme::default(), "en").expect("an option")
}

fn texts(svg: &str) -> Vec<String> {
    svg.split("<text").skip(1).filter_map(|part| Some(part.split_once('>')?.1.split_once("</text>")?.0.to_owned())).collect()
}

fn settings() -> RendererSettings {
    RendererSettings { threads: 1, ..RendererSettings::default() }
}

#[tokio::test]
async fn every_type_is_drawn_at_every_size() {
    let renderer = Renderer::with_settings(settings());
    for sample in gallery() {
        let option = option(&sample);
        for (width, height) in [(640, 320), (280, 160), (90, 60), (1, 1)] {
            let title = &sample.definition.title;
            let svg = renderer.svg(&option, width, height).await.unwrap_or_else(|error| panic!("{title}: {error}"));
            for wrong in ["NaN", "undefined", "null", "[object", "$value", "Infinity"] {
                assert!(!svg.contains(wrong), "{title} at {width} × {height} holds {wrong}");
            }
            if width > 200 {
                assert!(svg.matches("<path").count() + svg.matches("<rect").count() > 3, "{title}: no marks");
                assert!(!texts(&svg).is_empty() || title == "Airports of the network", "{title}: no text");
            }
        }
    }
}

#[tokio::test]
async fn charts_without_rows_are_drawn() {
    let renderer = Renderer::with_settings(settings());
    for mut sample in gallery() {
        sample.data.rows.clear();
        let drawn = renderer.svg(&option(&sample), 400, 200).await;
        assert!(drawn.is_ok(), "{}: {drawn:?}", sample.definition.title);
    }
}

#[tokio::test]
async fn texts_are_written_for_people() {
    let renderer = Renderer::with_settings(settings());
    let samples = gallery();
    let sample = |title: &str| samples.iter().find(|sample| sample.definition.title == title).expect(title);
    let bars = renderer.svg(&option(sample("Flights per month")), 640, 320).await.expect("a picture");
    let shown = texts(&bars);
    for text in ["0", "20K", "40K", "Jan", "May"] {
        assert!(shown.iter().any(|one| one == text), "{text} in {shown:?}");
    }
    let german =
        chart::option(&sample("Flights per month").definition, &sample("Flights per month").data, &ChartTheme::default(), "de");
    let shown = texts(&renderer.svg(&german.expect("an option"), 640, 320).await.expect("a picture"));
    for text in ["20.000", "Mai"] {
        assert!(shown.iter().any(|one| one == text), "{text} in {shown:?}");
    }
}

/// The plot of a chart of two columns and rows of the grid.
#[tokio::test]
async fn a_small_card_has_marks_and_no_texts_but_a_gauge_s_number() {
    let renderer = Renderer::with_settings(settings());
    for sample in gallery() {
        let svg = renderer.svg(&option(&sample), 124, 36).await.expect("a picture");
        let title = &sample.definition.title;
        assert!(svg.matches("<path").count() + svg.matches("<rect").count() > 3, "{title}: no marks");
        let shown = texts(&svg);
        let number = if sample.definition.kind == ChartType::Gauge { 1 } else { 0 };
        assert_eq!(shown.len(), number, "{title}: {shown:?}");
    }
}

#[tokio::test]
async fn many_bars_fill_their_card_with_names_at_a_distance() {
    let renderer = Renderer::with_settings(settings());
    let rows: Vec<Value> = (1..=200).map(|at| json!([format!("Category {at}"), 100 + at * 37 % 91])).collect();
    let bars = json!({"definition": {"title": "T", "type": "bar", "encoding": {"x": "x", "y": "y"}, "options": {"horizontal": true}},
        "data": {"columns": [{"name": "x", "type": "text"}, {"name": "y", "type": "number"}], "rows": rows,
            "truncated": false, "cached": false, "durationMs": 0}});
    let bars = option(&serde_json::from_value(bars).expect("a sample"));
    let svg = renderer.svg(&bars, 560, 372).await.expect("a picture");
    let tops = svg.split(" d=\"M").skip(1).filter_map(|path| path.split([' ', 'L']).nth(1)?.parse::<f64>().ok());
    assert!(tops.fold(0.0, f64::max) > 330.0, "the last bar is at the end of the plot");
    let names = texts(&svg).iter().filter(|text| text.starts_with("Category")).count();
    assert!((12..=24).contains(&names), "{names} names in 372 px");
    let whole = bars["$tall"].as_u64().and_then(|tall| u32::try_from(tall).ok()).expect("a height");
    let svg = renderer.svg(&bars, 560, whole).await.expect("a picture");
    assert_eq!(
        texts(&svg).iter().filter(|text| text.starts_with("Category")).count(),
        200,
        "all names, in the height for them"
    );
}

/// Names that try to break out of their text: every type draws them as text or not at all.
#[tokio::test]
async fn hostile_names_stay_text() {
    let renderer = Renderer::with_settings(settings());
    let evil = [
        "<img src=x onerror=alert(1)>",
        "</text></svg><script>alert(1)</script>",
        "__proto__",
        "constructor",
        "\" onload=\"alert(1)",
        "{a|b}{name|x}",
        "]]><script>",
        "&lt;script&gt;",
        "a\u{0}b\nc",
        "\u{202e}evil",
        "{\"$text\":\"x\"}",
    ];
    for mut sample in gallery() {
        for (at, row) in sample.data.rows.iter_mut().enumerate() {
            for (cell, column) in row.iter_mut().zip(&sample.data.columns) {
                if cell.is_string() && column.name != "day" && column.name != "week" {
                    *cell = json!(evil[at % evil.len()]);
                }
            }
        }
        let title = &sample.definition.title;
        let svg = renderer.svg(&option(&sample), 640, 320).await.unwrap_or_else(|error| panic!("{title}: {error}"));
        let low = svg.to_lowercase();
        assert!(
            !low.contains("<script") && !low.contains("<img") && !low.contains(" onload=\"") && !low.contains("<![cdata["),
            "{title}"
        );
        assert_eq!(low.matches("</svg>").count(), 1, "{title}");
    }
}

#[tokio::test]
async fn pictures_on_one_page_share_no_id() {
    let renderer = Renderer::with_settings(settings());
    let samples = gallery();
    let (one, two) = (option(&samples[0]), option(&samples[3]));
    let ids = |svg: &str| -> Vec<String> {
        svg.split(" id=\"").skip(1).map(|part| part.split('"').next().unwrap_or_default().to_owned()).collect()
    };
    let (one, two) = (renderer.svg(&one, 400, 200).await.expect("one"), renderer.svg(&two, 400, 200).await.expect("two"));
    let (one, two) = (ids(&one), ids(&two));
    assert!(!one.is_empty() && !two.is_empty());
    assert!(one.iter().all(|id| !two.contains(id)));
}

#[tokio::test]
async fn the_same_chart_is_the_same_picture() {
    let (one, two) = (Renderer::with_settings(settings()), Renderer::with_settings(settings()));
    let option = option(&gallery()[1]);
    let first = one.svg(&option, 500, 250).await.expect("a picture");
    assert_eq!(first, one.svg(&option, 500, 250).await.expect("a kept picture"));
    assert_eq!(first, two.svg(&option, 500, 250).await.expect("another engine's picture"));
}

#[tokio::test]
async fn an_engine_that_fails_starts_afresh() {
    let renderer = Renderer::with_settings(settings());
    let broken = renderer.svg(&Value::Null, 100, 100).await;
    assert!(matches!(broken, Err(RenderError::Library(_))), "{broken:?}");
    assert!(renderer.svg(&option(&gallery()[0]), 100, 100).await.is_ok());
}

#[tokio::test]
async fn what_takes_too_long_ends() {
    let hasty = Renderer::with_settings(RendererSettings { time: Duration::ZERO, ..settings() });
    // The engine checks the clock periodically, so the chart must be large.
    let samples = gallery();
    let large = samples.iter().find(|sample| sample.definition.title == "Delay by distance").expect("a sample");
    assert_eq!(hasty.svg(&option(large), 800, 400).await, Err(RenderError::Exhausted));
}

#[tokio::test]
async fn what_takes_too_much_memory_ends() {
    let narrow = Renderer::with_settings(RendererSettings { memory: 16 << 20, ..settings() });
    let rows: Vec<Value> = (0..60_000).map(|at| json!([at, at % 97])).collect();
    let option = json!({"$locale": {}, "xAxis": {}, "yAxis": {}, "series": [{"type": "scatter", "data": rows}]});
    assert_eq!(narrow.svg(&option, 400, 200).await, Err(RenderError::Exhausted));
}

#[tokio::test]
async fn impossible_sizes_are_refused() {
    let renderer = Renderer::with_settings(settings());
    for (width, height) in [(0, 100), (100, 0), (100_000, 100)] {
        assert_eq!(renderer.svg(&json!({}), width, height).await, Err(RenderError::Size { width, height }));
    }
}
