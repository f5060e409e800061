//! A dashboard's charts for a page: their queries side by side, their pictures drawn on the server.

use crate::{
    charts::Chart,
    connections,
    dashboards::{self, Dashboard, PlacedChart, data},
    error::{Error, Result},
    state::App,
};
use futures::future::join_all;
use inlay_contract::{
    chart,
    data::ChartData,
    page::{ChartFace, Filters, Tile, TileContent},
    theme::Theme,
};
use inlay_query::{Reading, SecurityContext, Today, reading};
use std::time::Duration;

/// How pictures are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    /// The application's theme.
    pub theme: &'a Theme,
    /// For numbers and dates.
    pub locale: &'a str,
    /// Whether the navigation takes a part of the width.
    pub narrow: bool,
}

/// The charts of a dashboard with their rows. A source that is slow leaves its chart `Loading`: the page asks for it again,
/// and its query goes on meanwhile. A query that fails leaves its own chart's problem; the others are as they are.
///
/// # Errors
/// The store is away.
pub async fn gather(
    app: &App,
    dashboard: &Dashboard,
    context: &SecurityContext,
    filters: &Filters,
    today: Today,
    drawing: Option<Drawing<'_>>,
) -> Result<Vec<Tile>> {
    gather_within(app, dashboard, context, filters, today, drawing, app.settings.limits.page_wait()).await
}

/// The same for somebody who does not wait at a page: slow charts have so much time.
///
/// # Errors
/// The store is away.
pub async fn gather_within(
    app: &App,
    dashboard: &Dashboard,
    context: &SecurityContext,
    filters: &Filters,
    today: Today,
    drawing: Option<Drawing<'_>>,
    wait: Duration,
) -> Result<Vec<Tile>> {
    let placed = dashboards::store::charts_on(&mut app.db.read().await?.conn(), dashboard.id).await?;
    let tiles = placed.into_iter().map(|placed| tile(app, dashboard, placed, context, filters, today, drawing, wait));
    join_all(tiles).await.into_iter().collect()
}

#[expect(clippy::too_many_arguments, reason = "one chart's share of what gathering takes")]
async fn tile(
    app: &App,
    dashboard: &Dashboard,
    placed: PlacedChart,
    context: &SecurityContext,
    filters: &Filters,
    today: Today,
    drawing: Option<Drawing<'_>>,
    wait: Duration,
) -> Result<Tile> {
    let (filter_keys, narrows) = read(app, dashboard, &placed, filters).await?;
    let content = content_in_time(app, dashboard, &placed, context, filters, today, wait).await;
    let svg = match (&content, drawing) {
        (TileContent::Ready { data }, Some(Drawing { theme, locale, narrow })) => {
            picture(app, &placed.chart, data, theme, locale, picture_size(&placed, narrow)).await
        }
        _ => None,
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
    })
}

/// Full keys of the filters that reach a table which the chart reads, and whether its marks may filter the dashboard.
async fn read(app: &App, dashboard: &Dashboard, placed: &PlacedChart, filters: &Filters) -> Result<(Vec<String>, bool)> {
    let connection = connections::open(app, placed.chart.connection).await?;
    let asked = data::asked(&app.engine, &connection, &placed.chart.definition).await.map(|(sql, _)| sql).unwrap_or_default();
    let Reading { tables, shape } = reading(connection.source.kind, &asked, &connection.catalog).unwrap_or_default();
    let own = dashboard.filters.iter().map(|filter| format!("{}{}", inlay_contract::filter::CONTROLLED, filter.key));
    let known = own.chain(filters.keys().filter(|key| key.starts_with(inlay_contract::filter::OMNIBAR)).cloned());
    let reaches = |key: &String| {
        let column = dashboards::filters::column_path(dashboard, key).and_then(|path| connection.column(path));
        column.is_some_and(|(table, _)| tables.contains(&table.name))
    };
    Ok((known.filter(reaches).collect(), shape.is_some_and(|shape| shape.narrows())))
}

/// How long a slow chart's query goes on after the page was sent without it, until the page asks for it again.
const UNTIL_ASKED_AGAIN: Duration = Duration::from_secs(10);

async fn content_in_time(
    app: &App,
    dashboard: &Dashboard,
    placed: &PlacedChart,
    context: &SecurityContext,
    filters: &Filters,
    today: Today,
    wait: Duration,
) -> TileContent {
    let (app, dashboard, chart) = (app.clone(), dashboard.clone(), placed.chart.clone());
    let (context, filters) = (context.clone(), filters.clone());
    let task = tokio::spawn(async move {
        let rows = data::rows(&app, &dashboard, &chart, &context, &filters, today);
        // Given up when the page does not come back for it: nobody waits any more.
        tokio::time::timeout(wait + UNTIL_ASKED_AGAIN, rows).await
    });
    match tokio::time::timeout(wait, task).await {
        Ok(Ok(Ok(rows))) => content(rows),
        Ok(Ok(Err(_))) | Err(_) => TileContent::Loading,
        Ok(Err(fault)) => content(Err(Error::internal(fault))),
    }
}

/// What a chart shows for its rows, or for the lack of them.
pub fn content(rows: Result<ChartData>) -> TileContent {
    match rows {
        Ok(data) => TileContent::Ready { data },
        Err(problem) => {
            tracing::info!(code = problem.code.as_str(), context = problem.context, "a chart's query failed");
            TileContent::Failed { problem: problem.into() }
        }
    }
}

/// The width of the grid for which first pictures are drawn, in CSS pixels: a laptop's, with and without the navigation.
const GRID: (u32, u32) = (1016, 1248);
const COLUMNS: u32 = 12;
const GAP: u32 = 16;
const ROW: u32 = 40;
/// What a card keeps of its tile for itself: padding on both sides; padding, title and the gap below it.
const AROUND: (u32, u32) = (32, 60);

/// The size of a chart's picture inside its card.
fn picture_size(placed: &PlacedChart, narrow: bool) -> (u32, u32) {
    let grid = if narrow { GRID.0 } else { GRID.1 };
    let (w, h) = (u32::from(placed.place.w).clamp(1, COLUMNS), u32::from(placed.place.h).max(2));
    let column = (grid - (COLUMNS - 1) * GAP) / COLUMNS;
    (w * column + (w - 1) * GAP - AROUND.0, h * ROW + (h - 1) * GAP - AROUND.1)
}

/// The shortest and the longest side that a page may ask for, in CSS pixels.
const SIDES: (u32, u32) = (48, 4096);

/// The size that is drawn for one that a page asks for: the nearest of some hundred lengths, so that nobody makes the server
/// draw a chart in every size there is. It is at most a thirtieth off, and the picture scales with its box.
pub fn drawn((width, height): (u32, u32)) -> (u32, u32) {
    let nearest = |side: u32| {
        let side = side.clamp(SIDES.0, SIDES.1);
        let step = side.next_power_of_two() / 32;
        (side + step / 2) / step * step
    };
    (nearest(width), nearest(height))
}

/// A chart's picture as SVG; none for a chart that is HTML, that has no rows, or whose definition does not fit them.
pub async fn picture(
    app: &App,
    chart: &Chart,
    data: &ChartData,
    theme: &Theme,
    locale: &str,
    (width, height): (u32, u32),
) -> Option<String> {
    if chart.definition.kind.is_html() || data.rows.is_empty() {
        return None;
    }
    let option = chart::option(&chart.definition, data, &theme.chart(), locale).ok()?;
    match app.renderer.svg(&option, width, height).await {
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
