//! A dashboard's charts for a page: queries run concurrently, pictures are drawn on the server.

use super::{
    Opened,
    pictures::{Drawable, Look, Pictures},
};
use crate::{
    concepts::{
        charts::Chart,
        dashboards::{
            Narrowed, NumberRows, Place,
            data::View,
            prepared::{self, PreparedChart},
        },
    },
    ground::{
        drawing,
        error::{Error, Result},
        memory::{self, Memory},
        state::App,
        store::holding::watched,
    },
};
use futures::{FutureExt as _, future::join_all};
use inlay_contract::{
    chart::{definition::ChartType, options::ChartOptions, picture::Picture},
    grid::GridPosition,
    ids::{ChartId, DashboardId, OrganizationId},
    page::{ChartFace, Tile, TileContent},
};
use inlay_query::Answered;
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};
use tracing::Instrument;

/// What is drawn of the charts.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// How they look.
    pub look: Look,
    /// Which pictures the first HTML holds, if any.
    pub html: Option<InHtml>,
}

/// Pictures in the first HTML.
#[derive(Clone, Copy, Debug)]
pub struct InHtml {
    /// Whose turn it takes to draw them.
    pub organization: OrganizationId,
    /// Whether the navigation takes part of the width.
    pub narrow: bool,
}

/// The charts of a dashboard with their rows. A slow source leaves its chart `Loading`: its query continues, and the page
/// requests the chart again. A failing query only affects its own chart.
pub async fn gather(view: View, dashboard: DashboardId, drawing: Option<Drawing>) -> Result<Vec<Tile>> {
    let wait = view.app.settings.limits.page_wait();
    gather_all(view, dashboard, drawing, Patience { wait, left: Some(AtomicUsize::new(MOST_ON_PAGE)) }).boxed().await
}

/// How many bytes of rows a page holds when it opens. It requests the charts beyond that by themselves.
const MOST_ON_PAGE: usize = 2 << 20;

/// What is made of rows for one caller, beside them: a copy, the picture's option, the text.
pub const MADE_OF_ROWS: usize = 3;

/// How long slow charts are waited for, and how many rows there may be.
struct Patience {
    wait: Duration,
    /// The bytes of rows that a page may still hold. `None`: the rows are for a file, which has all of them.
    left: Option<AtomicUsize>,
}

impl Patience {
    /// Takes room for a chart's rows. `false`: the page has to request them.
    ///
    /// # Errors
    /// 503 for a file.
    async fn has_room(&self, app: &App, rows: &Answered) -> Result<bool> {
        let (memory, bytes) = (app.part::<Memory>(), rows.size().saturating_mul(MADE_OF_ROWS));
        let Some(left) = &self.left else { return memory::keep(&memory.files, bytes).await.map(|()| true) };
        let text = rows.text_size();
        let fits = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(text)).is_ok();
        Ok(fits && memory::keep(&memory.pages, bytes).await.is_ok())
    }
}

/// The same with another timeout for slow charts and with all rows, for a file.
pub async fn gather_within(view: View, dashboard: DashboardId, drawing: Option<Drawing>, wait: Duration) -> Result<Vec<Tile>> {
    gather_all(view, dashboard, drawing, Patience { wait, left: None }).boxed().await
}

async fn gather_all(view: View, dashboard: DashboardId, drawing: Option<Drawing>, patience: Patience) -> Result<Vec<Tile>> {
    let charts = prepared::on_dashboard(&view.app, dashboard).await?;
    let view = Arc::new(view);
    let tiles = charts.into_iter().map(|(place, prepared)| watched(tile(&view, place, prepared, drawing.as_ref(), &patience)));
    join_all(tiles).await.into_iter().collect()
}

async fn tile(
    view: &Arc<View>,
    Place { chart: id, name, version, position }: Place,
    prepared: Arc<PreparedChart>,
    drawing: Option<&Drawing>,
    patience: &Patience,
) -> Result<Tile> {
    let begun = Instant::now();
    let definition = Arc::clone(&prepared.definition);
    let filter_keys = prepared.filter_keys(&view.own, &view.filters);
    let labels = prepared.filter_labels(&filter_keys);
    let shape = || prepared.shape(view.today, &Narrowed::default()).ok().flatten();
    let narrows = prepared.groups().is_some() || shape().is_some_and(|shape| shape.narrows());
    let is_number = definition.kind == ChartType::Number;
    let drills = is_number && shape().is_some_and(|shape| NumberRows::of(&prepared, &shape).is_some());
    let refresh = ChartOptions::refresh(&definition.options);
    let rows = rows_in_time(view, id, Arc::clone(&prepared), patience).await?;
    let definition = match &rows {
        Some(Ok(_)) => {
            let left = patience.wait.saturating_sub(begun.elapsed()).max(LEAST_TO_DRAW);
            tokio::time::timeout(left, view.drawn(&prepared)).await.ok().and_then(Result::ok).unwrap_or(definition)
        }
        _ => definition,
    };
    let picture = match (&rows, drawing) {
        (Some(Ok(rows)), Some(Drawing { look, .. })) => {
            view.app.part::<Pictures>().of_rows(Drawable { chart: id, version, definition: &definition }, rows, look)
        }
        _ => None,
    };
    let svg = match (picture.as_deref(), drawing) {
        (Some(Picture::Option(option)), Some(Drawing { html: Some(InHtml { organization, narrow }), .. })) => {
            let left = patience.wait.saturating_sub(begun.elapsed()).max(LEAST_TO_DRAW);
            svg_in(left, &view.app, *organization, id, option, picture_size(position, *narrow)).await
        }
        _ => None,
    };
    let GridPosition { x, y, w, h } = position;
    Ok(Tile {
        id,
        face: ChartFace { title: name, kind: definition.kind },
        definition: Some(definition),
        x,
        y,
        w,
        h,
        filter_keys,
        narrows,
        drills,
        refresh,
        labels,
        content: rows.map_or(TileContent::Loading, content),
        svg,
        picture,
    })
}

/// A picture that is drawn within a time. The page draws the others.
async fn svg_in(
    time: Duration,
    app: &App,
    organization: OrganizationId,
    chart: ChartId,
    option: &str,
    size: (u32, u32),
) -> Option<String> {
    tokio::time::timeout(time, svg(app, organization, chart, option, size)).await.unwrap_or_else(|_| {
        metrics::counter!("inlay_pictures_left_to_pages_total").increment(1);
        None
    })
}

/// The least time for a picture of a chart whose rows came late. The page draws what is not drawn by then.
const LEAST_TO_DRAW: Duration = Duration::from_millis(200);

/// How long a slow chart's query continues after the page was sent without it.
const UNTIL_ASKED_AGAIN: Duration = Duration::from_secs(10);

/// The rows of a chart or its error. `None`: they did not come in time or the page has no room for them, and it asks again.
async fn rows_in_time(
    view: &Arc<View>,
    chart: ChartId,
    prepared: Arc<PreparedChart>,
    patience: &Patience,
) -> Result<Option<Result<Answered>>> {
    async move {
        let (asked, wait) = (Arc::clone(view), patience.wait);
        let asking = async move {
            // Ends when the page does not request the chart again.
            tokio::time::timeout(wait + UNTIL_ASKED_AGAIN, asked.rows_of(chart, &prepared)).await
        };
        let task = tokio::spawn(asking.in_current_span());
        let rows = match tokio::time::timeout(wait, task).await {
            Ok(Ok(Ok(rows))) => rows,
            Ok(Ok(Err(_))) | Err(_) => return Ok(None),
            Ok(Err(fault)) => Err(Error::internal(fault)),
        };
        // Counted when the page has it.
        if let Ok(rows) = &rows
            && !patience.has_room(&view.app, rows).await?
        {
            return Ok(None);
        }
        view.delivered(chart);
        Ok(Some(rows))
    }
    .boxed()
    .await
}

/// The content of a chart: its rows or its error.
pub fn content(rows: Result<Answered>) -> TileContent {
    match rows {
        Ok(rows) => TileContent::Ready { data: rows.into_data() },
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
fn picture_size(position: GridPosition, narrow: bool) -> (u32, u32) {
    let grid = if narrow { GRID.0 } else { GRID.1 };
    let (w, h) = (u32::from(position.w).clamp(1, COLUMNS), u32::from(position.h).max(2));
    let column = (grid - (COLUMNS - 1) * GAP) / COLUMNS;
    (w * column + (w - 1) * GAP - AROUND.0, h * ROW + (h - 1) * GAP - AROUND.1)
}

/// The minimum and maximum side of a requested picture, in CSS pixels.
const SIDES: (u32, u32) = (48, 4096);

/// The drawn size for a requested one: rounded to about a hundred steps, which limits how many sizes of a chart a client can
/// request. It differs by at most a thirtieth, and the picture scales with its box.
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
    opened: &Opened,
    chart: &Chart,
    rows: &Answered,
    locale: &str,
    size: (u32, u32),
) -> Option<String> {
    async move {
        let look = Look::new(&opened.application.theme, locale);
        let drawn = app.part::<Pictures>().of_rows(Drawable::from(chart), rows, &look)?;
        let Picture::Option(option) = &*drawn else { return None };
        svg(app, opened.viewer.organization, chart.id, option, size).await
    }
    .boxed()
    .await
}

async fn svg(app: &App, organization: OrganizationId, chart: ChartId, option: &str, size: (u32, u32)) -> Option<String> {
    match drawing::svg(app, organization, option, size).await {
        Ok(svg) => Some(svg),
        Err(fault) => {
            tracing::warn!(%fault, %chart, "a chart could not be drawn on the server; the page draws it");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{StoreKind, World};
    use inlay_contract::data::ChartData;
    use serde_json::json;

    #[tokio::test]
    async fn a_page_holds_two_megabytes_of_rows_and_a_file_all() {
        let world = World::new(StoreKind::Sqlite).await;
        let rows =
            |bytes: usize| Answered::new(ChartData { rows: vec![vec![json!("x".repeat(bytes))]], ..ChartData::default() });
        let page = Patience { wait: Duration::ZERO, left: Some(AtomicUsize::new(MOST_ON_PAGE)) };
        let mut fits = Vec::new();
        for bytes in [1 << 20, 3 << 20, 1 << 10, 1 << 20, 1 << 10] {
            fits.push(page.has_room(&world.app, &rows(bytes)).await.expect("told"));
        }
        assert_eq!(fits, [true, false, true, false, true], "what does not fit leaves room for less");
        let file = Patience { wait: Duration::ZERO, left: None };
        assert!(file.has_room(&world.app, &rows(5 << 20)).await.expect("told"));
    }

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
