//! Parts of syntax trees.

use super::{Made, NoMeaning};
use crate::{
    dialect::{Dialect, dialect},
    name::{TableKey, is_plain, quoted},
    question::Spelling,
    source::SourceKind,
    sql::parse_expression,
};
use inlay_contract::filter::Scalar;
use inlay_sql_walk::expressions_mut;
use sqlparser::ast::{
    BinaryOperator, CaseWhen, DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentList,
    FunctionArguments, GroupByExpr, Ident, Join, JoinConstraint, JoinOperator, LimitClause, ObjectName, OrderBy, OrderByExpr,
    OrderByKind, OrderByOptions, OrderBySort, Query, Select, SelectFlavor, SelectItem, SetExpr, SetOperator, SetQuantifier,
    TableAlias, TableFactor, TableWithJoins, Value, WindowFrame, WindowFrameBound, WindowFrameUnits, WindowSpec, WindowType,
    helpers::attached_token::AttachedToken,
};
use std::ops::ControlFlow;

/// What names begin with that the checks of every query keep for themselves.
pub(super) const OURS: &str = "inlay_";
/// The stand-in for a value in an expression of a dialect.
const VALUE: &str = "inlay_value";

/// Writes parts of trees for a kind of database.
#[derive(Clone, Copy)]
pub(super) struct Tree {
    pub kind: SourceKind,
}

impl Tree {
    pub(super) fn dialect(self) -> &'static dyn Dialect {
        dialect(self.kind)
    }

    /// A name that somebody chose.
    pub(super) fn name(self, at: &str, name: &str) -> Made<Ident> {
        let is_ours = name.to_lowercase().starts_with(OURS);
        if is_plain(name) && name.len() <= 60 && !is_ours {
            return Ok(quoted(self.kind, name));
        }
        let told = "a name has 1 to 60 letters, holds no quote, backslash or control character, and does not begin with inlay_";
        Err(NoMeaning::new(at, told))
    }

    /// A name that this module makes.
    pub(super) fn own(self, name: &str) -> Ident {
        quoted(self.kind, name)
    }

    /// A column of a relation that this module names.
    pub(super) fn column(self, relation: &str, column: &str) -> Expr {
        Expr::CompoundIdentifier(vec![self.own(relation), self.own(column)])
    }

    /// A table of the catalogue under a name.
    pub(super) fn table(self, at: &str, name: &str, alias: &str) -> Made<TableFactor> {
        let wrong = || NoMeaning::new(at, format!("the table `{name}` has a name that cannot be written safely"));
        TableKey::spelled(self.kind, name).ok_or_else(wrong)?;
        let parts: Vec<Ident> = name.split('.').map(|part| quoted(self.kind, part)).collect();
        Ok(TableFactor::Table {
            name: ObjectName::from(parts),
            alias: Some(self.alias(alias)),
            args: None,
            with_hints: Vec::new(),
            version: None,
            with_ordinality: false,
            partitions: Vec::new(),
            json_path: None,
            sample: None,
            index_hints: Vec::new(),
        })
    }

    fn alias(self, name: &str) -> TableAlias {
        TableAlias { explicit: true, name: self.own(name), columns: Vec::new(), at: None }
    }

    /// A query as a relation.
    pub(super) fn derived(self, query: Query, alias: &str) -> TableFactor {
        TableFactor::Derived { lateral: false, subquery: Box::new(query), alias: Some(self.alias(alias)), sample: None }
    }

    /// What a dialect writes.
    pub(super) fn written(self, text: &str) -> Made<Expr> {
        parse_expression(self.kind, text).map_err(|refusal| NoMeaning::new("query", refusal.0))
    }

    /// What a dialect writes around a value.
    pub(super) fn around(self, write: impl FnOnce(&str) -> String, value: &Expr) -> Made<Expr> {
        let mut made = self.written(&write(VALUE))?;
        let _ = expressions_mut(&mut made, |part: &mut Expr| {
            if matches!(part, Expr::Identifier(name) if name.value == VALUE) {
                *part = nested(value.clone());
            }
            ControlFlow::<()>::Continue(())
        });
        Ok(made)
    }

    /// A value of a filter. A truth is written as one, also where a column would hold a number, so that no number is taken for it.
    pub(super) fn literal(self, at: &str, value: &Scalar) -> Made<Expr> {
        let written = Spelling::of(self.kind).literal(value);
        match value {
            Scalar::Boolean(on) => Ok(Expr::value(Value::Boolean(*on))),
            // What these are read as is known.
            Scalar::Text(text) if written.is_ok() && !text.contains(['\'', '\\']) => {
                Ok(Expr::value(Value::SingleQuotedString(text.clone())))
            }
            Scalar::Number(digits) if digits.as_u64().is_some() => Ok(number(digits.to_string())),
            Scalar::Text(_) | Scalar::Number(_) => self.spelled(at, written),
        }
    }

    /// One end of a range.
    pub(super) fn end(self, at: &str, value: &Scalar) -> Made<Expr> {
        match value {
            Scalar::Text(text) if text.len() == 10 => self.spelled(at, Spelling::of(self.kind).end(value)),
            _ => self.literal(at, value),
        }
    }

    fn spelled(self, at: &str, text: Result<String, crate::QueryError>) -> Made<Expr> {
        let told = "holds a character that this kind of database may read in another way";
        let made = text.map_err(|_| NoMeaning::new(at, told)).and_then(|text| Ok((self.written(&text)?, text)));
        let (made, text) = made?;
        // The printer of syntax trees takes a quote for escaped that stands behind a backslash or another quote. Every query is
        // printed by it, so such a text would not arrive as it is.
        let is_text = matches!(&made, Expr::Value(value) if matches!(value.value, Value::SingleQuotedString(_)));
        if is_text && made.to_string() != text {
            return Err(NoMeaning::new(at, "must not hold a quote behind a backslash or another quote"));
        }
        Ok(made)
    }
}

/// A SELECT in the making.
pub(super) struct Rows {
    pub items: Vec<(Expr, Ident)>,
    pub from: TableFactor,
    pub joins: Vec<Join>,
    pub conditions: Vec<Expr>,
    /// So many of the first items make groups. `None`: rows are not gathered.
    pub groups: Option<usize>,
}

impl Rows {
    pub(super) const fn of(from: TableFactor) -> Self {
        Self { items: Vec::new(), from, joins: Vec::new(), conditions: Vec::new(), groups: None }
    }

    pub(super) fn query(self) -> Query {
        let groups = (1..=self.groups.unwrap_or_default()).map(|at| number(at.to_string())).collect();
        query_of(SetExpr::Select(Box::new(Select {
            select_token: AttachedToken::empty(),
            optimizer_hints: Vec::new(),
            distinct: None,
            select_modifiers: None,
            top: None,
            top_before_distinct: false,
            projection: self.items.into_iter().map(|(expr, alias)| SelectItem::ExprWithAlias { expr, alias }).collect(),
            exclude: None,
            into: None,
            from: vec![TableWithJoins { relation: self.from, joins: self.joins }],
            lateral_views: Vec::new(),
            prewhere: None,
            selection: self.conditions.into_iter().reduce(|one, next| binary(one, BinaryOperator::And, next)),
            connect_by: Vec::new(),
            group_by: GroupByExpr::Expressions(groups, Vec::new()),
            cluster_by: Vec::new(),
            distribute_by: Vec::new(),
            sort_by: Vec::new(),
            having: None,
            named_window: Vec::new(),
            qualify: None,
            window_before_qualify: false,
            value_table_mode: None,
            flavor: SelectFlavor::Standard,
        })))
    }
}

fn query_of(body: SetExpr) -> Query {
    Query {
        with: None,
        body: Box::new(body),
        order_by: None,
        limit_clause: None,
        fetch: None,
        locks: Vec::new(),
        for_clause: None,
        settings: None,
        format_clause: None,
        pipe_operators: Vec::new(),
    }
}

/// `first UNION ALL second`
pub(super) fn union_all(first: Query, second: Query) -> Query {
    query_of(SetExpr::SetOperation {
        left: first.body,
        op: SetOperator::Union,
        set_quantifier: SetQuantifier::All,
        right: second.body,
    })
}

/// The query in an order, cut after so many rows.
pub(super) fn cut(mut query: Query, order: Vec<OrderByExpr>, limit: u32) -> Query {
    if !order.is_empty() {
        query.order_by = Some(OrderBy { kind: OrderByKind::Expressions(order), interpolate: None });
    }
    query.limit_clause =
        Some(LimitClause::LimitOffset { limit: Some(number(limit.to_string())), offset: None, limit_by: Vec::new() });
    query
}

/// `LEFT JOIN relation ON left = right`
pub(super) fn left_join(relation: TableFactor, left: Expr, right: Expr) -> Join {
    let on = JoinConstraint::On(binary(left, BinaryOperator::Eq, right));
    Join { relation, global: false, join_operator: JoinOperator::Left(on) }
}

pub(super) fn nested(expression: Expr) -> Expr {
    match expression {
        plain @ (Expr::Identifier(_)
        | Expr::CompoundIdentifier(_)
        | Expr::Value(_)
        | Expr::Nested(_)
        | Expr::Function(_)
        | Expr::Case { .. }) => plain,
        other => Expr::Nested(Box::new(other)),
    }
}

pub(super) fn binary(left: Expr, op: BinaryOperator, right: Expr) -> Expr {
    Expr::BinaryOp { left: Box::new(operand(left, &op)), right: Box::new(operand(right, &op)), op }
}

/// Chains of `and` and `or` need no parentheses.
fn operand(expression: Expr, within: &BinaryOperator) -> Expr {
    match &expression {
        Expr::BinaryOp { op, .. } if op == within && matches!(op, BinaryOperator::And | BinaryOperator::Or) => expression,
        _ => nested(expression),
    }
}

pub(super) fn number(digits: impl Into<String>) -> Expr {
    Expr::value(Value::Number(digits.into(), false))
}

pub(super) fn null() -> Expr {
    Expr::value(Value::Null)
}

pub(super) fn is_null(expression: Expr) -> Expr {
    Expr::IsNull(Box::new(nested(expression)))
}

/// `case when condition then value end`
pub(super) fn when(condition: Expr, value: Expr) -> Expr {
    cases(vec![(condition, value)])
}

/// `case when condition then value … end`: the value of the first condition that holds.
pub(super) fn cases(cases: Vec<(Expr, Expr)>) -> Expr {
    Expr::Case {
        case_token: AttachedToken::empty(),
        end_token: AttachedToken::empty(),
        operand: None,
        conditions: cases.into_iter().map(|(condition, result)| CaseWhen { condition, result }).collect(),
        else_result: None,
    }
}

/// `name(arguments)`; no argument is `*`.
pub(super) fn call(name: &str, arguments: Vec<Expr>, distinct: bool) -> Function {
    let star = FunctionArg::Unnamed(FunctionArgExpr::Wildcard);
    let mut args: Vec<FunctionArg> =
        arguments.into_iter().map(|one| FunctionArg::Unnamed(FunctionArgExpr::Expr(one))).collect();
    if args.is_empty() && name == "count" {
        args.push(star);
    }
    let duplicate_treatment = distinct.then_some(DuplicateTreatment::Distinct);
    Function {
        name: ObjectName::from(vec![Ident::new(name)]),
        uses_odbc_syntax: false,
        parameters: FunctionArguments::None,
        args: FunctionArguments::List(FunctionArgumentList { duplicate_treatment, args, clauses: Vec::new() }),
        within_group: Vec::new(),
        filter: None,
        null_treatment: None,
        over: None,
    }
}

pub(super) fn function(name: &str, arguments: Vec<Expr>) -> Expr {
    Expr::Function(call(name, arguments, false))
}

/// A function over a window in the order of a value.
pub(super) fn over(function: Function, partition_by: Vec<Expr>, order: Option<Expr>, frame: Option<WindowFrame>) -> Expr {
    over_ordered(function, partition_by, order.into_iter().flat_map(|value| in_order(value, false)).collect(), frame)
}

/// A function over a window.
pub(super) fn over_ordered(
    mut function: Function,
    partition_by: Vec<Expr>,
    order_by: Vec<OrderByExpr>,
    window_frame: Option<WindowFrame>,
) -> Expr {
    let spec = WindowSpec { window_name: None, partition_by, order_by, window_frame };
    function.over = Some(WindowType::WindowSpec(spec));
    Expr::Function(function)
}

/// The rows up to each: so many with the row itself, or all.
pub(super) fn frame(rows: Option<u16>) -> WindowFrame {
    WindowFrame {
        units: WindowFrameUnits::Rows,
        start_bound: WindowFrameBound::Preceding(rows.map(|rows| Box::new(number(rows.saturating_sub(1).to_string())))),
        end_bound: Some(WindowFrameBound::CurrentRow),
    }
}

/// An order by a value. Rows without one come last, whatever the database does by itself.
pub(super) fn in_order(value: Expr, descending: bool) -> [OrderByExpr; 2] {
    let by = |expr, sort| OrderByExpr { expr, options: OrderByOptions { sort, nulls_first: None }, with_fill: None };
    [by(is_null(value.clone()), None), by(value, descending.then_some(OrderBySort::Desc))]
}
