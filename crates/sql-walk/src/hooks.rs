//! All that sqlparser tells a visitor, passed on.

use sqlparser::ast::{
    Expr, GroupByExpr, Ident, ObjectName, OrderBy, OrderByExpr, Query, Select, Statement, TableFactor, ValueWithSpan, Visitor,
    VisitorMut,
};
use std::ops::ControlFlow;

/// The one visitor that walks are compiled for.
pub struct Shared<'a>(pub &'a mut dyn Visitor<Break = ()>);

/// The one visitor that walks which change their tree are compiled for.
pub struct SharedMut<'a>(pub &'a mut dyn VisitorMut<Break = ()>);

/// A visitor, and what it broke with.
pub struct Kept<'a, V: Visitor> {
    pub visitor: &'a mut V,
    pub broken: Option<V::Break>,
}

/// A visitor that changes its tree, and what it broke with.
pub struct KeptMut<'a, V: VisitorMut> {
    pub visitor: &'a mut V,
    pub broken: Option<V::Break>,
}

fn keep<B>(broken: &mut Option<B>, flow: ControlFlow<B>) -> ControlFlow<()> {
    match flow {
        ControlFlow::Continue(()) => ControlFlow::Continue(()),
        ControlFlow::Break(with) => {
            *broken = Some(with);
            ControlFlow::Break(())
        }
    }
}

/// The hooks of both traits, with the node that each is given. A hook that is missing here would never be called, and no check in
/// it would be made: a test compares the list with sqlparser's.
macro_rules! hooks {
    ($($hook:ident: $node:ty,)*) => {
        impl Visitor for Shared<'_> {
            type Break = ();
            $(fn $hook(&mut self, node: &$node) -> ControlFlow<()> { self.0.$hook(node) })*
        }

        impl VisitorMut for SharedMut<'_> {
            type Break = ();
            $(fn $hook(&mut self, node: &mut $node) -> ControlFlow<()> { self.0.$hook(node) })*
        }

        impl<V: Visitor> Visitor for Kept<'_, V> {
            type Break = ();
            $(fn $hook(&mut self, node: &$node) -> ControlFlow<()> { keep(&mut self.broken, self.visitor.$hook(node)) })*
        }

        impl<V: VisitorMut> VisitorMut for KeptMut<'_, V> {
            type Break = ();
            $(fn $hook(&mut self, node: &mut $node) -> ControlFlow<()> { keep(&mut self.broken, self.visitor.$hook(node)) })*
        }

        #[cfg(test)]
        pub const HOOKS: &[&str] = &[$(stringify!($hook)),*];

        /// Counts the calls of each hook.
        #[cfg(test)]
        #[derive(Default)]
        pub struct Counted(pub std::collections::BTreeMap<&'static str, usize>);

        #[cfg(test)]
        impl Visitor for Counted {
            type Break = ();
            $(fn $hook(&mut self, _: &$node) -> ControlFlow<()> {
                *self.0.entry(stringify!($hook)).or_default() += 1;
                ControlFlow::Continue(())
            })*
        }

        #[cfg(test)]
        impl VisitorMut for Counted {
            type Break = ();
            $(fn $hook(&mut self, _: &mut $node) -> ControlFlow<()> {
                *self.0.entry(stringify!($hook)).or_default() += 1;
                ControlFlow::Continue(())
            })*
        }
    };
}

hooks! {
    pre_visit_query: Query,
    post_visit_query: Query,
    pre_visit_select: Select,
    post_visit_select: Select,
    pre_visit_relation: ObjectName,
    post_visit_relation: ObjectName,
    pre_visit_table_factor: TableFactor,
    post_visit_table_factor: TableFactor,
    pre_visit_expr: Expr,
    post_visit_expr: Expr,
    pre_visit_statement: Statement,
    post_visit_statement: Statement,
    pre_visit_value: ValueWithSpan,
    post_visit_value: ValueWithSpan,
    pre_visit_ident: Ident,
    post_visit_ident: Ident,
    pre_visit_order_by: OrderBy,
    post_visit_order_by: OrderBy,
    pre_visit_order_by_expr: OrderByExpr,
    post_visit_order_by_expr: OrderByExpr,
    pre_visit_group_by: GroupByExpr,
    post_visit_group_by: GroupByExpr,
}
