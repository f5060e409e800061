//! Metrics as measures and metrics.

use super::{
    Notes,
    datasets::Datasets,
    fields::{parsed, quoted},
    formula::{Shape, shape},
    gathered::{Gathered, gathered, measure},
};
use crate::{
    SemanticModel, Table, document,
    expression::{DEEPEST, Expressions, of_measure},
    extension::{self, OfMetric, OfModel},
    names, sql,
};
use inlay_contract::{
    format::NumberFormat,
    model::{Measure, Metric},
};
use sqlparser::ast::Expr;
use std::collections::{BTreeMap, BTreeSet};

const DECLARE: &str = "Declare it in the project file";
const DIFFERS: &str = "the expression differs from the one that Inlay exported, so the expression is read";

/// Reads the metrics of a document into the tables, and returns these and the model's metrics.
pub(super) fn read(
    metrics: &[document::Metric],
    datasets: Datasets,
    kept: OfModel,
    notes: &mut Notes,
) -> (BTreeMap<String, Table>, BTreeMap<String, Metric>) {
    let mut reader = Reader {
        names: datasets.names(),
        datasets,
        taken: BTreeSet::new(),
        own: BTreeMap::new(),
        metrics: BTreeMap::new(),
        added: Vec::new(),
        notes,
    };
    let named = reader.named(metrics);
    reader.kept_measures();
    let mut exact = Vec::new();
    let mut pending = Vec::new();
    for one in named {
        reader.measure_of(one, &mut exact, &mut pending);
    }
    reader.exact_metrics(exact, &mut pending);
    reader.formulas(pending);
    reader.kept_metrics(kept);
    (reader.datasets.tables, reader.metrics)
}

/// A metric of the document with the name that it gets.
struct Named<'d> {
    at: String,
    name: String,
    text: Option<&'d str>,
    expression: Result<Expr, String>,
    texts: Texts,
    ours: OfMetric,
}

#[derive(Default)]
struct Texts {
    label: Option<String>,
    description: Option<String>,
    synonyms: Vec<String>,
    format: Option<NumberFormat>,
    lower_is_better: bool,
}

impl Texts {
    fn of_measure(self, measure: Measure) -> Measure {
        let Self { label, description, synonyms, format, lower_is_better } = self;
        Measure { label, description, synonyms, format, lower_is_better, ..measure }
    }

    fn of_metric(self, metric: Metric) -> Metric {
        let Self { label, description, synonyms, format, lower_is_better } = self;
        Metric { label, description, synonyms, format, lower_is_better, ..metric }
    }
}

struct Reader<'n> {
    datasets: Datasets,
    /// The datasets' names, by their tables.
    names: BTreeMap<String, String>,
    /// The names of measures and metrics that are in use.
    taken: BTreeSet<String>,
    /// The names of the document's metrics, by those in the document.
    own: BTreeMap<String, String>,
    metrics: BTreeMap<String, Metric>,
    /// The measures of the document, in its order.
    added: Vec<String>,
    notes: &'n mut Notes,
}

impl Reader<'_> {
    fn named<'d>(&mut self, metrics: &'d [document::Metric]) -> Vec<Named<'d>> {
        let mut named = Vec::new();
        for one in metrics {
            let at = format!("metrics.{}", one.name);
            let held = self.notes.extension(&at, extension::read::<OfMetric>(&one.custom_extensions));
            let is_ours = held.is_some() && !self.taken.contains(&one.name);
            let ours = held.unwrap_or_default();
            let name = if is_ours { one.name.clone() } else { names::fit(&one.name, &self.taken) };
            self.taken.insert(name.clone());
            self.own.insert(one.name.clone(), name.clone());
            let kept = match (&ours.measure, &ours.metric) {
                (Some(one), _) => (one.label.clone(), one.format.clone(), one.lower_is_better),
                (None, Some(one)) => (one.label.clone(), one.format.clone(), one.lower_is_better),
                (None, None) => (None, None, false),
            };
            if name != one.name {
                let why =
                    format!("the metric is named `{name}`: names have letters, digits and `_`, and each name is used once");
                self.notes.add(&at, why, "Choose another name if you like");
            }
            let texts = Texts {
                label: kept.0.or_else(|| (name != one.name).then(|| one.name.clone())),
                description: one.description.clone(),
                synonyms: self.notes.context(&at, one.ai_context.as_ref()),
                format: kept.1,
                lower_is_better: kept.2,
            };
            let (text, expression) = (one.expression.text(), parsed(&one.expression));
            named.push(Named { at, name, text, expression, texts, ours });
        }
        named
    }

    /// The measures of datasets' extensions. A metric of the document goes before one of its name.
    fn kept_measures(&mut self) {
        for (table, one) in &mut self.datasets.tables {
            let repeated: Vec<String> = one.model.measures.keys().filter(|name| self.taken.contains(*name)).cloned().collect();
            for name in repeated {
                one.model.measures.remove(&name);
                let why = format!(
                    "the measure `{name}` of `{table}` in the extension of INLAY is left out: its name is used already"
                );
                self.notes.add(format!("metrics.{name}"), why, "Rename one of them");
            }
            self.taken.extend(one.model.measures.keys().cloned());
        }
    }

    /// Reads a metric that is a single aggregate. Others wait.
    fn measure_of<'d>(&mut self, mut one: Named<'d>, exact: &mut Vec<Named<'d>>, pending: &mut Vec<Named<'d>>) {
        if one.ours.metric.is_some() {
            return exact.push(one);
        }
        if let (Some(table), Some(measure)) = (one.ours.table.take(), one.ours.measure.take()) {
            let said = self.datasets.tables.get(&table).zip(self.names.get(&table)).and_then(|(table, dataset)| {
                of_measure(dataset, self.datasets.count == 1, table, &measure).map(|said| said.text)
            });
            if said.is_some_and(|said| one.text.is_some_and(|text| sql::same(&said, text))) {
                return self.add_measure(&table, one.name, one.texts.of_measure(measure));
            }
            self.notes.add(&one.at, DIFFERS, "Check the measure");
        }
        match one.expression.as_ref().map(gathered) {
            Ok(Some(found)) => match measure(&found, &self.datasets) {
                Ok((table, measure)) => {
                    self.warn_of_quotes(&one.at, &measure);
                    self.add_measure(&table, one.name, one.texts.of_measure(measure));
                }
                Err(why) => self.left_out(&one.at, &why),
            },
            Ok(None) => pending.push(one),
            Err(why) => {
                let why = why.clone();
                self.left_out(&one.at, &why);
            }
        }
    }

    fn left_out(&mut self, at: &str, why: &str) {
        self.notes.add(at, format!("the metric is left out: its expression {why}"), DECLARE);
    }

    fn warn_of_quotes(&mut self, at: &str, measure: &Measure) {
        let expressions = measure.of.iter().chain(&measure.condition).filter_map(|text| sql::parse(text).ok());
        for expression in expressions {
            quoted(at, &expression, self.notes);
        }
    }

    fn add_measure(&mut self, table: &str, name: String, measure: Measure) {
        if let Some(table) = self.datasets.tables.get_mut(table) {
            self.added.push(name.clone());
            table.model.measures.insert(name, measure);
        }
    }

    /// Metrics of our extensions whose expressions are still those that we would write. A metric that is made of a changed one
    /// would mean something else now, so this is repeated until all that remain agree.
    fn exact_metrics<'d>(&mut self, exact: Vec<Named<'d>>, pending: &mut Vec<Named<'d>>) {
        let mut model = SemanticModel { tables: std::mem::take(&mut self.datasets.tables), ..SemanticModel::default() };
        let metric = |one: &Named<'_>| one.ours.metric.clone().map(|metric| (one.name.clone(), metric));
        model.metrics = exact.iter().filter_map(metric).collect();
        loop {
            let mut said = Expressions::of(&model, &self.names, self.datasets.count == 1);
            let differs = |one: &&Named<'_>| {
                let text = said.metric(&one.name);
                model.metrics.contains_key(&one.name)
                    && !text.is_some_and(|text| one.text.is_some_and(|own| sql::same(&text, own)))
            };
            let changed: Vec<String> = exact.iter().filter(differs).map(|one| one.name.clone()).collect();
            if changed.is_empty() {
                break;
            }
            model.metrics.retain(|name, _| !changed.contains(name));
        }
        self.datasets.tables = model.tables;
        for one in exact {
            match model.metrics.remove(&one.name) {
                Some(metric) => {
                    self.metrics.insert(one.name, one.texts.of_metric(metric));
                }
                None => {
                    self.notes.add(&one.at, DIFFERS, "Check the metric");
                    self.foreign(one, pending);
                }
            }
        }
    }

    /// A metric of ours that somebody changed can be a single aggregate now.
    fn foreign<'d>(&mut self, mut one: Named<'d>, pending: &mut Vec<Named<'d>>) {
        one.ours = OfMetric::default();
        self.measure_of(one, &mut Vec::new(), pending);
    }

    /// Metrics made of several aggregates, or of other metrics. Those that name metrics wait until these are read.
    fn formulas(&mut self, pending: Vec<Named<'_>>) {
        let mut waiting = Vec::new();
        for one in pending {
            match one.expression.clone().and_then(|expression| shape(&expression)).and_then(|shape| self.plan(shape)) {
                Ok(plan) => waiting.push((one, plan)),
                Err(why) => self.left_out(&one.at, &why),
            }
        }
        // One inside another, deeper than this, no query can read them.
        for _ in 0..DEEPEST {
            let known = self.known();
            let is_ready = |(_, plan): &(Named<'_>, Plan)| plan.names().all(|name| known.contains(name));
            let (ready, later): (Vec<_>, Vec<_>) = waiting.into_iter().partition(is_ready);
            waiting = later;
            for (one, plan) in ready {
                self.metric(one, plan);
            }
        }
        for (one, plan) in waiting {
            let names: Vec<&str> = plan.names().collect();
            let why = format!(
                "names metrics that were not read, is made of itself, or lies more than {DEEPEST} deep in others: {}",
                names.join(", ")
            );
            self.left_out(&one.at, &why);
        }
    }

    fn known(&self) -> BTreeSet<String> {
        let measures = self.datasets.tables.values().flat_map(|table| table.model.measures.keys());
        measures.chain(self.metrics.keys()).cloned().collect()
    }

    /// The measures and metrics that a metric is made of.
    fn plan(&self, shape: Shape) -> Result<Plan, String> {
        let mut leaves = Vec::new();
        shape.leaves(&mut leaves);
        if leaves.is_empty() {
            return Err("names no measure".to_owned());
        }
        let parts = leaves.into_iter().map(|leaf| self.part(leaf)).collect::<Result<_, _>>()?;
        Ok(Plan { shape, parts })
    }

    fn part(&self, leaf: &Shape) -> Result<Part, String> {
        match leaf {
            Shape::Gathered(found) => self.measured(found).map(|(table, measure)| Part::Measure(table, Box::new(measure))),
            Shape::Named(ident) => {
                let alike = |(own, _): &(&String, &String)| own.eq_ignore_ascii_case(&ident.value);
                let mut found = self.own.iter().filter(alike).map(|(_, name)| name);
                let exact = self.own.get(&ident.value);
                let name =
                    exact.or_else(|| found.next().filter(|_| ident.quote_style.is_none() && found.next().is_none())).cloned();
                name.map(Part::Named)
                    .ok_or_else(|| format!("names `{ident}`, which is no metric, and no column within an aggregate"))
            }
            _ => Err("holds what is no number".to_owned()),
        }
    }

    fn measured(&self, found: &Gathered) -> Result<(String, Measure), String> {
        measure(found, &self.datasets)
    }

    /// Adds a metric, with measures for those of its aggregates that are no measure yet.
    fn metric(&mut self, one: Named<'_>, plan: Plan) {
        let ratio = plan.shape.ratio().is_some();
        let mut names = Vec::new();
        for (at, part) in plan.parts.into_iter().enumerate() {
            let end = match (ratio, at) {
                (true, 0) => "numerator".to_owned(),
                (true, _) => "denominator".to_owned(),
                (false, at) => (at + 1).to_string(),
            };
            names.push(match part {
                Part::Named(name) => name,
                Part::Measure(table, measure) => self.measure_for(&one, &table, *measure, &end),
            });
        }
        let metric = match (ratio, names.as_slice()) {
            (true, [of, by]) => Metric { ratio: Some([of.clone(), by.clone()]), ..Metric::default() },
            _ => Metric { formula: Some(plan.shape.text(&mut names.into_iter())), ..Metric::default() },
        };
        self.metrics.insert(one.name, one.texts.of_metric(metric));
    }

    fn measure_for(&mut self, one: &Named<'_>, table: &str, measure: Measure, end: &str) -> String {
        let same = |other: &Measure| {
            (other.aggregate, &other.of, &other.condition, other.fraction, &other.take)
                == (measure.aggregate, &measure.of, &measure.condition, measure.fraction, &measure.take)
        };
        let measures = self.datasets.tables.get(table).map(|table| &table.model.measures);
        let is_it = |name: &&String| measures.and_then(|measures| measures.get(*name)).is_some_and(same);
        if let Some(name) = self.added.iter().find(is_it) {
            return name.clone();
        }
        self.warn_of_quotes(&one.at, &measure);
        let begin = &one.name[..one.name.floor_char_boundary(49 - end.len())];
        let name = names::fit(&format!("{begin}_{end}"), &self.taken);
        self.taken.insert(name.clone());
        self.add_measure(table, name.clone(), measure);
        name
    }

    /// The metrics of the model's extension.
    fn kept_metrics(&mut self, kept: OfModel) {
        for (name, metric) in kept.metrics {
            if self.taken.insert(name.clone()) {
                self.metrics.insert(name, metric);
            } else {
                let why = format!("the metric `{name}` in the extension of INLAY is left out: its name is used already");
                self.notes.add("semantic_model", why, "Rename one of them");
            }
        }
    }
}

/// How a metric is made.
struct Plan {
    shape: Shape,
    /// The leaves of the shape, from left to right.
    parts: Vec<Part>,
}

enum Part {
    Measure(String, Box<Measure>),
    Named(String),
}

impl Plan {
    /// The metrics that it names.
    fn names(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Named(name) => Some(name.as_str()),
            Part::Measure(..) => None,
        })
    }
}
