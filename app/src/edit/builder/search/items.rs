//! The measures, times and dimensions that a search of the builder looks through: those that fit the query. Pure.

use crate::edit::builder::model::choices::{self, Place};
use inlay_contract::model::{ModelQuery, OfferedModel, OfferedNumber, OfferedWords};
use std::collections::BTreeMap;

/// The heading of measures that are made of several tables.
const SEVERAL: &str = "Several tables";

/// A measure, a time or a dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it is.
    pub thing: Thing,
    /// Its label.
    pub label: String,
    /// The label of its table.
    pub table: String,
    /// Its description and other names.
    pub words: OfferedWords,
}

/// What an item is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thing {
    /// A measure or a metric, by its name in queries.
    Measure(String),
    /// A time or another dimension.
    Place(Place),
}

/// The kinds of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A measure or a metric.
    Measure,
    /// Days or moments.
    Time,
    /// Any other dimension.
    Dimension,
}

impl Kind {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Measure => "measure",
            Self::Time => "time",
            Self::Dimension => "dimension",
        }
    }
}

impl Item {
    /// Its kind.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match &self.thing {
            Thing::Measure(_) => Kind::Measure,
            Thing::Place(place) if place.is_time() => Kind::Time,
            Thing::Place(_) => Kind::Dimension,
        }
    }

    /// Its name, without its table's.
    #[must_use]
    pub fn name(&self) -> &str {
        match &self.thing {
            Thing::Measure(name) => name,
            Thing::Place(place) => bare(&place.name),
        }
    }

    /// Its names beside the label: that of queries, the column's of a default time, and synonyms.
    pub fn other_names(&self) -> impl Iterator<Item = &str> {
        let also = match &self.thing {
            Thing::Measure(_) => None,
            Thing::Place(place) => place.also.as_deref().map(bare),
        };
        std::iter::once(self.name()).chain(also).chain(self.words.synonyms.iter().map(String::as_str))
    }

    /// A text that no other item has.
    #[must_use]
    pub fn key(&self) -> String {
        match &self.thing {
            Thing::Measure(name) => format!("measure {name}"),
            Thing::Place(place) => format!("{} {}", place.name, place.via.as_deref().unwrap_or_default()),
        }
    }
}

/// A name without its table's.
fn bare(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// The items that the query can have. Measures that its groups and conditions do not fit are left out.
#[must_use]
pub fn offered(model: &OfferedModel, query: &ModelQuery) -> Vec<Item> {
    let places = choices::places(model, query);
    // Measures of the same tables fit alike.
    let mut known: BTreeMap<&[String], bool> = BTreeMap::new();
    let mut fits = |number: &OfferedNumber, facts| *known.entry(facts).or_insert_with(|| joins(model, query, &places, number));
    let numbers = model.numbers.iter().filter(|number| query.measures.contains(&number.name) || fits(number, &number.facts));
    let measure = |number: &OfferedNumber| Item {
        thing: Thing::Measure(number.name.clone()),
        label: number.label.clone(),
        table: table_of(model, number),
        words: number.words.clone(),
    };
    let mut items: Vec<Item> = numbers.map(measure).collect();
    items.extend(places.into_iter().map(|place| Item {
        label: place.label.clone(),
        table: place.table.clone(),
        words: place.words.clone(),
        thing: Thing::Place(place),
    }));
    items
}

/// Whether the groups and conditions that fit the query still fit it with another measure.
fn joins(model: &OfferedModel, query: &ModelQuery, places: &[Place], number: &OfferedNumber) -> bool {
    let mut with = query.clone();
    with.measures.push(number.name.clone());
    let after = choices::places(model, &with);
    let groups = query.dimensions.iter().map(|group| (&group.name, group.via.as_deref()));
    let filters = query.filters.iter().map(|filter| (&filter.dimension, filter.via.as_deref()));
    let has = |places: &[Place], name: &str, via| places.iter().any(|place| place.is(name, via));
    let stays = groups.chain(filters).all(|(name, via)| has(&after, name, via) || !has(places, name, via));
    stays && (query.compare.is_none() || choices::has_time(model, &with))
}

fn table_of(model: &OfferedModel, number: &OfferedNumber) -> String {
    let [only] = &number.facts[..] else { return SEVERAL.to_owned() };
    model.tables.iter().find(|table| table.name == *only).map_or_else(|| only.clone(), |table| table.label.clone())
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use inlay_contract::model::{Compare, ModelGroup};
    use serde_json::{Value, json};

    /// Flights, the carriers that they lead to, and budgets, which lead nowhere.
    pub fn model() -> OfferedModel {
        let own = |table: &str| json!({"table": table, "via": "", "isOnly": true});
        let column = |name: &str, label: &str, kind: &str| json!({"name": name, "label": label, "kind": kind});
        let table = |name: &str, label: &str, time: Value, dimensions: Value, ways: Value| json!({"name": name, "label": label, "time": time, "dimensions": dimensions, "ways": ways});
        let number = |name: &str, label: &str, facts: &[&str]| json!({"name": name, "label": label, "facts": facts});
        serde_json::from_value(json!({
            "numbers": [
                number("flights", "Flights", &["flights"]),
                {"name": "late_flights", "label": "Delayed flights", "facts": ["flights"], "words": {"description": "15 minutes and more", "synonyms": ["late"]}},
                number("planned", "Planned cost", &["budgets"]),
                number("cost_per_flight", "Cost per flight", &["budgets", "flights"]),
            ],
            "tables": [
                table("flights", "Flights", json!("day"), json!([column("day", "Day", "date"), column("origin", "From", "text")]), json!([
                    own("flights"), {"table": "carriers", "via": "carrier", "isOnly": true},
                ])),
                table("carriers", "Airlines", Value::Null, json!([column("name", "Airline", "text"), column("founded", "Founded", "date")]), json!([own("carriers")])),
                table("budgets", "Budgets", json!("month"), json!([column("month", "Month", "date")]), json!([own("budgets")])),
            ],
        }))
        .expect("a model")
    }

    /// A query for measures by dimensions.
    pub fn asking(measures: &[&str], groups: &[&str]) -> ModelQuery {
        ModelQuery {
            measures: measures.iter().map(|name| (*name).to_owned()).collect(),
            dimensions: groups.iter().map(|name| ModelGroup::of(*name)).collect(),
            ..ModelQuery::default()
        }
    }

    fn told(query: &ModelQuery) -> Vec<String> {
        offered(&model(), query).iter().map(|item| format!("{}: {} {}", item.table, item.kind().name(), item.name())).collect()
    }

    #[test]
    fn what_fits_the_query_is_offered_with_its_table_and_kind() {
        let flights = [
            "Flights: measure flights",
            "Flights: measure late_flights",
            "Budgets: measure planned",
            "Several tables: measure cost_per_flight",
            "Flights: time time",
            "Flights: dimension origin",
            "Airlines: dimension name",
            "Airlines: time founded",
        ];
        assert_eq!(told(&asking(&["flights"], &["time"])), flights, "both tables have a time");
    }

    #[test]
    fn measures_that_the_groups_do_not_fit_are_left_out() {
        let by_airline = told(&asking(&["flights"], &["carriers.name"]));
        assert_eq!(by_airline.iter().filter(|item| item.contains("measure")).count(), 2, "{by_airline:?}");
        let mut filtered = asking(&["flights"], &[]);
        filtered.filters = serde_json::from_value(json!([{"dimension": "flights.origin", "value": ["ORD"]}])).expect("filters");
        assert!(!told(&filtered).iter().any(|item| item.ends_with("planned")));
        let both = told(&asking(&["flights", "planned"], &["carriers.name"]));
        assert!(both.iter().any(|item| item.ends_with("planned")), "a measure of the query stays, so that it can be taken out");
        assert!(!both.iter().any(|item| item.ends_with("dimension name")));
    }

    #[test]
    fn a_comparison_needs_measures_with_a_time() {
        let (mut model, mut query) = (model(), asking(&["flights"], &[]));
        model.tables[2].time = None;
        let has = |query: &ModelQuery| offered(&model, query).iter().any(|item| item.name() == "planned");
        assert!(has(&query));
        query.compare = Some(Compare::Year);
        assert!(!has(&query));
    }

    #[test]
    fn a_default_time_is_known_by_its_column_too() {
        let items = offered(&model(), &asking(&["flights"], &[]));
        let names =
            |name: &str| items.iter().find(|item| item.name() == name).map(|item| item.other_names().collect::<Vec<_>>());
        assert_eq!(names("time"), Some(vec!["time", "day"]));
        assert_eq!(names("late_flights"), Some(vec!["late_flights", "late"]));
    }

    #[test]
    fn each_item_has_a_key_of_its_own() {
        let keys: Vec<String> = offered(&model(), &asking(&[], &[])).iter().map(Item::key).collect();
        let several: std::collections::BTreeSet<&String> = keys.iter().collect();
        assert_eq!((keys.len(), several.len()), (9, 9));
    }
}
