//! The rows behind a mark of a chart: conditions that the outermost `SELECT` gets beside its own, values bound.
//!
//! A page's filter narrows a table wherever a query reads it; these narrow what the query gathers at its end, so that a
//! query which reads a table twice, or through `WITH`, keeps its meaning.

use crate::{
    bind::Binds,
    error::QueryError,
    filters::condition_at,
    name::{fold, quoted},
    rewrite::{Columns, Query},
    schema::{Class, find},
    source::SourceKind,
};
use inlay_contract::filter::{FilterValue, Scalar};
use sqlparser::ast::{BinaryOperator, Expr, SetExpr, Statement};

/// What the rows behind a mark have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkCondition {
    /// The relation as the outermost `SELECT` calls it, and its column.
    pub place: (String, String),
    /// The table of the catalogue and its column that stand there unchanged, where one does.
    pub column: Option<(String, String)>,
    /// What is kept; none: the rows without a value.
    pub value: Option<FilterValue>,
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
        let (relation, column) = &mark.place;
        let place = Expr::CompoundIdentifier(vec![quoted(kind, relation), quoted(kind, column)]);
        let condition = match &mark.value {
            None => Expr::IsNull(Box::new(place)),
            Some(value) => condition_at(kind, class(kind, columns, mark, value)?, place, value, query, binds),
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

/// How a place is compared: as the column that stands there, or as the value was answered.
fn class(kind: SourceKind, columns: &Columns, mark: &MarkCondition, value: &FilterValue) -> Result<Class, QueryError> {
    let Some((table, column)) = &mark.column else { return Ok(class_of(value)) };
    let found = columns.get(table).and_then(|columns| find(kind, columns, &fold(kind, column)));
    found.map(|column| column.class).ok_or_else(|| QueryError::failed(format!("a mark's column of {table} is not there")))
}

fn class_of(value: &FilterValue) -> Class {
    let scalar = match value {
        FilterValue::AnyOf(values) => values.first(),
        FilterValue::Range { from, to } => from.as_ref().or(to.as_ref()),
        FilterValue::Relative(_) => None,
    };
    match scalar {
        Some(Scalar::Number(_)) => Class::Decimal,
        Some(Scalar::Boolean(_)) => Class::Boolean,
        Some(Scalar::Text(_)) | None => Class::ByText,
    }
}
