//! What a rule lets a stranger see: a viewer whose properties hold values that no row has. It reads the rule itself and knows
//! nothing of the rewriting, so that an isolation check does not trust what it checks.

use super::{InvalidRule, Values, placeholders, resolve};
use crate::{
    bind::Binds,
    property::PropertyPath,
    schema::{Class, SourceColumn},
    source::SourceKind,
    sql::{Refusal, on_deep_stack, parse_condition},
};
use chrono::{Days, NaiveDate};
use serde_json::{Value, json};
use sqlparser::ast::{BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments};
use std::{cell::RefCell, collections::BTreeSet};

/// The kind of value that a rule compares with a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wanted {
    /// A text.
    Text,
    /// A number.
    Number,
    /// A day, with or without a time.
    Day,
    /// A UUID.
    Uuid,
    /// A truth value.
    Truth,
}

impl Wanted {
    const fn of(class: Class) -> Self {
        match class {
            Class::Integer | Class::Decimal | Class::Real | Class::Double => Self::Number,
            Class::Text | Class::ByText | Class::Other => Self::Text,
            Class::Uuid => Self::Uuid,
            Class::Boolean => Self::Truth,
            Class::Date | Class::Timestamp | Class::Moment => Self::Day,
        }
    }
}

/// A value that no row has, for a property that rules compare with values of these kinds. The same seed makes the same value. A
/// truth value cannot be one that no row has.
#[must_use]
pub fn unseen_value(wanted: &BTreeSet<Wanted>, seed: u128) -> Value {
    let part = |below: u128| i64::try_from(seed % below).unwrap_or_default();
    // A text column is compared with any value's text.
    match wanted.iter().find(|other| **other != Wanted::Text) {
        None | Some(Wanted::Text) => json!(format!("inlay-isolation-{seed:032x}")),
        // It fits the smallest integers that identify anything.
        Some(Wanted::Number) => json!(-1_000_000_000 - part(1_000_000_000)),
        Some(Wanted::Uuid) => json!(uuid::Builder::from_random_bytes(seed.to_be_bytes()).into_uuid().to_string()),
        Some(Wanted::Truth) => json!(seed.is_multiple_of(2)),
        Some(Wanted::Day) => {
            let first = NaiveDate::from_ymd_opt(8000, 1, 1).unwrap_or_default();
            let days = Days::new(u64::try_from(part(600_000)).unwrap_or_default());
            json!(first.checked_add_days(days).unwrap_or(first).to_string())
        }
    }
}

/// What a rule does with a stranger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RuleReach {
    /// Whether no row passes, whatever the table holds.
    pub closed: bool,
    /// The properties that it reads, each with the kind of value it is compared with.
    pub reads: Vec<(PropertyPath, Wanted)>,
}

/// Reads what a rule does with a stranger.
pub(crate) fn reach(rule: &str, kind: SourceKind, columns: &[SourceColumn]) -> Result<RuleReach, InvalidRule> {
    on_deep_stack(|| {
        let noted = RefCell::new(Vec::new());
        resolve(rule, kind, columns, &Values::Noted(&noted), &mut Binds::default())?;
        let (text, properties) = placeholders::replace(kind, rule)?;
        let condition = parse_condition(kind, &text).map_err(|Refusal(problem)| InvalidRule(problem))?;
        let reads: Vec<_> = noted.into_inner().into_iter().map(|(path, class)| (path, Wanted::of(class))).collect();
        let usual = |path: &PropertyPath| reads.iter().all(|(read, wanted)| read != path || *wanted != Wanted::Truth);
        let unseen: Vec<bool> = properties.iter().map(usual).collect();
        Ok(RuleReach { closed: Unseen(&unseen).never(&condition), reads })
    })
}

/// Whether each placeholder of a rule holds a value that no row has.
struct Unseen<'a>(&'a [bool]);

impl Unseen<'_> {
    /// Whether a condition holds for no row at all. `false` also where that cannot be said.
    fn never(&self, condition: &Expr) -> bool {
        match condition {
            Expr::Nested(inner) | Expr::IsTrue(inner) => self.never(inner),
            Expr::BinaryOp { left, op: BinaryOperator::And, right } => self.never(left) || self.never(right),
            Expr::BinaryOp { left, op: BinaryOperator::Or, right } => self.never(left) && self.never(right),
            Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => self.is(left) || self.is(right),
            Expr::InList { list, negated: false, .. } => !list.is_empty() && list.iter().all(|item| self.is(item)),
            _ => false,
        }
    }

    /// Whether an expression is such a value.
    fn is(&self, expression: &Expr) -> bool {
        match expression {
            Expr::Nested(inner) => self.is(inner),
            Expr::Identifier(name) if name.quote_style.is_none() => {
                placeholders::index(&name.value).and_then(|number| self.0.get(number)).copied().unwrap_or_default()
            }
            Expr::Trim { trim_where: None, trim_what: None, expr, trim_characters: None } => self.is(expr),
            Expr::Function(function) => argument_of_case(function).is_some_and(|inner| self.is(inner)),
            _ => false,
        }
    }
}

/// The argument of `lower(…)` or `upper(…)`.
fn argument_of_case(function: &Function) -> Option<&Expr> {
    let name = function.name.to_string().to_ascii_lowercase();
    let FunctionArguments::List(list) = &function.args else { return None };
    match &list.args[..] {
        [FunctionArg::Unnamed(FunctionArgExpr::Expr(inner))] if ["lower", "upper"].contains(&&*name) => Some(inner),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Vec<SourceColumn> {
        [
            ("company", Class::Text),
            ("region", Class::Text),
            ("amount", Class::Integer),
            ("open", Class::Boolean),
            ("day", Class::Date),
        ]
        .into_iter()
        .map(|(name, class)| SourceColumn::new(name.to_owned(), class))
        .collect()
    }

    fn closed(rule: &str) -> bool {
        reach(rule, SourceKind::Postgres, &columns()).unwrap_or_else(|problem| panic!("{rule}: {problem}")).closed
    }

    #[test]
    fn a_rule_that_asks_for_a_strangers_value_lets_no_row_pass() {
        for rule in [
            "company = {{organization.company}}",
            "{{organization.company}} = company",
            "company in ({{organization.companies}})",
            "lower(company) = lower({{organization.company}})",
            "company = {{organization.company}} and (region in ({{user.regions}}) or region is null)",
            "(company = {{organization.company}}) or (amount = {{user.number}})",
            "amount = {{user.number}} and amount > 3",
            "day = {{user.day}}",
        ] {
            assert!(closed(rule), "{rule}");
        }
    }

    #[test]
    fn a_rule_that_may_let_a_stranger_see_rows_is_not_called_closed() {
        for rule in [
            "company = {{organization.company}} or region is null",
            "company <> {{organization.company}}",
            "company not in ({{organization.companies}})",
            "not (company = {{organization.company}})",
            "(company = {{organization.company}}) is not true",
            "company in ({{organization.company}}, 'everybody')",
            "amount < {{user.number}}",
            "amount between 0 and {{user.number}}",
            "open = {{user.open}}",
            "company = 'acme'",
            "1 = 1",
        ] {
            assert!(!closed(rule), "{rule}");
        }
    }

    #[test]
    fn the_properties_are_told_with_the_kind_of_value() {
        let rule = "company = {{organization.company}} and amount = {{user.number}} and day = {{user.day}}";
        let reads = reach(rule, SourceKind::Postgres, &columns()).expect("a rule").reads;
        let told: Vec<_> = reads.iter().map(|(path, kind)| (path.to_string(), *kind)).collect();
        assert_eq!(
            told,
            [
                ("organization.company".to_owned(), Wanted::Text),
                ("user.number".to_owned(), Wanted::Number),
                ("user.day".to_owned(), Wanted::Day)
            ]
        );
    }

    #[test]
    fn values_of_two_strangers_differ_and_fit() {
        let of = |kinds: &[Wanted], seed| unseen_value(&kinds.iter().copied().collect(), seed);
        for kind in [Wanted::Text, Wanted::Number, Wanted::Day, Wanted::Uuid] {
            assert_ne!(of(&[kind], 11), of(&[kind], 22), "{kind:?}");
            assert_eq!(of(&[kind], 11), of(&[kind], 11), "{kind:?}");
        }
        assert!(of(&[Wanted::Text, Wanted::Number], 7).is_number(), "a text column takes a number's text");
        assert!(of(&[Wanted::Number], u128::MAX).as_i64().is_some_and(|number| i32::try_from(number).is_ok()));
        assert!(of(&[Wanted::Day], u128::MAX).as_str().is_some_and(|day| day.parse::<NaiveDate>().is_ok()));
    }

    #[test]
    fn the_rule_of_an_emptied_table_is_one_on_every_database() {
        for kind in SourceKind::ALL {
            let made = reach(super::super::NO_ROW, kind, &columns());
            assert!(made.is_ok_and(|made| made.reads.is_empty()), "{}", kind.name());
        }
    }
}
