//! Last stage: the query of the semantic model that answers a meaning, or the question about single rows.

use super::meaning::{Condition, Group, Meaning, Num, Place};
use crate::{
    language::{cues::Aggregate, grain::Grain, span::Span, words::spaced},
    scope::Comparison,
    world::{Kind, World},
};
use inlay_contract::{
    chart::question::{self, Cycle},
    filter::{FilterValue, Scalar},
    model::{Metric, ModelFilter, ModelGroup, ModelHaving, ModelOrder, ModelQuery, Moving, QueryMeasure, Top, Whole},
};
use serde_json::Value;

/// A query with the names of its columns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Asked {
    pub query: ModelQuery,
    /// The columns of the groups.
    pub groups: Vec<String>,
    /// The columns of the numbers.
    pub numbers: Vec<String>,
}

/// The query that answers a meaning. `None` if no query does.
pub(crate) fn asked(meaning: &Meaning, world: &World) -> Option<Asked> {
    let mut asking = Asking { world, meaning, query: ModelQuery::default(), names: Vec::new() };
    let groups = if meaning.rows.is_some() { asking.columns() } else { asking.groups() };
    let mut numbers = Vec::new();
    for number in &meaning.numbers {
        numbers.push(asking.number(number, &[])?);
    }
    let numbers = if let Some(lacking) = meaning.lacking { asking.lacking(lacking)? } else { numbers };
    for condition in &meaning.conditions {
        let filters = asking.condition(condition)?;
        asking.query.filters.extend(filters);
    }
    asking.query.measures.clone_from(&numbers);
    if let Some(first) = numbers.first() {
        for (comparison, than) in &meaning.having {
            asking.query.having.push(ModelHaving { measure: first.clone(), comparison: *comparison, than: *than });
        }
        if let Some(descending) = meaning.descending {
            asking.query.sort.push(ModelOrder { by: first.clone(), descending });
        }
    }
    match (meaning.limit, meaning.of_each) {
        (Some(rows), true) => {
            let per = groups.first().cloned()?;
            asking.query.top = Some(Top { rows, per: vec![per.clone()] });
            asking.query.sort.insert(0, ModelOrder { by: per, descending: false });
        }
        (limit, _) => asking.query.limit = limit,
    }
    Some(Asked { query: asking.query, groups, numbers })
}

struct Asking<'a> {
    world: &'a World,
    meaning: &'a Meaning,
    query: ModelQuery,
    names: Vec<String>,
}

impl Asking<'_> {
    fn groups(&mut self) -> Vec<String> {
        let mut columns = Vec::new();
        for group in &self.meaning.groups {
            let wish = self.group_name(group);
            let alias = self.name(&wish);
            let (grain, cycle) = group.grain.map_or((None, None), split);
            let (name, via) = self.dimension(&group.place);
            self.query.dimensions.push(ModelGroup { name, via, grain, cycle, alias: Some(alias.clone()) });
            columns.push(alias);
        }
        columns
    }

    /// All columns of the rows themselves.
    fn columns(&mut self) -> Vec<String> {
        let fields: Vec<String> = self
            .world
            .fields_of(self.meaning.fact)
            .filter(|(_, field)| field.is_column)
            .map(|(at, _)| self.world.full(at))
            .collect();
        self.query.dimensions = fields.into_iter().map(ModelGroup::of).collect();
        let by = self.meaning.rows.flatten().or(self.world.tables[self.meaning.fact].time);
        let by = by.map(|by| ModelOrder {
            by: self.world.fields[by].name.clone(),
            descending: self.meaning.descending.unwrap_or(true),
        });
        self.query.sort.extend(by);
        Vec::new()
    }

    /// A field's name in queries and the way to it, where there are several.
    fn dimension(&self, place: &Place) -> (String, Option<String>) {
        let table = self.world.fields[place.field].table;
        let several = self.world.ways(self.meaning.fact, table).len() > 1;
        (self.world.full(place.field), (several && !place.way.columns.is_empty()).then(|| place.way.via()))
    }

    fn group_name(&self, group: &Group) -> String {
        match group.grain {
            Some(grain) => grain.words().to_owned(),
            None => {
                let field = &self.world.fields[group.place.field];
                match group.place.way.columns.last() {
                    Some(key)
                        if matches!(field.name.to_lowercase().as_str(), "name" | "title" | "city" | "state" | "country") =>
                    {
                        format!("{} {}", spaced(key).trim_end_matches(" id"), spaced(&field.name))
                    }
                    _ => spaced(&field.name),
                }
            }
        }
    }

    /// A name that formulas can hold and nothing else in the query or the model has.
    fn name(&mut self, wish: &str) -> String {
        let plain: String =
            wish.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '_' }).collect();
        let mut plain: String = plain.trim_matches('_').chars().take(40).collect();
        if !plain.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            plain.insert_str(0, "n_");
        }
        let taken = |name: &str, names: &[String]| {
            names.iter().any(|known| known == name)
                || self.world.numbers.iter().any(|number| number.name.eq_ignore_ascii_case(name))
                || matches!(
                    name,
                    "time"
                        | "year"
                        | "month"
                        | "day"
                        | "week"
                        | "quarter"
                        | "hour"
                        | "date"
                        | "order"
                        | "group"
                        | "by"
                        | "from"
                        | "to"
                        | "all"
                        | "case"
                        | "end"
                        | "limit"
                        | "select"
                        | "table"
                        | "values"
                        | "count"
                        | "share"
                        | "of"
                        | "in"
                        | "on"
                        | "as"
                        | "total"
                ) && names.iter().any(|known| known == "\0")
        };
        let mut name = plain.clone();
        let mut count = 2;
        while taken(&name, &self.names) {
            name = format!("{plain}_{count}");
            count += 1;
        }
        self.names.push(name.clone());
        name
    }

    fn aggregate(&mut self, wish: &str, measure: QueryMeasure) -> String {
        if let Some((known, _)) = self.query.aggregates.iter().find(|(_, known)| **known == measure) {
            return known.clone();
        }
        let name = self.name(&format!("{wish} value"));
        self.query.aggregates.insert(name.clone(), measure);
        name
    }

    fn measure(&self, aggregate: inlay_contract::model::Aggregate, of: &[&Place], filters: Vec<ModelFilter>) -> QueryMeasure {
        let dimensions: Vec<(String, Option<String>)> = of.iter().map(|place| self.dimension(place)).collect();
        let via = dimensions.iter().find_map(|(_, via)| via.clone());
        QueryMeasure {
            table: self.world.tables[self.meaning.fact].name.clone(),
            aggregate,
            of: dimensions.into_iter().map(|(name, _)| name).collect(),
            via,
            fraction: None,
            filters,
            label: None,
            format: None,
        }
    }

    fn metric(&mut self, wish: &str, metric: Metric) -> String {
        let name = self.name(&format!("{wish} metric"));
        self.query.metrics.insert(name.clone(), metric);
        name
    }

    /// A number of the rows that meet conditions. The name of its column.
    fn number(&mut self, number: &Num, only: &[ModelFilter]) -> Option<String> {
        use inlay_contract::model::Aggregate as Of;
        Some(match number {
            Num::Count => {
                let measure = self.measure(Of::Count, &[], only.to_vec());
                let table = self.world.tables[self.meaning.fact].label.clone();
                self.aggregate(&table, measure)
            }
            Num::Declared(at) => {
                // A declared number takes no conditions of its own.
                if !only.is_empty() {
                    return None;
                }
                self.world.numbers[*at].name.clone()
            }
            Num::Distinct(place) => {
                let measure = self.measure(Of::CountDistinct, &[place], only.to_vec());
                let field = self.world.fields[place.field].name.clone();
                self.aggregate(&format!("different {}", spaced(&field)), measure)
            }
            Num::Of(how, place) => {
                let measure = self.measure(model_aggregate(*how), &[place], only.to_vec());
                let field = self.world.fields[place.field].name.clone();
                self.aggregate(&format!("{} {}", word(*how), spaced(&field)), measure)
            }
            Num::Money(at) => self.money(*at, only),
            Num::Matching(of, conditions) => {
                let mut filters = only.to_vec();
                for condition in conditions {
                    filters.extend(self.condition(condition)?);
                }
                self.number(of, &filters)?
            }
            Num::Part(of, conditions) => {
                let part = self.number(&Num::Matching(of.clone(), conditions.clone()), only)?;
                let whole = self.number(of, only)?;
                self.metric("share", Metric { formula: Some(format!("coalesce({part}, 0) / {whole}")), ..Metric::default() })
            }
            Num::OfTotal(of) => {
                let of = self.number(of, only)?;
                self.metric("share", Metric { share: Some(Whole { of, within: Vec::new() }), ..Metric::default() })
            }
            Num::Per(of, by) => {
                let (of, by) = (self.number(of, only)?, self.number(by, only)?);
                self.metric("each", Metric { ratio: Some([of, by]), ..Metric::default() })
            }
            // Only a question about one table says it.
            Num::PerPeriod(..) => return None,
            Num::Running(of) => {
                let of = self.number(of, only)?;
                self.metric("running", Metric { running: Some(of), ..Metric::default() })
            }
            Num::Moving(of, periods) => {
                let of = self.number(of, only)?;
                self.metric("moving", Metric { moving: Some(Moving { of, periods: *periods }), ..Metric::default() })
            }
            Num::Growth(of, place, [before, now]) => {
                let span = |span: &Span| Condition::Spans { place: place.clone(), spans: vec![*span] };
                let before = self.number(&Num::Matching(of.clone(), vec![span(before)]), only)?;
                let now = self.number(&Num::Matching(of.clone(), vec![span(now)]), only)?;
                self.metric("growth", Metric { formula: Some(format!("({now} - {before}) / {before}")), ..Metric::default() })
            }
        })
    }

    fn money(&mut self, at: usize, only: &[ModelFilter]) -> String {
        use inlay_contract::model::Aggregate as Of;
        let money = self.world.money[at];
        let own = |field| Place { field, way: crate::world::Way::default() };
        let (price, quantity) = (own(money.price), own(money.quantity));
        let gross = self.measure(Of::Sum, &[&price, &quantity], only.to_vec());
        let gross = self.aggregate("revenue", gross);
        let Some(discount) = money.discount.map(own) else { return gross };
        let off = self.measure(Of::Sum, &[&price, &quantity, &discount], only.to_vec());
        let off = self.aggregate("discounts", off);
        self.metric("revenue", Metric { formula: Some(format!("{gross} - {off}")), ..Metric::default() })
    }

    /// The rows of one table that no row of another belongs to.
    fn lacking(&mut self, other: usize) -> Option<Vec<String>> {
        use inlay_contract::model::Aggregate as Of;
        let mut measure = self.measure(Of::Count, &[], Vec::new());
        let own = self.aggregate("own", measure.clone());
        measure.table.clone_from(&self.world.tables[other].name);
        let theirs = Meaning { fact: other, ..self.meaning.clone() };
        let asking = Asking { world: self.world, meaning: &theirs, query: ModelQuery::default(), names: Vec::new() };
        for condition in &self.meaning.lacking_where {
            measure.filters.extend(asking.condition(condition)?);
        }
        let theirs = self.aggregate("theirs", measure.clone());
        if self.meaning.groups.is_empty() {
            let key = self.world.tables[self.meaning.fact].key?;
            measure.aggregate = Of::CountDistinct;
            measure.of = vec![self.world.full(key)];
            let used = self.aggregate("used", measure);
            let formula = format!("{own} - {used}");
            self.query.aggregates.remove(&theirs);
            return Some(vec![self.metric("unused", Metric { formula: Some(formula), ..Metric::default() })]);
        }
        let none = self.metric("none", Metric { formula: Some(format!("coalesce({theirs}, 0)")), ..Metric::default() });
        self.query.having.push(ModelHaving { measure: none.clone(), comparison: Comparison::Equal, than: 0.0 });
        self.query.having.push(ModelHaving { measure: own.clone(), comparison: Comparison::Above, than: 0.0 });
        Some(vec![own, none])
    }

    fn condition(&self, condition: &Condition) -> Option<Vec<ModelFilter>> {
        let filter = |place: &Place, value: FilterValue| {
            let (dimension, via) = self.dimension(place);
            ModelFilter { via, ..ModelFilter::of(dimension, value) }
        };
        Some(match condition {
            Condition::In { place, values, negated } => {
                let values: Vec<Scalar> = values.iter().filter_map(scalar).collect();
                vec![ModelFilter { not: *negated, ..filter(place, FilterValue::AnyOf(values)) }]
            }
            Condition::Number { place, comparison, value, .. } => number_filters(filter, place, *comparison, *value),
            Condition::Flag { place, set } => vec![filter(place, self.flag(place, *set))],
            Condition::Present { place, present } => {
                let least = match self.world.fields[place.field].kind {
                    Kind::Time => Scalar::Text("0001-01-01".to_owned()),
                    kind if kind.is_measure() => scalar(&Value::from(-1e15))?,
                    _ => Scalar::Text(String::new()),
                };
                vec![ModelFilter { not: !present, ..filter(place, FilterValue::Range { from: Some(least), to: None }) }]
            }
            Condition::Spans { place, spans } => self.spans(filter, place, spans)?,
            Condition::Days { place, days, negated } => {
                const NAMES: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
                let days =
                    days.iter().filter_map(|day| NAMES.get(usize::from(*day))).map(|name| Scalar::Text((*name).to_owned()));
                vec![ModelFilter {
                    cycle: Some(Cycle::Weekday),
                    not: *negated,
                    ..filter(place, FilterValue::AnyOf(days.collect()))
                }]
            }
            Condition::Hours { place, from, to } => {
                let hours = (*from..*to).filter_map(|hour| scalar(&Value::from(hour))).collect();
                vec![ModelFilter { cycle: Some(Cycle::Hour), ..filter(place, FilterValue::AnyOf(hours)) }]
            }
        })
    }

    fn flag(&self, place: &Place, set: bool) -> FilterValue {
        let one = if self.world.fields[place.field].column_type == Some(inlay_contract::data::ColumnType::Boolean) {
            Scalar::Boolean(set)
        } else {
            Scalar::Number(i32::from(set).into())
        };
        FilterValue::AnyOf(vec![one])
    }

    fn spans(
        &self,
        filter: impl Fn(&Place, FilterValue) -> ModelFilter,
        place: &Place,
        spans: &[Span],
    ) -> Option<Vec<ModelFilter>> {
        use chrono::Datelike;
        if self.world.fields[place.field].kind == Kind::Year {
            let mut years: Vec<Scalar> = Vec::new();
            for span in spans {
                let (from, to) = (
                    span.from.map_or(1700, |day| day.year()),
                    span.to.and_then(|day| day.pred_opt()).map_or(2200, |day| day.year()),
                );
                years.extend((from..=to).map(|year| Scalar::Number(year.into())));
            }
            return Some(vec![filter(place, FilterValue::AnyOf(years))]);
        }
        let day = |day: Option<chrono::NaiveDate>| day.map(|day| Scalar::Text(day.to_string()));
        match spans {
            [span] => Some(vec![filter(place, FilterValue::Range { from: day(span.from), to: day(span.to) })]),
            // From the first to the last, without what lies between.
            several => {
                let mut sorted = several.to_vec();
                sorted.sort_by_key(|span| span.from);
                let (first, last) = (sorted.first()?, sorted.last()?);
                let mut filters = vec![filter(place, FilterValue::Range { from: day(first.from), to: day(last.to) })];
                for pair in sorted.windows(2) {
                    let (end, next) = (pair[0].to?, pair[1].from?);
                    if end < next {
                        let gap = FilterValue::Range { from: day(Some(end)), to: day(Some(next)) };
                        filters.push(ModelFilter { not: true, ..filter(place, gap) });
                    }
                }
                Some(filters)
            }
        }
    }
}

/// The filters of a comparison. Ranges hold their lower end and not their upper one.
fn number_filters(
    filter: impl Fn(&Place, FilterValue) -> ModelFilter,
    place: &Place,
    comparison: Comparison,
    value: f64,
) -> Vec<ModelFilter> {
    let whole = |value: f64| {
        scalar(&if value.fract() == 0.0 && value.abs() < 9e15 { Value::from(value as i64) } else { Value::from(value) })
    };
    let range = |from: Option<f64>, to: Option<f64>| {
        filter(place, FilterValue::Range { from: from.and_then(whole), to: to.and_then(whole) })
    };
    match comparison {
        Comparison::AtLeast => vec![range(Some(value), None)],
        Comparison::Above => vec![range(Some(value.next_up()), None)],
        Comparison::Below => vec![range(None, Some(value))],
        Comparison::AtMost => vec![range(None, Some(value.next_up()))],
        Comparison::Equal => vec![filter(place, FilterValue::AnyOf(whole(value).into_iter().collect()))],
        Comparison::NotEqual => {
            vec![ModelFilter { not: true, ..filter(place, FilterValue::AnyOf(whole(value).into_iter().collect())) }]
        }
    }
}

fn scalar(value: &Value) -> Option<Scalar> {
    match value {
        Value::String(text) => Some(Scalar::Text(text.clone())),
        Value::Number(number) => Some(Scalar::Number(number.clone())),
        Value::Bool(on) => Some(Scalar::Boolean(*on)),
        _ => None,
    }
}

const fn model_aggregate(how: Aggregate) -> inlay_contract::model::Aggregate {
    use inlay_contract::model::Aggregate as Of;
    match how {
        Aggregate::Count => Of::Count,
        Aggregate::Distinct => Of::CountDistinct,
        Aggregate::Sum => Of::Sum,
        Aggregate::Average => Of::Average,
        Aggregate::Median => Of::Median,
        Aggregate::Least => Of::Min,
        Aggregate::Greatest => Of::Max,
    }
}

const fn word(how: Aggregate) -> &'static str {
    match how {
        Aggregate::Count | Aggregate::Distinct => "number",
        Aggregate::Sum => "total",
        Aggregate::Average => "average",
        Aggregate::Median => "median",
        Aggregate::Least => "lowest",
        Aggregate::Greatest => "highest",
    }
}

/// The period or the part of a week or day that times are split into. What is as fine as fits is months here, unless it is settled before.
const fn split(grain: Grain) -> (Option<question::Grain>, Option<Cycle>) {
    match grain {
        Grain::Day => (Some(question::Grain::Day), None),
        Grain::Week => (Some(question::Grain::Week), None),
        Grain::Month | Grain::Fitting => (Some(question::Grain::Month), None),
        Grain::Quarter => (Some(question::Grain::Quarter), None),
        Grain::Year => (Some(question::Grain::Year), None),
        Grain::Weekday => (None, Some(Cycle::Weekday)),
        Grain::Hour => (None, Some(Cycle::Hour)),
        Grain::PartOfWeek => (None, Some(Cycle::PartOfWeek)),
    }
}

/// The question about single rows.
pub(crate) fn rows(meaning: &Meaning, world: &World) -> Option<question::Question> {
    let by = meaning.rows?;
    let own = |condition: &Condition| condition.place().way.columns.is_empty();
    let mut filters = Vec::new();
    for condition in &meaning.conditions {
        if !own(condition) {
            return None;
        }
        filters.extend(row_condition(condition, world)?);
    }
    let fields = world.fields_of(meaning.fact).filter(|(_, field)| field.is_column);
    let dimensions = fields.map(|(_, field)| question::Dimension::of(&*field.name)).collect();
    let by = by.or(world.tables[meaning.fact].time);
    let sort =
        by.map(|by| question::Order { by: world.fields[by].name.clone(), descending: meaning.descending.unwrap_or(true) });
    Some(question::Question {
        table: world.tables[meaning.fact].name.clone(),
        dimensions,
        filters,
        sort,
        limit: Some(meaning.limit.unwrap_or(1000)),
        ..question::Question::default()
    })
}

/// The question about the rows of a period on average.
pub(crate) fn per_period(meaning: &Meaning, world: &World) -> Option<question::Question> {
    let [Num::PerPeriod(place, grain)] = meaning.numbers.as_slice() else { return None };
    if !place.way.columns.is_empty() {
        return None;
    }
    let (grain, cycle) = split(*grain);
    let per = question::Dimension { grain, cycle, ..question::Dimension::of(&*world.fields[place.field].name) };
    let mut filters = Vec::new();
    for condition in &meaning.conditions {
        if !condition.place().way.columns.is_empty() {
            return None;
        }
        filters.extend(row_condition(condition, world)?);
    }
    let measure = question::Measure { per: Some(per), name: Some("each_value".to_owned()), ..question::Measure::count() };
    Some(question::Question {
        table: world.tables[meaning.fact].name.clone(),
        measures: vec![measure],
        filters,
        ..question::Question::default()
    })
}

fn row_condition(condition: &Condition, world: &World) -> Option<Vec<question::QuestionCondition>> {
    use question::{QuestionCondition, Wanted};
    let column = world.fields[condition.place().field].name.clone();
    let of = |value: Wanted| QuestionCondition { column: column.clone(), via: None, value };
    Some(match condition {
        Condition::Spans { spans, .. } => match spans.as_slice() {
            [span] => {
                let day = |day: Option<chrono::NaiveDate>| day.map(|day| Scalar::Text(day.to_string()));
                vec![of(Wanted::Filter(FilterValue::Range { from: day(span.from), to: day(span.to) }))]
            }
            _ => return None,
        },
        Condition::In { values, negated: false, .. } => {
            vec![of(Wanted::Filter(FilterValue::AnyOf(values.iter().filter_map(scalar).collect())))]
        }
        Condition::Number { comparison, value, .. } => vec![of(Wanted::Compared { comparison: *comparison, than: *value })],
        Condition::Present { present: false, .. } => {
            let least = Scalar::Text(
                if world.fields[condition.place().field].kind == Kind::Time { "0001-01-01" } else { "" }.to_owned(),
            );
            vec![of(Wanted::Not { not: FilterValue::Range { from: Some(least), to: None } })]
        }
        _ => return None,
    })
}
