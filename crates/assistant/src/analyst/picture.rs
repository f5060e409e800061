//! The chart that suits an answer.

use super::{Told, sentences};
use crate::{
    language::{cues::Aggregate, grain::Grain, unit::Unit},
    reading::{Group, Meaning, Num},
    world::World,
};
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
pub(super) fn picture(meaning: &Meaning, world: &World, told: &Told) -> ChartDefinition {
    // Keys that only tell namesakes apart are not drawn where there are none.
    let named =
        names_alone(meaning, world, &told.rows).then(|| Meaning { groups: vec![meaning.groups[0].clone()], ..meaning.clone() });
    let meaning = named.as_ref().unwrap_or(meaning);
    let kind = kind(meaning, world, told);
    let mut encoding = Encoding::default();
    let mut options = told.definition.options.clone();
    options.extend(labels(meaning, world, told));
    let first = told.groups.first().cloned();
    let second = told.groups.get(1).filter(|_| meaning.groups.len() > 1).cloned();
    let number = told.numbers.first().cloned();
    match kind {
        ChartType::Number => encoding.value = number,
        ChartType::Pie | ChartType::Donut | ChartType::Treemap | ChartType::Funnel => {
            encoding.label = first.map(Names::One);
            encoding.value = number;
            options.insert("limit".into(), json!(SLICES));
        }
        ChartType::Heatmap => {
            encoding.x = second;
            encoding.y = first.map(Names::One);
            encoding.value = number;
        }
        ChartType::Calendar => {
            encoding.date = first;
            encoding.value = number;
        }
        ChartType::Table => {
            let columns = told.rows.columns.iter().map(|column| column.name.clone()).collect();
            encoding.columns = Some(Names::Many(columns));
        }
        _ => {
            encoding.x = first;
            encoding.y = Some(Names::Many(told.numbers.clone()));
            encoding.series = second;
            shape(meaning, kind, told, &mut options);
        }
    }
    ChartDefinition { kind, encoding, options, ..told.definition.clone() }
}

fn kind(meaning: &Meaning, world: &World, told: &Told) -> ChartType {
    let listed =
        meaning.rows.is_some() || meaning.numbers.is_empty() || meaning.lacking.is_some() && !meaning.groups.is_empty();
    // First and last name are one thing in two columns.
    let several = |table: usize| world.tables[table].title.len() > 1 || world.tables[table].has_namesakes;
    let title = |group: &Group| several(world.fields[group.place.field].table) && group.grain.is_none();
    if listed || meaning.groups.len() > 2 || meaning.groups.len() == 2 && meaning.groups.iter().all(title) {
        return ChartType::Table;
    }
    let fits = |kind: &ChartType| fits(*kind, meaning);
    meaning.chart.filter(fits).unwrap_or_else(|| usual(meaning, told))
}

/// Whether the names of an answer's rows differ, so that the keys beside them tell nothing more.
pub(super) fn names_alone(meaning: &Meaning, world: &World, rows: &ChartData) -> bool {
    let [name, key] = meaning.groups.as_slice() else { return false };
    let table = world.fields[name.place.field].table;
    let keyed = name.grain.is_none() && world.tables[table].key == Some(key.place.field) && world.tables[table].has_namesakes;
    let mut names = std::collections::HashSet::new();
    keyed && rows.rows.iter().all(|row| row.first().is_some_and(|name| names.insert(name.to_string())))
}

/// Whether a requested chart type can show the answer.
fn fits(kind: ChartType, meaning: &Meaning) -> bool {
    let groups = meaning.groups.len();
    match kind {
        ChartType::Number => groups == 0,
        ChartType::Pie | ChartType::Donut | ChartType::Treemap | ChartType::Funnel => groups == 1 && meaning.numbers.len() == 1,
        ChartType::Heatmap => groups == 2,
        ChartType::Calendar => groups == 1 && meaning.groups[0].grain == Some(Grain::Day),
        ChartType::Table => true,
        ChartType::Bar | ChartType::Line | ChartType::Area | ChartType::Radar => (1..=2).contains(&groups),
        _ => false,
    }
}

fn usual(meaning: &Meaning, told: &Told) -> ChartType {
    let runs = |group: &Group| group.grain.is_some_and(Grain::is_calendar);
    let rows = told.rows.rows.len();
    match meaning.groups.as_slice() {
        [] if meaning.numbers.len() == 1 => ChartType::Number,
        [only] if meaning.limit == Some(1) || (rows == 1 && !runs(only)) => ChartType::Table,
        [only] if runs(only) => {
            if rows > 2 {
                ChartType::Line
            } else {
                ChartType::Bar
            }
        }
        [only] if matches!(meaning.numbers[..], [Num::OfTotal(_)]) && rows <= SLICES && only.grain.is_none() => {
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
fn shape(meaning: &Meaning, kind: ChartType, told: &Told, options: &mut Map<String, Value>) {
    let split = meaning.groups.len() > 1;
    let in_order =
        meaning.groups.first().is_some_and(|group| group.grain.is_some()) || matches!(meaning.numbers[..], [Num::Spread(_)]);
    let adds_up = meaning.numbers.iter().all(adds_up);
    if split && kind != ChartType::Bar {
        options.insert("limit".into(), json!(LINES));
        options.insert("others".into(), json!(false));
    }
    if kind != ChartType::Bar || in_order {
        return;
    }
    options.insert("horizontal".into(), json!(true));
    if told.rows.rows.len() > BARS && !split {
        options.insert("limit".into(), json!(BARS));
        options.insert("others".into(), json!(adds_up && meaning.descending != Some(false)));
    }
    if split && adds_up {
        options.insert("stacked".into(), json!(true));
    }
}

const fn adds_up(number: &Num) -> bool {
    matches!(number, Num::Count | Num::Money(_) | Num::Of(Aggregate::Sum, _) | Num::OfTotal(_))
}

/// Labels and formats of the columns.
fn labels(meaning: &Meaning, world: &World, told: &Told) -> Map<String, Value> {
    let mut labels = Map::new();
    let mut formats = Map::new();
    for (group, name) in meaning.groups.iter().zip(&told.groups) {
        labels.insert(name.clone(), json!(sentences::group_label(group, world)));
    }
    if meaning.rows.is_some() {
        for (_, field) in world.fields_of(meaning.fact) {
            labels.insert(field.name.clone(), json!(field.label));
        }
    }
    // A declared number has its label and format in the semantic model.
    for (number, name) in meaning.numbers.iter().zip(&told.numbers).filter(|(number, _)| !matches!(number, Num::Declared(_))) {
        labels.insert(name.clone(), json!(sentences::number_label(number, meaning, world)));
        formats.extend(format(number, world).map(|format| (name.clone(), format)));
    }
    let mut options = Map::new();
    if let ([_], Some(only)) = (meaning.numbers.as_slice(), formats.values().next()) {
        options.insert("format".into(), only.clone());
    }
    options.insert("labels".into(), Value::Object(labels));
    if !formats.is_empty() {
        options.insert("formats".into(), Value::Object(formats));
    }
    options
}

/// The number format of a number that the semantic model does not declare.
pub(super) fn format(number: &Num, world: &World) -> Option<Value> {
    Some(match number {
        Num::Declared(_) => return None,
        Num::Count | Num::Distinct(_) | Num::Spread(_) => json!({"decimals": 0}),
        Num::Part(..) | Num::Out(..) | Num::OfTotal(_) | Num::Growth(..) => json!({"style": "percent", "decimals": 1}),
        Num::InUnit(_, unit, _) => json!({"unit": unit.sign(), "decimals": 1}),
        Num::Money(_) => json!({"decimals": 0}),
        Num::Per(..) | Num::PerPeriod(_, _, None) => json!({"decimals": 1}),
        Num::PerPeriod(_, _, Some(place)) => return format(&Num::Of(Aggregate::Sum, place.clone()), world),
        Num::Matching(of, _) | Num::Running(of) | Num::Moving(of, _) => return format(of, world),
        Num::Of(how, place) => {
            let mut format = Map::new();
            match world.fields[place.field].unit {
                Some(Unit::Dollar) => drop(format.insert("style".into(), json!("currency"))),
                Some(unit) => drop(format.insert("unit".into(), json!(unit.sign()))),
                None => {}
            }
            if matches!(how, Aggregate::Average | Aggregate::Median) {
                format.insert("decimals".into(), json!(1));
            }
            Value::Object(format)
        }
    })
}
