//! A dashboard's charts for a page: queries run concurrently, pictures are drawn on the server.

use crate::{
    concepts::{
        charts::Chart,
        dashboards::{self, PlacedChart, data::View, prepared::PreparedChart},
    },
    ground::{
        error::{Error, Result},
        state::App,
    },
};
use futures::future::join_all;
use inlay_contract::{
    chart,
    data::ChartData,
    ids::{ChartId, DashboardId},
    page::{ChartFace, Tile, TileContent},
    theme::Theme,
};
use inlay_query::Shape;
use std::{sync::Arc, time::Duration};

/// How pictures are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    /// The application's theme.
    pub theme: &'a Theme,
    /// The language for numbers and dates.
    pub locale: &'a str,
    /// Whether the navigation takes part of the width.
    pub narrow: bool,
}

/// The charts of a dashboard with their rows. A slow source leaves its chart `Loading`: its query continues, and the page requests the chart again. A
/// failing query only affects its own chart.
pub async fn gather(view: View, dashboard: DashboardId, drawing: Option<Drawing<'_>>) -> Result<Vec<Tile>> {
    let wait = view.app.settings.limits.page_wait();
    gather_within(view, dashboard, drawing, wait).await
}

/// The same with another timeout for slow charts, for callers other than a page.
pub async fn gather_within(
    view: View,
    dashboard: DashboardId,
    drawing: Option<Drawing<'_>>,
    wait: Duration,
) -> Result<Vec<Tile>> {
    let placed = dashboards::charts_on(&mut view.app.db.read().await?.conn(), dashboard).await?;
    let view = Arc::new(view);
    let tiles = placed.into_iter().map(|placed| tile(&view, placed, drawing, wait));
    join_all(tiles).await.into_iter().collect()
}

async fn tile(view: &Arc<View>, placed: PlacedChart, drawing: Option<Drawing<'_>>, wait: Duration) -> Result<Tile> {
    let prepared = PreparedChart::of(&view.app, &placed.chart).await?;
    let (filter_keys, narrows) =
        (prepared.filter_keys(&view.own, &view.filters), prepared.shape().is_ok_and(|shape| shape.is_some_and(Shape::narrows)));
    let content = content_in_time(view, placed.chart.id, prepared, wait).await;
    let (option, svg) = match (&content, drawing) {
        (TileContent::Ready { data }, Some(Drawing { theme, locale, narrow })) => {
            let option = option(&placed.chart, data, theme, locale);
            let svg = match &option {
                Some(option) => svg(&view.app, &placed.chart, option.clone(), picture_size(&placed, narrow)).await,
                None => None,
            };
            (option, svg)
        }
        _ => (None, None),
    };
    let face = ChartFace { title: placed.chart.name, ..ChartFace::from(&placed.chart.definition) };
    let place = placed.place;
    let definition = Some(Box::new(placed.chart.definition));
    Ok(Tile {
        id: placed.chart.id,
        face,
        definition,
        x: place.x,
        y: place.y,
        w: place.w,
        h: place.h,
        filter_keys,
        narrows,
        content,
        svg,
        option,
    })
}

/// How long a slow chart's query continues after the page was sent without it.
const UNTIL_ASKED_AGAIN: Duration = Duration::from_secs(10);

async fn content_in_time(view: &Arc<View>, chart: ChartId, prepared: Arc<PreparedChart>, wait: Duration) -> TileContent {
    let asked = Arc::clone(view);
    let task = tokio::spawn(async move {
        // Ends when the page does not request the chart again.
        tokio::time::timeout(wait + UNTIL_ASKED_AGAIN, asked.rows_of(chart, &prepared)).await
    });
    let rows = match tokio::time::timeout(wait, task).await {
        Ok(Ok(Ok(rows))) => rows,
        Ok(Ok(Err(_))) | Err(_) => return TileContent::Loading,
        Ok(Err(fault)) => Err(Error::internal(fault)),
    };
    view.delivered(chart);
    content(rows)
}

/// The content of a chart: its rows or its error.
pub fn content(rows: Result<ChartData>) -> TileContent {
    match rows {
        Ok(data) => TileContent::Ready { data },
        Err(problem) => {
            tracing::info!(code = problem.code.as_str(), context = problem.context, "a chart's query failed");
            TileContent::Failed { problem: problem.into() }
        }
    }
}

/// The assumed width of the grid for pictures in the first HTML, in CSS pixels: a laptop's, with and without the navigation.
const GRID: (u32, u32) = (1016, 1248);
const COLUMNS: u32 = 12;
const GAP: u32 = 16;
const ROW: u32 = 40;
/// What a card takes from its tile: padding on both sides; padding, title and the gap below it.
const AROUND: (u32, u32) = (32, 60);

/// The size of a chart's picture inside its card.
fn picture_size(placed: &PlacedChart, narrow: bool) -> (u32, u32) {
    let grid = if narrow { GRID.0 } else { GRID.1 };
    let (w, h) = (u32::from(placed.place.w).clamp(1, COLUMNS), u32::from(placed.place.h).max(2));
    let column = (grid - (COLUMNS - 1) * GAP) / COLUMNS;
    (w * column + (w - 1) * GAP - AROUND.0, h * ROW + (h - 1) * GAP - AROUND.1)
}

/// The minimum and maximum side of a requested picture, in CSS pixels.
const SIDES: (u32, u32) = (48, 4096);

/// The drawn size for a requested one: rounded to about a hundred steps, which limits how many sizes of a chart a client can request. It differs by at
/// most a thirtieth, and the picture scales with its box.
pub fn drawn((width, height): (u32, u32)) -> (u32, u32) {
    let nearest = |side: u32| {
        let side = side.clamp(SIDES.0, SIDES.1);
        let step = side.next_power_of_two() / 32;
        (side + step / 2) / step * step
    };
    (nearest(width), nearest(height))
}

/// A chart's picture as SVG. `None` for a chart that is HTML, has no rows, or does not fit its rows.
pub async fn picture(
    app: &App,
    chart: &Chart,
    data: &ChartData,
    theme: &Theme,
    locale: &str,
    size: (u32, u32),
) -> Option<String> {
    svg(app, chart, option(chart, data, theme, locale)?, size).await
}

/// The chart library's option for a chart's rows, as JSON; none where [`picture`] has none.
fn option(chart: &Chart, data: &ChartData, theme: &Theme, locale: &str) -> Option<String> {
    if chart.definition.kind.is_html() || data.rows.is_empty() {
        return None;
    }
    chart::option(&chart.definition, data, &theme.chart(), locale).ok().map(|option| option.to_string())
}

async fn svg(app: &App, chart: &Chart, option: String, (width, height): (u32, u32)) -> Option<String> {
    match app.renderer.svg_of(option, width, height).await {
        Ok(svg) => Some(svg),
        Err(fault) => {
            tracing::warn!(%fault, chart = %chart.id, "a chart could not be drawn on the server; the page draws it");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_sizes_are_drawn_and_each_is_near_what_was_asked_for() {
        let lengths: std::collections::BTreeSet<u32> = (0..=5000).map(|side| drawn((side, side)).0).collect();
        assert!(lengths.len() < 150, "{}", lengths.len());
        for side in SIDES.0..=SIDES.1 {
            assert!(drawn((side, 100)).0.abs_diff(side) * 30 <= side, "{side}");
        }
        assert_eq!(drawn((0, u32::MAX)), SIDES);
    }
}
