//! A chart's definition, as it is stored. It is also the `chartConfig` of the chat and of `save-from-chat`
//! (docs/spec/contract.md, sections 4 and 10).

use super::question::Question;
use crate::model::ModelQuery;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The type of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are the field's own")]
pub enum ChartType {
    Number,
    Line,
    Area,
    Bar,
    Combo,
    Radar,
    Pie,
    Donut,
    Treemap,
    Sunburst,
    Funnel,
    Scatter,
    Bubble,
    Heatmap,
    Calendar,
    Gauge,
    Sankey,
    Boxplot,
    Histogram,
    Waterfall,
    Map,
    Table,
    Pivot,
    Text,
}

impl ChartType {
    /// All types, in the order of the chart builder.
    pub const OFFERED: [Self; 24] = [
        Self::Bar,
        Self::Line,
        Self::Area,
        Self::Combo,
        Self::Number,
        Self::Table,
        Self::Pivot,
        Self::Pie,
        Self::Donut,
        Self::Scatter,
        Self::Bubble,
        Self::Heatmap,
        Self::Calendar,
        Self::Treemap,
        Self::Sunburst,
        Self::Funnel,
        Self::Gauge,
        Self::Sankey,
        Self::Radar,
        Self::Boxplot,
        Self::Waterfall,
        Self::Histogram,
        Self::Map,
        Self::Text,
    ];

    /// The label of a type.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Number => "Number",
            Self::Line => "Line",
            Self::Area => "Area",
            Self::Bar => "Bar",
            Self::Combo => "Bars and lines",
            Self::Radar => "Radar",
            Self::Pie => "Pie",
            Self::Donut => "Donut",
            Self::Treemap => "Treemap",
            Self::Sunburst => "Sunburst",
            Self::Funnel => "Funnel",
            Self::Scatter => "Scatter",
            Self::Bubble => "Bubbles",
            Self::Heatmap => "Heatmap",
            Self::Calendar => "Calendar",
            Self::Gauge => "Gauge",
            Self::Sankey => "Sankey",
            Self::Boxplot => "Box plot",
            Self::Histogram => "Histogram",
            Self::Waterfall => "Waterfall",
            Self::Map => "Map",
            Self::Table => "Table",
            Self::Pivot => "Pivot table",
            Self::Text => "Text",
        }
    }

    /// Whether it is drawn as HTML: number, table, pivot and text. All others are a single SVG (docs/spec/contract.md, section
    /// 10).
    #[must_use]
    pub const fn is_html(self) -> bool {
        matches!(self, Self::Number | Self::Table | Self::Pivot | Self::Text)
    }

    /// A suitable width and height for this type, in columns and rows of a dashboard's grid.
    #[must_use]
    pub const fn size(self) -> (u16, u16) {
        match self {
            Self::Number => (3, 3),
            Self::Gauge => (3, 5),
            Self::Text => (12, 3),
            Self::Pie | Self::Donut | Self::Radar | Self::Funnel => (4, 7),
            Self::Table | Self::Pivot | Self::Heatmap | Self::Sankey | Self::Map => (12, 9),
            Self::Calendar => (12, 5),
            Self::Line
            | Self::Area
            | Self::Bar
            | Self::Combo
            | Self::Treemap
            | Self::Sunburst
            | Self::Scatter
            | Self::Bubble
            | Self::Boxplot
            | Self::Histogram
            | Self::Waterfall => (6, 7),
        }
    }
}

/// One column's name, or several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum Names {
    /// One column.
    One(String),
    /// Several, in order.
    Many(Vec<String>),
}

impl Names {
    /// The names as a slice.
    #[must_use]
    pub fn as_slice(&self) -> &[String] {
        match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::Many(names) => names,
        }
    }
}

/// The column of each part. docs/spec/contract.md, section 10, lists the parts of each type.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(description = "The column of each part."))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(missing_docs, reason = "each is the part's name in the contract")]
pub struct Encoding {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<Names>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Names>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compare: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bins: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latitude: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longitude: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<Names>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<Names>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub markdown: Option<String>,
}

impl Encoding {
    /// The names of all parts on the wire.
    pub const PARTS: [&'static str; 18] = [
        "x",
        "y",
        "series",
        "label",
        "value",
        "compare",
        "size",
        "date",
        "max",
        "source",
        "target",
        "bins",
        "latitude",
        "longitude",
        "region",
        "columns",
        "rows",
        "markdown",
    ];
}

/// A chart's definition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChartDefinition {
    /// Its name on the page.
    pub title: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: ChartType,
    /// Its query. Call `without_sql` before it is sent to a project user's browser.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sql_override: Option<String>,
    /// The column of each part.
    #[serde(default)]
    pub encoding: Encoding,
    /// Number formats, stacking, units, colours and more: see `chart::options`.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub options: Map<String, Value>,
    /// How many seconds its rows are cached. `None` uses the connection's setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_seconds: Option<u32>,
}

/// The option that stores the question of a chart from the chart builder.
const QUESTION: &str = "question";

impl ChartDefinition {
    /// The option that stores the query of the semantic model that a chart asks.
    pub const QUERY: &str = "query";

    /// The question of a chart from the chart builder, which has no SQL. `None` if there is none or it is not valid.
    #[must_use]
    pub fn question(&self) -> Option<Question> {
        let question = self.options.get(QUESTION).filter(|_| self.sql_override.is_none())?;
        Question::deserialize(question).ok()
    }

    /// The same chart with another question, or without one. A question takes the place of a query of the model.
    #[must_use]
    pub fn asking(mut self, question: Option<&Question>) -> Self {
        match question.and_then(|question| serde_json::to_value(question).ok()) {
            Some(question) => {
                self.options.shift_remove(Self::QUERY);
                self.options.insert(QUESTION.to_owned(), question)
            }
            None => self.options.shift_remove(QUESTION),
        };
        self
    }

    /// The query of the semantic model that the chart asks, where it has neither SQL nor a question (docs/model.md). `None` if there is
    /// none or it is not valid.
    #[must_use]
    pub fn model_query(&self) -> Option<ModelQuery> {
        let query = self.options.get(Self::QUERY).filter(|_| self.sql_override.is_none() && self.question().is_none())?;
        ModelQuery::deserialize(query).ok()
    }

    /// The same chart with another query of the semantic model, or without one.
    #[must_use]
    pub fn asking_model(mut self, query: Option<&ModelQuery>) -> Self {
        match query.and_then(|query| serde_json::to_value(query).ok()) {
            Some(query) => self.options.insert(Self::QUERY.to_owned(), query),
            None => self.options.shift_remove(Self::QUERY),
        };
        self
    }

    /// Whether anything says which rows the chart shows: SQL, a question or a query of the model.
    #[must_use]
    pub fn has_query(&self) -> bool {
        self.sql_override.is_some() || self.question().is_some() || self.model_query().is_some()
    }

    /// Whether its query puts its rows in an order of the author's.
    pub(super) fn has_order(&self) -> bool {
        match (&self.sql_override, self.question(), self.model_query()) {
            (Some(sql), ..) => sql.to_ascii_lowercase().contains("order by"),
            (None, Some(question), _) => question.sort.is_some(),
            (None, None, query) => query.is_some_and(|query| !query.sort.is_empty()),
        }
    }

    /// The definition without its SQL, as a project user may see it.
    #[must_use]
    pub fn without_sql(mut self) -> Self {
        self.sql_override = None;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_parts_are_all_fields_of_an_encoding() {
        let number = |part: &str| if part == "bins" { json!(5) } else { json!("column") };
        let all: Map<String, Value> = Encoding::PARTS.iter().map(|part| ((*part).to_owned(), number(part))).collect();
        let encoding: Encoding = serde_json::from_value(json!(all)).expect("an encoding");
        assert_eq!(json!(encoding), json!(all));
        let unknown = serde_json::from_value::<Encoding>(json!({"other": "column"})).expect_err("refused").to_string();
        assert_eq!(unknown.matches('`').count(), 2 + 2 * Encoding::PARTS.len(), "{unknown}");
    }

    #[test]
    fn a_question_is_kept_beside_the_other_options_and_gives_way_to_sql() {
        let plain: ChartDefinition =
            serde_json::from_value(json!({"title": "T", "type": "bar", "options": {"stacked": true}})).expect("a definition");
        assert_eq!(plain.question(), None);
        let question = Question { table: "orders".into(), ..Question::default() };
        let asking = plain.clone().asking(Some(&question));
        assert_eq!((asking.question(), asking.options.len()), (Some(question), 2));
        let written = ChartDefinition { sql_override: Some("select 1".into()), ..asking.clone() };
        assert_eq!(written.question(), None);
        assert_eq!(asking.asking(None), plain);
    }

    #[test]
    fn a_query_of_the_model_gives_way_to_sql_and_to_questions() {
        let plain: ChartDefinition = serde_json::from_value(json!({"title": "T", "type": "bar"})).expect("a definition");
        assert!(!plain.has_query());
        let query = ModelQuery { measures: vec!["revenue".into()], ..ModelQuery::default() };
        let asking = plain.clone().asking_model(Some(&query));
        assert_eq!((asking.model_query(), asking.has_query()), (Some(query), true));
        let written = ChartDefinition { sql_override: Some("select 1".into()), ..asking.clone() };
        assert_eq!(written.model_query(), None);
        let built = asking.clone().asking(Some(&Question { table: "orders".into(), ..Question::default() }));
        assert_eq!((built.model_query(), built.options.len()), (None, 1), "one question and nothing beside it");
        assert_eq!(asking.asking_model(None), plain);
        let odd = ChartDefinition { options: Map::from_iter([("query".to_owned(), json!({"measure": 5}))]), ..plain };
        assert_eq!((odd.model_query(), odd.has_query()), (None, false));
    }
}
