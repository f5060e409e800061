//! The `Filters` region: one labelled control per filter of the dashboard.

use super::{
    date_range::DateRangeFilter,
    select::SelectFilter,
    state,
    typed::{NumberRangeFilter, TextFilter},
    views::SavedViews,
    words::summary,
};
use crate::ui::part::{IntoPart, IntoParts, Part};
use crate::{tile::board::Board, ui::icons};
use inlay_contract::{
    filter::{Control, FilterValue, OMNIBAR},
    page::{FilterView, SavedView},
};
use leptos::prelude::*;

/// The filter bar.
#[component]
pub fn FilterBar(
    /// The dashboard's filters, in order.
    filters: Vec<FilterView>,
    /// The viewer's saved views of it.
    views: Vec<SavedView>,
) -> impl IntoView {
    let board = Board::here();
    let is_active = move || board.filters.with(state::FilterState::is_active);
    #[cfg(feature = "edit")]
    let added = use_context::<FilterTools>().map(|tools| (tools.added)(&filters)).part();
    #[cfg(not(feature = "edit"))]
    let added = ().part();
    let has_control = has_control();
    // Ids are made from the position, since keys may contain any character.
    let has_views = !filters.is_empty();
    let views = has_views.then(|| view! { <SavedViews views /> });
    let controls = filters.into_iter().enumerate().map(|(at, filter)| own(&format!("filter-{at}"), filter)).parts();
    view! {
        <section class="filters" aria-label="Filters">
            {controls}
            {added}
            {move || omnibar(board, has_control)}
            <div class="filters-tools" hidden=move || !has_views && !is_active()>
                {views}
                <button type="button" class="button button-quiet filters-clear" hidden=move || !is_active() on:click=move |_| board.clear_filters()>
                    "Clear filters"
                </button>
            </div>
        </section>
    }
    .part()
}

/// What the editing tools add to the filters. Provided as context on dashboards that the viewer may edit.
#[cfg(feature = "edit")]
#[derive(Clone, Copy)]
pub struct FilterTools {
    /// The added filters and the buttons, given the dashboard's own filters.
    pub added: fn(&[FilterView]) -> Part,
    /// Whether a filter was removed. Tracked.
    pub is_gone: fn(&str) -> bool,
    /// Whether a filter on a column was added and has a control of its own. Tracked.
    pub is_added: fn(&str) -> bool,
}

/// A control of one of the dashboard's filters. An editor can remove it.
#[cfg(feature = "edit")]
fn own(id: &str, filter: FilterView) -> Part {
    let key = filter.key.clone();
    let control = control(id, filter);
    let tools = use_context::<FilterTools>();
    view! { <div class="filter-slot" hidden=move || tools.is_some_and(|tools| (tools.is_gone)(&key))>{control}</div> }.part()
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
fn omnibar(board: Board, has_control: impl Fn(&str) -> bool) -> Part {
    let chip = |key: String, value: &FilterValue| {
        let column = board.label(&key);
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
fn has_control() -> impl Fn(&str) -> bool + Copy {
    let tools = use_context::<FilterTools>();
    move |key| tools.is_some_and(|tools| (tools.is_added)(key))
}

/// This wasm has no editing tools, so no filters are added.
#[cfg(not(feature = "edit"))]
fn has_control() -> impl Fn(&str) -> bool + Copy {
    |_| false
}
