//! Walks over syntax trees of SQL.
//!
//! sqlparser compiles a walk through all of its node types anew for each type of visitor: some 500 functions each, which made half
//! of `inlay-query`'s machine code. Here all visitors share one walk, which calls them through a table of functions.

mod hooks;
#[cfg(test)]
mod tests;

use hooks::{Kept, KeptMut};
use sqlparser::ast::{Expr, Query, Statement, Visit, VisitMut, Visitor, VisitorMut};
use std::ops::ControlFlow;

/// The root of a walk.
pub trait Tree {
    /// Shows the visitor every node, until it breaks.
    fn show(&self, visitor: &mut dyn Visitor<Break = ()>);
    /// Shows the visitor every node, which it may change, until it breaks.
    fn show_mut(&mut self, visitor: &mut dyn VisitorMut<Break = ()>);
}

macro_rules! tree {
    ($($root:ty),*) => {
        $(impl Tree for $root {
            fn show(&self, visitor: &mut dyn Visitor<Break = ()>) {
                let _ = self.visit(&mut hooks::Shared(visitor));
            }

            fn show_mut(&mut self, visitor: &mut dyn VisitorMut<Break = ()>) {
                let _ = VisitMut::visit(self, &mut hooks::SharedMut(visitor));
            }
        })*
    };
}

tree!(Statement, Query, Expr);

/// Shows a visitor every node of a tree.
///
/// # Errors
/// With what the visitor breaks with.
pub fn walk<V: Visitor>(tree: &dyn Tree, visitor: &mut V) -> ControlFlow<V::Break> {
    let mut kept = Kept { visitor, broken: None };
    tree.show(&mut kept);
    kept.broken.map_or(ControlFlow::Continue(()), ControlFlow::Break)
}

/// Shows a visitor every node of a tree, to change it.
///
/// # Errors
/// With what the visitor breaks with.
pub fn walk_mut<V: VisitorMut>(tree: &mut dyn Tree, visitor: &mut V) -> ControlFlow<V::Break> {
    let mut kept = KeptMut { visitor, broken: None };
    tree.show_mut(&mut kept);
    kept.broken.map_or(ControlFlow::Continue(()), ControlFlow::Break)
}

/// Shows every expression of a tree, each before its parts.
///
/// # Errors
/// With what `look` breaks with.
pub fn expressions<B>(tree: &dyn Tree, look: impl FnMut(&Expr) -> ControlFlow<B>) -> ControlFlow<B> {
    struct Expressions<F>(F);
    impl<B, F: FnMut(&Expr) -> ControlFlow<B>> Visitor for Expressions<F> {
        type Break = B;

        fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<B> {
            self.0(expression)
        }
    }
    walk(tree, &mut Expressions(look))
}

/// Shows every expression of a tree, to change it, each after its parts.
///
/// # Errors
/// With what `change` breaks with.
pub fn expressions_mut<B>(tree: &mut dyn Tree, change: impl FnMut(&mut Expr) -> ControlFlow<B>) -> ControlFlow<B> {
    struct Expressions<F>(F);
    impl<B, F: FnMut(&mut Expr) -> ControlFlow<B>> VisitorMut for Expressions<F> {
        type Break = B;

        fn post_visit_expr(&mut self, expression: &mut Expr) -> ControlFlow<B> {
            self.0(expression)
        }
    }
    walk_mut(tree, &mut Expressions(change))
}
