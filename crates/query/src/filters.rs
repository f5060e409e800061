//! The filters of a page: conditions in addition to the row rule. They only narrow. A value that does not fit its column
//! matches no row.

use crate::{
    bind::{Bind, Binds},
    compare::{Incomparable, cast, in_zone},
    dialect::{Dialect, Typing, dialect},
    name::quoted,
    rewrite::Query,
    schema::{Class, SourceColumn},
    source::SourceKind,
    sql::guard::ROW,
};
use chrono_tz::Tz;
use inlay_contract::filter::{FilterValue, Scalar};
use serde_json::Value;
use sqlparser::ast::{BinaryOperator, Expr, Value as Literal};

/// A filter on a column.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// The table, as named in the catalogue.
    pub table: String,
    /// The column.
    pub column: String,
    /// The filter's value.
    pub value: FilterValue,
}

/// The condition of a filter on a column of the row in a wrapper.
pub(crate) fn condition(
    kind: SourceKind,
    column: &SourceColumn,
    value: &FilterValue,
    query: &Query,
    binds: &mut Binds,
) -> Expr {
    let place = Expr::CompoundIdentifier(vec![quoted(kind, ROW), quoted(kind, &column.name)]);
    condition_at(kind, column.class, place, value, query, binds)
}

/// The condition of a value on an expression of a class.
pub(crate) fn condition_at(
    kind: SourceKind,
    class: Class,
    place: Expr,
    value: &FilterValue,
    query: &Query,
    binds: &mut Binds,
) -> Expr {
    let mut place = FilterTarget { kind, class, place, zone: query.zone, binds };
    match value {
        FilterValue::AnyOf(values) => place.any_of(values),
        FilterValue::Range { from, to } => place.range(from.as_ref(), to.as_ref()),
        FilterValue::Relative(period) if place.holds_days() => {
            let (first, end) = period.days(query.today);
            place.range(Some(&Scalar::Text(first.to_string())), Some(&Scalar::Text(end.to_string())))
        }
        FilterValue::Relative(_) => never(),
    }
}

struct FilterTarget<'a> {
    kind: SourceKind,
    class: Class,
    place: Expr,
    zone: Tz,
    binds: &'a mut Binds,
}

impl FilterTarget<'_> {
    /// Whether dates may be stored as text.
    fn holds_days(&self) -> bool {
        matches!(self.class, Class::Date | Class::Timestamp | Class::Moment | Class::Text) || self.is_dynamic()
    }

    /// Whether it contains values of any type, each compared by its own type.
    fn is_dynamic(&self) -> bool {
        self.class == Class::Other && self.dialect().comparisons().typing == Typing::Dynamic
    }

    fn dialect(&self) -> &'static dyn Dialect {
        dialect(self.kind)
    }

    fn column(&self) -> Expr {
        let by_text = match self.class {
            Class::ByText => true,
            Class::Other => !self.is_dynamic(),
            _ => false,
        };
        let place = self.place.clone();
        if by_text { cast(place, self.dialect().text_type()) } else { place }
    }

    fn operand(&mut self, value: &Scalar) -> Result<Expr, Incomparable> {
        // A day begins in the viewer's time zone.
        let value = match self.class {
            Class::Moment => in_zone(value.to_json(), self.zone),
            _ => value.to_json(),
        };
        let class = match (self.class, &value) {
            (Class::Other, _) if !self.is_dynamic() => Class::ByText,
            (Class::Other, Value::String(text)) => return Ok(self.binds.push(Bind::Text(text.clone()))?),
            (Class::Other, Value::Bool(_)) => Class::Boolean,
            (Class::Other, _) => Class::Decimal,
            (class, _) => class,
        };
        self.dialect().operand(class, &value, self.binds)
    }

    fn any_of(&mut self, values: &[Scalar]) -> Expr {
        let list: Vec<_> = values.iter().filter_map(|value| self.operand(value).ok()).collect();
        if list.is_empty() {
            return never();
        }
        Expr::InList { expr: Box::new(self.column()), list, negated: false }
    }

    fn range(&mut self, from: Option<&Scalar>, to: Option<&Scalar>) -> Expr {
        let mut kept = None;
        for (end, op) in [(from, BinaryOperator::GtEq), (to, BinaryOperator::Lt)] {
            let Some(end) = end else { continue };
            let condition = match self.operand(end) {
                Ok(operand) => binary(self.column(), op, operand),
                Err(Incomparable) => never(),
            };
            kept = Some(kept.map_or_else(|| condition.clone(), |kept| binary(kept, BinaryOperator::And, condition.clone())));
        }
        kept.unwrap_or_else(never)
    }
}

fn binary(left: Expr, op: BinaryOperator, right: Expr) -> Expr {
    Expr::BinaryOp { left: Box::new(left), op, right: Box::new(right) }
}

/// `1 = 0`
pub(crate) fn never() -> Expr {
    let number = |digit: &str| Expr::value(Literal::Number(digit.to_owned(), false));
    binary(number("1"), BinaryOperator::Eq, number("0"))
}
