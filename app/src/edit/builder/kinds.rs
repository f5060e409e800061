//! The chart types: the part that each column of a query plays in them. Pure.

use inlay_contract::{
    chart::{
        definition::{ChartType, Encoding, Names},
        question::{Cycle, Dimension, Grain, Measure, Question},
    },
    model::{ModelGroup, ModelQuery},
};

/// The columns of a query's answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// What the values are taken for each of.
    pub groups: Vec<String>,
    /// The values.
    pub values: Vec<String>,
    /// The values of the earlier period.
    pub previous: Vec<String>,
    /// What the first group goes by.
    pub first: Option<Steps>,
}

/// What a group goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    /// Periods, such as months.
    Periods(Grain),
    /// Parts of a cycle, such as weekdays.
    Cycle,
    /// The values as they are.
    Values,
}

impl Steps {
    const fn of(grain: Option<Grain>, cycle: Option<Cycle>) -> Self {
        match (grain, cycle) {
            (Some(grain), _) => Self::Periods(grain),
            (None, Some(_)) => Self::Cycle,
            (None, None) => Self::Values,
        }
    }
}

impl From<&Question> for Columns {
    fn from(question: &Question) -> Self {
        let groups = question.dimensions.iter().map(Dimension::name).collect();
        let first = question.dimensions.first().map(|group| Steps::of(group.grain, group.cycle));
        Self { groups, values: question.measures.iter().map(Measure::name).collect(), previous: Vec::new(), first }
    }
}

impl From<&ModelQuery> for Columns {
    fn from(query: &ModelQuery) -> Self {
        let previous = query.compare.iter().flat_map(|_| &query.measures);
        Self {
            groups: query.dimensions.iter().map(ModelGroup::column).collect(),
            values: query.measures.clone(),
            previous: previous.map(|name| format!("{name}{}", ModelQuery::PREVIOUS)).collect(),
            first: query.dimensions.first().map(|group| Steps::of(group.grain, group.cycle)),
        }
    }
}

impl Columns {
    /// All names.
    pub fn all(&self) -> impl Iterator<Item = &String> {
        self.groups.iter().chain(&self.values).chain(&self.previous)
    }
}

/// The column of each part, for a query whose columns are known.
#[must_use]
pub fn encode(kind: ChartType, columns: &Columns) -> Encoding {
    let dimension = |at: usize| columns.groups.get(at).cloned();
    let measure = |at: usize| columns.values.get(at).cloned();
    let measures = || Some(Names::Many(columns.values.iter().chain(&columns.previous).cloned().collect()));
    let one = |name: Option<String>| name.map(|name| Names::Many(vec![name]));
    let blank = Encoding::default();
    match kind {
        // With a group, the number shows the newest row and the others form its trend.
        ChartType::Number => {
            Encoding { value: measure(0), compare: columns.previous.first().cloned(), x: dimension(0), ..blank }
        }
        ChartType::Gauge => Encoding { value: measure(0), ..blank },
        ChartType::Line | ChartType::Area | ChartType::Bar | ChartType::Radar | ChartType::Combo => {
            Encoding { x: dimension(0), y: measures(), series: dimension(1), ..blank }
        }
        ChartType::Pie | ChartType::Donut | ChartType::Funnel => {
            Encoding { label: dimension(0).map(Names::One), value: measure(0), ..blank }
        }
        ChartType::Treemap | ChartType::Sunburst => {
            Encoding { label: Some(Names::Many(columns.groups.clone())), value: measure(0), ..blank }
        }
        ChartType::Scatter | ChartType::Bubble => {
            Encoding { x: measure(0), y: one(measure(1)), size: measure(2), series: dimension(1).or(dimension(0)), ..blank }
        }
        ChartType::Heatmap => Encoding { x: dimension(0), y: one(dimension(1)), value: measure(0), ..blank },
        ChartType::Calendar => Encoding { date: dimension(0), value: measure(0), ..blank },
        ChartType::Sankey => Encoding { source: dimension(0), target: dimension(1), value: measure(0), ..blank },
        ChartType::Boxplot => Encoding { x: dimension(0), y: one(dimension(1)), ..blank },
        ChartType::Histogram => Encoding { x: dimension(0), ..blank },
        ChartType::Waterfall => Encoding { x: dimension(0), y: one(measure(0)), ..blank },
        ChartType::Map => Encoding { region: dimension(0), value: measure(0), ..blank },
        ChartType::Pivot => {
            let (rows, columns) = (dimension(0).map(Names::One), dimension(1).map(Names::One));
            Encoding { rows, columns, value: measure(0), ..blank }
        }
        ChartType::Table | ChartType::Text => blank,
    }
}

/// A part of a chart, for SQL queries: each column plays a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name in the encoding.
    pub name: &'static str,
    /// Its label.
    pub label: &'static str,
    /// Whether it takes several columns.
    pub many: bool,
}

/// The parts of a type, in order.
#[must_use]
pub fn parts(kind: ChartType) -> Vec<Part> {
    let one = |name, label| Part { name, label, many: false };
    let many = |name, label| Part { name, label, many: true };
    match kind {
        ChartType::Number => {
            vec![one("value", "Value"), one("compare", "Compare with"), one("x", "Trend over"), one("y", "Trend of")]
        }
        ChartType::Line | ChartType::Area | ChartType::Bar | ChartType::Radar => {
            vec![one("x", "X axis"), many("y", "Values"), one("series", "Series")]
        }
        ChartType::Combo => vec![one("x", "X axis"), many("y", "Values")],
        ChartType::Pie | ChartType::Donut | ChartType::Funnel => vec![one("label", "Name"), one("value", "Value")],
        ChartType::Treemap | ChartType::Sunburst => vec![many("label", "Levels"), one("value", "Value")],
        ChartType::Scatter => vec![one("x", "X axis"), one("y", "Y axis"), one("series", "Series")],
        ChartType::Bubble => vec![one("x", "X axis"), one("y", "Y axis"), one("size", "Size"), one("series", "Series")],
        ChartType::Heatmap => vec![one("x", "X axis"), one("y", "Y axis"), one("value", "Value")],
        ChartType::Calendar => vec![one("date", "Day"), one("value", "Value")],
        ChartType::Gauge => vec![one("value", "Value")],
        ChartType::Sankey => vec![one("source", "From"), one("target", "To"), one("value", "Value")],
        ChartType::Boxplot | ChartType::Waterfall => vec![one("x", "Name"), one("y", "Value")],
        ChartType::Histogram => vec![one("x", "Value")],
        ChartType::Map => {
            let place = [one("region", "Region"), one("latitude", "Latitude"), one("longitude", "Longitude")];
            place.into_iter().chain([one("value", "Value"), one("label", "Name")]).collect()
        }
        ChartType::Table => vec![many("columns", "Columns")],
        ChartType::Pivot => vec![many("rows", "Rows"), many("columns", "Columns"), one("value", "Value")],
        ChartType::Text => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::builder::fit::{misfit, takes};
    use serde_json::json;

    fn question(dimensions: usize, measures: usize) -> Columns {
        let dimension = |at: usize| json!({"column": format!("d{at}")});
        let measure = |at: usize| json!({"aggregate": "sum", "column": format!("m{at}")});
        let question: Question = serde_json::from_value(json!({
            "table": "t",
            "dimensions": (0..dimensions).map(dimension).collect::<Vec<_>>(),
            "measures": (0..measures).map(measure).collect::<Vec<_>>(),
        }))
        .expect("a question");
        Columns::from(&question)
    }

    #[test]
    fn the_earlier_period_stands_beside_the_values() {
        let query = json!({"measures": ["revenue"], "dimensions": [{"name": "time", "grain": "month"}], "compare": "year"});
        let query: ModelQuery = serde_json::from_value(query).expect("a query");
        let columns = Columns::from(&query);
        assert_eq!(columns.all().collect::<Vec<_>>(), ["time_month", "revenue", "revenue_previous"]);
        for kind in [ChartType::Line, ChartType::Combo] {
            let beside = Names::Many(vec!["revenue".into(), "revenue_previous".into()]);
            assert_eq!((misfit(kind, &columns), encode(kind, &columns).y), (None, Some(beside)), "{kind:?}");
        }
        assert_eq!(encode(ChartType::Number, &columns).compare.as_deref(), Some("revenue_previous"));
        assert_eq!(misfit(ChartType::Gauge, &Columns { groups: vec![], ..columns }), None);
    }

    #[test]
    fn each_type_that_fits_gets_every_part_that_it_needs() {
        for kind in ChartType::OFFERED {
            let ((dimensions, _), (measures, _)) = takes(kind);
            let encoding = serde_json::to_value(encode(kind, &question(dimensions, measures))).expect("JSON");
            let given = encoding.as_object().map(serde_json::Map::len).unwrap_or_default();
            assert!(given >= usize::from(dimensions + measures > 0), "{kind:?}: {encoding}");
            assert!(ChartType::OFFERED.iter().filter(|other| **other == kind).count() == 1);
        }
        let number = encode(ChartType::Number, &question(1, 1));
        assert_eq!((number.value.as_deref(), number.x.as_deref()), (Some("sum_m0"), Some("d0")));
        let bars = encode(ChartType::Bar, &question(2, 1));
        assert_eq!((bars.x.as_deref(), bars.series.as_deref()), (Some("d0"), Some("d1")));
        assert_eq!(bars.y, Some(Names::Many(vec!["sum_m0".into()])));
    }
}
