//! Fourth stage: what a message means becomes a question to the data, by the names of tables and columns.

use super::{
    intent::{self, ColumnPath, Grain, Intent, IntentCondition, aggregate_words},
    knowledge::{Knowledge, KnownColumn},
};
use crate::language::{span::Span, words::spaced};
use inlay_contract::{
    chart::{
        definition::ChartType,
        question::{self, Aggregate, Bound, Cycle, Dimension, Join, Measure, Order, Part, Question, Wanted},
    },
    data::ColumnType,
    filter::{FilterValue, Scalar},
};

/// The most groups that are asked for.
const GROUPS: u32 = 5_000;
/// Rows that are listed.
const LISTED: u32 = 100;

/// A question and what the answer's columns are.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Asked {
    pub question: Question,
    /// The names of the dimensions' columns, in the intent's order.
    pub dimensions: Vec<String>,
    /// Those of the measures.
    pub measures: Vec<String>,
    /// Latitude and longitude, for a map.
    pub position: Option<(String, String)>,
}

/// The question of an intent; `None` if it holds a value that no database compares.
pub(super) fn asked(intent: &Intent, knowledge: &Knowledge) -> Option<Asked> {
    let mut asker = Asker::of(intent, knowledge)?;
    if let Some(by) = intent.rows_by {
        return Some(asker.rows(by));
    }
    let mut dimensions = Vec::new();
    for one in &intent.dimensions {
        let name = Some(asker.name(&dimension_name(one, knowledge)));
        let step = one.step.filter(|step| *step > 0 && one.grain.is_none());
        dimensions.push(Dimension { name, step, ..asker.dimension(one.place, one.grain)? });
    }
    let mut measures = Vec::new();
    for one in &intent.measures {
        let name = Some(asker.name(&measure_name(one, intent, knowledge)));
        measures.push(Measure { name, ..asker.measure(one)? });
    }
    let mut orders = orders(intent, &dimensions, &measures).into_iter();
    let names = (dimensions.iter().map(Dimension::name).collect(), measures.iter().map(Measure::name).collect());
    let position = asker.position()?;
    measures.extend(position.iter().flatten().cloned());
    let limit = intent.limit.map(|limit| u32::try_from(limit).unwrap_or(u32::MAX));
    let question = Question {
        dimensions,
        measures,
        having: intent.having.map(|(comparison, than)| Bound { comparison, than }),
        sort: orders.next(),
        then: orders.collect(),
        limit: Some(limit.unwrap_or(if intent.of_each { 1 } else { GROUPS })),
        of_each: intent.of_each,
        ..asker.question
    };
    let position = position.map(|[latitude, longitude]| (latitude.name(), longitude.name()));
    Some(Asked { question, dimensions: names.0, measures: names.1, position })
}

/// The least and the greatest value of a column under an intent's conditions, for steps.
pub(super) fn range(intent: &Intent, place: ColumnPath, knowledge: &Knowledge) -> Option<Question> {
    let mut asker = Asker::of(intent, knowledge)?;
    let least = asker.number(Aggregate::Least, place)?;
    let most = Measure { aggregate: Aggregate::Greatest, ..least.clone() };
    asker.question.measures = vec![least, most];
    Some(asker.question)
}

/// The measure, unless the dimensions have an order of their own; then the dimensions.
fn orders(intent: &Intent, dimensions: &[Dimension], measures: &[Measure]) -> Vec<Order> {
    let in_order = intent.dimensions.iter().any(|one| one.grain.is_some() || one.step.is_some());
    let down = intent.descending.or((!in_order || intent.of_each).then_some(true));
    let first = measures.first().zip(down).map(|(one, descending)| Order { by: one.name(), descending });
    first.into_iter().chain(dimensions.iter().map(|one| Order { by: one.name(), descending: false })).collect()
}

/// A question in the making, with the joins that it has needed so far.
struct Asker<'a> {
    intent: &'a Intent,
    knowledge: &'a Knowledge,
    question: Question,
    names: Vec<String>,
}

impl<'a> Asker<'a> {
    fn of(intent: &'a Intent, knowledge: &'a Knowledge) -> Option<Self> {
        let table = knowledge.tables[intent.table].name.clone();
        let mut asker = Self { intent, knowledge, question: Question { table, ..Question::default() }, names: Vec::new() };
        asker.question.filters = asker.conditions(&intent.conditions)?;
        Some(asker)
    }

    /// The rows themselves.
    fn rows(mut self, by: Option<intent::ColumnRef>) -> Asked {
        let (intent, knowledge) = (self.intent, self.knowledge);
        let time = knowledge.time(intent.table);
        let order = |at: intent::ColumnRef, descending| Order { by: knowledge.column(at).name.clone(), descending };
        let columns = knowledge.columns_of(intent.table);
        self.question.dimensions = columns.map(|(_, column)| Dimension::of(&*column.name)).collect();
        if let Some(first) = by.or(time) {
            self.question.sort = Some(order(first, intent.descending != Some(false)));
            // What is alike there comes in one order, too, whenever and of whichever database it is asked.
            let ordered = knowledge.columns_of(intent.table).filter(|(_, column)| column.kind != ColumnType::Json);
            let rest = ordered.map(|(at, _)| at).filter(|at| Some(*at) != time);
            self.question.then = time.into_iter().chain(rest).filter(|at| *at != first).map(|at| order(at, false)).collect();
        }
        self.question.limit = Some(intent.limit.map_or(LISTED, |limit| u32::try_from(limit).unwrap_or(u32::MAX)));
        Asked { question: self.question, dimensions: Vec::new(), measures: Vec::new(), position: None }
    }

    /// A column's name and the key that leads to its table, which is joined.
    fn place(&mut self, place: ColumnPath) -> Option<(String, Option<String>)> {
        let knowledge = self.knowledge;
        let column = knowledge.column(place.column).name.clone();
        let Some(via) = place.via else { return Some((column, None)) };
        let key = knowledge.column(via).name.clone();
        if !self.question.joins.iter().any(|join| join.key == key) {
            let to = knowledge.link_of(via)?.to;
            let table = knowledge.tables[to.table].name.clone();
            self.question.joins.push(Join { key: key.clone(), table, column: knowledge.column(to).name.clone() });
        }
        Some((column, Some(key)))
    }

    fn dimension(&mut self, place: ColumnPath, grain: Option<Grain>) -> Option<Dimension> {
        let (column, via) = self.place(place)?;
        let (grain, cycle) = grain.map_or((None, None), split);
        Some(Dimension { via, grain, cycle, ..Dimension::of(column) })
    }

    fn number(&mut self, aggregate: Aggregate, place: ColumnPath) -> Option<Measure> {
        let (column, via) = self.place(place)?;
        Some(Measure { via, ..Measure::of(aggregate, column) })
    }

    fn measure(&mut self, measure: &intent::Measure) -> Option<Measure> {
        Some(match measure {
            intent::Measure::Count => Measure::count(),
            intent::Measure::Matching(part) => Measure { filters: self.conditions(part)?, ..Measure::count() },
            intent::Measure::Distinct(place) => self.number(Aggregate::Distinct, *place)?,
            intent::Measure::Of(aggregate, place) => self.number(*aggregate, *place)?,
            intent::Measure::Share(part) => {
                Measure { filters: self.conditions(part)?, part: Some(Part::Group), ..Measure::count() }
            }
            intent::Measure::OfTotal(None) => Measure { part: Some(Part::Total), ..Measure::count() },
            intent::Measure::OfTotal(Some(place)) => {
                Measure { part: Some(Part::Total), ..self.number(Aggregate::Sum, *place)? }
            }
            intent::Measure::PerPeriod(place, grain) => {
                Measure { per: Some(self.dimension(*place, Some(*grain))?), ..Measure::count() }
            }
        })
    }

    fn conditions(&mut self, conditions: &[IntentCondition]) -> Option<Vec<question::QuestionCondition>> {
        conditions.iter().map(|condition| self.condition(condition)).collect()
    }

    fn condition(&mut self, condition: &IntentCondition) -> Option<question::QuestionCondition> {
        let (column, via) = self.place(condition.place())?;
        let value = match condition {
            IntentCondition::In { values, negated, .. } => {
                let values = FilterValue::from_json(values.clone().into()).ok()?;
                if *negated { Wanted::Not { not: values } } else { Wanted::Filter(values) }
            }
            IntentCondition::Number { comparison, value, .. } => Wanted::Compared { comparison: *comparison, than: *value },
            IntentCondition::Flag { set, .. } => Wanted::Filter(FilterValue::AnyOf(vec![Scalar::Boolean(*set)])),
            IntentCondition::Spans { spans, .. } => Wanted::Either { either: spans.iter().map(days).collect() },
            IntentCondition::Days { days, negated, .. } => Wanted::Weekdays { weekdays: days.clone(), negated: *negated },
            IntentCondition::Hours { from, to, .. } => Wanted::Hours { from_hour: *from, to_hour: *to },
        };
        Some(question::QuestionCondition { column, via, value })
    }

    /// Where the first dimension's values are, for a map; nowhere if nothing says so.
    fn position(&mut self) -> Option<Option<[Measure; 2]>> {
        let knowledge = self.knowledge;
        let Some(dimension) = self.intent.dimensions.first().filter(|_| self.intent.chart == Some(ChartType::Map)) else {
            return Some(None);
        };
        let via = dimension.place.via.or_else(|| knowledge.link_of(dimension.place.column).map(|link| link.from));
        let table = via.and_then(|key| knowledge.link_of(key)).map_or(dimension.place.column.table, |link| link.to.table);
        let find = |wanted: fn(&KnownColumn) -> bool| {
            knowledge.columns_of(table).find(|(_, column)| wanted(column)).map(|(at, _)| ColumnPath { column: at, via })
        };
        let (Some(latitude), Some(longitude)) = (find(KnownColumn::is_latitude), find(KnownColumn::is_longitude)) else {
            return Some(None);
        };
        let mut mean = |place, name| {
            let name = Some(self.name(name));
            Some(Measure { name, ..self.number(Aggregate::Average, place)? })
        };
        Some(Some([mean(latitude, "latitude")?, mean(longitude, "longitude")?]))
    }

    /// A column's name in the answer, different from those before.
    fn name(&mut self, wish: &str) -> String {
        let plain: String =
            wish.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '_' }).collect();
        let plain = plain.trim_matches('_').to_owned();
        let plain = if plain.is_empty() { "value".to_owned() } else { plain };
        let mut name = plain.clone();
        let mut count = 2;
        while self.names.contains(&name) {
            name = format!("{plain}_{count}");
            count += 1;
        }
        self.names.push(name.clone());
        name
    }
}

/// The period or the part of a week or day that times are split into. What is as fine as fits is days here.
const fn split(grain: Grain) -> (Option<question::Grain>, Option<Cycle>) {
    match grain {
        Grain::Day | Grain::Fitting => (Some(question::Grain::Day), None),
        Grain::Week => (Some(question::Grain::Week), None),
        Grain::Month => (Some(question::Grain::Month), None),
        Grain::Quarter => (Some(question::Grain::Quarter), None),
        Grain::Year => (Some(question::Grain::Year), None),
        Grain::Weekday => (None, Some(Cycle::Weekday)),
        Grain::Hour => (None, Some(Cycle::Hour)),
        Grain::PartOfWeek => (None, Some(Cycle::PartOfWeek)),
    }
}

fn days(span: &Span) -> FilterValue {
    let day = |day: Option<chrono::NaiveDate>| day.map(|day| Scalar::Text(day.to_string()));
    FilterValue::Range { from: day(span.from), to: day(span.to) }
}

fn dimension_name(dimension: &intent::Dimension, knowledge: &Knowledge) -> String {
    match dimension.grain {
        Some(grain) => grain.words().to_owned(),
        None => spaced(&knowledge.column(dimension.place.column).name),
    }
}

fn measure_name(measure: &intent::Measure, intent: &Intent, knowledge: &Knowledge) -> String {
    let column = |place: &ColumnPath| spaced(&knowledge.column(place.column).name);
    match measure {
        intent::Measure::Count => knowledge.tables[intent.table].label.clone(),
        intent::Measure::Matching(conditions) => {
            let word = conditions.iter().find_map(|condition| match condition {
                IntentCondition::Number { word, .. } => word.clone(),
                _ => None,
            });
            word.unwrap_or_else(|| "matching".to_owned())
        }
        intent::Measure::Distinct(place) => format!("different {}", column(place)),
        intent::Measure::Of(aggregate, place) => format!("{} {}", aggregate_words(*aggregate), column(place)),
        intent::Measure::Share(_) | intent::Measure::OfTotal(_) => "share".to_owned(),
        intent::Measure::PerPeriod(_, grain) => format!("per {}", grain.words()),
    }
}
