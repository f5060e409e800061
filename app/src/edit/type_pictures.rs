//! Pictures of the chart types, 32 × 24 px, hidden from screen readers.

use crate::ui::part::{IntoPart, Part};
use inlay_contract::chart::definition::ChartType;
use leptos::prelude::*;

/// The paths of a picture: filled, filled with a paler colour, and drawn as a line.
#[derive(Clone, Copy, Default)]
struct Shape {
    solid: &'static str,
    soft: &'static str,
    line: &'static str,
}

/// The picture of a type.
pub fn picture(kind: ChartType) -> Part {
    let Shape { solid, soft, line } = shape(kind);
    view! {
        <svg class="type-picture" viewBox="0 0 32 24" aria-hidden="true" focusable="false">
            <path class="soft" d=soft />
            <path class="solid" d=solid />
            <path class="line" d=line />
        </svg>
    }
    .part()
}

const BARS: &str = "M5 20v-8h5v8zM13.5 20V5h5v15zM22 20V9h5v11z";
const RING: &str = "M16 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM16 7.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z";
const FRAME: &str = "M4 4.5h24v15H4zM4 9.5h24M4 14.5h24M12 4.5v15";

const fn shape(kind: ChartType) -> Shape {
    const NONE: Shape = Shape { solid: "", soft: "", line: "" };
    match kind {
        ChartType::Number => Shape { line: "M5 6v7h6M10 6v12M17 9.5c0-4.5 8-4.5 8 0 0 3.5-8 4-8 8.5h8", ..NONE },
        ChartType::Line => Shape { line: "M4 17l7-6 6 3L28 5", ..NONE },
        ChartType::Area => Shape { soft: "M4 20v-5l7-5 6 3 11-8v15z", line: "M4 15l7-5 6 3 11-8", ..NONE },
        ChartType::Bar => Shape { solid: BARS, ..NONE },
        ChartType::Combo => Shape { soft: "M5 20v-6h5v6zM13.5 20V11h5v9zM22 20v-7h5v7z", line: "M4 9l8-4 8 3 8-4", ..NONE },
        ChartType::Radar => Shape { soft: "M16 7l6 3.5-3.5 7-6.5-1-3-6z", line: "M16 3l9 6.5L21.5 20h-11L7 9.5z", ..NONE },
        ChartType::Pie => Shape { soft: "M16 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z", solid: "M16 12V3a9 9 0 0 1 7.8 13.5z", ..NONE },
        ChartType::Donut => Shape { soft: RING, solid: "M16 3a9 9 0 0 1 7.8 13.5l-3.9-2.25A4.5 4.5 0 0 0 16 7.5z", ..NONE },
        ChartType::Treemap => {
            Shape { solid: "M4 4h13v16H4z", soft: "M18.5 4H28v8h-9.5zM18.5 13.5H23V20h-4.5zM24.5 13.5H28V20h-3.5z", ..NONE }
        }
        ChartType::Sunburst => Shape {
            soft: RING,
            solid: "M16 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM16 3a9 9 0 0 1 9 9h-4.5A4.5 4.5 0 0 0 16 7.5z",
            ..NONE
        },
        ChartType::Funnel => {
            Shape { solid: "M4 4h24l-3 4.5H7z", soft: "M8 10h16l-2.4 4.5H10.4zM11.4 16h9.2l-2 4.5h-5.2z", ..NONE }
        }
        ChartType::Scatter => Shape {
            solid: "M6 16a2 2 0 1 0 4 0 2 2 0 0 0-4 0zM11 11a2 2 0 1 0 4 0 2 2 0 0 0-4 0zM17 14a2 2 0 1 0 4 0 2 2 0 0 0-4 0zM19 8a2 2 0 1 0 4 0 2 2 0 0 0-4 0zM24 5a2 2 0 1 0 4 0 2 2 0 0 0-4 0z",
            ..NONE
        },
        ChartType::Bubble => Shape {
            soft: "M4 14a5 5 0 1 0 10 0 5 5 0 0 0-10 0zM20 8a4 4 0 1 0 8 0 4 4 0 0 0-8 0z",
            solid: "M15 17a2.5 2.5 0 1 0 5 0 2.5 2.5 0 0 0-5 0zM13 6a2 2 0 1 0 4 0 2 2 0 0 0-4 0z",
            ..NONE
        },
        ChartType::Heatmap => Shape {
            soft: "M4 4h7v4.5H4zM20.5 4h7v4.5h-7zM12.25 9.75h7v4.5h-7zM4 15.5h7V20H4zM20.5 15.5h7V20h-7z",
            solid: "M12.25 4h7v4.5h-7zM4 9.75h7v4.5H4zM20.5 9.75h7v4.5h-7zM12.25 15.5h7V20h-7z",
            ..NONE
        },
        ChartType::Calendar => Shape {
            soft: "M4 9h4v4H4zM9.5 9h4v4h-4zM20.5 9h4v4h-4zM4 14.5h4v4H4zM15 14.5h4v4h-4zM20.5 14.5h4v4h-4z",
            solid: "M15 9h4v4h-4zM9.5 14.5h4v4h-4z",
            line: "M4 5.5h20.5",
        },
        ChartType::Gauge => Shape {
            soft: "M5 18a11 11 0 0 1 22 0h-5a6 6 0 0 0-12 0z",
            solid: "M5 18A11 11 0 0 1 20.2 7.8l-1.9 4.7A6 6 0 0 0 10 18z",
            ..NONE
        },
        ChartType::Sankey => Shape {
            soft: "M6 4c12 0 9 5 20 5v5C15 14 18 10 6 10zM6 13c12 0 9 2 20 2v5c-11 0-8-2-20-2z",
            solid: "M4 4h2v6H4zM4 13h2v5H4zM26 9h2v11h-2z",
            ..NONE
        },
        ChartType::Boxplot => {
            Shape { soft: "M6 8h7v8H6zM19 6h7v7h-7z", line: "M9.5 4v4M9.5 16v4M6 12h7M22.5 3v3M22.5 13v6M19 9h7", ..NONE }
        }
        ChartType::Histogram => Shape { solid: "M4 20v-4h5v4zM9.7 20V9h5v11zM15.4 20V4h5v16zM21.1 20v-8h5v8z", ..NONE },
        ChartType::Waterfall => {
            Shape { solid: "M4 20v-7h4.5v7zM23.5 20V6H28v14z", soft: "M10.5 13V7H15v6zM17 11V6h4.5v5z", ..NONE }
        }
        ChartType::Map => Shape {
            soft: "M4 8l7-4 5 3 6-3 6 4v9l-6 3-6-3-6 3-6-3z",
            solid: "M16 17c-3-3.6-4.5-5.8-4.5-7.6a4.5 4.5 0 0 1 9 0C20.5 11.2 19 13.4 16 17z",
            ..NONE
        },
        ChartType::Table => Shape { line: FRAME, ..NONE },
        ChartType::Pivot => Shape { soft: "M4 4.5h24v5H4zM4 9.5h8v10H4z", line: FRAME, ..NONE },
        ChartType::Text => Shape { line: "M5 6h22M5 11h22M5 16h14", ..NONE },
    }
}
