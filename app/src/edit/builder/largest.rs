//! How many of a chart's groups are shown, the largest first, and whether the rest is shown as one.

use super::{
    Builder,
    built::Built,
    field::{settled, switch},
    rest,
};
use crate::ui::part::{IntoPart, Part};
use inlay_contract::chart::definition::ChartType;
use leptos::prelude::*;
use serde_json::json;

/// Whether a type has the option.
pub fn is_for(kind: ChartType) -> bool {
    matches!(kind, ChartType::Bar | ChartType::Line | ChartType::Area | ChartType::Combo | ChartType::Pie | ChartType::Donut)
}

/// The number of groups, and the switch for the rest.
pub fn field(builder: Builder) -> Part {
    let limit = |built: &Built| built.options.get("limit").and_then(serde_json::Value::as_u64);
    let is_limited = Memo::new(move |_| builder.built.with(|built| limit(built).is_some()));
    let adds = Memo::new(move |_| {
        let model = builder.model();
        builder.built.with(|built| rest::adds_up(&built.query, model.as_ref()))
    });
    let change = move |text: String| match text.trim().parse().ok().filter(|limit: &u64| *limit > 0) {
        Some(limit) => {
            builder.set_option("limit", Some(json!(limit)));
            if !adds.get_untracked() {
                builder.set_option("others", Some(json!(false)));
            }
        }
        None => {
            builder.set_option("limit", None);
            builder.set_option("others", None);
        }
    };
    let others = move || {
        is_limited.get().then(|| {
            if adds.get() {
                let shown = builder.built.with_untracked(|built| built.options.get("others") != Some(&json!(false)));
                switch("The rest as Other", shown, move |on| builder.set_option("others", (!on).then(|| json!(false))))
            } else {
                view! { <p class="field-note">"The rest is left out: its numbers cannot be added up."</p> }.part()
            }
        })
    };
    view! {
        <label class="field">
            <span class="filter-label">"Show the largest"</span>
            <input
                class="control"
                type="number"
                min="1"
                placeholder="All"
                value=builder.built.with_untracked(limit).map(|limit| limit.to_string()).unwrap_or_default()
                on:change=settled(change)
            />
        </label>
        {others}
    }
    .part()
}
