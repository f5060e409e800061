//! Charts with their drawings. The server prepares the drawings, so that the wasm does not need that code.

use crate::drawing::Drawing;
#[cfg(feature = "ssr")]
use crate::{
    drawing::written,
    prose::{
        self,
        markdown::{self, Links},
    },
};
#[cfg(feature = "ssr")]
use inlay_contract::{
    chart::{
        definition::{ChartDefinition, ChartType},
        picture::Picture,
    },
    page::{EmbedPage, PageContent, Tile, TileContent},
    theme::{ChartTheme, Theme},
};
use serde::{Deserialize, Serialize};
#[cfg(feature = "ssr")]
use std::cell::LazyCell;

/// Content with charts, and the charts' drawings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Drawn<T> {
    /// The content.
    pub content: T,
    /// In the charts' order. `None` for a chart without rows, and if a definition does not fit its rows.
    pub drawings: Vec<Option<Drawing>>,
}

/// The theme and language that charts are drawn with.
#[cfg(feature = "ssr")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// The application's theme.
    pub theme: Theme,
    /// BCP 47; for numbers and dates.
    pub locale: String,
}

#[cfg(feature = "ssr")]
impl Style {
    /// The drawings of a dashboard's charts.
    #[must_use]
    pub fn drawings(&self, tiles: &[Tile]) -> Vec<Option<Drawing>> {
        let theme = LazyCell::new(|| self.theme.chart());
        let drawing = |tile: &Tile| match &tile.picture {
            // The server remembers it with the rows.
            Some(picture) => Some(Drawing::of(Picture::clone(picture), &tile.face.title)),
            None => self.of_content(tile.definition.as_deref()?, &tile.content, &theme),
        };
        tiles.iter().map(drawing).collect()
    }

    /// The drawing of one chart.
    #[must_use]
    pub fn drawing(&self, definition: &ChartDefinition, content: &TileContent) -> Option<Drawing> {
        self.of_content(definition, content, &LazyCell::new(|| self.theme.chart()))
    }

    /// The picture of one chart. `None` without rows, and for a text.
    #[must_use]
    pub fn picture(&self, definition: &ChartDefinition, content: &TileContent) -> Option<Picture> {
        self.of_rows(definition, content, &LazyCell::new(|| self.theme.chart()))
    }

    fn of_content<F: FnOnce() -> ChartTheme>(
        &self,
        definition: &ChartDefinition,
        content: &TileContent,
        theme: &LazyCell<ChartTheme, F>,
    ) -> Option<Drawing> {
        if definition.kind == ChartType::Text {
            let text = definition.encoding.markdown.as_deref().unwrap_or_default();
            return Some(Drawing::Text(written::html(prose::blocks(&markdown::read(text, Links::ToTheWeb)))));
        }
        Some(Drawing::of(self.of_rows(definition, content, theme)?, &definition.title))
    }

    fn of_rows<F: FnOnce() -> ChartTheme>(
        &self,
        definition: &ChartDefinition,
        content: &TileContent,
        theme: &LazyCell<ChartTheme, F>,
    ) -> Option<Picture> {
        match content {
            TileContent::Ready { data } if data.rows.is_empty() => None,
            TileContent::Ready { data } => Picture::of_rows(definition, data, theme, &self.locale),
            TileContent::Loading | TileContent::Failed { .. } => None,
        }
    }
}

#[cfg(feature = "ssr")]
impl Drawn<EmbedPage> {
    /// Adds drawings to a page's open dashboard.
    #[must_use]
    pub fn page(page: EmbedPage) -> Self {
        let drawings = match &page.content {
            PageContent::Application(view) => {
                let style = Style { theme: view.theme.clone(), locale: page.locale.clone() };
                view.dashboard.as_ref().map(|dashboard| style.drawings(&dashboard.tiles)).unwrap_or_default()
            }
            PageContent::Message { .. } | PageContent::AwaitingToken => Vec::new(),
        };
        Self { content: page, drawings }
    }
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;
    use inlay_contract::data::{ChartData, Column, ColumnType};
    use serde_json::json;

    fn drawing(kind: &str, rows: usize) -> Option<Drawing> {
        let definition = json!({"title": "T", "type": kind, "encoding": {"x": "day", "y": ["flights"], "value": "flights"}});
        let definition = serde_json::from_value(definition).expect("a definition");
        let column = |name: &str, kind| Column { name: name.into(), kind };
        let columns = vec![column("day", ColumnType::Date), column("flights", ColumnType::Number)];
        let rows = vec![vec![json!("2001-01-01"), json!(3)]; rows];
        let data = ChartData { columns, rows, truncated: false, cached: false, duration_ms: 0, as_of: None };
        Style { theme: Theme::default(), locale: "en".into() }.drawing(&definition, &TileContent::Ready { data })
    }

    #[test]
    fn a_text_holds_no_markup_of_its_author_s() {
        let definition = json!({"title": "T", "type": "text", "encoding": {
            "markdown": "**On time** <img src=x onerror=a> [link](https://e.example/\"b&c)\n\n<script>d</script>\n\n[e](javascript:f)"}});
        let definition = serde_json::from_value(definition).expect("a definition");
        let style = Style { theme: Theme::default(), locale: "en".into() };
        let Some(Drawing::Text(html)) = style.drawing(&definition, &TileContent::Loading) else { panic!("a text") };
        assert_eq!(
            html,
            "<p><strong>On time</strong> &lt;img src=x onerror=a&gt; <a href=\"https://e.example/&quot;b&amp;c\" \
             target=\"_blank\" rel=\"noopener noreferrer nofollow\">link</a></p>\
             <pre><code>&lt;script&gt;d&lt;/script&gt;</code></pre><p>e</p>"
        );
    }

    #[test]
    fn each_kind_gets_its_drawing_and_what_does_not_fit_gets_none() {
        assert!(matches!(drawing("line", 2), Some(Drawing::Option(option)) if option.starts_with('{')));
        assert!(
            matches!(drawing("number", 2), Some(Drawing::Number(html)) if html.contains(r#"data-value="3""#) && html.contains(">3</p>"))
        );
        assert!(matches!(drawing("table", 2), Some(Drawing::Table(table)) if table.rows.len() == 2));
        assert_eq!(drawing("text", 0), Some(Drawing::Text(String::new())));
        assert_eq!(drawing("line", 0), None);
        assert_eq!(drawing("sankey", 2), None);
    }
}
