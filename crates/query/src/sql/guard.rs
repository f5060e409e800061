//! The wrapper that stands in the place of a base table.

use super::{Refusal, on_deep_stack, parse};
use crate::{
    name::{TableKey, quote},
    source::SourceKind,
};
use sqlparser::ast::{Expr, LimitClause, Query, Statement, Value, VisitMut, VisitorMut};
use std::ops::ControlFlow;

/// What a row is called inside a wrapper. Every column there is written with it, so that a name can never mean a column of
/// the query around.
pub(crate) const ROW: &str = "inlay_row";

/// A base table's wrapper: visible columns of permitted rows.
pub(crate) struct Guard {
    /// The wrapper itself.
    pub query: Box<Query>,
    /// How it is printed.
    pub text: String,
}

/// Makes the wrapper of a table.
///
/// With a rule it ends in a fence: databases do not move conditions of the query round it across an OFFSET or LIMIT, so an
/// expression of a viewer never meets a row that the rule keeps out; else its errors and its running time would tell about it.
pub(crate) fn guard(
    kind: SourceKind,
    table: &TableKey,
    columns: &[&str],
    rule: Option<&Expr>,
    filters: &[Expr],
) -> Result<Guard, Refusal> {
    if columns.is_empty() {
        return Err(Refusal::new(format!("the table {} has no visible column", table.table)));
    }
    let row = quote(kind, ROW);
    let columns: Vec<_> = columns.iter().map(|name| format!("{row}.{0} AS {0}", quote(kind, name))).collect();
    let conditions: Vec<_> = rule.into_iter().chain(filters).map(|condition| format!("({condition})")).collect();
    let selection = if conditions.is_empty() { String::new() } else { format!(" WHERE {}", conditions.join(" AND ")) };
    let fence = match (rule, kind) {
        (None, _) => "",
        (Some(_), SourceKind::Sqlite) => " LIMIT -1 OFFSET 0",
        (Some(_), SourceKind::Postgres | SourceKind::Duckdb) => " OFFSET 0",
        (Some(_), SourceKind::Mysql | SourceKind::Clickhouse | SourceKind::Trino) => " LIMIT 9223372036854775807",
    };
    let text = format!("SELECT {} FROM {} AS {row}{selection}{fence}", columns.join(", "), table.quoted(kind));
    let Statement::Query(query) = parse(kind, &text)? else { return Err(Refusal::new("a wrapper is not a query")) };
    let text = query.to_string();
    Ok(Guard { query, text })
}

/// The SQL with each fence that is an OFFSET alone made into one with a LIMIT too, for a planner that drops the former. It means
/// the same: no table has as many rows.
pub(crate) fn with_hard_fences(kind: SourceKind, sql: &str) -> Option<String> {
    struct Fences;
    impl VisitorMut for Fences {
        type Break = ();

        fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
            if let Some(LimitClause::LimitOffset { limit: limit @ None, offset: Some(_), limit_by: _ }) =
                &mut query.limit_clause
            {
                *limit = Some(Expr::value(Value::Number(i64::MAX.to_string(), false)));
            }
            ControlFlow::Continue(())
        }
    }
    on_deep_stack(|| {
        let mut statement = parse(kind, sql).ok()?;
        statement.visit(&mut Fences).is_continue().then(|| statement.to_string())
    })
}
