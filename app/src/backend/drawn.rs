//! Pictures of charts on their way to the page: the server makes the chart library's options, so that the wasm need not hold the
//! code that does.

use inlay_contract::theme::Theme;
#[cfg(feature = "ssr")]
use inlay_contract::{
    chart::{self, definition::ChartDefinition},
    data::ChartData,
    page::{EmbedPage, PageContent, Tile, TileContent},
    theme::ChartTheme,
};
use serde::{Deserialize, Serialize};

/// Something with charts in it, and their pictures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Drawn<T> {
    /// What holds the charts.
    pub content: T,
    /// In the charts' order: the chart library's option as JSON; none where a chart is HTML or has no rows.
    pub pictures: Vec<Option<String>>,
}

/// How charts are drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Style {
    /// The application's theme.
    pub theme: Theme,
    /// BCP 47; for numbers and dates.
    pub locale: String,
}

#[cfg(feature = "ssr")]
impl Style {
    /// The pictures of a dashboard's charts.
    #[must_use]
    pub fn pictures(&self, tiles: &[Tile]) -> Vec<Option<String>> {
        let theme = self.theme.chart();
        tiles.iter().map(|tile| self.of_content(&tile.definition, &tile.content, &theme)).collect()
    }

    /// The picture of one chart.
    #[must_use]
    pub fn picture(&self, definition: &ChartDefinition, content: &TileContent) -> Option<String> {
        self.of_content(definition, content, &self.theme.chart())
    }

    fn of_content(&self, definition: &ChartDefinition, content: &TileContent, theme: &ChartTheme) -> Option<String> {
        match content {
            TileContent::Ready { data } => self.of_rows(definition, data, theme),
            TileContent::Loading | TileContent::Failed { .. } => None,
        }
    }

    fn of_rows(&self, definition: &ChartDefinition, data: &ChartData, theme: &ChartTheme) -> Option<String> {
        if definition.kind.is_html() || data.rows.is_empty() {
            return None;
        }
        // A definition that does not fit its rows has no picture; the page says so in the chart's place.
        chart::option(definition, data, theme, &self.locale).ok().map(|option| option.to_string())
    }
}

#[cfg(feature = "ssr")]
impl Drawn<EmbedPage> {
    /// A page with the pictures of its open dashboard.
    #[must_use]
    pub fn page(page: EmbedPage) -> Self {
        let pictures = match &page.content {
            PageContent::Application(view) => {
                let style = Style { theme: view.theme.clone(), locale: page.locale.clone() };
                view.dashboard.as_ref().map(|dashboard| style.pictures(&dashboard.tiles)).unwrap_or_default()
            }
            PageContent::Message { .. } | PageContent::AwaitingToken => Vec::new(),
        };
        Self { content: page, pictures }
    }
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;
    use inlay_contract::data::{Column, ColumnType};
    use serde_json::json;

    fn picture(kind: &str, rows: usize) -> Option<String> {
        let definition = json!({"title": "T", "type": kind, "encoding": {"x": "day", "y": ["flights"], "value": "flights"}});
        let definition = serde_json::from_value(definition).expect("a definition");
        let column = |name: &str, kind| Column { name: name.into(), kind };
        let columns = vec![column("day", ColumnType::Date), column("flights", ColumnType::Number)];
        let rows = vec![vec![json!("2001-01-01"), json!(3)]; rows];
        let data = ChartData { columns, rows, truncated: false, cached: false, duration_ms: 0 };
        Style { theme: Theme::default(), locale: "en".into() }.picture(&definition, &TileContent::Ready { data })
    }

    #[test]
    fn charts_that_are_drawn_get_an_option_and_others_do_not() {
        assert!(picture("line", 2).is_some_and(|option| option.starts_with('{')));
        assert_eq!(picture("number", 2), None);
        assert_eq!(picture("line", 0), None);
        assert_eq!(picture("sankey", 2), None);
    }
}
