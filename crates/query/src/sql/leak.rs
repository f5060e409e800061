//! Whether a query could learn something about rows that a rule excludes, if its own conditions were evaluated on them.
//!
//! A planner that flattens a wrapper may evaluate the query's conditions before the rule. Then an error, or the running time of
//! an expression, reveals other rows; so wrappers are fenced (`guard`). But a fence costs: every permitted row is copied once
//! more, and the query's own conditions cannot use an index. Databases compute select lists, groups and orders only for rows
//! that passed all conditions. Therefore a query without conditions learns nothing, and neither does one whose conditions
//! cannot fail and take the same time on every row. PostgreSQL calls the latter leakproof, in its own row security.

use crate::{
    dialect::{Needed, dialect},
    name::{fold, fold_ident},
    schema::SourceColumn,
    source::SourceKind,
};
use inlay_sql_walk::walk;
use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, JoinConstraint, JoinOperator,
    Query, Select, Statement, TableFactor, UnaryOperator, Value, Visitor,
};
use std::{collections::BTreeSet, ops::ControlFlow};

/// What a query's own conditions could reveal about rows that a rule excludes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Leak {
    /// Nothing.
    Nothing,
    /// Nothing, if these (folded) columns are stored and not computed by a view.
    Computed(BTreeSet<String>),
    /// Something.
    Anything,
}

impl Leak {
    /// Whether the wrapper of a table with these columns needs its fence.
    pub(crate) fn needs_fence(&self, kind: SourceKind, columns: &[SourceColumn]) -> bool {
        match self {
            Self::Nothing => false,
            Self::Computed(compared) => {
                columns.iter().any(|column| !column.plain && compared.contains(&fold(kind, &column.name)))
            }
            Self::Anything => true,
        }
    }
}

/// What the conditions of a query could reveal.
pub(crate) fn leak(kind: SourceKind, statement: &Statement) -> Leak {
    let needed = dialect(kind).fence().needed;
    if needed == Needed::Always {
        return Leak::Anything;
    }
    let mut conditions = Conditions { kind, queries: 0, found: false, compared: BTreeSet::new() };
    if walk(statement, &mut conditions).is_break() {
        return Leak::Anything;
    }
    match needed {
        Needed::ForConditions | Needed::ForLeaks if !conditions.found => Leak::Nothing,
        // A planner moves conditions into subqueries.
        Needed::ForLeaks if conditions.queries == 1 => Leak::Computed(conditions.compared),
        Needed::Always | Needed::ForConditions | Needed::ForLeaks => Leak::Anything,
    }
}

/// Looks for conditions, and stops at one that could reveal something.
struct Conditions {
    kind: SourceKind,
    queries: usize,
    found: bool,
    /// The compared columns, folded.
    compared: BTreeSet<String>,
}

fn unless(harmless: bool) -> ControlFlow<()> {
    if harmless { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

impl Visitor for Conditions {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.queries += 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        self.found |= select.selection.is_some() || select.having.is_some();
        let (kind, compared) = (self.kind, &mut self.compared);
        let mut column = |operand: &Expr| {
            let name = column(operand);
            compared.extend(name.map(|name| fold_ident(kind, name)));
            name.is_some()
        };
        let mut having = |operand: &Expr| is_aggregate(kind, operand);
        unless(
            select.selection.as_ref().is_none_or(|condition| cannot_fail(condition, &mut column))
                && select.having.as_ref().is_none_or(|condition| cannot_fail(condition, &mut having))
                && select.from.iter().flat_map(|table| &table.joins).all(|join| is_unconditional(&join.join_operator)),
        )
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        match factor {
            TableFactor::Table { .. } | TableFactor::Derived { lateral: false, .. } => ControlFlow::Continue(()),
            // A nested join has its own conditions.
            _ => ControlFlow::Break(()),
        }
    }

    fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<()> {
        unless(!matches!(expression, Expr::InSubquery { .. } | Expr::Exists { .. } | Expr::AnyOp { .. } | Expr::AllOp { .. }))
    }
}

fn is_unconditional(join: &JoinOperator) -> bool {
    matches!(join, JoinOperator::CrossJoin(JoinConstraint::None))
}

/// Whether a condition only compares operands with literals, which the database parses before it reads a row.
fn cannot_fail(condition: &Expr, is_operand: &mut impl FnMut(&Expr) -> bool) -> bool {
    match condition {
        Expr::Nested(inner) | Expr::UnaryOp { op: UnaryOperator::Not, expr: inner } => cannot_fail(inner, is_operand),
        Expr::BinaryOp { left, op: BinaryOperator::And | BinaryOperator::Or, right } => {
            cannot_fail(left, is_operand) && cannot_fail(right, is_operand)
        }
        Expr::BinaryOp { left, op, right } => {
            let compares = matches!(
                op,
                BinaryOperator::Eq
                    | BinaryOperator::NotEq
                    | BinaryOperator::Lt
                    | BinaryOperator::LtEq
                    | BinaryOperator::Gt
                    | BinaryOperator::GtEq
            );
            compares && (is_operand(left) && is_literal(right) || is_literal(left) && is_operand(right))
        }
        Expr::Between { expr, negated: _, low, high } => is_operand(expr) && is_literal(low) && is_literal(high),
        Expr::InList { expr, list, negated: _ } => is_operand(expr) && list.iter().all(is_literal),
        Expr::IsNull(operand) | Expr::IsNotNull(operand) => is_operand(operand),
        _ => false,
    }
}

/// The name of an expression that is only a column.
fn column(operand: &Expr) -> Option<&Ident> {
    match operand {
        Expr::Identifier(name) => Some(name),
        Expr::CompoundIdentifier(parts) => parts.last(),
        _ => None,
    }
}

/// Whether it is an aggregate over a column: a condition on it cannot be evaluated on a single row.
fn is_aggregate(kind: SourceKind, operand: &Expr) -> bool {
    let Expr::Function(Function { name, args: FunctionArguments::List(list), filter: None, over: None, .. }) = operand else {
        return false;
    };
    let [part] = &name.0[..] else { return false };
    let is_known =
        part.as_ident().is_some_and(|name| matches!(&*fold_ident(kind, name), "count" | "sum" | "avg" | "min" | "max"));
    let is_plain = |argument: &FunctionArg| match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Wildcard) => true,
        FunctionArg::Unnamed(FunctionArgExpr::Expr(argument)) => column(argument).is_some(),
        _ => false,
    };
    is_known && list.clauses.is_empty() && list.args.iter().all(is_plain)
}

/// Whether it is a literal. A cast is not: it may be evaluated for each row.
fn is_literal(operand: &Expr) -> bool {
    match operand {
        Expr::Value(value) => {
            matches!(value.value, Value::Number(..) | Value::SingleQuotedString(_) | Value::Boolean(_) | Value::Null)
        }
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => {
            matches!(&**expr, Expr::Value(value) if matches!(value.value, Value::Number(..)))
        }
        Expr::TypedString(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{schema::Class, sql::parse};

    /// Whether the fence is needed even if all columns are plain.
    fn leaks(kind: SourceKind, sql: &str) -> bool {
        leak(kind, &parse(kind, sql).expect(sql)) == Leak::Anything
    }

    #[test]
    fn what_a_view_works_out_is_not_compared_without_a_fence() {
        let found = leak(
            SourceKind::Postgres,
            &parse(SourceKind::Postgres, "select 1 from v x where x.ID = 7 and rate > 0").expect("SQL"),
        );
        let with = |plain| {
            let column = |name: &str, plain| SourceColumn { plain, ..SourceColumn::new(name.to_owned(), Class::Integer) };
            [column("id", true), column("rate", plain), column("other", false)]
        };
        assert!(found.needs_fence(SourceKind::Postgres, &with(false)));
        assert!(!found.needs_fence(SourceKind::Postgres, &with(true)));
        assert!(Leak::Anything.needs_fence(SourceKind::Postgres, &with(true)));
        assert!(!Leak::Nothing.needs_fence(SourceKind::Postgres, &with(false)));
    }

    #[test]
    fn a_query_without_conditions_meets_permitted_rows_alone() {
        for sql in [
            "select region, 1 / amount, sum(amount) from orders group by region, 2 order by 3 desc limit 5",
            "select case when amount > 5 then 1 / (amount - 7) else 0 end from orders",
            "with own as (select region, count(*) as n from orders group by region) \
             select region, n * 100.0 / (select sum(n) from own) from own",
            "select a.id from orders a cross join regions b",
            "select id from orders union all select id from returns",
        ] {
            for kind in [SourceKind::Sqlite, SourceKind::Postgres, SourceKind::Mysql] {
                assert!(!leaks(kind, sql), "{kind}: {sql}");
            }
            for kind in [SourceKind::Clickhouse, SourceKind::Trino, SourceKind::Duckdb] {
                assert!(leaks(kind, sql), "{kind}: {sql}");
            }
        }
    }

    #[test]
    fn comparisons_with_literals_tell_nothing_on_postgres() {
        for sql in [
            "select count(*) from orders where amount > 5",
            "select count(*) from orders o where (o.amount between -1 and 9.5 or region in ('a', 'b')) and not (paid = true)",
            "select count(*) from orders where ordered >= date '2024-01-01' and note is not null",
            "select region from orders group by region having count(*) > 5 and 9 < max(amount)",
        ] {
            assert!(!leaks(SourceKind::Postgres, sql), "{sql}");
            assert!(leaks(SourceKind::Sqlite, sql) && leaks(SourceKind::Mysql, sql), "{sql}");
        }
    }

    #[test]
    fn what_could_fail_or_tarry_on_a_row_keeps_the_fence() {
        for sql in [
            "select id from orders where 1 / amount > 0",
            "select id from orders where amount / 2 > 5",
            "select id from orders where cast(region as integer) = 5",
            "select id from orders where ordered > cast('x' as date)",
            "select id from orders where region like '%a'",
            "select id from orders where region ~ '(a+)+$'",
            "select id from orders where upper(region) = 'A'",
            "select id from orders where amount = id",
            "select id from orders where paid",
            "select id from orders where amount > 5 or 1 / amount > 0",
            "select id from orders where amount in (1, 1 / amount)",
            "select id from orders where amount = (select 5)",
            "select id from orders where amount = $1",
            "select id from orders where id in (select id from returns)",
            "select id in (select 1 / id from returns) from orders",
            "select exists (select 1 from returns) from orders",
            "select id from orders o join returns r on o.id = r.id",
            "select id from orders natural join returns",
            "select id from orders join returns using (id)",
            "select id from (orders o join returns r on 1 / o.id = r.id)",
            "select id from orders, lateral (select 1 / id) as x",
            "select region from orders group by region having region = 'a'",
            "select region from orders group by region having sum(1 / amount) > 5",
            "select region from orders group by region having count(*) filter (where 1 / amount > 0) > 5",
            // The outer condition may be moved into the subquery, where its column is an expression.
            "select x from (select 1 / amount as x from orders) s where x > 5",
            "with s as (select 1 / amount as x from orders) select x from s where x > 5",
            "select id from orders union all (select id from returns where id = 5)",
        ] {
            assert!(leaks(SourceKind::Postgres, sql), "{sql}");
        }
    }
}
