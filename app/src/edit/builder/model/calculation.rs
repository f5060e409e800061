//! Calculations of a chart: metrics that its query alone has. Pure.

use inlay_contract::{
    format::{NumberFormat, NumberStyle},
    model::{Metric, ModelQuery, Moving, OfferedModel, Whole},
};
use std::collections::BTreeSet;

/// A kind of calculation that the builder offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Arithmetic over measures.
    Formula,
    /// One measure divided by another.
    Ratio,
    /// A measure divided by its total.
    Share,
    /// A sum up to each period.
    Running,
    /// The mean of the last periods.
    Moving,
}

impl Kind {
    /// All, in the order of the form.
    pub const ALL: [Self; 5] = [Self::Formula, Self::Ratio, Self::Share, Self::Running, Self::Moving];

    /// The kind of a metric. `None` for metrics that the builder does not change.
    #[must_use]
    pub fn of(metric: &Metric) -> Option<Self> {
        let kinds = [
            metric.formula.is_some().then_some(Self::Formula),
            metric.ratio.is_some().then_some(Self::Ratio),
            metric.share.is_some().then_some(Self::Share),
            metric.running.is_some().then_some(Self::Running),
            metric.moving.is_some().then_some(Self::Moving),
        ];
        kinds.into_iter().flatten().next()
    }

    /// What it is called.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Formula => "Formula",
            Self::Ratio => "Ratio",
            Self::Share => "Share of total",
            Self::Running => "Running total",
            Self::Moving => "Moving average",
        }
    }

    /// A metric of this kind, of these measures. `other` is for ratios.
    #[must_use]
    pub fn metric(self, measure: &str, other: &str) -> Metric {
        let of = measure.to_owned();
        match self {
            Self::Formula => Metric { formula: Some(of), ..Metric::default() },
            Self::Ratio => Metric { ratio: Some([of, other.to_owned()]), ..Metric::default() },
            Self::Share => {
                Metric { share: Some(Whole { of, within: Vec::new() }), format: Some(percent()), ..Metric::default() }
            }
            Self::Running => Metric { running: Some(of), ..Metric::default() },
            Self::Moving => Metric { moving: Some(Moving { of, periods: 3 }), ..Metric::default() },
        }
    }
}

/// The format of shares.
#[must_use]
pub fn percent() -> NumberFormat {
    NumberFormat { style: NumberStyle::Percent, decimals: Some(1), ..NumberFormat::default() }
}

/// A metric made into another kind: it keeps its name, its first measures and, unless one of the kinds is a share, its format.
#[must_use]
pub fn turned(metric: &Metric, kind: Kind, measures: &[String]) -> Metric {
    let mut parts = parts(metric).into_iter().chain(measures.iter().cloned());
    let first = parts.next().unwrap_or_default();
    let other = parts.find(|part| *part != first).unwrap_or_else(|| first.clone());
    let Metric { label, description, synonyms, lower_is_better, .. } = metric.clone();
    let made = kind.metric(&first, &other);
    let format = if metric.share.is_some() { None } else { metric.format.clone() };
    let format = made.format.clone().or(format);
    Metric { label, description, synonyms, format, lower_is_better, ..made }
}

/// The names that a metric is made of, in their order.
#[must_use]
pub fn parts(metric: &Metric) -> Vec<String> {
    let formula = metric.formula.iter().flat_map(|formula| names(formula));
    let ratio = metric.ratio.iter().flatten().cloned();
    let wholes = [&metric.total, &metric.share].into_iter().flatten().map(|whole| whole.of.clone());
    let along = metric.to_date.iter().map(|one| &one.of).chain(metric.moving.iter().map(|one| &one.of));
    let along = along.chain(&metric.running).chain(metric.only.iter().map(|only| &only.of)).cloned();
    formula.chain(ratio).chain(wholes).chain(along).collect()
}

/// The names in a formula.
fn names(formula: &str) -> Vec<String> {
    let words = formula.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let is_name = |word: &&str| word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
    words.filter(is_name).filter(|word| !word.eq_ignore_ascii_case("coalesce")).map(str::to_owned).collect()
}

/// The names of all numbers that numbers of a query are made of, themselves among them.
#[must_use]
pub fn made_of<'a>(query: &ModelQuery, numbers: impl IntoIterator<Item = &'a String>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open: Vec<String> = numbers.into_iter().cloned().collect();
    while let Some(name) = open.pop() {
        open.extend(query.metrics.get(&name).map(parts).unwrap_or_default());
        if !found.insert(name) {
            // A metric that is made of itself: the server says so.
            open.retain(|name| !found.contains(name));
        }
    }
    found
}

/// A name for a new calculation.
#[must_use]
pub fn free_name(model: &OfferedModel, query: &ModelQuery) -> String {
    let taken = |name: &String| {
        let own = query.metrics.keys().chain(query.aggregates.keys());
        model.numbers.iter().map(|number| &number.name).chain(own).any(|known| known.eq_ignore_ascii_case(name))
    };
    let numbered = (2..).map(|number| format!("calculation_{number}"));
    let mut names = std::iter::once("calculation".to_owned()).chain(numbered);
    names.find(|name| !taken(name)).unwrap_or_default()
}

/// A formula with a measure behind it.
#[must_use]
pub fn followed(formula: &str, measure: &str) -> String {
    let formula = formula.trim_end();
    let is_open = formula.is_empty() || formula.ends_with(['+', '-', '*', '/', '(', ',']);
    let between = if formula.is_empty() || formula.ends_with('(') {
        ""
    } else if is_open {
        " "
    } else {
        " + "
    };
    format!("{formula}{between}{measure}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn metric(json: serde_json::Value) -> Metric {
        serde_json::from_value(json).expect("a metric")
    }

    #[test]
    fn a_calculation_keeps_its_measures_when_its_kind_changes() {
        let measures = ["orders".to_owned(), "refunds".to_owned()];
        let ratio = metric(json!({"ratio": ["refunds", "revenue"], "label": "Rate", "format": {"style": "percent"}}));
        for (kind, wanted) in [
            (Kind::Formula, json!({"formula": "refunds"})),
            (Kind::Ratio, json!({"ratio": ["refunds", "revenue"]})),
            (Kind::Share, json!({"share": {"of": "refunds"}})),
            (Kind::Running, json!({"running": "refunds"})),
            (Kind::Moving, json!({"moving": {"of": "refunds", "periods": 3}})),
        ] {
            let made = turned(&ratio, kind, &measures);
            assert_eq!((Kind::of(&made), made.label.as_deref()), (Some(kind), Some("Rate")));
            assert_eq!(
                made.format,
                Some(if kind == Kind::Share {
                    percent()
                } else {
                    NumberFormat { style: NumberStyle::Percent, ..NumberFormat::default() }
                }),
                "{kind:?}"
            );
            assert_eq!(Metric { label: None, format: None, ..made }, metric(wanted), "{kind:?}");
        }
        assert_eq!(turned(&Kind::Share.metric("orders", ""), Kind::Running, &measures).format, None);
        let running = metric(json!({"running": "orders"}));
        assert_eq!(turned(&running, Kind::Ratio, &measures).ratio, Some(["orders".to_owned(), "refunds".to_owned()]));
        assert_eq!(turned(&running, Kind::Ratio, &[]).ratio, Some(["orders".to_owned(), "orders".to_owned()]));
        let others =
            [json!({"only": {"of": "orders", "filters": []}}), json!({"toDate": {"of": "orders", "grain": "year"}}), json!({})];
        for other in others {
            assert_eq!(Kind::of(&metric(other.clone())), None, "{other}");
        }
    }

    #[test]
    fn the_names_of_a_formula_are_its_parts() {
        let formula = metric(json!({"formula": "(revenue - coalesce(refunds, 0)) / orders_2 * 1.5e3 - Überschuss"}));
        assert_eq!(parts(&formula), ["revenue", "refunds", "orders_2", "Überschuss"]);
        let query: ModelQuery = serde_json::from_value(json!({"measures": ["a"], "metrics": {
            "a": {"formula": "b + revenue"}, "b": {"ratio": ["a", "orders"]}, "c": {"running": "revenue"}}}))
        .expect("a query");
        assert_eq!(made_of(&query, &query.measures).into_iter().collect::<Vec<_>>(), ["a", "b", "orders", "revenue"]);
    }

    #[test]
    fn a_new_calculation_takes_no_name_of_the_model() {
        let model: OfferedModel = serde_json::from_value(json!({"tables": [], "numbers": [
            {"name": "Calculation", "label": "C", "facts": []}]}))
        .expect("a model");
        let mut query = ModelQuery::default();
        assert_eq!(free_name(&model, &query), "calculation_2");
        query.metrics.insert("calculation_2".to_owned(), Metric::default());
        assert_eq!(free_name(&model, &query), "calculation_3");
    }

    #[test]
    fn a_measure_is_put_behind_a_formula() {
        for (formula, wanted) in [
            ("", "revenue"),
            ("orders ", "orders + revenue"),
            ("orders -", "orders - revenue"),
            ("2 * (", "2 * (revenue"),
            ("coalesce(refunds, 0)", "coalesce(refunds, 0) + revenue"),
        ] {
            assert_eq!(followed(formula, "revenue"), wanted);
        }
    }
}
