//! Files of what a viewer sees: a dashboard as PDF, a chart's rows as Excel workbook. Their rows come through the same door as the
//! page's, under the same filters.

use super::{
    backend::{Backend, Opened},
    tiles,
};
use crate::{
    dashboards,
    error::{Error, Result},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use inlay_app::backend::{DashboardRequest, Picture, Style, TileRequest};
use inlay_contract::{
    chart::{
        number::{Delta, Direction, NumberView},
        option,
        pivot::PivotView,
        table::{Align, TableView},
    },
    page::{Tile, TileContent},
    permissions::Flag,
};
use inlay_render::paper::{self, Body, Card, Ink, Paper};

/// Cells of a chart on paper at most; a table that is longer says so.
const MOST_ROWS: usize = 200;

/// A dashboard as a PDF, in base64.
///
/// # Errors
/// 403 where the role has no download, 404 for the dashboard, or the file cannot be written.
pub async fn pdf(pages: &Backend, opened: &Opened, request: &DashboardRequest) -> Result<String> {
    if opened.viewer.permissions.allows(Flag::HideDownloadButton) {
        return Err(Error::forbidden("PERMISSION_DENIED", "This user's role has no downloads of dashboards."));
    }
    let app = &pages.0;
    let dashboard = pages.dashboard(opened, request.dashboard).await?;
    let context = opened.viewer.security_context(app).await?;
    let found = tiles::gather(app, &dashboard, &context, &request.filters, opened.today, None).await?;
    let style = opened.style(&request.scope.locale);
    let mut cards = Vec::with_capacity(found.len());
    for tile in &found {
        cards.push(card(pages, &style, tile).await);
    }
    let theme = style.theme.chart();
    let ink = Ink { surface: theme.surface, card: theme.raised, text: theme.text, muted: theme.muted, line: theme.line };
    let note = note(&dashboard, request, opened);
    let paper = Paper { title: dashboard.name, note, cards, ink };
    // Fonts and vectors take a moment; other requests go on meanwhile.
    let file = tokio::task::spawn_blocking(move || paper.pdf()).await.map_err(Error::internal)?;
    file.map(|file| STANDARD.encode(file)).map_err(Error::internal)
}

/// A chart's rows as an Excel workbook, in base64.
///
/// # Errors
/// 404 for the chart; 422, 503 or 504 when its query fails.
pub async fn workbook(pages: &Backend, opened: &Opened, request: &TileRequest) -> Result<String> {
    let (chart, rows) = pages.rows(opened, request).await?;
    let rows = rows?;
    let file =
        tokio::task::spawn_blocking(move || inlay_render::workbook(&chart.name, &rows)).await.map_err(Error::internal)?;
    file.map(|file| STANDARD.encode(file)).map_err(Error::internal)
}

/// The day, and which filters are on.
fn note(dashboard: &dashboards::Dashboard, request: &DashboardRequest, opened: &Opened) -> String {
    let named = dashboard.filters.iter().filter_map(|filter| {
        let value = request.filters.get(&format!("{}{}", inlay_contract::filter::CONTROLLED, filter.key))?;
        Some(format!("{}: {}", filter.label, inlay_app::filters::bar::summary(value)))
    });
    std::iter::once(opened.today.day.to_string()).chain(named).collect::<Vec<_>>().join("  ·  ")
}

async fn card(pages: &Backend, style: &Style, tile: &Tile) -> Card {
    let place = (tile.x, tile.y, tile.w, tile.h);
    let body = match (&tile.content, &tile.definition) {
        (TileContent::Failed { problem }, _) => Body::Lines(vec![problem.message.clone()]),
        (_, Some(definition)) if definition.encoding.markdown.is_some() => {
            Body::Lines(plain(definition.encoding.markdown.as_deref().unwrap_or_default()))
        }
        (TileContent::Ready { data }, Some(definition)) => match style.picture(definition, &tile.content) {
            Some(Picture::Number(number)) => number_body(number),
            Some(Picture::Table(table)) => table_body(table),
            Some(Picture::Pivot(pivot)) => pivot_body(pivot),
            Some(Picture::Option(_)) => {
                let (width, height) = paper::size(place);
                let drawn = match option(definition, data, &style.theme.chart(), &style.locale) {
                    Ok(option) => pages.0.renderer.svg(&option, width, height).await.ok(),
                    Err(_) => None,
                };
                drawn.map_or_else(|| Body::Lines(vec!["This chart could not be drawn.".to_owned()]), Body::Picture)
            }
            None => Body::Lines(vec!["No data for these filters.".to_owned()]),
        },
        (TileContent::Loading | TileContent::Ready { .. }, _) => Body::Lines(vec!["This chart took too long.".to_owned()]),
    };
    Card { title: tile.face.title.clone(), place, body }
}

fn number_body(NumberView { parts, delta, .. }: NumberView) -> Body {
    let below = delta.map(|Delta { text, direction, before, .. }| match direction {
        Direction::Up => format!("Up {text} from {before}"),
        Direction::Down => format!("Down {text} from {before}"),
        Direction::Flat => format!("Unchanged from {before}"),
    });
    Body::Number { value: format!("{}{}{}", parts.prefix, parts.digits, parts.suffix), below: below.unwrap_or_default() }
}

fn table_body(TableView { columns, rows }: TableView) -> Body {
    let heads = columns.into_iter().map(|column| (column.label, column.align == Align::End)).collect();
    let rows = rows.into_iter().take(MOST_ROWS).map(|row| row.into_iter().map(|cell| cell.text).collect()).collect();
    Body::Table { heads, rows }
}

fn pivot_body(PivotView { row_titles, heads, rows, totals }: PivotView) -> Body {
    let width = heads.first().map_or(0, Vec::len);
    let joined = |at: usize| {
        heads.iter().map(|level| level[at].as_str()).filter(|head| !head.is_empty()).collect::<Vec<_>>().join(" · ")
    };
    let titles = row_titles.iter().map(|title| (title.clone(), false));
    let columns = titles.chain((0..width).map(|at| (joined(at), true))).collect();
    let names = row_titles.len();
    let line = |names: Vec<String>, cells: Vec<inlay_contract::chart::table::Cell>| {
        names.into_iter().chain(cells.into_iter().map(|cell| cell.text)).collect::<Vec<String>>()
    };
    let totals = totals.map(|cells| {
        let total = std::iter::once("Total".to_owned()).chain(std::iter::repeat_n(String::new(), names.saturating_sub(1)));
        line(total.collect(), cells)
    });
    let rows = rows.into_iter().take(MOST_ROWS).map(|row| line(row.names, row.cells)).chain(totals).collect();
    Body::Table { heads: columns, rows }
}

/// The lines of a text without its marks.
fn plain(markdown: &str) -> Vec<String> {
    let line = |line: &str| line.trim_start_matches(['#', '-', '*', ' ']).replace("**", "").replace('`', "");
    markdown.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::chart::{pivot::PivotRow, table::Cell};

    #[test]
    fn a_pivot_s_levels_become_one_head_and_its_totals_a_row() {
        let cell = |text: &str| Cell { text: text.into(), exact: text.into() };
        let view = PivotView {
            row_titles: vec!["region".into(), "depot".into()],
            heads: vec![vec!["2001".into(), "2001".into()], vec!["sum".into(), "count".into()]],
            rows: vec![PivotRow { names: vec!["north".into(), "Kiel".into()], cells: vec![cell("1"), cell("2")] }],
            totals: Some(vec![cell("1"), cell("2")]),
        };
        let Body::Table { heads, rows } = pivot_body(view) else { panic!("a table") };
        let names: Vec<&str> = heads.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["region", "depot", "2001 · sum", "2001 · count"]);
        assert_eq!(rows, [["north", "Kiel", "1", "2"], ["Total", "", "1", "2"]]);
        assert_eq!(plain("## Head\n- **bold** `x`"), ["Head", "bold x"]);
    }
}
