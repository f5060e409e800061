//! The numbers of a chart: measures, calculations of its own, and conditions on them.

use super::{
    calculation::{self, Kind},
    choices,
};
use crate::{
    edit::builder::{
        Builder,
        field::{self, Choice, adder, bare_select, group_of, line},
        kinds::Columns,
    },
    ui::part::{IntoPart, Part},
};
use inlay_contract::{
    chart::question::Comparison,
    format::NumberStyle,
    model::{Metric, ModelHaving, ModelQuery, OfferedModel},
};
use leptos::prelude::*;
use std::rc::Rc;

/// What people read instead of a number's name.
pub fn label_of(model: &OfferedModel, query: &ModelQuery, name: &str) -> String {
    let known = model.numbers.iter().find(|number| number.name == name).map(|number| number.label.clone());
    let own = || query.metrics.get(name).and_then(|metric| metric.label.clone());
    let gathered = || query.aggregates.get(name).and_then(|measure| measure.label.clone());
    known.or_else(own).or_else(gathered).unwrap_or_else(|| name.to_owned())
}

/// The columns of the measures and of their earlier period, with labels.
pub fn columns(model: &OfferedModel, query: &ModelQuery) -> Vec<Choice> {
    let labels = || query.measures.iter().map(|name| label_of(model, query, name));
    let columns = Columns::from(query);
    let previous = columns.previous.into_iter().zip(labels().map(|label| format!("{label}, period before")));
    columns.values.into_iter().zip(labels()).chain(previous).collect()
}

/// The measures and calculations that the chart shows.
pub fn measures(builder: Builder, model: &OfferedModel, query: &ModelQuery) -> Part {
    let line_of = |(at, name): (usize, &String)| {
        let metric = query.metrics.get(name);
        match metric.and_then(|metric| Some((metric, Kind::of(metric)?))) {
            Some((metric, kind)) => calculation(builder, model, query, name, metric, kind),
            None => measure(builder, model, query, at, name),
        }
    };
    let rows = query.measures.iter().enumerate().map(line_of).collect();
    let free = choices::free_measure(model, query).map(|number| number.name.clone());
    let add = adder("Add measure", move || {
        if let Some(free) = free.clone() {
            builder.mean(|query| query.measures.push(free));
        }
    });
    let (name, first) = (calculation::free_name(model, query), measured(model, query).into_iter().next());
    let calculate = first.map(|(first, _)| {
        adder("Add calculation", move || {
            let label = Some(name.replacen("calculation", "Calculation", 1).replace('_', " "));
            let metric = Metric { label, ..Kind::Formula.metric(&first, &first) };
            builder.mean(|query| {
                query.metrics.insert(name.clone(), metric);
                query.measures.push(name.clone());
            });
        })
    });
    group_of("Measures", rows, view! { {add} {calculate} }.part())
}

fn measure(builder: Builder, model: &OfferedModel, query: &ModelQuery, at: usize, name: &str) -> Part {
    // A measure stands once in a query.
    let others = model.numbers.iter().filter(|number| number.name == name || !query.measures.contains(&number.name));
    let mut choices: Vec<Choice> = others.map(|number| (number.name.clone(), number.label.clone())).collect();
    if !choices.iter().any(|(known, _)| known == name) {
        choices.insert(0, (name.to_owned(), label_of(model, query, name)));
    }
    let set = move |name: String| builder.mean(|query| query.measures[at] = name);
    let remove = move || builder.mean(|query| drop(query.measures.remove(at)));
    line(bare_select("Measure", choices, name.to_owned(), set), "measure", remove)
}

/// The measures that a calculation can be made of: those of the chart first.
fn measured(model: &OfferedModel, query: &ModelQuery) -> Vec<Choice> {
    let shown = query.measures.iter().filter(|name| !query.metrics.contains_key(*name));
    let shown = shown.map(|name| (name.clone(), label_of(model, query, name)));
    let others = model.numbers.iter().filter(|number| !query.measures.contains(&number.name));
    shown.chain(others.map(|number| (number.name.clone(), number.label.clone()))).collect()
}

/// A calculation of the chart.
#[derive(Clone)]
struct Calculated {
    builder: Builder,
    name: Rc<str>,
}

impl Calculated {
    /// Changes its metric as it is by then.
    fn change(&self, change: impl FnOnce(&mut Metric)) {
        self.builder.mean(|query| {
            if let Some(metric) = query.metrics.get_mut(&*self.name) {
                change(metric);
            }
        });
    }

    /// A handler that changes its metric by a value.
    fn by<T>(&self, set: impl Fn(&mut Metric, T) + 'static) -> impl Fn(T) + 'static {
        let own = self.clone();
        move |value| own.change(|metric| set(metric, value))
    }
}

/// A calculation: its name and kind, and below what it is made of.
fn calculation(builder: Builder, model: &OfferedModel, query: &ModelQuery, name: &str, metric: &Metric, kind: Kind) -> Part {
    let own = Calculated { builder, name: name.into() };
    let choices = measured(model, query);
    let call = |metric: &mut Metric, label: String| {
        metric.label = Some(label.trim().to_owned()).filter(|label| !label.is_empty());
    };
    let kinds = Kind::ALL.iter().map(|kind| (kind.label().to_owned(), kind.label().to_owned())).collect();
    let names: Vec<String> = choices.iter().map(|(name, _)| name.clone()).collect();
    let turn = move |metric: &mut Metric, chosen: String| {
        if let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.label() == chosen) {
            *metric = calculation::turned(metric, kind, &names);
        }
    };
    let head = view! {
        {field::text("Name of the calculation", "Name", metric.label.clone().unwrap_or_default(), own.by(call))}
        {bare_select("Calculation", kinds, kind.label().to_owned(), own.by(turn))}
    };
    let parts = parts_of(&own, metric, &choices);
    let remove = move || builder.mean(|query| query.measures.retain(|measure| **measure != *own.name));
    field::block("calculation", head.part(), parts, remove)
}

/// The fields of what a calculation is made of.
fn parts_of(own: &Calculated, metric: &Metric, measures: &[Choice]) -> Part {
    let of = |label: &str, now: &str, set: fn(&mut Metric, String)| {
        let mut choices = measures.to_vec();
        if !choices.iter().any(|(name, _)| name == now) {
            choices.insert(0, (now.to_owned(), now.to_owned()));
        }
        bare_select(label, choices, now.to_owned(), own.by(set))
    };
    if let Some(formula) = &metric.formula {
        return formula_of(own, metric, formula, measures);
    }
    if let Some([first, second]) = &metric.ratio {
        let above = of("Measure above", first, |metric, name| {
            if let Some([above, _]) = &mut metric.ratio {
                *above = name;
            }
        });
        let below = of("Measure below", second, |metric, name| {
            if let Some([_, below]) = &mut metric.ratio {
                *below = name;
            }
        });
        let over = view! { <span class="builder-over" aria-hidden="true">"÷"</span> };
        return view! { {above} {over} {below} {format_of(own, metric)} }.part();
    }
    if let Some(share) = &metric.share {
        return of("Share of", &share.of, |metric, name| {
            if let Some(share) = &mut metric.share {
                share.of = name;
            }
        });
    }
    if let Some(running) = &metric.running {
        return of("Total of", running, |metric, name| metric.running = Some(name));
    }
    let Some(moving) = &metric.moving else { return ().part() };
    let measure = of("Average of", &moving.of, |metric, name| {
        if let Some(moving) = &mut metric.moving {
            moving.of = name;
        }
    });
    let periods = own.by(|metric: &mut Metric, typed: String| {
        if let (Some(moving), Ok(periods)) = (&mut metric.moving, typed.trim().parse()) {
            moving.periods = periods;
        }
    });
    view! { {measure} {field::number("Periods", moving.periods.to_string(), periods)} }.part()
}

/// A formula, with a select that puts a measure behind it.
fn formula_of(own: &Calculated, metric: &Metric, formula: &str, measures: &[Choice]) -> Part {
    let write = own.by(|metric: &mut Metric, typed: String| metric.formula = Some(typed.trim().to_owned()));
    let follow = own.by(|metric: &mut Metric, name: String| {
        if let Some(formula) = metric.formula.as_mut().filter(|_| !name.is_empty()) {
            *formula = calculation::followed(formula, &name);
        }
    });
    let named = measures.iter().map(|(name, label)| {
        let text = if name == label { name.clone() } else { format!("{label} ({name})") };
        (name.clone(), text)
    });
    let choices = std::iter::once((String::new(), "Insert measure".to_owned())).chain(named).collect();
    view! {
        {field::text("Formula", "(revenue - refunds) / orders", formula.to_owned(), write)}
        {bare_select("Insert measure", choices, String::new(), follow)}
        {format_of(own, metric)}
    }
    .part()
}

/// How a calculation's values are written.
fn format_of(own: &Calculated, metric: &Metric) -> Part {
    const OWN: &str = "own";
    let (now, kept) = match &metric.format {
        None => ("", None),
        Some(format) if format.style == NumberStyle::Percent => ("percent", None),
        Some(_) => (OWN, Some((OWN, "Own format"))),
    };
    let choices = [("", "Number"), ("percent", "Percent")].into_iter().chain(kept);
    let choices = choices.map(|(key, text)| (key.to_owned(), text.to_owned())).collect();
    let set = own.by(|metric: &mut Metric, chosen: String| match &*chosen {
        "percent" => metric.format = Some(calculation::percent()),
        OWN => {}
        _ => metric.format = None,
    });
    bare_select("Shown as", choices, now.to_owned(), set)
}

/// The conditions on measures: which rows of the answer are kept.
pub fn conditions(builder: Builder, model: &OfferedModel, query: &ModelQuery) -> Option<Part> {
    let columns = columns(model, query);
    let first = columns.first()?.0.clone();
    let line_of = |(at, having): (usize, &ModelHaving)| {
        let measure = move |name: String| builder.mean(|query| query.having[at].measure = name);
        let compare = move |sign: String| {
            if let Some(comparison) = Comparison::ALL.into_iter().find(|one| one.sign() == sign) {
                builder.mean(|query| query.having[at].comparison = comparison);
            }
        };
        let than = move |typed: String| {
            if let Ok(than) = typed.trim().parse::<f64>() {
                builder.mean(|query| query.having[at].than = than);
            }
        };
        let signs = Comparison::ALL.iter().map(|one| (one.sign().to_owned(), format!("is {}", one.words()))).collect();
        let content = view! {
            {bare_select("Measure of the condition", columns.clone(), having.measure.clone(), measure)}
            {bare_select("Comparison", signs, having.comparison.sign().to_owned(), compare)}
            {field::number("Than", having.than.to_string(), than)}
        };
        line(content.part(), "condition on a measure", move || builder.mean(|query| drop(query.having.remove(at))))
    };
    let rows = query.having.iter().enumerate().map(line_of).collect();
    Some(field::group("Conditions on measures", rows, "Limit a measure", move || {
        let having = ModelHaving { measure: first.clone(), comparison: Comparison::Above, than: 0.0 };
        builder.mean(|query| query.having.push(having));
    }))
}
