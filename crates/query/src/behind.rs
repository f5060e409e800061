//! The rows behind a mark of a chart: conditions that the outermost `SELECT` gets beside its own, values bound.
//!
//! A page's filter narrows a table wherever a query reads it; these narrow what the query gathers at its end, so that a
//! query which reads a table twice, or through `WITH`, keeps its meaning. What a mark stands for may be worked out by the query:
//! then its own expression is compared. It is looked at as the query itself is, and meets permitted rows alone: with such a
//! condition every wrapper that has a rule keeps its fence.

use crate::{
    bind::Binds,
    dialect::{Floats, Typing, dialect},
    error::QueryError,
    filters::condition_at,
    name::{fold, quoted},
    rewrite::{Columns, Query},
    schema::{Class, find},
    source::SourceKind,
    sql::{
        canonical::canonical,
        check::{Author, check},
        parse,
    },
};
use chrono::DateTime;
use inlay_contract::{
    data::ColumnType,
    filter::{FilterValue, Scalar},
};
use sqlparser::ast::{BinaryOperator, Expr, SelectItem, SetExpr, Statement};

/// What the rows behind a mark have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkCondition {
    /// What is compared.
    pub(crate) place: MarkPlace,
    /// How it is compared.
    pub(crate) compared: Compared,
    /// What is kept; none: the rows without a value.
    pub(crate) value: Option<FilterValue>,
}

/// What is compared, in the scope of the outermost `SELECT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MarkPlace {
    /// A relation, as it is called there, and its column.
    Column { relation: String, column: String },
    /// The SQL of an expression.
    Expression(String),
}

/// How a place is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Compared {
    /// As the column of a table of the catalogue that stands there unchanged.
    As { table: String, column: String },
    /// As a column of this type was answered.
    Answered(ColumnType),
}

/// Puts a query's conditions of a mark into its outermost `SELECT`.
pub(crate) fn narrow(
    kind: SourceKind,
    columns: &Columns,
    statement: &mut Statement,
    query: &Query,
    binds: &mut Binds,
) -> Result<(), QueryError> {
    if query.behind.is_empty() {
        return Ok(());
    }
    let unfit = || QueryError::failed("conditions of a mark for a query that is no SELECT");
    let Statement::Query(outer) = statement else { return Err(unfit()) };
    let SetExpr::Select(select) = outer.body.as_mut() else { return Err(unfit()) };
    for mark in &query.behind {
        let place = match &mark.place {
            MarkPlace::Column { relation, column } => {
                Expr::CompoundIdentifier(vec![quoted(kind, relation), quoted(kind, column)])
            }
            MarkPlace::Expression(sql) => expression(kind, sql, binds)?,
        };
        let condition = match &mark.value {
            None => Expr::IsNull(Box::new(place)),
            Some(value) => condition_at(kind, class(kind, columns, &mark.compared, value)?, place, value, query, binds),
        };
        // In parentheses, so that what is printed reads back as it was made.
        let condition = Expr::Nested(Box::new(condition));
        select.selection = Some(match select.selection.take() {
            None => condition,
            Some(own) => Expr::BinaryOp {
                left: Box::new(Expr::Nested(Box::new(own))),
                op: BinaryOperator::And,
                right: Box::new(condition),
            },
        });
    }
    Ok(())
}

/// An expression of a chart's SQL: looked at like any SQL, and brought into the same form.
fn expression(kind: SourceKind, sql: &str, binds: &mut Binds) -> Result<Expr, QueryError> {
    let unfit = || QueryError::failed("a mark's expression is no expression");
    let mut statement = parse(kind, &format!("SELECT ({sql})"))?;
    check(kind, Author::Chart, &statement)?;
    canonical(kind, &mut statement, binds)?;
    let Statement::Query(query) = statement else { return Err(unfit()) };
    let SetExpr::Select(select) = *query.body else { return Err(unfit()) };
    match <[SelectItem; 1]>::try_from(select.projection) {
        Ok([SelectItem::UnnamedExpr(expression)]) if select.from.is_empty() && select.selection.is_none() => Ok(expression),
        _ => Err(unfit()),
    }
}

/// How a place is compared with a value.
fn class(kind: SourceKind, columns: &Columns, compared: &Compared, value: &FilterValue) -> Result<Class, QueryError> {
    let (table, column) = match compared {
        Compared::Answered(answered) => return Ok(class_of(kind, *answered, value)),
        Compared::As { table, column } => (table, column),
    };
    let found = columns.get(table).and_then(|columns| find(kind, columns, &fold(kind, column)));
    found.map(|column| column.class).ok_or_else(|| QueryError::failed(format!("a mark's column of {table} is not there")))
}

/// How what a query makes itself is compared with what it answered.
fn class_of(kind: SourceKind, answered: ColumnType, value: &FilterValue) -> Class {
    let comparisons = dialect(kind).comparisons();
    match answered {
        _ if comparisons.typing == Typing::Dynamic => Class::Other,
        ColumnType::Number if is_floating(comparisons.floats, value) => Class::Double,
        ColumnType::Number => Class::Decimal,
        ColumnType::Boolean => Class::Boolean,
        ColumnType::Date => Class::Date,
        ColumnType::Timestamp if has_zone(value) => Class::Moment,
        ColumnType::Timestamp => Class::Timestamp,
        ColumnType::Text => comparisons.made_text,
        ColumnType::Json => Class::ByText,
    }
}

/// Whether a number is compared as floating point: it has more digits than every decimal keeps on its way there, so there it came
/// from. Decimals of so many digits are answered as text. Where floating point is compared with itself alone, every fraction counts.
fn is_floating(floats: Floats, value: &FilterValue) -> bool {
    let is_long = |text: String| text.contains('e') || text.chars().filter(char::is_ascii_digit).count() > 15;
    let is_float = |value: &Scalar| match value {
        Scalar::Number(number) => number.is_f64() && (floats == Floats::Apart || is_long(number.to_string())),
        Scalar::Text(_) | Scalar::Boolean(_) => false,
    };
    matches!(value, FilterValue::AnyOf(values) if values.iter().all(is_float))
}

/// Whether a value is a moment, not a time that is another moment elsewhere.
fn has_zone(value: &FilterValue) -> bool {
    let is_zoned = |value: &Scalar| matches!(value, Scalar::Text(text) if DateTime::parse_from_rfc3339(text).is_ok());
    match value {
        FilterValue::AnyOf(values) => values.iter().all(is_zoned),
        FilterValue::Range { .. } | FilterValue::Relative(_) => false,
    }
}
