//! Exports of what a viewer sees: a dashboard as PDF, a chart as picture, its rows as Excel workbook. Rows come from the query
//! engine under the same filters as on the page.

use super::tiles::{self, MADE_OF_ROWS};
use crate::{
    concepts::{
        access::Viewer,
        customers,
        dashboards::{data::View, value_names},
    },
    flows::viewing::Opened,
    ground::{
        drawing,
        error::{Code, Error, Result},
        memory::{self, Memory},
        state::App,
    },
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use chrono::NaiveDate;
use inlay_app::{
    calls::{
        Style,
        embed::{DashboardRequest, TileRequest},
    },
    prose::markdown::{self, Links},
};
use inlay_contract::{
    calendar::{self, Grain},
    chart::{
        definition::ChartDefinition,
        has_marks,
        number::{Delta, Direction, NumberView},
        option,
        picture::Picture,
        pivot::PivotView,
        table::{Align, Cell, TableView},
    },
    data::ChartData,
    format::{self, DateForm, locale::Locale},
    ids::OrganizationId,
    page::{Tile, TileContent},
    permissions::Flag,
};
use inlay_query::Answered;
use inlay_render::{
    Sheet,
    paper::{self, Body, Card, Field, Head, Paper},
};

/// The maximum width of a single number's picture, in CSS pixels.
const NUMBER: u32 = 360;
/// The width of the picture of an HTML chart in a conversation, in CSS pixels.
pub const CARD: u32 = 720;
/// The maximum number of a table's rows in a PDF. Longer tables say that they are cut.
const MOST_ROWS: usize = 200;
const LATE: &str = "This chart took too long.";
const UNDRAWN: &str = "This chart could not be drawn.";
const NOTHING: &str = "No data for these filters.";

/// A dashboard as a PDF, in base64.
///
/// # Errors
/// 403 without the permission to download, 404 for the dashboard.
pub async fn pdf(app: &App, opened: &Opened, request: &DashboardRequest) -> Result<String> {
    if opened.viewer.permissions.allows(Flag::HideDownloadButton) {
        return Err(Error::new(Code::PermissionDenied, "This user's role does not allow downloading dashboards."));
    }
    let dashboard = opened.dashboard(app, request.dashboard).await?;
    let view = View::open(app, &opened.viewer, dashboard.filters.clone(), request.filters.clone(), opened.today).await?;
    let wait = app.settings.limits.page_wait();
    let found = tiles::gather_within(view, dashboard.id, None, wait).await?;
    let subject = Subject {
        title: dashboard.name.clone(),
        customer: customer_name(app, &opened.viewer).await?,
        filters: value_names::in_words(app, &opened.viewer, &dashboard, &request.filters, opened.today, wait).await?,
        day: opened.today.day,
    };
    let style = opened.style(&request.scope.locale);
    paper_of(app, opened.viewer.organization, style, subject, &found).await.map(|file| STANDARD.encode(file))
}

/// What the head of a PDF says.
pub struct Subject {
    /// The dashboard's name.
    pub title: String,
    /// The name of the viewer's customer.
    pub customer: Option<String>,
    /// The active filters with their values.
    pub filters: Vec<String>,
    /// The viewer's day.
    pub day: NaiveDate,
}

impl Subject {
    /// The line below the title: whose it is and what it shows, and the day.
    fn line(&self, locale: &str) -> (String, String) {
        let about: Vec<&str> = self.customer.iter().chain(&self.filters).map(String::as_str).collect();
        let day = format::date(calendar::start(self.day), Grain::Day, DateForm::Words, &Locale::of(locale));
        (about.join("  ·  "), day)
    }
}

/// The name of a viewer's customer, if they have one.
pub async fn customer_name(app: &App, viewer: &Viewer) -> Result<Option<String>> {
    let Some(id) = viewer.customer else { return Ok(None) };
    let found = customers::find_customer_by_id(&mut app.db.read().await?.conn(), viewer.project, id).await?;
    Ok(found.map(|customer| customer.name))
}

/// Charts with their rows as a PDF, in light colours whatever the theme.
pub async fn paper_of(
    app: &App,
    organization: OrganizationId,
    style: Style,
    subject: Subject,
    tiles: &[Tile],
) -> Result<Vec<u8>> {
    let style = Style { theme: style.theme.on_paper(), ..style };
    let (cards, options): (Vec<Card>, Vec<Option<String>>) = tiles.iter().map(|tile| card_of(&style, tile)).unzip();
    let (about, day) = subject.line(&style.locale);
    let mut paper = Paper { title: subject.title, about, day, cards, ink: style.theme.chart().into() };
    // A chart is drawn in the size of its card on its page.
    for (at, size) in paper.pictures() {
        let (Some(option), Some(card)) = (options.get(at).and_then(Option::as_deref), paper.cards.get_mut(at)) else {
            continue;
        };
        card.body = match drawing::svg(app, organization, option, size).await {
            Ok(picture) => Body::Picture(picture),
            Err(_) => Body::Message(UNDRAWN.to_owned()),
        };
    }
    // Fonts and vector graphics take a while, so this must not block other requests.
    tokio::task::spawn_blocking(move || paper.pdf()).await.map_err(Error::internal)?.map_err(Error::internal)
}

/// An HTML chart as an SVG picture of this width, in CSS pixels. `None` when there is nothing to draw, and for other charts.
pub fn picture(style: &Style, title: String, definition: &ChartDefinition, rows: ChartData, width: u32) -> Option<String> {
    let body = html_body(style, definition, &TileContent::Ready { data: rows })?;
    // A single number needs less width.
    let width = if matches!(body, Body::Number { .. }) { width.min(NUMBER) } else { width };
    Some(paper::picture(&Card { title, place: (0, 0, 0, 0), body }, &style.theme.chart().into(), width))
}

/// A chart's rows as an Excel workbook, in base64.
///
/// # Errors
/// 404 for the chart; 422, 503 or 504 when its query fails.
pub async fn workbook(app: &App, opened: &Opened, request: &TileRequest) -> Result<String> {
    let (view, chart) = opened.chart(app, request).await?;
    let rows = view.rows(&chart).await?;
    let chart = view.drawn_chart(chart).await;
    book(app, chart.name, rows, Some(chart.definition), &request.scope.locale).await
}

/// Rows as an Excel workbook, in base64. With a chart's definition, columns have its labels and formats.
///
/// # Errors
/// The rows do not fit into a sheet; 503 when many files are made.
pub async fn book(
    app: &App,
    title: String,
    rows: Answered,
    definition: Option<ChartDefinition>,
    locale: &str,
) -> Result<String> {
    memory::keep(&app.part::<Memory>().files, rows.size().saturating_mul(MADE_OF_ROWS)).await?;
    let locale = locale.to_owned();
    let write = move || {
        let sheet = Sheet { title: &title, data: rows.table(), definition: definition.as_ref() };
        inlay_render::workbook(&[sheet], &locale)
    };
    let file = tokio::task::spawn_blocking(write).await.map_err(Error::internal)?;
    file.map(|file| STANDARD.encode(file)).map_err(Error::internal)
}

/// A chart's card, and the option of its picture if it is to be drawn.
fn card_of(style: &Style, tile: &Tile) -> (Card, Option<String>) {
    let mut to_draw = None;
    let message = |text: &str| Body::Message(text.to_owned());
    let body = match (&tile.content, &tile.definition) {
        (TileContent::Failed { problem }, _) => message(&problem.message),
        (TileContent::Ready { data }, Some(definition)) if !definition.kind.is_html() && !data.rows.is_empty() => {
            match option(definition, data, &style.theme.chart(), &style.locale) {
                Err(_) => message(UNDRAWN),
                Ok(_) if !has_marks(definition, data) => message(NOTHING),
                Ok(option) => {
                    to_draw = Some(option.to_string());
                    Body::Picture(String::new())
                }
            }
        }
        (content, Some(definition)) => html_body(style, definition, content)
            .unwrap_or_else(|| message(if matches!(content, TileContent::Loading) { LATE } else { NOTHING })),
        (TileContent::Loading | TileContent::Ready { .. }, None) => message(LATE),
    };
    (Card { title: tile.face.title.clone(), place: (tile.x, tile.y, tile.w, tile.h), body }, to_draw)
}

/// The content of a chart that is HTML on the page. `None` without rows, and for other charts.
fn html_body(style: &Style, definition: &ChartDefinition, content: &TileContent) -> Option<Body> {
    if let Some(markdown) = &definition.encoding.markdown {
        return Some(Body::Text(markdown::read(markdown, Links::ToTheWeb)));
    }
    // The option of another chart is not made in vain.
    if !definition.kind.is_html() {
        return None;
    }
    match style.picture(definition, content)? {
        Picture::Number(number) => Some(number_body(number)),
        Picture::Table(table) => Some(table_body(table)),
        Picture::Pivot(pivot) => Some(pivot_body(pivot)),
        Picture::Option(_) | Picture::Empty => None,
    }
}

fn number_body(NumberView { parts, delta, trend, .. }: NumberView) -> Body {
    let below = delta.map(|Delta { text, direction, before, .. }| match direction {
        Direction::Up => format!("Up {text} from {before}"),
        Direction::Down => format!("Down {text} from {before}"),
        Direction::Flat => format!("Unchanged from {before}"),
    });
    let value = format!("{}{}{}", parts.prefix, parts.digits, parts.suffix);
    Body::Number { value, below: below.unwrap_or_default(), course: trend }
}

fn fields(cells: Vec<Cell>) -> Vec<Field> {
    cells.into_iter().map(|Cell { text, shade, .. }| Field { text, shade }).collect()
}

fn table_body(TableView { columns, rows, total, .. }: TableView) -> Body {
    let heads = columns.into_iter().map(|column| Head { name: column.label, is_number: column.align == Align::End }).collect();
    let count = rows.len();
    Body::Table { heads, rows: rows.into_iter().take(MOST_ROWS).map(fields).collect(), count, total: total.map(fields) }
}

fn pivot_body(PivotView { row_titles, heads, rows, totals }: PivotView) -> Body {
    let width = heads.first().map_or(0, Vec::len);
    let joined = |at: usize| {
        heads
            .iter()
            .filter_map(|level| level.get(at))
            .map(String::as_str)
            .filter(|head| !head.is_empty())
            .collect::<Vec<_>>()
            .join(" · ")
    };
    let titles = row_titles.iter().map(|title| Head { name: title.clone(), is_number: false });
    let columns = titles.chain((0..width).map(|at| Head { name: joined(at), is_number: true })).collect();
    let line = |names: Vec<String>, cells: Vec<Cell>| names.into_iter().map(Field::from).chain(fields(cells)).collect();
    let total = totals.map(|cells| {
        let names =
            std::iter::once("Total".to_owned()).chain(std::iter::repeat_n(String::new(), row_titles.len().saturating_sub(1)));
        line(names.collect(), cells)
    });
    let count = rows.len();
    let rows = rows.into_iter().take(MOST_ROWS).map(|row| line(row.names, row.cells)).collect();
    Body::Table { heads: columns, rows, count, total }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::{chart::pivot::PivotRow, ids::ChartId, prose::Block, theme::Theme};
    use serde_json::{Value, json};
    use std::sync::Arc;

    #[test]
    fn a_pivot_s_levels_become_one_head_and_its_totals_a_row() {
        let cell = |text: &str| Cell::plain(text.into(), text.into());
        let view = PivotView {
            row_titles: vec!["region".into(), "depot".into()],
            heads: vec![vec!["2001".into(), "2001".into()], vec!["sum".into(), "count".into()]],
            rows: vec![PivotRow { names: vec!["north".into(), "Kiel".into()], cells: vec![cell("1"), cell("2")] }],
            totals: Some(vec![cell("1"), cell("2")]),
        };
        let Body::Table { heads, rows, total, .. } = pivot_body(view) else { panic!("a table") };
        let names: Vec<&str> = heads.iter().map(|head| head.name.as_str()).collect();
        assert_eq!(names, ["region", "depot", "2001 · sum", "2001 · count"]);
        let texts = |cells: &[Field]| cells.iter().map(|cell| cell.text.clone()).collect::<Vec<_>>();
        assert_eq!(texts(&rows[0]), ["north", "Kiel", "1", "2"]);
        assert_eq!(texts(&total.expect("sums")), ["Total", "", "1", "2"]);
    }

    #[test]
    fn a_text_keeps_its_headings_and_a_chart_without_rows_says_so() {
        let style = Style { theme: Theme::default(), locale: "en".into() };
        let tile = |definition: Value| {
            let tile = json!({
                "id": ChartId::generate(), "face": {"title": "T", "type": definition["type"]}, "x": 0, "y": 0, "w": 6, "h": 4,
                "filterKeys": [], "content": "loading",
            });
            let tile: Tile = serde_json::from_value(tile).expect("a tile");
            let definition = serde_json::from_value(definition).expect("a definition");
            Tile { definition: Some(Arc::new(definition)), content: TileContent::Ready { data: ChartData::default() }, ..tile }
        };
        let text = tile(json!({"title": "T", "type": "text", "encoding": {"markdown": "## Head\n\n- one"}}));
        let (Card { body: Body::Text(blocks), .. }, None) = card_of(&style, &text) else { panic!("a text") };
        assert!(matches!(blocks.as_slice(), [Block::Heading(_), Block::List { ordered: false, .. }]), "{blocks:?}");
        let line = tile(json!({"title": "T", "type": "line", "encoding": {"x": "day", "y": ["sum"]}}));
        let (Card { body: Body::Message(message), .. }, None) = card_of(&style, &line) else { panic!("a message") };
        assert_eq!(message, "No data for these filters.");
        let data = json!({"columns": [{"name": "day", "type": "date"}, {"name": "sum", "type": "number"}],
            "rows": [["2001-01-01", null]], "truncated": false, "cached": false, "durationMs": 0});
        let nulls = Tile { content: TileContent::Ready { data: serde_json::from_value(data).expect("rows") }, ..line };
        let (Card { body: Body::Message(message), .. }, None) = card_of(&style, &nulls) else { panic!("no picture of nulls") };
        assert_eq!(message, "No data for these filters.");
    }

    #[test]
    fn the_head_names_customer_filters_and_day() {
        let day = NaiveDate::from_ymd_opt(2026, 11, 20).expect("a day");
        let filters = vec!["Region: south".to_owned(), "Day: Last 7 days".to_owned()];
        let subject = Subject { title: "Sales".into(), customer: Some("Acme".into()), filters, day };
        let (about, day) = subject.line("en");
        assert_eq!(about, "Acme  ·  Region: south  ·  Day: Last 7 days");
        assert!(day.contains("20") && day.contains("2026"), "{day}");
        assert_eq!(Subject { customer: None, filters: Vec::new(), ..subject }.line("en").0, "");
    }
}
