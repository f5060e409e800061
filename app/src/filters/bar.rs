//! The `Filters` region: one labelled control per filter of the dashboard.

use super::{
    date_range::DateRangeFilter,
    query,
    select::SelectFilter,
    state,
    typed::{NumberRangeFilter, TextFilter},
};
use crate::ui::part::{IntoPart, IntoParts, Part};
use crate::{tile::board::Board, ui::icons};
use inlay_contract::{
    filter::{Control, FilterValue, OMNIBAR, Scalar},
    page::FilterView,
};
use leptos::prelude::*;

/// The filter bar.
#[component]
pub fn FilterBar(
    /// The dashboard's filters, in order.
    filters: Vec<FilterView>,
) -> impl IntoView {
    let board = Board::here();
    let is_active = move || board.filters.with(state::FilterState::is_active);
    #[cfg(feature = "edit")]
    let tools = crate::edit::filters::tools(&filters);
    #[cfg(not(feature = "edit"))]
    let tools = ().part();
    // Ids are made from the position, since keys may contain any character.
    let controls = filters.into_iter().enumerate().map(|(at, filter)| own(&format!("filter-{at}"), filter)).parts();
    view! {
        <section class="filters" aria-label="Filters">
            {controls}
            {tools}
            {move || omnibar(board)}
            <button type="button" class="button button-quiet filters-clear" hidden=move || !is_active() on:click=move |_| board.clear_filters()>
                "Clear filters"
            </button>
        </section>
    }
    .part()
}

/// A control of one of the dashboard's filters. An editor can remove it.
#[cfg(feature = "edit")]
fn own(id: &str, filter: FilterView) -> Part {
    let key = filter.key.clone();
    let control = control(id, filter);
    view! { <div class="filter-slot" hidden=move || crate::edit::filters::is_gone(&key)>{control}</div> }.part()
}

/// A control of one of the dashboard's filters.
#[cfg(not(feature = "edit"))]
fn own(id: &str, filter: FilterView) -> Part {
    let control = control(id, filter);
    view! { <div class="filter-slot">{control}</div> }.part()
}

/// The control of a filter.
pub fn control(id: &str, filter: FilterView) -> Part {
    let id = id.to_owned();
    match filter.control {
        Control::Select => view! { <SelectFilter id filter /> }.part(),
        Control::DateRange => view! { <DateRangeFilter id filter /> }.part(),
        Control::NumberRange => view! { <NumberRangeFilter id filter /> }.part(),
        Control::Text => view! { <TextFilter id filter /> }.part(),
    }
}

/// The filters that the host set on columns, each as a chip that can be removed.
fn omnibar(board: Board) -> Part {
    let chip = |key: String, value: &FilterValue| {
        let column = column(&key).to_owned();
        let text = summary(value);
        let label = format!("Remove filter {column}");
        view! {
            <span class="chip">
                <span class="chip-label">{column}</span>
                <span class="chip-value">{text}</span>
                <button type="button" class="chip-remove" aria-label=label on:click=move |_| board.set_filter(&key, None)>
                    {icons::cross()}
                </button>
            </span>
        }
    };
    board.filters.with(|filters| {
        let chips = filters.active().iter().filter(|(key, _)| key.starts_with(OMNIBAR) && !has_control(key));
        chips.map(|(key, value)| chip(key.clone(), value)).parts()
    })
}

/// Whether a filter on a column has its own control: an added filter that is not saved.
#[cfg(feature = "edit")]
fn has_control(key: &str) -> bool {
    let has = |editor: crate::edit::Editor| {
        editor.draft.with(|draft| draft.now().filters.iter().any(|filter| filter.view.key == key))
    };
    crate::edit::Editor::here().is_some_and(has)
}

/// This wasm has no editing tools, so no filters are added.
#[cfg(not(feature = "edit"))]
const fn has_control(_: &str) -> bool {
    false
}

/// The label of a filter on a column that the dashboard has no filter for: the column's name.
#[must_use]
pub fn column(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// A short text for a value.
pub fn summary(value: &FilterValue) -> String {
    match value {
        FilterValue::AnyOf(values) if values.len() > 2 => format!("{} selected", values.len()),
        FilterValue::AnyOf(values) => values.iter().map(word).collect::<Vec<_>>().join(", "),
        FilterValue::Range { from, to } => {
            let end = |end: &Option<Scalar>| end.as_ref().map(word).unwrap_or_default();
            format!("{} – {}", end(from), end(to))
        }
        FilterValue::Relative(period) => super::period::words(*period),
    }
}

/// The text of one scalar.
pub fn word(scalar: &Scalar) -> String {
    match scalar {
        Scalar::Text(text) if text.is_empty() => "(empty)".to_owned(),
        Scalar::Text(text) => text.clone(),
        Scalar::Number(number) => number.to_string(),
        Scalar::Boolean(true) => "Yes".to_owned(),
        Scalar::Boolean(false) => "No".to_owned(),
    }
}

/// The active filters as a query string for the host.
#[must_use]
pub fn search(board: Board) -> String {
    board.filters.with(|filters| query::write(filters.active()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_summed_up_in_a_few_words() {
        let words = |json| summary(&FilterValue::from_json(json).expect("a filter"));
        assert_eq!(words(json!("ATL")), "ATL");
        assert_eq!(words(json!(["ATL", "LAX"])), "ATL, LAX");
        assert_eq!(words(json!(["ATL", "LAX", "ORD"])), "3 selected");
        assert_eq!(words(json!(["", true])), "(empty), Yes");
        assert_eq!(words(json!({"from": 5})), "5 – ");
        assert_eq!(words(json!({"relative": "last_7_days"})), "Last 7 days");
    }
}
