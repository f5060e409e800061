//! The allow-list: the statements, clauses and relations that a query may contain. Everything else is refused. It uses
//! `sqlparser`'s own visitor, so no part of the tree is missed. Every struct is destructured field by field, so that a field of
//! a later version does not compile until it is handled here.

use super::{Refusal, expressions, reserved::check_given};
use crate::{dialect::dialect, source::SourceKind};
use inlay_sql_walk::walk;
use sqlparser::ast::{
    Expr, Fetch, GroupByExpr, Join, JoinConstraint, JoinOperator, LimitClause, NamedWindowExpr, OrderBy, OrderByExpr,
    OrderByKind, Query, Select, SelectFlavor, SelectItem, SelectItemQualifiedWildcardKind, SetExpr, SetQuantifier, Statement,
    TableAlias, TableFactor, TableWithJoins, Value, ValueWithSpan, Visitor, WildcardAdditionalOptions, WindowSpec,
};
use std::ops::ControlFlow;

/// The author of the SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Author {
    /// A chart, a person or a model: placeholders are refused.
    Chart,
    /// Inlay itself: the placeholders `$1`… are its own.
    Inlay,
}

/// Refuses everything that is not on the list.
pub(crate) fn check(kind: SourceKind, author: Author, statement: &Statement) -> Result<(), Refusal> {
    if !matches!(statement, Statement::Query(_)) {
        return Err(Refusal::new("only SELECT is allowed"));
    }
    if let ControlFlow::Break(refusal) = walk(statement, &mut Check { kind, author }) {
        return Err(*refusal);
    }
    match author {
        Author::Chart => check_given(kind, statement),
        Author::Inlay => Ok(()),
    }
}

struct Check {
    kind: SourceKind,
    author: Author,
}

type Verdict = ControlFlow<Box<Refusal>>;

fn verdict(allowed: bool, what: &str) -> Verdict {
    if allowed {
        ControlFlow::Continue(())
    } else {
        ControlFlow::Break(Box::new(Refusal::new(format!("{what} is not allowed"))))
    }
}

impl Visitor for Check {
    type Break = Box<Refusal>;

    fn pre_visit_statement(&mut self, statement: &Statement) -> Verdict {
        verdict(matches!(statement, Statement::Query(_)), "a statement inside a query")
    }

    fn pre_visit_query(&mut self, query: &Query) -> Verdict {
        let Query { with, body, order_by: _, limit_clause, fetch, locks, for_clause, settings, format_clause, pipe_operators } =
            query;
        verdict(locks.is_empty(), "FOR UPDATE")?;
        let extras = for_clause.is_none() && settings.is_none() && format_clause.is_none() && pipe_operators.is_empty();
        verdict(extras, "a clause after the query")?;
        verdict(limit_clause.as_ref().is_none_or(is_plain_limit), "this LIMIT")?;
        verdict(fetch.as_ref().is_none_or(is_plain_fetch), "this FETCH")?;
        for cte in with.iter().flat_map(|with| &with.cte_tables) {
            verdict(cte.from.is_none() && is_plain_alias(&cte.alias), "this WITH")?;
        }
        set_expression(body)
    }

    fn pre_visit_select(&mut self, select: &Select) -> Verdict {
        let Select {
            select_token: _,
            optimizer_hints,
            distinct: _,
            select_modifiers,
            top,
            top_before_distinct: _,
            projection,
            exclude,
            into,
            from,
            lateral_views,
            prewhere,
            selection: _,
            connect_by,
            group_by,
            cluster_by,
            distribute_by,
            sort_by,
            having: _,
            named_window,
            qualify,
            window_before_qualify: _,
            value_table_mode,
            flavor,
        } = select;
        verdict(into.is_none(), "SELECT INTO")?;
        verdict(optimizer_hints.is_empty() && select_modifiers.is_none(), "a hint")?;
        verdict(top.is_none() && exclude.is_none() && prewhere.is_none() && qualify.is_none(), "a clause of another database")?;
        verdict(lateral_views.is_empty() && connect_by.is_empty() && cluster_by.is_empty(), "a clause of another database")?;
        verdict(distribute_by.is_empty() && sort_by.is_empty() && value_table_mode.is_none(), "a clause of another database")?;
        verdict(*flavor == SelectFlavor::Standard, "a query that begins with FROM")?;
        verdict(!projection.is_empty() && projection.iter().all(is_plain_item), "an item of the select list")?;
        verdict(from.iter().all(has_plain_joins), "this kind of join")?;
        verdict(matches!(group_by, GroupByExpr::Expressions(_, modifiers) if modifiers.is_empty()), "this GROUP BY")?;
        verdict(named_window.iter().all(|window| is_plain_window(&window.1)), "this window")
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> Verdict {
        match factor {
            TableFactor::Table {
                name,
                alias,
                args,
                with_hints,
                version,
                with_ordinality,
                partitions,
                json_path,
                sample,
                index_hints,
            } => {
                verdict(args.is_none() && !with_ordinality, "a table function")?;
                verdict(sample.is_none(), "TABLESAMPLE")?;
                let plain = with_hints.is_empty() && version.is_none() && partitions.is_empty();
                verdict(plain && json_path.is_none() && index_hints.is_empty(), "a table with hints")?;
                let alias_is_name = !alias.as_ref().is_some_and(|alias| is_word_after_tables(self.kind, alias));
                verdict(alias_is_name, "FINAL, SAMPLE, ANY, ASOF and their like")?;
                let named = name.0.len() <= 2 && name.0.iter().all(|part| part.as_ident().is_some());
                verdict(named && alias.as_ref().is_none_or(is_plain_alias), "this way to name a table")
            }
            TableFactor::Derived { lateral, subquery: _, alias, sample } => {
                verdict(!lateral || dialect(self.kind).forms().lateral.is_allowed(), "LATERAL")?;
                verdict(sample.is_none() && alias.as_ref().is_none_or(is_plain_alias), "a sampled subquery")
            }
            TableFactor::NestedJoin { table_with_joins, alias } => {
                verdict(alias.as_ref().is_none_or(is_plain_alias), "this alias")?;
                verdict(has_plain_joins(table_with_joins), "this kind of join")
            }
            _ => verdict(false, "a table function"),
        }
    }

    fn pre_visit_order_by(&mut self, order_by: &OrderBy) -> Verdict {
        let OrderBy { kind, interpolate } = order_by;
        verdict(matches!(kind, OrderByKind::Expressions(_)) && interpolate.is_none(), "this ORDER BY")
    }

    fn pre_visit_order_by_expr(&mut self, order_by: &OrderByExpr) -> Verdict {
        verdict(order_by.with_fill.is_none(), "WITH FILL")
    }

    fn pre_visit_expr(&mut self, expression: &Expr) -> Verdict {
        match expressions::check(self.kind, expression) {
            Ok(()) => ControlFlow::Continue(()),
            Err(what) => ControlFlow::Break(Box::new(Refusal::new(what))),
        }
    }

    fn pre_visit_value(&mut self, value: &ValueWithSpan) -> Verdict {
        match &value.value {
            Value::Number(_, _) | Value::SingleQuotedString(_) | Value::Boolean(_) | Value::Null => ControlFlow::Continue(()),
            // If it is a text, the canonical form puts it in single quotes.
            Value::DoubleQuotedString(_) => {
                let is_text = dialect(self.kind).forms().double_quoted_texts.is_allowed();
                verdict(is_text && self.author == Author::Chart, "this kind of literal")
            }
            Value::Placeholder(name) => {
                let ours = name.strip_prefix('$').is_some_and(|number| number.parse::<usize>().is_ok_and(|number| number > 0));
                verdict(self.author == Author::Inlay && ours, "a placeholder")
            }
            _ => verdict(false, "this kind of literal"),
        }
    }
}

/// Whether the database reads a word after a table differently from the alias that it looks like.
fn is_word_after_tables(kind: SourceKind, alias: &TableAlias) -> bool {
    let words = dialect(kind).words().after_tables;
    alias.name.quote_style.is_none() && words.iter().any(|word| alias.name.value.eq_ignore_ascii_case(word))
}

fn set_expression(body: &SetExpr) -> Verdict {
    match body {
        SetExpr::Select(_) | SetExpr::Query(_) | SetExpr::Values(_) => ControlFlow::Continue(()),
        SetExpr::SetOperation { left, op: _, set_quantifier, right } => {
            let plain = matches!(set_quantifier, SetQuantifier::All | SetQuantifier::Distinct | SetQuantifier::None);
            verdict(plain, "BY NAME")?;
            set_expression(left)?;
            set_expression(right)
        }
        SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_) => verdict(false, "a change of data"),
        SetExpr::Table(_) => verdict(false, "TABLE"),
    }
}

fn is_plain_limit(limit: &LimitClause) -> bool {
    match limit {
        LimitClause::LimitOffset { limit: _, offset: _, limit_by } => limit_by.is_empty(),
        LimitClause::OffsetCommaLimit { .. } => true,
    }
}

fn is_plain_fetch(fetch: &Fetch) -> bool {
    let Fetch { with_ties, percent, quantity } = fetch;
    !with_ties && !percent && matches!(quantity, Some(Expr::Value(_)))
}

fn is_plain_alias(alias: &TableAlias) -> bool {
    let TableAlias { explicit: _, name: _, columns, at } = alias;
    at.is_none() && columns.iter().all(|column| column.data_type.is_none())
}

fn is_plain_item(item: &SelectItem) -> bool {
    match item {
        SelectItem::UnnamedExpr(_) | SelectItem::ExprWithAlias { .. } => true,
        SelectItem::Wildcard(options) => is_plain_wildcard(options),
        SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(_), options) => is_plain_wildcard(options),
        SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::Expr(_), _) | SelectItem::ExprWithAliases { .. } => {
            false
        }
    }
}

fn is_plain_wildcard(options: &WildcardAdditionalOptions) -> bool {
    let WildcardAdditionalOptions { wildcard_token: _, opt_ilike, opt_exclude, opt_except, opt_replace, opt_rename, opt_alias } =
        options;
    opt_ilike.is_none()
        && opt_exclude.is_none()
        && opt_except.is_none()
        && opt_replace.is_none()
        && opt_rename.is_none()
        && opt_alias.is_none()
}

fn has_plain_joins(table: &TableWithJoins) -> bool {
    table.joins.iter().all(|Join { relation: _, global, join_operator }| !global && is_plain_join(join_operator))
}

fn is_plain_join(operator: &JoinOperator) -> bool {
    let (JoinOperator::Join(constraint)
    | JoinOperator::Inner(constraint)
    | JoinOperator::Left(constraint)
    | JoinOperator::LeftOuter(constraint)
    | JoinOperator::Right(constraint)
    | JoinOperator::RightOuter(constraint)
    | JoinOperator::FullOuter(constraint)
    | JoinOperator::CrossJoin(constraint)) = operator
    else {
        return false;
    };
    match constraint {
        JoinConstraint::Using(columns) => columns.iter().all(|column| column.0.len() == 1),
        JoinConstraint::On(_) | JoinConstraint::Natural | JoinConstraint::None => true,
    }
}

fn is_plain_window(window: &NamedWindowExpr) -> bool {
    match window {
        NamedWindowExpr::NamedWindow(_) => true,
        NamedWindowExpr::WindowSpec(WindowSpec { .. }) => true,
    }
}
