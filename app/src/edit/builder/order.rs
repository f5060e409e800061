//! The order of a query's rows and how many are shown.

use super::field::{Choice, bare_select};
use crate::ui::part::{IntoPart, Part};
use leptos::prelude::*;

/// The selects for the order and the row limit. `columns` are names with labels, `now` is the column of the order and whether the
/// greatest come first.
pub fn order(
    columns: Vec<Choice>,
    now: Option<&(String, bool)>,
    limit: Option<u32>,
    set: Callback<Option<(String, bool)>>,
    set_limit: Callback<Option<u32>>,
) -> Part {
    let usual = (String::new(), "Default order".to_owned());
    let both = |(name, label): Choice| {
        [(format!("+{name}"), format!("{label}, lowest first")), (format!("-{name}"), format!("{label}, highest first"))]
    };
    let choices = std::iter::once(usual).chain(columns.into_iter().flat_map(both)).collect();
    let now = now.map(|(by, descending)| format!("{}{by}", if *descending { '-' } else { '+' })).unwrap_or_default();
    let choose = move |chosen: String| {
        let by = chosen.get(1..).filter(|by| !by.is_empty()).map(str::to_owned);
        set.run(by.map(|by| (by, chosen.starts_with('-'))));
    };
    let limit = limit.map(|limit| limit.to_string()).unwrap_or_default();
    let change = move |text: String| set_limit.run(text.trim().parse().ok().filter(|limit| *limit > 0));
    view! {
        <div class="builder-line">
            <div class="field">
                <span class="filter-label" aria-hidden="true">"Order"</span>
                {bare_select("Order", choices, now, choose)}
            </div>
            <label class="field builder-limit">
                <span class="filter-label">"Row limit"</span>
                <input
                    class="control"
                    type="number"
                    min="1"
                    placeholder="1000"
                    value=limit
                    on:change=move |event| change(event_target_value(&event))
                />
            </label>
        </div>
    }
    .part()
}
