//! The wrapper that replaces a base table.

use super::{Refusal, on_deep_stack, parse};
use crate::{
    dialect::dialect,
    name::{TableKey, quote},
    source::SourceKind,
};
use sqlparser::ast::{
    Expr, LimitClause, Offset, OffsetRows, Query, SetExpr, Statement, TableFactor, TableWithJoins, Value, VisitMut, VisitorMut,
};
use std::ops::ControlFlow;

/// The name of a row in a wrapper. Every column in it is qualified with this name, so that it can never refer to a column of
/// the outer query.
pub(crate) const ROW: &str = "inlay_row";

/// A base table's wrapper: the visible columns of the permitted rows.
pub(crate) struct Guard {
    /// The wrapper as a query.
    pub query: Box<Query>,
    /// The wrapper as printed.
    pub text: String,
}

/// Creates the wrapper of a table.
///
/// If it needs a fence, a wrapper with a rule ends with one: databases do not move the query's conditions across an OFFSET or
/// LIMIT, so a viewer's expression never sees a row that the rule excludes. Otherwise its errors and its running time would
/// reveal that row.
pub(crate) fn guard(
    kind: SourceKind,
    table: &TableKey,
    columns: &[&str],
    rule: Option<&Expr>,
    filters: &[Expr],
    fenced: bool,
) -> Result<Guard, Refusal> {
    if columns.is_empty() {
        return Err(Refusal::new(format!("the table {} has no visible column", table.table)));
    }
    let row = quote(kind, ROW);
    let columns: Vec<_> = columns.iter().map(|name| format!("{row}.{0} AS {0}", quote(kind, name))).collect();
    let conditions: Vec<_> = rule.into_iter().chain(filters).map(|condition| format!("({condition})")).collect();
    let selection = if conditions.is_empty() { String::new() } else { format!(" WHERE {}", conditions.join(" AND ")) };
    let fence = if rule.is_some() && fenced { dialect(kind).fence().end } else { "" };
    let text = format!("SELECT {} FROM {} AS {row}{selection}{fence}", columns.join(", "), table.quoted(kind));
    let Statement::Query(query) = parse(kind, &text)? else { return Err(Refusal::new("a wrapper is not a query")) };
    let text = query.to_string();
    Ok(Guard { query, text })
}

/// The SQL with a fence that always holds in every wrapper with conditions, for planners that drop `OFFSET 0` or are not known
/// well enough. The meaning is the same, since no table has that many rows.
pub(crate) fn with_hard_fences(kind: SourceKind, sql: &str) -> Option<String> {
    struct Fences;
    impl VisitorMut for Fences {
        type Break = ();

        fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
            if is_conditional_wrapper(query) {
                let limit = Some(Expr::value(Value::Number(i64::MAX.to_string(), false)));
                let zero = Offset { value: Expr::value(Value::Number("0".to_owned(), false)), rows: OffsetRows::None };
                query.limit_clause = Some(LimitClause::LimitOffset { limit, offset: Some(zero), limit_by: Vec::new() });
            }
            ControlFlow::Continue(())
        }
    }
    on_deep_stack(|| {
        let mut statement = parse(kind, sql).ok()?;
        statement.visit(&mut Fences).is_continue().then(|| statement.to_string())
    })
}

fn is_conditional_wrapper(query: &Query) -> bool {
    let SetExpr::Select(select) = &*query.body else { return false };
    let [TableWithJoins { relation: TableFactor::Table { alias: Some(alias), .. }, .. }] = &select.from[..] else {
        return false;
    };
    alias.name.value == ROW && select.selection.is_some()
}
