//! The rows behind a mark of a chart: conditions that are added to the outermost `SELECT`, with bound values.
//!
//! A page's filter narrows a table wherever a query reads it. These conditions narrow only what the outermost `SELECT` groups,
//! so a query that reads a table twice, or through `WITH`, keeps its meaning. If the query computes what identifies the mark,
//! its own expression is compared. That expression is checked like the query itself and only reads permitted rows: with such a
//! condition, every wrapper with a rule keeps its fence.

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

/// A condition that the rows behind a mark meet.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkCondition {
    /// The left side.
    pub(crate) place: MarkPlace,
    /// How values are compared.
    pub(crate) compared: Compared,
    /// The value. `None` matches rows without a value.
    pub(crate) value: Option<FilterValue>,
}

/// The left side of a condition, in the scope of the outermost `SELECT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MarkPlace {
    /// A column of a relation, by the relation's name in the query.
    Column { relation: String, column: String },
    /// The SQL of an expression.
    Expression(String),
}

/// How values are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Compared {
    /// Like this unchanged column of a table of the catalogue.
    As { table: String, column: String },
    /// Like a result column of this type.
    Answered(ColumnType),
}

/// Adds the conditions of a mark to a query's outermost `SELECT`.
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
        // In parentheses, so that the printed SQL parses to the same tree.
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

/// An expression of a chart's SQL, checked and brought into canonical form like any SQL.
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

/// How values are compared with a condition's left side.
fn class(kind: SourceKind, columns: &Columns, compared: &Compared, value: &FilterValue) -> Result<Class, QueryError> {
    let (table, column) = match compared {
        Compared::Answered(answered) => return Ok(class_of(kind, *answered, value)),
        Compared::As { table, column } => (table, column),
    };
    let found = columns.get(table).and_then(|columns| find(kind, columns, &fold(kind, column)));
    found.map(|column| column.class).ok_or_else(|| QueryError::failed(format!("a mark's column of {table} is not there")))
}

/// How values are compared with a computed result column.
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

/// Whether a number is compared as floating point: it has more digits than a decimal keeps on its way through JSON, so it must
/// be a float. Decimals with that many digits are returned as text. If floats can only be compared with floats, every fraction
/// counts as one.
fn is_floating(floats: Floats, value: &FilterValue) -> bool {
    let is_long = |text: String| text.contains('e') || text.chars().filter(char::is_ascii_digit).count() > 15;
    let is_float = |value: &Scalar| match value {
        Scalar::Number(number) => number.is_f64() && (floats == Floats::Apart || is_long(number.to_string())),
        Scalar::Text(_) | Scalar::Boolean(_) => false,
    };
    matches!(value, FilterValue::AnyOf(values) if values.iter().all(is_float))
}

/// Whether a value is a moment with a zone.
fn has_zone(value: &FilterValue) -> bool {
    let is_zoned = |value: &Scalar| matches!(value, Scalar::Text(text) if DateTime::parse_from_rfc3339(text).is_ok());
    match value {
        FilterValue::AnyOf(values) => values.iter().all(is_zoned),
        FilterValue::Range { .. } | FilterValue::Relative(_) => false,
    }
}
