//! What is wrong with a model, for whoever writes it.

use super::{
    definition::{Model, ModelTable},
    expression,
    groups::{FACT, TIME},
    number::Reader,
    tree::Tree,
};
use crate::{
    source::SourceKind,
    sql::{self, check::Author, parse, parse_expression},
};
use chrono::NaiveDate;
use inlay_contract::{
    filter::Scalar,
    model::{Aggregate, Measure, ModelGroup, ModelQuery},
};
use sqlparser::ast::Expr;
use std::collections::BTreeSet;

/// Something that is wrong with a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelProblem {
    /// The table, or `None` for a metric.
    pub table: Option<String>,
    /// Where it is: `measures.revenue.of`.
    pub at: String,
    /// What is wrong, and what would be right.
    pub why: String,
}

/// Finds everything that is wrong with a model, whatever is asked of it.
#[must_use]
pub fn check_model(kind: SourceKind, model: &Model) -> Vec<ModelProblem> {
    let mut problems = Problems { kind, model, found: Vec::new() };
    for (name, table) in &model.tables {
        problems.table(name, table);
    }
    // What is wrong by itself is told in its own words; the rest is tried.
    if problems.found.is_empty() {
        problems.try_everything();
    }
    problems.metrics();
    problems.found
}

struct Problems<'a> {
    kind: SourceKind,
    model: &'a Model,
    found: Vec<ModelProblem>,
}

impl Problems<'_> {
    fn note(&mut self, table: Option<&str>, at: impl Into<String>, why: impl Into<String>) {
        self.found.push(ModelProblem { table: table.map(str::to_owned), at: at.into(), why: why.into() });
    }

    fn table(&mut self, name: &str, table: &ModelTable) {
        let own = &table.model;
        let has = |column: &String| table.columns.contains_key(column);
        for column in own.key.iter().filter(|column| !has(column)) {
            self.note(Some(name), "key", format!("the table has no visible column `{column}`"));
        }
        for (at, named) in [("time", &own.time), ("display", &own.display)] {
            if let Some(named) = named.as_ref().filter(|named| !table.dimensions().contains(named.as_str())) {
                self.note(Some(name), at, format!("the table has no dimension or visible column `{named}`"));
            }
        }
        for column in own.drill.iter().filter(|column| !has(column)) {
            self.note(Some(name), "drill", format!("the table has no visible column `{column}`"));
        }
        if own.fiscal_year_start.is_some_and(|month| !(1..=12).contains(&month)) {
            self.note(Some(name), "fiscalYearStart", "must be a month, 1 for January to 12 for December");
        }
        for (dimension, declared) in &own.dimensions {
            let at = format!("dimensions.{dimension}");
            if let Err(why) = name_of(dimension) {
                self.note(Some(name), &at, why);
            }
            if table.columns.contains_key(dimension) {
                self.note(Some(name), &at, "has the name of a column; give it another");
            }
            if let Err(why) = expression::of_row(self.kind, &declared.sql, FACT) {
                self.note(Some(name), format!("{at}.sql"), why);
            }
            if let Err(why) = order_of(self.kind, &declared.order) {
                self.note(Some(name), format!("{at}.order"), why);
            }
        }
        for (measure, declared) in &own.measures {
            self.measure(name, table, measure, declared);
        }
    }

    fn measure(&mut self, table_name: &str, table: &ModelTable, name: &str, measure: &Measure) {
        let at = format!("measures.{name}");
        if let Err(why) = name_of_number(self.kind, name) {
            self.note(Some(table_name), &at, why);
        }
        if self.model.tables.iter().any(|(other, one)| other.as_str() != table_name && one.model.measures.contains_key(name)) {
            self.note(Some(table_name), &at, "another table has a measure of that name; a name is unique within the project");
        }
        match (measure.aggregate, &measure.of) {
            (Aggregate::Count, None) => {}
            (_, None) => self.note(Some(table_name), format!("{at}.of"), NO_VALUE),
            (_, Some(of)) => {
                if let Err(why) = expression::of_row(self.kind, of, FACT) {
                    self.note(Some(table_name), format!("{at}.of"), why);
                }
            }
        }
        if let Some(condition) = &measure.condition
            && let Err(why) = expression::of_row(self.kind, condition, FACT)
        {
            self.note(Some(table_name), format!("{at}.where"), why);
        }
        if let Some(why) = wrong_fraction(measure.aggregate, measure.fraction) {
            self.note(Some(table_name), format!("{at}.fraction"), why);
        }
        let Some(take) = &measure.take else { return };
        if matches!(measure.aggregate, Aggregate::Median | Aggregate::Percentile) {
            self.note(Some(table_name), format!("{at}.take"), "does not go with a median or percentile");
        }
        let columns = take.over.iter().chain(&take.per).filter(|column| !table.columns.contains_key(*column));
        for column in columns {
            self.note(Some(table_name), format!("{at}.take"), format!("the table has no visible column `{column}`"));
        }
        if take.over.is_none() && table.model.time.is_none() {
            self.note(Some(table_name), format!("{at}.take"), "needs `over`, since the table has no `time`");
        }
    }

    /// Asks for each dimension and measure alone.
    fn try_everything(&mut self) {
        for (table, one) in &self.model.tables {
            for name in one.model.dimensions.keys() {
                let dimensions = vec![ModelGroup::of(format!("{table}.{name}"))];
                if let Some(why) = self.refused(&ModelQuery { dimensions, ..ModelQuery::default() }) {
                    self.note(Some(table), format!("dimensions.{name}.sql"), why);
                }
            }
            for name in one.model.measures.keys() {
                if let Some(why) = self.refused(&ModelQuery { measures: vec![name.clone()], ..ModelQuery::default() }) {
                    self.note(Some(table), format!("measures.{name}"), why);
                }
            }
        }
    }

    /// What the checks of every query refuse, such as a function that none may call.
    fn refused(&self, query: &ModelQuery) -> Option<String> {
        let day = NaiveDate::default();
        let compiled = match super::compile(self.kind, self.model, query, day) {
            Ok(compiled) => compiled,
            Err(problem) => return Some(problem.why),
        };
        let read = parse(self.kind, &compiled.sql).map_err(|refusal| refusal.0);
        read.and_then(|statement| sql::check::check(self.kind, Author::Chart, &statement).map_err(|refusal| refusal.0)).err()
    }

    fn metrics(&mut self) {
        for name in self.model.metrics.keys() {
            let at = format!("metrics.{name}");
            if let Err(why) = name_of_number(self.kind, name) {
                self.note(None, &at, why);
            }
            if self.model.measure(name).is_some() {
                self.note(None, &at, "has the name of a measure; give it another");
                continue;
            }
            if let Err(problem) = Reader::of(self.kind, self.model).number(&at, name) {
                self.note(None, problem.at, problem.why);
            }
        }
    }
}

/// Why most aggregates need a value.
pub(super) const NO_VALUE: &str = "is missing; only `count` counts rows by itself";

/// What is wrong with the fraction of an aggregate.
pub(super) fn wrong_fraction(aggregate: Aggregate, fraction: Option<f64>) -> Option<&'static str> {
    match (aggregate, fraction) {
        (Aggregate::Percentile, Some(fraction)) if fraction > 0.0 && fraction < 1.0 => None,
        (Aggregate::Percentile, _) => Some("must lie between 0 and 1, such as 0.9"),
        (_, Some(_)) => Some("belongs to `percentile` alone"),
        (_, None) => None,
    }
}

/// Whether a measure or metric may have a name. Formulas read it as a name.
///
/// # Errors
/// Why it may not, as a sentence.
pub fn name_of_number(kind: SourceKind, name: &str) -> Result<(), &'static str> {
    name_of(name)?;
    match parse_expression(kind, name) {
        Ok(Expr::Identifier(_)) => Ok(()),
        _ => Err("is a word of SQL, which a formula could not name; choose another"),
    }
}

/// The names that formulas and answers can hold.
fn name_of(name: &str) -> Result<(), &'static str> {
    let plain = name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    let begins = name.starts_with(|letter: char| letter.is_ascii_alphabetic());
    if !plain || !begins || name.len() > 50 || name.ends_with(super::plan::PREVIOUS) {
        return Err("a name has 1 to 50 letters, digits and `_`, begins with a letter and does not end with `_previous`");
    }
    if name.to_lowercase().starts_with(super::tree::OURS) {
        return Err("names that begin with inlay_ are the service's own; choose another");
    }
    if name == TIME { Err("`time` is each table's default time dimension; choose another name") } else { Ok(()) }
}
/// The most values whose order a dimension declares.
const MOST_ORDERED: usize = 100;

/// Checks a declared order: each value once, and none that cannot be written safely.
fn order_of(kind: SourceKind, order: &[String]) -> Result<(), String> {
    if order.len() > MOST_ORDERED {
        return Err(format!("must have at most {MOST_ORDERED} values"));
    }
    let mut seen = BTreeSet::new();
    for value in order {
        if !seen.insert(value) {
            return Err(format!("names `{value}` twice"));
        }
        let written = Tree { kind }.literal("order", &Scalar::Text(value.clone()));
        written.map_err(|problem| format!("the value `{value}` {}", problem.why))?;
    }
    Ok(())
}
