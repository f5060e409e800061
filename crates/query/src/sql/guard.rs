//! The wrapper that replaces a base table.

use super::{Refusal, on_deep_stack, parse};
use crate::{
    dialect::dialect,
    name::{TableKey, quote, quoted},
    source::SourceKind,
};
use inlay_sql_walk::walk_mut;
use sqlparser::ast::{
    Expr, LimitClause, ObjectName, Offset, OffsetRows, Query, SelectItem, SetExpr, Statement, TableFactor, TableWithJoins,
    Value, VisitorMut,
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
    let conditions: Vec<_> = rule.into_iter().chain(filters).map(|condition| format!("({condition})")).collect();
    let conditions = conditions.join(" AND ");
    let selection = if conditions.is_empty() { String::new() } else { format!(" WHERE {conditions}") };
    let fence = if rule.is_some() && fenced { dialect(kind).fence().end } else { "" };
    let text = format!("SELECT {row}.c AS c FROM t AS {row}{selection}{fence}");
    let Statement::Query(mut query) = parse(kind, &text)? else { return Err(Refusal::new("a wrapper is not a query")) };
    name(kind, &mut query, table, columns, &conditions).ok_or_else(|| Refusal::new("a wrapper is not what it was made as"))?;
    let text = query.to_string();
    Ok(Guard { query, text })
}

/// Puts the table and the columns into a wrapper, as parts of its tree: the database tells these names, and no name that is
/// read as text could end the wrapper before its rule. `None` if the wrapper is not one table with these conditions and nothing
/// else.
fn name(kind: SourceKind, query: &mut Query, table: &TableKey, columns: &[&str], conditions: &str) -> Option<()> {
    let SetExpr::Select(select) = &mut *query.body else { return None };
    let stands = select.selection.as_ref().map_or_else(String::new, ToString::to_string);
    let [TableWithJoins { relation: TableFactor::Table { name, .. }, joins }] = &mut select.from[..] else { return None };
    if query.with.is_some() || stands != conditions || !joins.is_empty() || select.projection.len() != 1 {
        return None;
    }
    let parts = [&table.schema, &table.table].into_iter().filter(|part| !part.is_empty());
    *name = ObjectName::from(parts.map(|part| quoted(kind, part)).collect::<Vec<_>>());
    let item = |column: &&str| SelectItem::ExprWithAlias {
        expr: Expr::CompoundIdentifier(vec![quoted(kind, ROW), quoted(kind, column)]),
        alias: quoted(kind, column),
    };
    select.projection = columns.iter().map(item).collect();
    Some(())
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
        walk_mut(&mut statement, &mut Fences).is_continue().then(|| statement.to_string())
    })
}

fn is_conditional_wrapper(query: &Query) -> bool {
    let SetExpr::Select(select) = &*query.body else { return false };
    let [TableWithJoins { relation: TableFactor::Table { alias: Some(alias), .. }, .. }] = &select.from[..] else {
        return false;
    };
    alias.name.value == ROW && select.selection.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sqlparser::ast::Ident;

    /// A column that ends the select list early and comments out the rule, where it is written as the parser writes names.
    const ATTACK: &str = "x\\\" FROM main.t AS inlay_row --";

    fn select_of(query: &Query) -> &sqlparser::ast::Select {
        let SetExpr::Select(select) = &*query.body else { panic!("no SELECT: {query}") };
        select
    }

    #[test]
    fn the_parsers_own_quotes_let_a_name_out() {
        let name = Ident::with_quote('"', ATTACK).to_string();
        let text = format!("SELECT id, {name} AS x FROM \"main\".\"t\" AS inlay_row WHERE customer = 'acme'");
        let Ok(Statement::Query(query)) = parse(SourceKind::Sqlite, &text) else { panic!("unreadable: {text}") };
        assert_eq!(select_of(&query).selection, None, "the rule is gone: {query}");
    }

    #[test]
    fn no_name_of_a_column_takes_the_rule_away() {
        let rule = Expr::value(Value::Placeholder("$1".to_owned()));
        for kind in SourceKind::ALL {
            let table = TableKey { schema: dialect(kind).default_schema().to_owned(), table: "t".to_owned() };
            for name in [ATTACK, "x\\`` FROM t --", "\"", "`", "a\\", "'", "--", "a\"\"b", "\u{0}"] {
                let made = guard(kind, &table, &["id", name], Some(&rule), &[], true).expect("a wrapper");
                let select = select_of(&made.query);
                assert_eq!(select.selection.as_ref().map(ToString::to_string).as_deref(), Some("($1)"), "{kind}: {name}");
                let [_, SelectItem::ExprWithAlias { expr, alias }] = &select.projection[..] else {
                    panic!("{:?}", select.projection)
                };
                let Expr::CompoundIdentifier(parts) = expr else { panic!("{expr:?}") };
                assert_eq!((&*parts[0].value, &*parts[1].value, &*alias.value), (ROW, name, name));
                assert_eq!(quote(kind, "a").len(), 3);
            }
        }
    }

    #[test]
    fn conditions_that_are_read_as_something_else_are_refused() {
        let table = TableKey { schema: "main".to_owned(), table: "t".to_owned() };
        let foreign = Expr::Identifier(Ident::new("1) OR (1"));
        let fine = Expr::value(Value::Placeholder("$1".to_owned()));
        assert!(guard(SourceKind::Sqlite, &table, &["id"], Some(&fine), &[], true).is_ok());
        let cut = Expr::Identifier(Ident::new("1) --"));
        assert!(guard(SourceKind::Sqlite, &table, &["id"], Some(&cut), std::slice::from_ref(&foreign), true).is_err());
    }
}
