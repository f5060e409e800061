//! Comparisons with the same meaning on every database.
//!
//! By itself, MySQL reads `'abc'` as 0 in a comparison with a number, and depending on a column's collation `'ACME'` equals
//! `'acme'`, `'é'` equals `'e'`, and `'acme '` equals `'acme'`. A rule must not match rows because of that: it only compares
//! values of one family, and text byte by byte, as SQLite and PostgreSQL do.

use super::{InvalidRule, Made, conditions::binary, refuse};
use crate::{
    bind::Binds,
    compare::cast,
    dialect::{Conversion, dialect},
    schema::Class,
    source::SourceKind,
    sql::UNICODE,
};
use serde_json::Value;
use sqlparser::ast::{BinaryOperator, DataType, Expr, Ident, ObjectName, Value as Literal};

/// Classes whose values can be compared without a conversion.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Number,
    Text,
    Time,
    Uuid,
    Unknown,
}

const fn family(class: Class) -> Family {
    match class {
        // MySQL has no booleans, only 0 and 1.
        Class::Integer | Class::Decimal | Class::Real | Class::Double | Class::Boolean => Family::Number,
        Class::Text | Class::ByText => Family::Text,
        Class::Date | Class::Timestamp | Class::Moment => Family::Time,
        Class::Uuid => Family::Uuid,
        Class::Other => Family::Unknown,
    }
}

/// Whether a kind implicitly converts types in comparisons.
pub(super) fn is_lax(kind: SourceKind) -> bool {
    dialect(kind).comparisons().conversion == Conversion::Silent
}

/// The column's side of a comparison: text by its bytes, other values with a text form by that text.
pub(super) fn column_side(kind: SourceKind, class: Class, expression: Expr) -> Expr {
    match class {
        Class::Text | Class::ByText if is_lax(kind) => bytes(expression),
        Class::ByText => cast(expression, dialect(kind).text_type()),
        _ => expression,
    }
}

/// The value's side of a comparison.
pub(super) fn value_side(kind: SourceKind, class: Class, expression: Expr) -> Expr {
    if is_lax(kind) && family(class) == Family::Text { bytes(expression) } else { expression }
}

/// The UTF-8 bytes of a text, so that neither collation nor padding matters.
fn bytes(expression: Expr) -> Expr {
    cast(unicode(expression), DataType::Binary(None))
}

fn unicode(expression: Expr) -> Expr {
    Expr::Convert {
        is_try: false,
        expr: Box::new(expression),
        data_type: None,
        charset: Some(ObjectName::from(vec![Ident::new(UNICODE)])),
        target_before_value: false,
        styles: Vec::new(),
    }
}

/// A text that is compared character by character, for `like`.
pub(super) fn by_letters(kind: SourceKind, expression: Expr) -> Expr {
    if !is_lax(kind) {
        return expression;
    }
    let collation = ObjectName::from(vec![Ident::new(format!("{UNICODE}_bin"))]);
    Expr::Collate { expr: Box::new(unicode(expression)), collation }
}

/// `column = value`, or the same with `in`, in a form that can use an index of the column. Equal bytes are equal in every
/// collation, so the loose comparison loses no row and the exact one decides. Only for values that every character set can
/// represent.
pub(super) fn with_index(loose: Expr, exact: Expr) -> Expr {
    Expr::Nested(Box::new(binary(loose, &BinaryOperator::And, exact)))
}

/// Whether `condition = {{…}}` can use an index: a text column compared with ASCII values.
pub(super) fn has_index(kind: SourceKind, class: Class, column: &Expr, binds: &Binds, first: usize) -> bool {
    is_lax(kind)
        && family(class) == Family::Text
        && matches!(column, Expr::CompoundIdentifier(_))
        && binds.len() > first
        && binds.are_ascii_from(first)
}

/// An expression without a placeholder that is compared with a class. A text literal compared with a time is parsed as a time
/// here.
pub(super) fn alike(kind: SourceKind, class: Class, (expression, own): (Expr, Class), binds: &mut Binds) -> Made {
    if !is_lax(kind) {
        return Ok(expression);
    }
    if let Expr::Value(literal) = &expression {
        match &literal.value {
            Literal::Null => return Ok(expression),
            Literal::SingleQuotedString(text) if matches!(family(class), Family::Time | Family::Uuid) => {
                let unreadable =
                    |_| InvalidRule::new("a text compared with a time column is not a valid time: write it like '2001-01-31'");
                return dialect(kind).operand(class, &Value::String(text.clone()), binds).map_err(unreadable);
            }
            _ => {}
        }
    }
    of_one_family(kind, class, own)?;
    Ok(expression)
}

/// Refuses a comparison for which the database would have to convert values.
pub(super) fn of_one_family(kind: SourceKind, one: Class, other: Class) -> Made<()> {
    if !is_lax(kind) || (family(one) == family(other) && family(one) != Family::Unknown) {
        return Ok(());
    }
    refuse("MySQL converts text to numbers when it compares the two: compare numbers with numbers and text with text")
}

/// Refuses arithmetic and casts that would read a number from text: MySQL reads invalid numbers as 0.
pub(super) fn is_number(kind: SourceKind, class: Class) -> Made<()> {
    if !is_lax(kind) || family(class) == Family::Number {
        return Ok(());
    }
    refuse("MySQL reads text as the number 0: a rule can only calculate with numbers")
}

/// Refuses values that MySQL would read as booleans although they are not.
pub(super) fn is_condition(kind: SourceKind, class: Class) -> Made<()> {
    if !is_lax(kind) || class == Class::Boolean {
        return Ok(());
    }
    refuse("a rule must be a condition: compare the column with a value")
}
