//! Filters with text inputs: a range of numbers, and a text.

use super::state::full_key;
use crate::tile::board::Board;
use crate::ui::part::IntoPart;
use inlay_contract::{
    filter::{FilterValue, Scalar},
    page::FilterView,
};
use leptos::prelude::*;
use serde_json::Number;

/// A range of numbers. The upper end is exclusive.
#[component]
pub fn NumberRangeFilter(
    /// Unique on the page.
    id: String,
    /// The filter.
    filter: FilterView,
) -> impl IntoView {
    let board = Board::here();
    let key = StoredValue::new(full_key(&filter));
    let value = Memo::new(move |_| board.filters.with(|filters| filters.active().get(&key.get_value()).cloned()));
    let from = move || ends(value.get().as_ref()).0;
    let to = move || ends(value.get().as_ref()).1;
    let set = move |from: &str, to: &str| board.set_filter(&key.get_value(), range(from, to));
    let label = filter.label;
    view! {
        <div class="filter number-range" class:filter-active=move || value.get().is_some() role="group" aria-labelledby=id.clone()>
            <span class="filter-label" id=id.clone()>{label.clone()}</span>
            <div class="joined">
                <input
                    class="control"
                    type="number"
                    step="any"
                    placeholder="From"
                    aria-label=format!("{label} from")
                    value=from
                    prop:value=from
                    on:change=move |event| set(&event_target_value(&event), &untrack(to))
                />
                <span class="joined-dash" aria-hidden="true">"–"</span>
                <input
                    class="control"
                    type="number"
                    step="any"
                    placeholder="To"
                    aria-label=format!("{label} to")
                    value=to
                    prop:value=to
                    on:change=move |event| set(&untrack(from), &event_target_value(&event))
                />
            </div>
        </div>
    }
    .part()
}

/// A text that the column must equal.
#[component]
pub fn TextFilter(
    /// Unique on the page.
    id: String,
    /// The filter.
    filter: FilterView,
) -> impl IntoView {
    let board = Board::here();
    let key = StoredValue::new(full_key(&filter));
    let value = move || {
        board.filters.with(|filters| filters.active().get(&key.get_value()).map(super::words::summary)).unwrap_or_default()
    };
    let set = move |text: String| {
        let text = text.trim().to_owned();
        board.set_filter(&key.get_value(), (!text.is_empty()).then(|| FilterValue::AnyOf(vec![Scalar::Text(text)])));
    };
    view! {
        <div class="filter" class:filter-active=move || !value().is_empty()>
            <label class="filter-label" for=id.clone()>{filter.label}</label>
            <input
                id=id
                class="control"
                type="text"
                autocomplete="off"
                placeholder="Any"
                value=value
                prop:value=value
                on:change=move |event| set(event_target_value(&event))
            />
        </div>
    }
    .part()
}

fn ends(value: Option<&FilterValue>) -> (String, String) {
    let text = |end: &Option<Scalar>| match end {
        Some(Scalar::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    match value {
        Some(FilterValue::Range { from, to }) => (text(from), text(to)),
        _ => Default::default(),
    }
}

fn range(from: &str, to: &str) -> Option<FilterValue> {
    let end = |text: &str| text.trim().parse::<Number>().ok().map(Scalar::Number);
    let (from, to) = (end(from), end(to));
    (from.is_some() || to.is_some()).then_some(FilterValue::Range { from, to })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_become_a_range_with_open_ends() {
        let json = |from, to| range(from, to).map(|value| value.to_json());
        assert_eq!(json("5", "12.5"), Some(json!({"from": 5, "to": 12.5})));
        assert_eq!(json("", "-3"), Some(json!({"to": -3})));
        assert_eq!(json("", "x"), None);
        assert_eq!(ends(range("5", "").as_ref()), ("5".into(), String::new()));
    }
}
