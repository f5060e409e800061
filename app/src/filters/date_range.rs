//! A date range: a select of relative periods, and two date inputs.

use super::{
    period::{self, End, OFFERED},
    state::full_key,
};
use crate::tile::board::Board;
use crate::ui::part::{IntoPart, IntoParts, Part};
use inlay_contract::{
    filter::{FilterValue, Period},
    page::FilterView,
};
use leptos::prelude::*;

/// The option for two dates of the viewer's choice.
const CUSTOM: &str = "custom";

/// A date range filter.
#[component]
pub fn DateRangeFilter(
    /// Unique on the page.
    id: String,
    /// The filter.
    filter: FilterView,
) -> impl IntoView {
    let board = Board::here();
    let key = StoredValue::new(full_key(&filter));
    let value = Memo::new(move |_| board.filters.with(|filters| filters.active().get(&key.get_value()).cloned()));
    let relative = move || match value.get() {
        Some(FilterValue::Relative(period)) => Some(period),
        _ => None,
    };
    let selected = move || match value.get() {
        None => String::new(),
        Some(FilterValue::Relative(period)) => period.to_string(),
        Some(_) => CUSTOM.to_owned(),
    };
    let from = move || period::inputs(value.get().as_ref()).0;
    let to = move || period::inputs(value.get().as_ref()).1;
    let set = move |value| board.set_filter(&key.get_value(), value);
    let on_period = move |text: String| match text.parse::<Period>() {
        Ok(period) => set(Some(FilterValue::Relative(period))),
        Err(_) if text.is_empty() => set(None),
        // The two inputs set custom dates.
        Err(_) => {}
    };
    let label = filter.label;
    view! {
        <div class="filter date-range" class:filter-active=move || value.get().is_some() role="group" aria-labelledby=id.clone()>
            <span class="filter-label" id=id.clone()>{label.clone()}</span>
            <div class="joined">
                <select
                    class="control"
                    aria-label=format!("{label} period")
                    prop:value=selected
                    on:change=move |event| on_period(event_target_value(&event))
                >
                    {untrack(|| periods(relative(), &selected()))}
                </select>
                <input
                    class="control"
                    type="date"
                    aria-label=format!("{label} from")
                    value=from
                    prop:value=from
                    on:change=move |event| set(period::changed(End::From, &event_target_value(&event), &untrack(to)))
                />
                <span class="joined-dash" aria-hidden="true">"–"</span>
                <input
                    class="control"
                    type="date"
                    aria-label=format!("{label} to")
                    value=to
                    prop:value=to
                    on:change=move |event| set(period::changed(End::To, &untrack(from), &event_target_value(&event)))
                />
            </div>
        </div>
    }
    .part()
}

/// The options: the offered periods, plus the current one if it is not among them.
fn periods(current: Option<Period>, selected: &str) -> Part {
    let option = |value: String, text: String| {
        let is_selected = value == selected;
        view! { <option value=value selected=is_selected>{text}</option> }.part()
    };
    let other = current.filter(|current| !OFFERED.contains(current));
    let offered = OFFERED.into_iter().chain(other).map(|period| option(period.to_string(), period::words(period)));
    let fixed = [option(String::new(), "All time".to_owned()), option(CUSTOM.to_owned(), "Custom".to_owned())];
    fixed.into_iter().chain(offered).parts()
}
