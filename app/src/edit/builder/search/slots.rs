//! Where an item of the search goes in the query. Pure.

use super::items::{Item, Kind, Thing};
use crate::edit::{builder::model::choices::Place, filters::condition};
use inlay_contract::{
    data::ColumnType,
    model::{ModelGroup, ModelQuery},
};

/// A part of the query that an item can be dragged to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// The measures.
    Measures,
    /// The first group.
    By,
    /// The second group, which makes series.
    Series,
    /// The conditions.
    Filter,
}

impl Slot {
    /// All, in the order of the page.
    pub const ALL: [Self; 4] = [Self::Measures, Self::By, Self::Series, Self::Filter];

    /// Its label.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Measures => "Measures",
            Self::By => "By",
            Self::Series => "Series",
            Self::Filter => "Filter",
        }
    }
}

/// Where the query has an item.
#[must_use]
pub fn used(query: &ModelQuery, item: &Item) -> Option<Slot> {
    match &item.thing {
        Thing::Measure(name) => query.measures.contains(name).then_some(Slot::Measures),
        Thing::Place(place) => match position(query, place) {
            Some(1) => Some(Slot::Series),
            Some(_) => Some(Slot::By),
            None => is_filtered(query, place).then_some(Slot::Filter),
        },
    }
}

/// Whether a slot takes an item.
#[must_use]
pub fn takes(query: &ModelQuery, item: &Item, slot: Slot) -> bool {
    match (&item.thing, slot) {
        (Thing::Measure(name), Slot::Measures) => !query.measures.contains(name),
        (Thing::Place(place), Slot::By) => position(query, place) != Some(0),
        // There is no second group before the first.
        (Thing::Place(place), Slot::Series) => match position(query, place) {
            Some(0) => query.dimensions.len() > 1,
            at => at != Some(1) && !query.dimensions.is_empty(),
        },
        (Thing::Place(_), Slot::Filter) => true,
        (Thing::Measure(_), _) | (Thing::Place(_), Slot::Measures) => false,
    }
}

/// Adds an item where it fits: the first time is what the chart goes along, and other dimensions follow. An item that the query
/// shows is taken out.
pub fn toggle(query: &mut ModelQuery, item: &Item) {
    match &item.thing {
        Thing::Measure(name) if query.measures.contains(name) => query.measures.retain(|measure| measure != name),
        Thing::Measure(name) => query.measures.push(name.clone()),
        Thing::Place(place) => match position(query, place) {
            Some(at) => drop(query.dimensions.remove(at)),
            None if item.kind() == Kind::Time && !query.dimensions.iter().any(is_time) => {
                query.dimensions.insert(0, place.group())
            }
            None => query.dimensions.push(place.group()),
        },
    }
}

/// Puts an item into a slot that takes it. A group takes the place of the slot's, or changes places with it.
pub fn put(query: &mut ModelQuery, item: &Item, slot: Slot) {
    if !takes(query, item, slot) {
        return;
    }
    match (&item.thing, slot) {
        (Thing::Place(place), Slot::Filter) => {
            let blank = condition::blank(place.kind.unwrap_or(ColumnType::Text));
            query.filters.push(place.filter(blank));
        }
        (Thing::Place(place), _) => {
            let to = usize::from(slot == Slot::Series);
            match (position(query, place), query.dimensions.get_mut(to)) {
                (Some(from), _) => query.dimensions.swap(from, to),
                (None, Some(group)) => *group = place.group(),
                (None, None) => query.dimensions.push(place.group()),
            }
        }
        (Thing::Measure(name), _) => query.measures.push(name.clone()),
    }
}

fn position(query: &ModelQuery, place: &Place) -> Option<usize> {
    query.dimensions.iter().position(|group| place.is(&group.name, group.via.as_deref()))
}

fn is_filtered(query: &ModelQuery, place: &Place) -> bool {
    query.filters.iter().any(|filter| place.is(&filter.dimension, filter.via.as_deref()))
}

const fn is_time(group: &ModelGroup) -> bool {
    group.grain.is_some() || group.cycle.is_some()
}

#[cfg(test)]
mod tests {
    use super::{
        super::items::{
            offered,
            tests::{asking, model},
        },
        *,
    };
    use inlay_contract::chart::question::Grain;

    fn item(query: &ModelQuery, name: &str) -> Item {
        let found = offered(&model(), query).into_iter().find(|item| item.name() == name);
        found.unwrap_or_else(|| panic!("no {name}"))
    }

    fn told(query: &ModelQuery) -> String {
        let groups: Vec<&str> = query.dimensions.iter().map(|group| &*group.name).collect();
        format!("{} by {}", query.measures.join(" "), groups.join(" "))
    }

    /// The query after clicks on items.
    fn clicked(mut query: ModelQuery, names: &[&str]) -> ModelQuery {
        for name in names {
            let item = item(&query, name);
            toggle(&mut query, &item);
        }
        query
    }

    /// The query after an item was dragged to a slot.
    fn dragged(mut query: ModelQuery, name: &str, slot: Slot) -> ModelQuery {
        let item = item(&query, name);
        put(&mut query, &item, slot);
        query
    }

    #[test]
    fn a_click_adds_an_item_where_it_fits() {
        let query = clicked(asking(&["flights"], &[]), &["late_flights", "origin", "name"]);
        assert_eq!(told(&query), "flights late_flights by flights.origin carriers.name");
        assert_eq!(used(&query, &item(&query, "late_flights")), Some(Slot::Measures));
        assert_eq!(used(&query, &item(&query, "origin")), Some(Slot::By));
        assert_eq!(used(&query, &item(&query, "name")), Some(Slot::Series));
        assert_eq!(used(&query, &item(&query, "time")), None);
    }

    #[test]
    fn the_first_time_goes_before_other_groups_and_the_second_after_them() {
        let query = clicked(asking(&["flights"], &["flights.origin"]), &["time"]);
        assert_eq!((told(&query).as_str(), query.dimensions[0].grain), ("flights by time flights.origin", Some(Grain::Month)));
        assert_eq!(told(&clicked(query, &["founded"])), "flights by time flights.origin carriers.founded");
    }

    #[test]
    fn a_click_takes_out_what_the_query_shows() {
        let query = clicked(asking(&["flights", "late_flights"], &["time", "flights.origin"]), &["flights", "time"]);
        assert_eq!(told(&query), "late_flights by flights.origin");
        let also = clicked(asking(&["flights"], &["flights.day"]), &["time"]);
        assert_eq!(told(&also), "flights by ", "the time by its other name");
    }

    #[test]
    fn slots_take_what_fits_them() {
        let query = asking(&["flights"], &["flights.origin"]);
        let takers =
            |name: &str| Slot::ALL.into_iter().filter(|slot| takes(&query, &item(&query, name), *slot)).collect::<Vec<_>>();
        assert_eq!(takers("flights"), [], "it is there");
        assert_eq!(takers("late_flights"), [Slot::Measures]);
        assert_eq!(takers("name"), [Slot::By, Slot::Series, Slot::Filter]);
        assert_eq!(takers("origin"), [Slot::Filter], "the only group is the first");
        let empty = asking(&["flights"], &[]);
        assert!(!takes(&empty, &item(&empty, "name"), Slot::Series), "no series without a first group");
    }

    #[test]
    fn a_dragged_group_takes_the_place_of_the_slot_s() {
        let query = asking(&["flights"], &["flights.origin"]);
        assert_eq!(told(&dragged(query.clone(), "name", Slot::By)), "flights by carriers.name");
        let two = dragged(query.clone(), "name", Slot::Series);
        assert_eq!(told(&two), "flights by flights.origin carriers.name");
        assert_eq!(told(&dragged(two.clone(), "name", Slot::By)), "flights by carriers.name flights.origin");
        assert_eq!(told(&dragged(two, "time", Slot::Series)), "flights by flights.origin time");
        assert_eq!(told(&dragged(query, "name", Slot::Measures)), "flights by flights.origin", "nothing changes");
    }

    #[test]
    fn a_drag_to_the_filter_adds_a_condition() {
        let query = dragged(asking(&["flights"], &[]), "name", Slot::Filter);
        assert_eq!((query.filters.len(), &*query.filters[0].dimension, query.dimensions.len()), (1, "carriers.name", 0));
        assert_eq!(used(&query, &item(&query, "name")), Some(Slot::Filter));
        assert_eq!(
            told(&clicked(query, &["name"])),
            "flights by carriers.name",
            "a condition does not keep it from being a group"
        );
    }
}
