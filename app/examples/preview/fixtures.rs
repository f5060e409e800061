//! An application with invented rows of every shape that the page draws.

use async_trait::async_trait;
use inlay_app::backend::{
    ChoicesRequest, DashboardRequest, EmbedBackend, OpenedDashboard, PageAddress, TileRequest, TokenCheck,
};
use inlay_contract::{
    chart::definition::ChartDefinition,
    data::{ChartData, Column, ColumnType},
    filter::{Control, FilterValue},
    ids::{ApplicationId, ChartId, DashboardId, ProjectUserId},
    page::{
        ApplicationView, Choice, DashboardEntry, DashboardView, EmbedPage, FilterView, Filters, PageContent, PageParameters,
        Problem, Tile, TileContent,
    },
    permissions::Permissions,
    theme::Theme,
};
use serde_json::{Value, json};
use std::time::Duration;

const AIRPORTS: [(&str, u64); 8] =
    [("ATL", 412), ("LAX", 388), ("ORD", 301), ("DFW", 287), ("DEN", 214), ("PHX", 160), ("SEA", 121), ("MIA", 96)];

/// The backend of the preview.
pub struct Fixtures {
    application: ApplicationId,
    dashboards: [DashboardId; 2],
    charts: Vec<ChartId>,
}

impl Default for Fixtures {
    fn default() -> Self {
        let charts = (0..definitions().len()).map(|_| ChartId::generate()).collect();
        Self { application: ApplicationId::generate(), dashboards: [DashboardId::generate(), DashboardId::generate()], charts }
    }
}

impl Fixtures {
    /// The application with its first dashboard open.
    pub fn application(&self, dark: bool, filters: &Filters) -> ApplicationView {
        let theme = if dark {
            Theme { background: Some("#0f1420".into()), primary: Some("#7aa2ff".into()), ..Theme::default() }
        } else {
            Theme { background: Some("#f6f8f9".into()), primary: Some("#0b7285".into()), ..Theme::default() }
        };
        let entry = |at: usize, name: &str| DashboardEntry { id: self.dashboards[at], name: name.into(), is_default: at == 0 };
        ApplicationView {
            id: self.application,
            name: "Flight operations".into(),
            theme,
            dashboards: vec![entry(0, "Overview"), entry(1, "Delays")],
            dashboard: Some(self.dashboard(self.dashboards[0], filters)),
            permissions: Permissions::without_role(),
            viewer: ProjectUserId::generate(),
        }
    }

    fn dashboard(&self, id: DashboardId, filters: &Filters) -> DashboardView {
        let filter =
            |key: &str, label: &str, control| FilterView { key: key.into(), label: label.into(), control, default: None };
        let overview = id == self.dashboards[0];
        let tiles = definitions().into_iter().enumerate().filter(|(at, _)| overview || at % 2 == 0).map(
            |(at, (definition, [x, y, w, h]))| Tile {
                id: self.charts[at],
                content: content(at, &definition, filters),
                definition,
                x,
                y,
                w,
                h,
                filter_keys: vec!["filter_destination".into(), "filter_period".into()],
                svg: None,
            },
        );
        DashboardView {
            id,
            name: if overview { "Overview" } else { "Delays" }.into(),
            filters: vec![
                filter("destination", "Destination", Control::Select),
                filter("period", "Period", Control::DateRange),
                filter("delay", "Delay (minutes)", Control::NumberRange),
            ],
            tiles: tiles.collect(),
        }
    }
}

type Placed = (ChartDefinition, [u16; 4]);

fn definitions() -> Vec<Placed> {
    let chart = |json: Value, place| (serde_json::from_value(json).expect("a definition"), place);
    vec![
        chart(
            json!({"title": "Departures", "type": "number", "encoding": {"value": "now", "compare": "before"}}),
            [0, 0, 3, 3],
        ),
        chart(
            json!({"title": "On time", "type": "number", "encoding": {"value": "share", "compare": "before"},
            "options": {"format": {"style": "percent", "decimals": 1}}}),
            [3, 0, 3, 3],
        ),
        chart(json!({"title": "Nothing here", "type": "number", "encoding": {"value": "now"}}), [6, 0, 3, 3]),
        chart(json!({"title": "Source down", "type": "number", "encoding": {"value": "now"}}), [9, 0, 3, 3]),
        chart(json!({"title": "Flights per day", "type": "line", "encoding": {"x": "day", "y": ["flights"]}}), [0, 3, 8, 6]),
        chart(
            json!({"title": "By destination", "type": "donut", "encoding": {"label": "destination", "value": "flights"}}),
            [8, 3, 4, 6],
        ),
        chart(
            json!({"title": "Busiest destinations", "type": "bar", "encoding": {"x": "destination", "y": ["flights"]}}),
            [0, 9, 6, 6],
        ),
        chart(json!({"title": "Destinations to watch", "type": "table"}), [6, 9, 6, 6]),
        chart(
            json!({"title": "About", "type": "text", "encoding": {"markdown": "### About these figures\nFlights of **2001**, counted at the gate.\n\n- early is *good*\n- late is not"}}),
            [0, 15, 12, 3],
        ),
    ]
}

fn content(at: usize, definition: &ChartDefinition, filters: &Filters) -> TileContent {
    let column = |name: &str, kind| Column { name: name.into(), kind };
    let chosen: Vec<Value> = match filters.get("filter_destination") {
        Some(value @ FilterValue::AnyOf(_)) => match value.to_json() {
            Value::Array(values) => values,
            one => vec![one],
        },
        _ => vec![],
    };
    let airports = AIRPORTS.iter().filter(|(code, _)| chosen.is_empty() || chosen.contains(&json!(code)));
    let (columns, rows): (Vec<Column>, Vec<Vec<Value>>) = match at {
        0 => {
            let sum: u64 = airports.map(|(_, count)| count).sum();
            (vec![column("now", ColumnType::Number), column("before", ColumnType::Number)], vec![vec![json!(sum), json!(1850)]])
        }
        1 => (
            vec![column("share", ColumnType::Number), column("before", ColumnType::Number)],
            vec![vec![json!(0.812), json!(0.834)]],
        ),
        2 => (vec![column("now", ColumnType::Number)], vec![]),
        3 => {
            let message = "The data source could not be reached. Try again in a moment.".into();
            return TileContent::Failed { problem: Problem { code: "SOURCE_UNAVAILABLE".into(), message } };
        }
        4 => (
            vec![column("day", ColumnType::Date), column("flights", ColumnType::Number)],
            (1..=28).map(|day| vec![json!(format!("2001-01-{day:02}")), json!(40 + (day * 7) % 23)]).collect(),
        ),
        8 => (vec![], vec![]),
        _ => (
            vec![
                column("destination", ColumnType::Text),
                column("flights", ColumnType::Number),
                column("average_delay", ColumnType::Number),
            ],
            airports
                .map(|(code, count)| {
                    vec![json!(code), json!(count), json!(f64::from(u32::try_from(count % 37).unwrap_or(0)) - 6.5)]
                })
                .collect(),
        ),
    };
    let _ = definition;
    TileContent::Ready { data: ChartData { columns, rows, truncated: false, cached: false, duration_ms: 3 } }
}

#[async_trait]
impl EmbedBackend for Fixtures {
    async fn open_page(&self, _: &str, address: PageAddress) -> Result<EmbedPage, Problem> {
        let view = self.application(address.search.contains("dark=true"), &Filters::new());
        let content = PageContent::Application(Box::new(view));
        Ok(EmbedPage { content, parameters: PageParameters::default(), locale: "en".into(), timezone: "UTC".into() })
    }

    async fn open_dashboard(&self, _: &str, request: DashboardRequest) -> Result<OpenedDashboard, Problem> {
        tokio::time::sleep(Duration::from_millis(300)).await;
        Ok(OpenedDashboard { dashboard: self.dashboard(request.dashboard, &request.filters), filters: request.filters })
    }

    async fn tile_data(&self, _: &str, request: TileRequest) -> Result<TileContent, Problem> {
        tokio::time::sleep(Duration::from_millis(400)).await;
        let at = self.charts.iter().position(|chart| *chart == request.chart).unwrap_or_default();
        Ok(content(at, &definitions()[at].0, &request.filters))
    }

    async fn filter_choices(&self, _: &str, request: ChoicesRequest) -> Result<Vec<Choice>, Problem> {
        tokio::time::sleep(Duration::from_millis(200)).await;
        let search = request.search.to_uppercase();
        let fits = AIRPORTS.iter().filter(|(code, _)| code.contains(&search));
        Ok(fits.map(|(code, count)| Choice { value: json!(code), count: *count }).collect())
    }

    async fn check_token(&self, _: &str, _: ApplicationId) -> Result<TokenCheck, Problem> {
        Ok(TokenCheck { viewer: ProjectUserId::generate() })
    }
}
