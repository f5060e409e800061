//! What fits a query of the model. Pure.

use super::calculation;
use crate::edit::builder::kinds::Columns;
use inlay_contract::{
    chart::question::Grain,
    data::ColumnType,
    filter::{FilterValue, Period},
    model::{
        Compare, ModelFilter, ModelGroup, ModelQuery, OfferedDimension, OfferedModel, OfferedModelTable, OfferedNumber,
        OfferedWords,
    },
};
use std::collections::BTreeSet;

/// The name of each table's default time dimension.
pub const TIME: &str = "time";

/// A dimension on offer, and the way to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its name in queries: `table.dimension`, or `time`.
    pub name: String,
    /// The other name of the `time` of one table.
    pub also: Option<String>,
    /// The columns that lead to it, where several ways do.
    pub via: Option<String>,
    /// Its label.
    pub label: String,
    /// The label of its table, with the way.
    pub table: String,
    /// The type of its values, if it is known.
    pub kind: Option<ColumnType>,
    /// Its description and other names.
    pub words: OfferedWords,
}

impl Place {
    /// Whether it is the place that a query names so.
    #[must_use]
    pub fn is(&self, name: &str, via: Option<&str>) -> bool {
        (self.name == name || self.also.as_deref() == Some(name)) && self.via.as_deref() == via
    }

    /// Whether its values are days or moments.
    #[must_use]
    pub const fn is_time(&self) -> bool {
        matches!(self.kind, Some(ColumnType::Date | ColumnType::Timestamp))
    }

    /// The group of a query by it.
    #[must_use]
    pub fn group(&self) -> ModelGroup {
        let grain = self.is_time().then_some(Grain::Month);
        ModelGroup { via: self.via.clone(), grain, ..ModelGroup::of(self.name.clone()) }
    }

    /// The condition of a query on it, as it is added.
    #[must_use]
    pub fn filter(&self, value: FilterValue) -> ModelFilter {
        ModelFilter { via: self.via.clone(), ..ModelFilter::of(self.name.clone(), value) }
    }
}

/// The tables whose rows a query's measures are made of.
fn facts<'a>(model: &'a OfferedModel, query: &ModelQuery) -> Vec<&'a OfferedModelTable> {
    let needed = calculation::made_of(query, &query.measures);
    let numbers = model.numbers.iter().filter(|number| needed.contains(&number.name));
    let own = query.aggregates.iter().filter(|(name, _)| needed.contains(*name)).map(|(_, one)| &one.table);
    let names: BTreeSet<&String> = numbers.flat_map(|number| &number.facts).chain(own).collect();
    model.tables.iter().filter(|table| names.contains(&table.name)).collect()
}

/// Whether each table of the query's measures has a default time.
#[must_use]
pub fn has_time(model: &OfferedModel, query: &ModelQuery) -> bool {
    let facts = facts(model, query);
    !facts.is_empty() && facts.iter().all(|fact| fact.time.is_some())
}

/// The dimensions that the tables of all measures lead to. Without measures: all.
#[must_use]
pub fn places(model: &OfferedModel, query: &ModelQuery) -> Vec<Place> {
    let facts = facts(model, query);
    let own = |name: &str| facts.iter().any(|fact| fact.name == name);
    // The measures' own tables come first.
    let (first, rest): (Vec<_>, Vec<_>) = model.tables.iter().partition(|table| own(&table.name));
    let time = has_time(model, query).then(|| time(&facts));
    let is_time = |place: &Place| time.as_ref().is_some_and(|time| time.also.as_ref() == Some(&place.name));
    let tables = first.into_iter().chain(rest).flat_map(|table| {
        let ways = ways(&facts, table).into_iter();
        ways.flat_map(move |(via, label)| table.dimensions.iter().map(move |one| place(table, one, via.clone(), label.clone())))
    });
    let others: Vec<Place> = tables.filter(|place| !is_time(place)).collect();
    time.into_iter().chain(others).collect()
}

/// The default time of all facts: that of one table by its label.
fn time(facts: &[&OfferedModelTable]) -> Place {
    let only = match facts {
        [fact] => {
            fact.dimensions.iter().find(|dimension| Some(&dimension.name) == fact.time.as_ref()).map(|time| (*fact, time))
        }
        _ => None,
    };
    let (label, table) = only.map_or(("Time", "Time"), |(fact, time)| (&*time.label, &*fact.label));
    Place {
        name: TIME.to_owned(),
        also: only.map(|(fact, time)| format!("{}.{}", fact.name, time.name)),
        via: None,
        label: label.to_owned(),
        table: table.to_owned(),
        kind: only.and_then(|(_, time)| time.kind).or(Some(ColumnType::Date)),
        words: only.map(|(_, time)| time.words.clone()).unwrap_or_default(),
    }
}

fn place(table: &OfferedModelTable, dimension: &OfferedDimension, via: Option<String>, label: String) -> Place {
    let name = format!("{}.{}", table.name, dimension.name);
    let (words, kind) = (dimension.words.clone(), dimension.kind);
    Place { name, also: None, via, label: dimension.label.clone(), table: label, kind, words }
}

/// The ways from all facts to a table, each with the label of its places: none, or the only way, or each that all facts have.
fn ways(facts: &[&OfferedModelTable], table: &OfferedModelTable) -> Vec<(Option<String>, String)> {
    let only = (None, table.label.clone());
    let Some(one) = facts.first() else { return vec![only] };
    let leads = |fact: &OfferedModelTable, fits: &dyn Fn(&str, bool) -> bool| {
        fact.ways.iter().any(|way| way.table == table.name && fits(&way.via, way.is_only))
    };
    if facts.iter().all(|fact| leads(fact, &|_, is_only| is_only)) {
        return vec![only];
    }
    let of_one = one.ways.iter().filter(|way| way.table == table.name && !way.via.is_empty());
    let of_all = of_one.filter(|way| facts.iter().all(|fact| leads(fact, &|via, _| via == way.via)));
    let labelled = of_all.map(|way| {
        let column = one.dimensions.iter().find(|dimension| dimension.name == way.via).map(|dimension| dimension.label.clone());
        let way_label = column.unwrap_or_else(|| way.via.replace('.', " → "));
        (Some(way.via.clone()), format!("{} ({way_label})", table.label))
    });
    labelled.collect()
}

/// A measure that the query does not have yet.
#[must_use]
pub fn free_measure<'a>(model: &'a OfferedModel, query: &ModelQuery) -> Option<&'a OfferedNumber> {
    model.numbers.iter().find(|number| !query.measures.contains(&number.name))
}

/// A dimension that the query is not grouped by yet: the time, then words, then anything.
#[must_use]
pub fn free_place(places: &[Place], query: &ModelQuery) -> Option<Place> {
    let is_free = |place: &&Place| !query.dimensions.iter().any(|group| place.is(&group.name, group.via.as_deref()));
    let free = || places.iter().filter(is_free);
    let is_word = |place: &&Place| matches!(place.kind, None | Some(ColumnType::Text));
    free().find(|place| place.name == TIME).or_else(|| free().find(is_word)).or_else(|| free().next()).cloned()
}

/// Gives groups whose columns would have the same name names of their own, and drops what names a column that is gone, and
/// numbers of this query that nothing uses any more.
pub fn tidy(query: &mut ModelQuery) {
    let needed = calculation::made_of(query, &query.measures);
    query.metrics.retain(|name, _| needed.contains(name));
    query.aggregates.retain(|name, _| needed.contains(name));
    for at in 0..query.dimensions.len() {
        let (before, [group, ..]) = query.dimensions.split_at_mut(at) else { return };
        let taken = |name: &str| before.iter().any(|other| other.column().eq_ignore_ascii_case(name));
        if !taken(&group.column()) {
            continue;
        }
        let way = group.via.clone().unwrap_or_else(|| group.name.clone());
        let name = format!("{way}_{}", ModelGroup { alias: None, ..group.clone() }.column()).replace('.', "_");
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        group.alias = std::iter::once(name.clone()).chain(numbered).find(|name| !taken(name));
    }
    let columns = Columns::from(&*query);
    query.sort.retain(|order| columns.all().any(|column| *column == order.by));
    query.having.retain(|having| columns.values.contains(&having.measure) || columns.previous.contains(&having.measure));
}

/// Puts an earlier period beside the measures. The period must be known: a query without one gets the last 12 months.
pub fn compare(query: &mut ModelQuery, with: Option<Compare>, places: &[Place]) {
    query.compare = with;
    let is_period = |filter: &ModelFilter| {
        let place = places.iter().find(|place| place.is(&filter.dimension, filter.via.as_deref()));
        place.is_some_and(Place::is_time) && !filter.not && !matches!(filter.value, FilterValue::AnyOf(_))
    };
    if with.is_some() && !query.filters.iter().any(is_period) {
        let value = FilterValue::Relative(Period::LastMonths(12));
        query.filters.push(ModelFilter::of(TIME, value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn model() -> OfferedModel {
        let column = |name: &str, kind: &str| json!({"name": name, "label": name, "kind": kind});
        let own = |table: &str| json!({"table": table, "via": "", "isOnly": true});
        let way = |table: &str, via: &str, is_only: bool| json!({"table": table, "via": via, "isOnly": is_only});
        let table = |name: &str, time: Option<&str>, dimensions: Value, ways: Value| json!({"name": name, "label": name.to_uppercase(), "time": time, "dimensions": dimensions, "ways": ways});
        let number = |name: &str, facts: &[&str]| json!({"name": name, "label": name, "facts": facts});
        serde_json::from_value(json!({
            "numbers": [number("flights", &["flights"]), number("seats", &["plans"]), number("share", &["flights", "plans"])],
            "tables": [
                table("airports", None, json!([column("city", "text")]), json!([own("airports")])),
                table("flights", Some("day"), json!([column("day", "date"), {"name": "origin", "label": "From", "kind": "text"}]), json!([
                    own("flights"), way("airports", "origin", false), way("airports", "destination", false),
                ])),
                table("plans", Some("begins"), json!([column("number", "number")]), json!([own("plans"), way("airports", "origin", true)])),
            ],
        }))
        .expect("a model")
    }

    fn asking(measures: &[&str]) -> ModelQuery {
        ModelQuery { measures: measures.iter().map(|name| (*name).to_owned()).collect(), ..ModelQuery::default() }
    }

    fn told(query: &ModelQuery) -> Vec<String> {
        let places = places(&model(), query);
        places.iter().map(|place| format!("{}: {} {}", place.table, place.name, place.via.as_deref().unwrap_or("-"))).collect()
    }

    #[test]
    fn only_dimensions_that_every_measures_table_leads_to_are_on_offer() {
        let flights = [
            "FLIGHTS: time -",
            "FLIGHTS: flights.origin -",
            "AIRPORTS (From): airports.city origin",
            "AIRPORTS (destination): airports.city destination",
        ];
        assert_eq!(told(&asking(&["flights"])), flights);
        assert_eq!(told(&asking(&["seats"])), ["Time: time -", "PLANS: plans.number -", "AIRPORTS: airports.city -"]);
        // The only way of one table is one of several of the other.
        for both in [asking(&["share"]), asking(&["flights", "seats"])] {
            assert_eq!(told(&both), ["Time: time -", "AIRPORTS (From): airports.city origin"]);
        }
        assert_eq!(told(&asking(&[])).len(), 4, "all tables, each by itself");
        assert_eq!(told(&asking(&["gone"])), told(&asking(&[])));
        let mut own = asking(&["own"]);
        own.aggregates = serde_json::from_value(json!({"own": {"table": "flights", "aggregate": "count"}})).expect("a measure");
        assert_eq!(told(&own), flights, "a measure of the query alone");
    }

    #[test]
    fn what_is_added_is_not_there_yet() {
        let (model, mut query) = (model(), asking(&["flights"]));
        assert_eq!(free_measure(&model, &query).map(|number| &*number.name), Some("seats"));
        assert_eq!(free_measure(&model, &asking(&["flights", "seats", "share"])), None);
        let mut added = Vec::new();
        while let Some(place) = free_place(&places(&model, &query), &query) {
            query.dimensions.push(place.group());
            added.push(format!("{} {}", place.label, place.group().grain.map_or("", Grain::name)));
        }
        assert_eq!(added, ["day month", "From ", "city ", "city "]);
    }

    #[test]
    fn columns_of_the_same_name_get_names_of_their_own() {
        let mut query = asking(&["flights"]);
        let group = |via: Option<&str>| ModelGroup { via: via.map(str::to_owned), ..ModelGroup::of("airports.city") };
        query.dimensions = vec![group(Some("origin")), group(Some("destination")), group(None), group(Some("destination"))];
        tidy(&mut query);
        let columns: Vec<String> = query.dimensions.iter().map(ModelGroup::column).collect();
        assert_eq!(columns, ["city", "destination_city", "airports_city_city", "destination_city_2"]);
        let before = query.clone();
        tidy(&mut query);
        assert_eq!(query, before);
    }

    #[test]
    fn an_order_of_a_column_that_is_gone_goes_too() {
        let sort = json!([{"by": "flights_previous"}, {"by": "flights"}, {"by": "city"}]);
        let having = json!([{"measure": "seats", "comparison": ">", "than": 1.0}, {"measure": "flights", "comparison": ">", "than": 1.0}]);
        let mut query: ModelQuery =
            serde_json::from_value(json!({"measures": ["flights"], "sort": sort, "having": having})).expect("a query");
        tidy(&mut query);
        assert_eq!((query.sort.len(), &*query.sort[0].by), (1, "flights"));
        assert_eq!((query.having.len(), &*query.having[0].measure), (1, "flights"));
    }

    #[test]
    fn a_calculation_leads_where_its_measures_lead_and_goes_with_them() {
        let mut query = asking(&["both"]);
        let metrics = json!({"both": {"formula": "flights + own"}, "spare": {"running": "flights"}});
        query.metrics = serde_json::from_value(metrics).expect("metrics");
        query.aggregates = serde_json::from_value(json!({"own": {"table": "plans", "aggregate": "count"}})).expect("measures");
        assert_eq!(told(&query), told(&asking(&["flights", "seats"])));
        tidy(&mut query);
        assert_eq!((query.metrics.len(), query.aggregates.len()), (1, 1), "nothing uses `spare`");
        query.measures.clear();
        tidy(&mut query);
        assert_eq!((query.metrics.len(), query.aggregates.len()), (0, 0));
    }

    #[test]
    fn a_comparison_gets_a_period() {
        let mut query = asking(&["flights"]);
        let places = places(&model(), &query);
        compare(&mut query, Some(Compare::Year), &places);
        compare(&mut query, Some(Compare::Previous), &places);
        assert_eq!((query.compare, query.filters.len(), &*query.filters[0].dimension), (Some(Compare::Previous), 1, "time"));
        compare(&mut query, None, &places);
        assert_eq!((query.compare, query.filters.len()), (None, 1), "the period stays");
        let by_its_name = json!([{"dimension": "flights.day", "value": {"relative": "last_7_days"}}]);
        query.filters = serde_json::from_value(by_its_name).expect("filters");
        compare(&mut query, Some(Compare::Year), &places);
        assert_eq!(query.filters.len(), 1, "it has one");
    }
}
