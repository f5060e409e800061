//! A dashboard's filters: which are active, and which charts a change affects. Pure.

use inlay_contract::{
    filter::{CONTROLLED, FilterValue, OMNIBAR},
    page::{FilterView, Filters},
};

/// The filters of the open dashboard.
#[derive(Clone, Debug, PartialEq)]
pub struct FilterState {
    keys: Vec<String>,
    active: Filters,
}

/// The full keys of filters that a change set, replaced or removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change(Vec<String>);

impl Change {
    /// Whether the change affects a chart with these filters. A filter on a column that was set later may reach any table, so
    /// it affects every chart; the server then answers unaffected charts from its cache.
    #[must_use]
    pub fn touches(&self, filter_keys: &[String]) -> bool {
        touch(self.0.iter(), filter_keys)
    }

    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FilterState {
    /// The state of a dashboard that was drawn with `active`. Values of unknown keys are dropped.
    #[must_use]
    pub fn new(filters: &[FilterView], active: Filters) -> Self {
        let mut state = Self { keys: filters.iter().map(full_key).collect(), active: Filters::new() };
        state.replace(active);
        state
    }

    /// The active filters.
    #[must_use]
    pub const fn active(&self) -> &Filters {
        &self.active
    }

    /// The full keys of the dashboard's own filters.
    #[cfg(feature = "edit")]
    #[must_use]
    pub fn keys(&self) -> &[String] {
        &self.keys
    }

    /// Whether any filter is active.
    #[must_use]
    pub fn is_active(&self) -> bool {
        !self.active.is_empty()
    }

    /// Whether an active filter reaches a chart with these filters.
    #[must_use]
    pub fn reaches(&self, filter_keys: &[String]) -> bool {
        touch(self.active.keys(), filter_keys)
    }

    /// Whether a full key is a filter of the dashboard or has the form of a filter on a column.
    #[must_use]
    pub fn knows(&self, key: &str) -> bool {
        self.keys.iter().any(|known| known == key) || is_omnibar(key)
    }

    /// Sets or removes one filter's value.
    pub fn set(&mut self, key: &str, value: Option<FilterValue>) -> Change {
        let mut filters = self.active.clone();
        match value {
            Some(value) => filters.insert(key.to_owned(), value),
            None => filters.remove(key),
        };
        self.replace(filters)
    }

    /// Whether all these filters have these values.
    #[must_use]
    pub fn holds(&self, values: &Filters) -> bool {
        values.iter().all(|(key, value)| self.active.get(key) == Some(value))
    }

    /// Sets several filters. If each of them already has its value, removes them.
    pub fn toggle(&mut self, values: Filters) -> Change {
        let mut filters = self.active.clone();
        if self.holds(&values) {
            filters.retain(|key, _| !values.contains_key(key));
        } else {
            filters.extend(values);
        }
        self.replace(filters)
    }

    /// Removes every value.
    pub fn clear(&mut self) -> Change {
        self.replace(Filters::new())
    }

    /// Replaces all values. Unknown keys are dropped.
    pub fn replace(&mut self, mut filters: Filters) -> Change {
        filters.retain(|key, _| self.knows(key));
        let is_new = |key: &&String| !self.active.contains_key(*key);
        let differs = |key: &&String| self.active.get(*key) != filters.get(*key);
        let changed = self.active.keys().chain(filters.keys().filter(is_new)).filter(differs).cloned().collect();
        self.active = filters;
        Change(changed)
    }
}

/// Whether one of these filters is among a chart's, or on a column.
fn touch<'a>(mut keys: impl Iterator<Item = &'a String>, filter_keys: &[String]) -> bool {
    keys.any(|key| key.starts_with(OMNIBAR) || filter_keys.contains(key))
}

/// The query parameter of a filter. An added filter that is not saved uses the parameter of its column.
#[must_use]
pub fn full_key(filter: &FilterView) -> String {
    if is_omnibar(&filter.key) { filter.key.clone() } else { format!("{CONTROLLED}{}", filter.key) }
}

/// Whether a full key names a column, or the default time as `<connection>.time`.
fn is_omnibar(key: &str) -> bool {
    key.strip_prefix(OMNIBAR).is_some_and(|path| path.split('.').count() >= 3 || path.ends_with(".time"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::filter::{Control, Scalar};

    fn text(value: &str) -> FilterValue {
        FilterValue::AnyOf(vec![Scalar::Text(value.into())])
    }

    fn state(active: &[(&str, FilterValue)]) -> FilterState {
        let filter = |key: &str| FilterView::of(key.into(), key.into(), Control::Select);
        let active = active.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
        FilterState::new(&[filter("destination"), filter("period")], active)
    }

    fn keys(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn only_charts_that_read_the_changed_filter_are_touched() {
        let mut state = state(&[]);
        let change = state.set("filter_destination", Some(text("ATL")));
        assert!(change.touches(&keys(&["filter_destination"])));
        assert!(!change.touches(&keys(&["filter_period"])));
        assert!(!change.touches(&[]));
    }

    #[test]
    fn active_filters_reach_the_charts_that_read_them() {
        let state = state(&[("filter_destination", text("ATL"))]);
        assert!(state.reaches(&keys(&["filter_destination", "filter_period"])));
        assert!(!state.reaches(&keys(&["filter_period"])) && !state.reaches(&[]));
    }

    #[test]
    fn omnibar_filters_touch_every_chart() {
        let mut state = state(&[]);
        assert!(state.set("f_warehouse.flights.origin", Some(text("LAX"))).touches(&[]));
    }

    #[test]
    fn the_default_time_touches_every_chart() {
        assert!(state(&[]).set("f_warehouse.time", Some(text("2001-02-01"))).touches(&[]));
    }

    #[test]
    fn a_name_that_is_no_column_of_a_connection_touches_no_chart_that_does_not_use_it() {
        assert!(!state(&[]).set("f_flights", Some(text("LAX"))).touches(&[]));
        assert!(!state(&[]).set("f_warehouse.timely", Some(text("LAX"))).touches(&[]));
    }

    #[test]
    fn the_same_value_again_is_no_change() {
        let mut state = state(&[("filter_destination", text("ATL"))]);
        assert!(state.set("filter_destination", Some(text("ATL"))).is_empty());
        assert!(!state.set("filter_destination", None).is_empty());
        assert!(state.clear().is_empty());
    }

    #[test]
    fn what_is_set_together_is_taken_away_together() {
        let mut state = state(&[("filter_period", text("2001-01-01"))]);
        let mark = Filters::from([
            ("filter_destination".to_owned(), text("ATL")),
            ("f_warehouse.flights.origin".to_owned(), text("LAX")),
        ]);
        assert!(!state.toggle(mark.clone()).is_empty());
        assert_eq!(state.active().len(), 3);
        assert!(!state.toggle(mark.clone()).is_empty());
        assert_eq!(state.active().keys().collect::<Vec<_>>(), ["filter_period"]);
        state.set("filter_destination", Some(text("LAX")));
        state.toggle(mark);
        assert_eq!(state.active()["filter_destination"], text("ATL"), "another value is replaced");
        assert!(state.toggle(Filters::new()).is_empty(), "a mark without filters changes nothing");
    }

    #[test]
    fn unknown_keys_are_dropped() {
        let mut state = state(&[("filter_airline", text("AA")), ("f_flights", text("x"))]);
        assert!(!state.is_active());
        assert!(state.set("filter_airline", Some(text("AA"))).is_empty());
    }

    #[test]
    fn replacing_names_what_was_removed_added_and_changed() {
        let mut state = state(&[("filter_destination", text("ATL"))]);
        let change = state.replace(Filters::from([("filter_period".into(), text("2001-01-01"))]));
        assert!(change.touches(&keys(&["filter_destination"])) && change.touches(&keys(&["filter_period"])));
    }
}
