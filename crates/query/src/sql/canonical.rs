//! Canonical SQL, which can be read in only one way. Some databases read the same text differently depending on settings and
//! versions: whether `"x"` is a name or a text, what a backslash does, what `||` means, which words are reserved. For those, a
//! query is converted to an unambiguous form before it is printed:
//!
//! - every name is in the database's own quotes, so that it cannot be read as a keyword;
//! - text is in single quotes; text with a backslash becomes a bound value;
//! - if a setting decides what `||` means, it becomes `concat(…)`; types get the database's own names.

use super::{Refusal, functions::is_unit};
use crate::{
    bind::{Bind, Binds},
    compare::call,
    dialect::{Backslash, Concat, Form, dialect},
    name::fold_ident,
    source::SourceKind,
};
use inlay_sql_walk::walk_mut;
use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, ObjectNamePart, Statement, Value,
    ValueWithSpan, VisitorMut,
};
use std::ops::ControlFlow;

/// Converts a statement to canonical form, if the database needs it.
pub(crate) fn canonical(kind: SourceKind, statement: &mut Statement, binds: &mut Binds) -> Result<(), Refusal> {
    if dialect(kind).printing().form == Form::Written {
        return Ok(());
    }
    match walk_mut(statement, &mut Canonical { kind, binds, plain: 0 }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(refusal) => Err(*refusal),
    }
}

/// A text in canonical form: a literal, or a bound value.
pub(crate) fn text(kind: SourceKind, text: String, binds: &mut Binds) -> Result<Value, Refusal> {
    if dialect(kind).lexis().backslash == Backslash::Letter || !text.contains('\\') {
        return Ok(Value::SingleQuotedString(text));
    }
    binds.push_value(Bind::Text(text)).map_err(|_| Refusal::new("the SQL has too many text literals"))
}

struct Canonical<'a> {
    kind: SourceKind,
    binds: &'a mut Binds,
    /// How many of the following names are not columns: a function's own name, a unit of time.
    plain: usize,
}

impl VisitorMut for Canonical<'_> {
    type Break = Box<Refusal>;

    fn pre_visit_expr(&mut self, expression: &mut Expr) -> ControlFlow<Self::Break> {
        match expression {
            Expr::Function(function) => self.plain = function.name.0.len() + usize::from(begins_with_unit(self.kind, function)),
            Expr::BinaryOp { left, op: BinaryOperator::StringConcat, right }
                if dialect(self.kind).printing().concat == Concat::Function =>
            {
                let taken = |side: &mut Expr| std::mem::replace(side, Expr::value(Value::Null));
                *expression = call("concat", vec![taken(left), taken(right)]);
                self.plain = 1;
            }
            Expr::Cast { data_type, .. } => dialect(self.kind).respell(data_type),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// The names in these come after the expressions inside them, so they are corrected afterwards.
    fn post_visit_expr(&mut self, expression: &mut Expr) -> ControlFlow<Self::Break> {
        let name = match expression {
            Expr::Collate { collation, .. } => collation,
            Expr::Convert { charset: Some(charset), .. } => charset,
            _ => return ControlFlow::Continue(()),
        };
        for part in &mut name.0 {
            if let ObjectNamePart::Identifier(name) = part {
                name.quote_style = None;
            }
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_ident(&mut self, name: &mut Ident) -> ControlFlow<Self::Break> {
        if self.plain > 0 {
            self.plain -= 1;
            name.quote_style = None;
        } else {
            name.quote_style = Some(dialect(self.kind).names().quote_mark);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_value(&mut self, value: &mut ValueWithSpan) -> ControlFlow<Self::Break> {
        if let Value::SingleQuotedString(content) | Value::DoubleQuotedString(content) = &mut value.value {
            match text(self.kind, std::mem::take(content), self.binds) {
                Ok(made) => value.value = made,
                Err(refusal) => return ControlFlow::Break(Box::new(refusal)),
            }
        }
        ControlFlow::Continue(())
    }
}

/// Whether a function's first argument is a unit of time that looks like a column: `timestampdiff(MONTH, a, b)`.
fn begins_with_unit(kind: SourceKind, function: &Function) -> bool {
    let Some(name) = function.name.0.last().and_then(ObjectNamePart::as_ident) else { return false };
    let FunctionArguments::List(list) = &function.args else { return false };
    let Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Identifier(unit)))) = list.args.first() else { return false };
    let takes_unit = dialect(kind).functions().with_unit.contains(&&*fold_ident(kind, name));
    takes_unit && unit.quote_style.is_none() && is_unit(&unit.value)
}
