//! The rewriting alone, with its own catalogue, for fuzzers. A judge that knows nothing about the rewriting checks the output. Beside
//! it, what else reads texts of strangers: rules, values of filters and of properties, messages.

mod others;

use crate::{
    catalog::{Catalog, RowAccess, Table},
    dialect::dialect,
    property::SecurityContext,
    rewrite::{Columns, Query, rewrite},
    schema::{Class, SourceColumn},
    source::SourceKind,
    sql::on_deep_stack,
};
use chrono::NaiveDate;
use inlay_sql_walk::walk;
use serde_json::{Value, json};
use sqlparser::{
    ast::{Expr, Function, ObjectName, Select, SelectItem, SetExpr, Statement, TableFactor, Visitor},
    parser::Parser,
};
use std::{collections::BTreeSet, ops::ControlFlow, sync::Arc};

pub use others::{try_filter, try_message, try_rule};

/// The kinds of sources to test.
pub const KINDS: [SourceKind; 6] = SourceKind::ALL;

/// The listed tables. The rule of the first reads `company_id`; the second has none.
const GUARDED: [&str; 2] = ["orders", "rates"];
/// The rule of the first.
const RULE: &str = "company_id = {{organization.company}}";
/// The column that no query may read.
const HIDDEN: &str = "margin";
/// The name of a row in a wrapper.
const ROW: &str = "inlay_row";

/// Rewrites SQL for one viewer. Returns whether the SQL is allowed.
///
/// # Panics
/// The output bypasses the wrappers: `sql` is an exploit.
pub fn try_one(kind: SourceKind, sql: &str) -> bool {
    let Some(made) = rewritten(kind, sql) else { return false };
    if let Err(way) = on_deep_stack(|| judge(kind, &made)) {
        panic!("{kind}: {way}\n{sql}\n{made}");
    }
    true
}

fn rewritten(kind: SourceKind, sql: &str) -> Option<String> {
    rewritten_for(kind, RULE, &json!("acme"), &Query::new(sql, NaiveDate::default()))
}

/// Rewrites a query of a viewer whose `organization.company` has a value, under a rule of the guarded table.
fn rewritten_for(kind: SourceKind, rule: &str, company: &Value, query: &Query) -> Option<String> {
    let rows = [RowAccess::Rule(rule.to_owned()), RowAccess::All];
    let tables = GUARDED.iter().zip(rows).map(|(name, rows)| Table {
        name: (*name).to_owned(),
        rows,
        hidden: BTreeSet::from([HIDDEN.to_owned()]),
    });
    let of = |(name, class): (&str, Class)| SourceColumn::new(name.to_owned(), class);
    let all = [
        ("id", Class::Integer),
        ("company_id", Class::Text),
        ("region", Class::Text),
        ("n", Class::Integer),
        (HIDDEN, Class::Integer),
    ];
    let all: Arc<[SourceColumn]> = all.map(of).into();
    let columns: Columns = GUARDED.iter().map(|name| ((*name).to_owned(), Arc::clone(&all))).collect();
    let viewer = SecurityContext {
        organization: json!({ "company": company }).as_object().cloned(),
        user: Some(serde_json::Map::new()),
        database_auth_token: None,
        share: 0,
    };
    rewrite(kind, &Catalog::new(tables.collect()), &columns, &viewer, query).ok().map(|made| made.sql)
}

/// Checks SQL independently: it must be a single query, with each base table directly in its own wrapper that has the rule and
/// not the hidden column, and without functions that are known to be dangerous.
fn judge(kind: SourceKind, sql: &str) -> Result<(), String> {
    let statements =
        Parser::parse_sql(dialect(kind).grammar(), sql).map_err(|problem| format!("it does not read back: {problem}"))?;
    let [Statement::Query(query)] = &statements[..] else { return Err("it is not one query".to_owned()) };
    let mut found = Found::default();
    if let ControlFlow::Break(way) = walk(&**query, &mut found) {
        return Err(way);
    }
    if found.bases == found.wrapped { Ok(()) } else { Err(format!("{} tables, {} wrappers", found.bases, found.wrapped)) }
}

#[derive(Default)]
struct Found {
    bases: usize,
    wrapped: usize,
}

/// Some of the functions that must never be allowed.
const NEVER: &[&str] =
    &["pg_", "lo_", "dblink", "query_to", "set_config", "current_setting", "load_", "readfile", "sleep", "url", "file"];

impl Visitor for Found {
    type Break = String;

    fn pre_visit_relation(&mut self, name: &ObjectName) -> ControlFlow<String> {
        let parts: Vec<_> = name.0.iter().filter_map(|part| part.as_ident()).map(|part| part.value.as_str()).collect();
        match parts.last() {
            Some(cte) if parts.len() == 1 && cte.starts_with("inlay_cte_") => {}
            Some(table) if GUARDED.contains(table) => self.bases += 1,
            _ => return ControlFlow::Break(format!("it reads {name}")),
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<String> {
        self.wrapped += usize::from(is_wrapper(select));
        ControlFlow::Continue(())
    }

    fn pre_visit_query(&mut self, query: &sqlparser::ast::Query) -> ControlFlow<String> {
        let writes = matches!(*query.body, SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_));
        if writes || !query.locks.is_empty() {
            ControlFlow::Break("it writes or locks".to_owned())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<String> {
        if let Expr::Function(Function { name, .. }) = expression {
            let name = name.to_string().replace(['"', '`'], "").to_ascii_lowercase();
            if NEVER.iter().any(|never| name.starts_with(never)) {
                return ControlFlow::Break(format!("it calls {name}"));
            }
        }
        ControlFlow::Continue(())
    }
}

/// Whether it is a wrapper: `SELECT inlay_row.a AS a, … FROM table AS inlay_row WHERE rule` of one table, without hidden
/// columns.
fn is_wrapper(select: &Select) -> bool {
    let [from] = &select.from[..] else { return false };
    let TableFactor::Table { name, alias: Some(alias), .. } = &from.relation else { return false };
    if alias.name.value != ROW || !from.joins.is_empty() {
        return false;
    }
    let visible = |item: &SelectItem| match item {
        SelectItem::ExprWithAlias { expr: Expr::CompoundIdentifier(parts), alias } => {
            parts.len() == 2 && parts[0].value == ROW && parts[1].value == alias.value && alias.value != HIDDEN
        }
        _ => false,
    };
    let rule = select.selection.as_ref().map(ToString::to_string).unwrap_or_default();
    let ruled =
        name.to_string().contains("rates") || (rule.starts_with('(') && rule.contains("company_id") && rule.contains('$'));
    select.projection.iter().all(visible) && ruled
}

#[cfg(test)]
mod tests;
