//! The order of a query's rows and how many are shown.

use super::field::{Choice, bare_select, settled};
use crate::ui::part::{IntoPart, IntoParts, Part};
use leptos::prelude::*;

/// A column, and whether the greatest come first.
pub type By = (String, bool);

/// The selects for the order, at most so many, and the row limit. `columns` are names with labels.
pub fn order(
    columns: &[Choice],
    now: Vec<By>,
    most: usize,
    limit: Option<u32>,
    set: Callback<Vec<By>>,
    set_limit: Callback<Option<u32>>,
) -> Part {
    let places = now.len().saturating_add(1).min(most).min(columns.len());
    let select = |at: usize| {
        let (label, usual) = if at == 0 { ("Order", "Default order") } else { ("Then by", "Nothing else") };
        let before = now.get(..at).unwrap_or_default();
        let free = columns.iter().filter(|(name, _)| !before.iter().any(|(by, _)| by == name));
        let both = |(name, label): &Choice| {
            [(format!("+{name}"), format!("{label}, lowest first")), (format!("-{name}"), format!("{label}, highest first"))]
        };
        let choices = std::iter::once((String::new(), usual.to_owned())).chain(free.flat_map(both)).collect();
        let chosen = now.get(at).map(|(by, descending)| format!("{}{by}", if *descending { '-' } else { '+' }));
        let all = now.clone();
        let choose = move |chosen: String| {
            let by = chosen.get(1..).filter(|by| !by.is_empty()).map(str::to_owned);
            set.run(with(&all, at, by.map(|by| (by, chosen.starts_with('-')))));
        };
        view! {
            <div class="field">
                <span class="filter-label" aria-hidden="true">{label}</span>
                {bare_select(label, choices, chosen.unwrap_or_default(), choose)}
            </div>
        }
        .part()
    };
    let limit = limit.map(|limit| limit.to_string()).unwrap_or_default();
    let change = move |text: String| set_limit.run(text.trim().parse().ok().filter(|limit| *limit > 0));
    view! {
        <div class="builder-line">
            {select(0)}
            <label class="field builder-limit">
                <span class="filter-label">"Row limit"</span>
                <input
                    class="control"
                    type="number"
                    min="1"
                    placeholder="1000"
                    value=limit
                    on:change=settled(change)
                />
            </label>
        </div>
        {(1..places).map(select).parts()}
    }
    .part()
}

/// The orders with another one at a place, or without it. A column stands in one place only.
fn with(now: &[By], at: usize, chosen: Option<By>) -> Vec<By> {
    let (before, after) = now.split_at(at.min(now.len()));
    let is_other = |(by, _): &&By| chosen.as_ref().is_none_or(|(name, _)| name != by);
    let after = after.iter().skip(1).filter(is_other).cloned();
    before.iter().cloned().chain(chosen.clone()).chain(after).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(orders: &[By]) -> Vec<String> {
        orders.iter().map(|(by, descending)| format!("{by}{}", if *descending { " down" } else { "" })).collect()
    }

    #[test]
    fn an_order_is_added_changed_and_removed() {
        let by = |name: &str| (name.to_owned(), false);
        let now = [by("region"), by("month"), by("revenue")];
        assert_eq!(told(&with(&[], 0, Some(("region".to_owned(), true)))), ["region down"]);
        assert_eq!(told(&with(&now[..1], 1, Some(by("month")))), ["region", "month"]);
        assert_eq!(told(&with(&now, 1, None)), ["region", "revenue"]);
        assert_eq!(told(&with(&now, 0, Some(("revenue".to_owned(), true)))), ["revenue down", "month"]);
        assert_eq!(told(&with(&now, 9, Some(by("x")))), ["region", "month", "revenue", "x"]);
    }
}
