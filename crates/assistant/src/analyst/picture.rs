//! Fifth stage: the chart that suits an answer.

use super::{
    asking::Asked,
    intent::{Aggregate, Dimension, Grain, Intent, Measure},
    knowledge::Knowledge,
    sentences,
};
use crate::data::Answer;
use crate::language::cues::Unit;
use inlay_contract::{
    chart::definition::{ChartDefinition, ChartType, Encoding, Names},
    data::ChartData,
};
use serde_json::{Map, Value, json};

/// A bar chart shows at most this many bars. The others are left out.
const BARS: usize = 20;
/// A pie with more slices is hard to read.
const SLICES: usize = 8;
/// The most lines of a chart.
const LINES: usize = 8;

/// The chart definition of an answer.
pub(super) fn picture(intent: &Intent, knowledge: &Knowledge, asked: &Asked, answer: &Answer) -> ChartDefinition {
    let data = &answer.rows;
    let kind = kind(intent, asked, data);
    let mut encoding = Encoding::default();
    let mut options = options(intent, knowledge, asked);
    let first = asked.dimensions.first().cloned();
    let second = asked.dimensions.get(1).cloned();
    let measure = asked.measures.first().cloned();
    match kind {
        ChartType::Number => encoding.value = measure,
        ChartType::Pie | ChartType::Donut | ChartType::Treemap | ChartType::Funnel => {
            encoding.label = first.map(Names::One);
            encoding.value = measure;
            options.insert("limit".into(), json!(SLICES));
        }
        ChartType::Heatmap => {
            encoding.x = second;
            encoding.y = first.map(Names::One);
            encoding.value = measure;
        }
        ChartType::Calendar => {
            encoding.date = first;
            encoding.value = measure;
        }
        ChartType::Map => {
            let (latitude, longitude) = asked.position.clone().unwrap_or_default();
            encoding.latitude = Some(latitude);
            encoding.longitude = Some(longitude);
            encoding.value = measure;
            encoding.label = first.map(Names::One);
        }
        ChartType::Table => {
            let columns = data.columns.iter().map(|column| column.name.clone()).collect();
            encoding.columns = Some(Names::Many(columns));
        }
        _ => {
            encoding.x = first;
            encoding.y = Some(Names::Many(asked.measures.clone()));
            encoding.series = second;
            shape(intent, kind, data, &mut options);
        }
    }
    ChartDefinition {
        title: sentences::title(intent, knowledge),
        kind,
        sql_override: Some(answer.sql.clone()),
        encoding,
        options,
        cache_seconds: None,
    }
}

fn kind(intent: &Intent, asked: &Asked, data: &ChartData) -> ChartType {
    if intent.rows_by.is_some() {
        return ChartType::Table;
    }
    let fits = |kind: &ChartType| fits(*kind, intent, asked);
    intent.chart.filter(fits).unwrap_or_else(|| usual(intent, data))
}

/// Whether a requested chart type can show the answer.
fn fits(kind: ChartType, intent: &Intent, asked: &Asked) -> bool {
    let dimensions = intent.dimensions.len();
    match kind {
        ChartType::Number => dimensions == 0,
        ChartType::Pie | ChartType::Donut | ChartType::Treemap | ChartType::Funnel => {
            dimensions == 1 && asked.measures.len() == 1
        }
        ChartType::Heatmap => dimensions == 2,
        ChartType::Calendar => dimensions == 1 && intent.dimensions[0].grain == Some(Grain::Day),
        ChartType::Map => asked.position.is_some(),
        ChartType::Table => true,
        ChartType::Scatter => dimensions == 1 && intent.dimensions[0].step.is_some(),
        ChartType::Bar | ChartType::Line | ChartType::Area | ChartType::Radar => (1..=2).contains(&dimensions),
        _ => false,
    }
}

fn usual(intent: &Intent, data: &ChartData) -> ChartType {
    let runs = |dimension: &Dimension| dimension.grain.is_some_and(Grain::is_calendar);
    let rows = data.rows.len();
    match intent.dimensions.as_slice() {
        [] if intent.measures.len() == 1 => ChartType::Number,
        [only] if intent.limit == Some(1) || (rows == 1 && !runs(only)) => ChartType::Table,
        [only] if runs(only) => {
            if rows > 2 {
                ChartType::Line
            } else {
                ChartType::Bar
            }
        }
        [only] if matches!(intent.measures[..], [Measure::OfTotal(_)]) && rows <= SLICES && only.grain.is_none() => {
            ChartType::Donut
        }
        [_] => ChartType::Bar,
        [first, second] if first.grain.is_some() && second.grain.is_some() => ChartType::Heatmap,
        [first, _] if runs(first) => ChartType::Line,
        [_, _] if rows <= 60 => ChartType::Bar,
        [_, _] => ChartType::Heatmap,
        _ => ChartType::Table,
    }
}

/// Makes the bars horizontal, longest first, and limits their number.
fn shape(intent: &Intent, kind: ChartType, data: &ChartData, options: &mut Map<String, Value>) {
    let split = intent.dimensions.len() > 1;
    let in_order = intent.dimensions.first().is_some_and(|dimension| dimension.grain.is_some() || dimension.step.is_some());
    let adds_up = intent.measures.iter().all(adds_up);
    if split && kind != ChartType::Bar {
        options.insert("limit".into(), json!(LINES));
        options.insert("others".into(), json!(false));
    }
    if kind != ChartType::Bar || in_order {
        return;
    }
    options.insert("horizontal".into(), json!(true));
    if data.rows.len() > BARS && !split {
        options.insert("limit".into(), json!(BARS));
        options.insert("others".into(), json!(adds_up && intent.descending != Some(false)));
    }
    if split && adds_up {
        options.insert("stacked".into(), json!(true));
    }
}

const fn adds_up(measure: &Measure) -> bool {
    matches!(measure, Measure::Count | Measure::Matching(_) | Measure::Of(Aggregate::Sum, _) | Measure::OfTotal(_))
}

/// Labels and formats of the columns.
fn options(intent: &Intent, knowledge: &Knowledge, asked: &Asked) -> Map<String, Value> {
    let mut labels = Map::new();
    let mut formats = Map::new();
    for (dimension, name) in intent.dimensions.iter().zip(&asked.dimensions) {
        labels.insert(name.clone(), json!(sentences::dimension_label(*dimension, knowledge)));
    }
    if intent.rows_by.is_some() {
        for (_, column) in knowledge.columns_of(intent.table) {
            labels.insert(column.name.clone(), json!(column.label));
        }
    }
    for (measure, name) in intent.measures.iter().zip(&asked.measures) {
        labels.insert(name.clone(), json!(sentences::measure_label(measure, intent, knowledge)));
        formats.insert(name.clone(), format(measure, knowledge));
    }
    let mut options = Map::new();
    if let ([_], Some(only)) = (intent.measures.as_slice(), formats.values().next()) {
        options.insert("format".into(), only.clone());
    }
    options.insert("labels".into(), Value::Object(labels));
    if !formats.is_empty() {
        options.insert("formats".into(), Value::Object(formats));
    }
    options
}

/// The number format of a measure.
pub(super) fn format(measure: &Measure, knowledge: &Knowledge) -> Value {
    match measure {
        Measure::Count | Measure::Matching(_) | Measure::Distinct(_) => json!({"decimals": 0}),
        Measure::Share(_) | Measure::OfTotal(_) => json!({"style": "percent", "decimals": 1}),
        Measure::PerPeriod(..) => json!({"decimals": 1}),
        Measure::Of(aggregate, place) => {
            let mut format = Map::new();
            match knowledge.column(place.column).unit {
                Some(Unit::Dollar) => drop(format.insert("style".into(), json!("currency"))),
                Some(unit) => drop(format.insert("unit".into(), json!(unit.sign()))),
                None => {}
            }
            if matches!(aggregate, Aggregate::Average | Aggregate::Median) {
                format.insert("decimals".into(), json!(1));
            }
            Value::Object(format)
        }
    }
}
