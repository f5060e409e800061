//! The chart's name and options.

use super::{
    Builder,
    field::{Choice, bare_select, switch},
    largest,
};
use crate::ui::part::{IntoPart, IntoParts, Part};
use inlay_contract::chart::definition::ChartType;
use leptos::prelude::*;
use serde_json::{Value, json};

/// The chart's name.
pub fn title(builder: Builder) -> Part {
    view! {
        <label class="field">
            <span class="filter-label">"Name"</span>
            <input
                class="control"
                type="text"
                maxlength="512"
                autocomplete="off"
                placeholder="Untitled chart"
                value=builder.built.with_untracked(|built| built.title.clone())
                on:input=move |event| builder.change(|built| built.title = event_target_value(&event))
            />
        </label>
    }
    .part()
}

/// The options of the chart's type.
pub fn options(builder: Builder) -> Part {
    let kind = Memo::new(move |_| builder.built.with(|built| built.kind));
    let fields = move || of_kind(builder, kind.get());
    view! { <div class="builder-options">{fields}</div> }.part()
}

fn of_kind(builder: Builder, kind: ChartType) -> Part {
    let option = move |name: &str| builder.built.with_untracked(|built| built.options.get(name).cloned()).unwrap_or_default();
    let flag = |label: &str, name: &'static str| {
        switch(label, option(name) == json!(true), move |on| builder.set_option(name, on.then(|| json!(true))))
    };
    let mut fields: Vec<Part> = Vec::new();
    if matches!(kind, ChartType::Bar | ChartType::Area) {
        let choices = [("", "Grouped"), ("true", "Stacked"), ("percent", "100% stacked")];
        let now = match option("stacked") {
            Value::Bool(true) => "true",
            Value::String(text) if text == "percent" => "percent",
            _ => "",
        };
        let choose = move |chosen: String| {
            let value = match chosen.as_str() {
                "true" => Some(json!(true)),
                "percent" => Some(json!("percent")),
                _ => None,
            };
            builder.set_option("stacked", value);
        };
        fields.push(labelled("Stacking", bare_select("Stacking", texts(&choices), now.to_owned(), choose)));
    }
    if !matches!(kind, ChartType::Text | ChartType::Table) {
        fields.push(labelled("Numbers", numbers(builder, &option("format"))));
    }
    if largest::is_for(kind) {
        fields.push(largest::field(builder));
    }
    if kind == ChartType::Bar {
        fields.push(flag("Horizontal bars", "horizontal"));
    }
    if matches!(kind, ChartType::Line | ChartType::Area) {
        fields.push(flag("Smooth lines", "smooth"));
    }
    if matches!(kind, ChartType::Bar | ChartType::Waterfall) {
        fields.push(flag("Show values", "valueLabels"));
    }
    if kind == ChartType::Number {
        fields.push(flag("Lower is better", "lowerIsBetter"));
    }
    if matches!(kind, ChartType::Table | ChartType::Pivot) {
        fields.push(flag("Show totals", "total"));
    }
    fields.into_iter().parts()
}

/// The format of numbers.
fn numbers(builder: Builder, format: &Value) -> Part {
    let choices = [
        ("", "Automatic"),
        ("compact", "Compact (1.2K)"),
        ("percent", "Percent"),
        ("USD", "US dollars"),
        ("EUR", "Euros"),
        ("GBP", "Pounds"),
    ];
    let now = match (format["style"].as_str(), format["currency"].as_str()) {
        (Some("currency"), Some(currency)) => currency,
        (Some(style), _) => style,
        (None, _) => "",
    };
    bare_select("Numbers", texts(&choices), now.to_owned(), move |chosen| {
        let value = match chosen.as_str() {
            "" => None,
            style @ ("compact" | "percent") => Some(json!({ "style": style })),
            currency => Some(json!({ "style": "currency", "currency": currency })),
        };
        builder.set_option("format", value);
    })
}

fn labelled(label: &str, control: Part) -> Part {
    view! { <div class="field"><span class="filter-label" aria-hidden="true">{label.to_owned()}</span>{control}</div> }.part()
}

fn texts(choices: &[(&str, &str)]) -> Vec<Choice> {
    choices.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect()
}
