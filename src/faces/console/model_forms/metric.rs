//! A metric in a form.

use super::texts::{Texts, chosen, format, format_in_draft, name_of, names, text};
use crate::{
    faces::console::{defaults, submission::Typed},
    ground::{error::Result, problems::Problems},
};
use inlay_console::{
    Draft,
    pages::semantic_model::{Condition, MetricKind, of_filter},
};
use inlay_contract::{
    chart::question::Grain,
    model::{Metric, ModelFilter, Moving, Only, ToDate, Whole},
};
use std::collections::BTreeSet;

/// The kind of a metric.
pub(super) const fn kind_of(metric: &Metric) -> MetricKind {
    match metric {
        Metric { ratio: Some(_), .. } => MetricKind::Ratio,
        Metric { running: Some(_), .. } => MetricKind::Running,
        Metric { to_date: Some(_), .. } => MetricKind::ToDate,
        Metric { moving: Some(_), .. } => MetricKind::Moving,
        Metric { total: Some(_), .. } => MetricKind::Total,
        Metric { share: Some(_), .. } => MetricKind::Share,
        Metric { only: Some(_), .. } => MetricKind::Only,
        _ => MetricKind::Formula,
    }
}

/// The kind with a name.
pub(super) fn kind_named(name: &str) -> Option<MetricKind> {
    MetricKind::ALL.into_iter().find(|kind| kind.name() == name)
}

/// The values of the form.
pub(super) fn draft_of(metric: &Metric) -> Draft {
    let mut draft = Draft::default();
    let Metric { ratio, formula, running, to_date, moving, total, share, only, .. } = metric;
    for (at, number) in ratio.iter().flatten().enumerate() {
        draft = draft.with(&format!("ratio.{at}"), number);
    }
    draft = draft.with("formula", formula.clone().unwrap_or_default());
    let whole = total.as_ref().or(share.as_ref());
    let to_date_of = to_date.as_ref().map(|to_date| &to_date.of);
    let moving_of = moving.as_ref().map(|moving| &moving.of);
    let of = running.as_ref().or(to_date_of).or(moving_of).or(whole.map(|whole| &whole.of));
    draft = draft.with("of", of.or(only.as_ref().map(|only| &only.of)).cloned().unwrap_or_default());
    draft = draft.with("grain", to_date.as_ref().map(|to_date| name_of(&to_date.grain)).unwrap_or_default());
    draft = draft.with("periods", moving.as_ref().map(|moving| moving.periods.to_string()).unwrap_or_default());
    draft = draft.with("within", whole.map(|whole| whole.within.join(", ")).unwrap_or_default());
    for (number, filter) in only.iter().flat_map(|only| &only.filters).enumerate() {
        let field = |part: &str| format!("filters.{number}.{part}");
        draft = if is_plain(filter) {
            draft
                .with(&field("dimension"), &filter.dimension)
                .with(&field("value"), defaults::lines(&filter.value))
                .with(&field("not"), if filter.not { "on" } else { "" })
        } else {
            draft.with(&field("kept"), serde_json::to_string(filter).unwrap_or_default())
        };
    }
    format_in_draft(texts(metric).in_draft(draft, ""), metric.format.as_ref(), metric.lower_is_better)
}

/// Whether the fields of a condition can express it.
const fn is_plain(filter: &ModelFilter) -> bool {
    filter.via.is_none() && filter.cycle.is_none() && !filter.newest
}

fn texts(metric: &Metric) -> Texts<'_> {
    Texts { label: metric.label.as_ref(), description: metric.description.as_ref(), synonyms: &metric.synonyms }
}

/// The rows of conditions for a draft, with an empty one at the end.
pub(super) fn conditions(draft: &Draft, typed: usize) -> Vec<Condition> {
    let row = |number: usize| {
        let kept = draft.value(&format!("filters.{number}.kept"));
        match serde_json::from_str::<ModelFilter>(kept) {
            Ok(filter) => Condition::Kept(of_filter(&filter)),
            Err(_) => Condition::Typed,
        }
    };
    (0..typed).map(row).chain([Condition::Typed]).collect()
}

/// Reads a metric of a kind.
///
/// # Errors
/// 400 with each field that cannot be read.
pub(super) fn read(typed: &Typed, kind: MetricKind, old: Option<&Metric>) -> Result<Metric> {
    let mut problems = Problems::default();
    let mut metric = made(typed, kind, old, &mut problems);
    metric.format = format(typed, old.and_then(|old| old.format.as_ref()), &mut problems);
    problems.finish()?;
    let typed_texts = old.map(texts).unwrap_or_default().typed(typed, "");
    Ok(Metric {
        label: typed_texts.label,
        description: typed_texts.description,
        synonyms: typed_texts.synonyms,
        lower_is_better: typed.ticked("lowerIsBetter"),
        ..metric
    })
}

fn made(typed: &Typed, kind: MetricKind, old: Option<&Metric>, problems: &mut Problems) -> Metric {
    let mut required = |name: &str| {
        if typed.given(name).is_none() {
            problems.add(name, "is required");
        }
        typed.get(name).to_owned()
    };
    let within = |old: Option<&Whole>| names(typed, "within", old.map(|old| old.within.as_slice()).unwrap_or_default());
    let plain = Metric::default();
    match kind {
        MetricKind::Ratio => Metric { ratio: Some([required("ratio.0"), required("ratio.1")]), ..plain },
        MetricKind::Formula => {
            required("formula");
            let formula = text(typed, "formula", old.and_then(|old| old.formula.as_ref()));
            Metric { formula: Some(formula.unwrap_or_default()), ..plain }
        }
        MetricKind::Running => Metric { running: Some(required("of")), ..plain },
        MetricKind::ToDate => {
            let of = required("of");
            let grain = chosen::<Grain>(typed, "grain", problems).unwrap_or(Grain::Year);
            Metric { to_date: Some(ToDate { of, grain }), ..plain }
        }
        MetricKind::Moving => {
            let of = required("of");
            let periods = typed.get("periods").parse().unwrap_or_else(|_| {
                problems.add("periods", "must be a whole number from 2 to 1,000");
                0
            });
            Metric { moving: Some(Moving { of, periods }), ..plain }
        }
        MetricKind::Total => {
            let within = within(old.and_then(|old| old.total.as_ref()));
            Metric { total: Some(Whole { of: required("of"), within }), ..plain }
        }
        MetricKind::Share => {
            let within = within(old.and_then(|old| old.share.as_ref()));
            Metric { share: Some(Whole { of: required("of"), within }), ..plain }
        }
        MetricKind::Only => {
            let of = required("of");
            Metric { only: Some(Only { of, filters: filters(typed, problems) }), ..plain }
        }
    }
}

/// The numbers of the rows of conditions.
pub(super) fn rows<'n>(names: impl Iterator<Item = &'n str>) -> BTreeSet<usize> {
    names.filter_map(|name| name.strip_prefix("filters.")?.split('.').next()?.parse().ok()).collect()
}

fn filters(typed: &Typed, problems: &mut Problems) -> Vec<ModelFilter> {
    let mut filters = Vec::new();
    for number in rows(typed.names()) {
        let field = |part: &str| format!("filters.{number}.{part}");
        if let Some(kept) = typed.given(&field("kept")) {
            match serde_json::from_str(kept) {
                Ok(filter) if !typed.ticked(&field("remove")) => filters.push(filter),
                Ok(_) => {}
                Err(_) => problems.add(&field("dimension"), "cannot be read"),
            }
            continue;
        }
        let Some(dimension) = typed.given(&field("dimension")) else {
            if typed.given(&field("value")).is_some() {
                problems.add(&field("dimension"), "is required with values");
            }
            continue;
        };
        match defaults::typed_lines(typed.get(&field("value"))) {
            Ok(value) => filters.push(ModelFilter { not: typed.ticked(&field("not")), ..ModelFilter::of(dimension, value) }),
            Err(told) => problems.add(&field("value"), told),
        }
    }
    filters
}
