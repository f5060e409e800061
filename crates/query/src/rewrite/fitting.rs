//! Values of filters in the SQL of a query of the semantic model. The compiler does not know the columns' types, so it writes a value
//! as what it is, in parentheses; no other value of its SQL has any. Here the types are known, and each value becomes one of the type
//! that it is compared with, as the value of a page's filter does. One that has no such form is equal to nothing, greater than nothing
//! and less than nothing.

use super::Columns;
use crate::{
    catalog::Catalog,
    compare::{Moment, boolean, cast, moment, number, spaced, text, uuid},
    dialect::{Conversion, Typing, dialect},
    filters::never,
    name::fold_ident,
    question::Spelling,
    schema::{Class, SourceColumn, find},
    source::SourceKind,
    sql::parse_expression,
};
use inlay_contract::filter::Scalar;
use inlay_sql_walk::walk_mut;
use serde_json::{Number, Value as Json};
use sqlparser::ast::{
    BinaryOperator, DataType, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Select, Statement, TableFactor,
    TimezoneInfo, UnaryOperator, Value, VisitorMut,
};
use std::{collections::HashMap, ops::ControlFlow, sync::Arc};

/// Gives the values of filters the types that they are compared with.
pub(super) fn fit(kind: SourceKind, catalog: &Catalog, columns: &Columns, statement: &mut Statement) {
    let _ = walk_mut(statement, &mut Fitting { kind, catalog, columns, scopes: Vec::new() });
}

/// The tables of a SELECT, by the folded names that it gives them.
type Scope = HashMap<String, Arc<[SourceColumn]>>;

struct Fitting<'a> {
    kind: SourceKind,
    catalog: &'a Catalog,
    columns: &'a Columns,
    scopes: Vec<Scope>,
}

impl VisitorMut for Fitting<'_> {
    type Break = ();

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        let joined = select.from.iter().flat_map(|from| &from.joins).map(|join| &join.relation);
        let relations = select.from.iter().map(|from| &from.relation).chain(joined);
        let scope = relations.filter_map(|relation| self.table(relation)).collect();
        self.scopes.push(scope);
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, _: &mut Select) -> ControlFlow<()> {
        self.scopes.pop();
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expression: &mut Expr) -> ControlFlow<()> {
        match expression {
            Expr::BinaryOp { left, op: BinaryOperator::Eq | BinaryOperator::GtEq | BinaryOperator::Lt, right } => {
                let Some(value) = Given::of(right) else { return ControlFlow::Continue(()) };
                let class = self.class(left);
                match self.suited(class, value) {
                    Some(value) => {
                        **right = value;
                        self.by_text(class, left);
                    }
                    None => *expression = never(),
                }
            }
            Expr::InList { expr, list, negated: false } => {
                let Some(values) = list.iter().map(Given::of).collect::<Option<Vec<_>>>() else {
                    return ControlFlow::Continue(());
                };
                let class = self.class(expr);
                *list = values.into_iter().filter_map(|value| self.suited(class, value)).collect();
                self.by_text(class, expr);
                if list.is_empty() {
                    *expression = never();
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

/// A value of a filter.
enum Given {
    /// As it is written.
    Plain(Expr, Json),
    /// A day, as an end of a range is written.
    Day(Expr, Json),
}

impl Given {
    fn of(expression: &Expr) -> Option<Self> {
        let Expr::Nested(inner) = expression else { return None };
        let day = match &**inner {
            Expr::Cast { expr, data_type: DataType::Date, .. } => Some(expr),
            _ => None,
        };
        let json = Self::json(day.unwrap_or(inner))?;
        let inner = (**inner).clone();
        Some(if day.is_some() { Self::Day(inner, json) } else { Self::Plain(inner, json) })
    }

    fn json(expression: &Expr) -> Option<Json> {
        match expression {
            Expr::UnaryOp { op: UnaryOperator::Minus, expr } => match Self::json(expr)? {
                Json::Number(number) => format!("-{number}").parse().ok().map(Json::Number),
                _ => None,
            },
            Expr::Value(value) => match &value.value {
                Value::SingleQuotedString(text) => Some(Json::String(text.clone())),
                Value::Number(digits, _) => digits.parse::<Number>().ok().map(Json::Number),
                Value::Boolean(on) => Some(Json::Bool(*on)),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Fitting<'_> {
    fn table(&self, relation: &TableFactor) -> Option<(String, Arc<[SourceColumn]>)> {
        let TableFactor::Table { name, alias: Some(alias), .. } = relation else { return None };
        let columns = self.columns.get(&self.catalog.resolve(self.kind, name)?.name)?;
        Some((fold_ident(self.kind, &alias.name), Arc::clone(columns)))
    }

    /// The value beside a class; `None` where it has no such form.
    fn suited(&self, class: Class, given: Given) -> Option<Expr> {
        let (written, value, is_day) = match given {
            Given::Plain(written, value) => (written, value, false),
            Given::Day(written, value) => (written, value, true),
        };
        let literal = |scalar: &Scalar| parse_expression(self.kind, &Spelling::of(self.kind).literal(scalar).ok()?).ok();
        match class {
            Class::Other => Some(written),
            Class::Integer | Class::Decimal | Class::Real | Class::Double => match value {
                Json::Number(_) => Some(written),
                other => parse_expression(self.kind, &number(&other)?).ok(),
            },
            Class::Text | Class::ByText => match value {
                Json::String(_) if !is_day => Some(written),
                other => literal(&Scalar::Text(text(&other)?)),
            },
            Class::Uuid => literal(&Scalar::Text(uuid(&value)?)),
            Class::Boolean => literal(&Scalar::Boolean(boolean(&value)?)),
            Class::Date if self.has_days() => match moment(&value)? {
                Moment::Day(_) => Some(written),
                // As a day it would lose its hours.
                Moment::Time(time) => {
                    let time = literal(&Scalar::Text(spaced(time)))?;
                    Some(cast(time, DataType::Timestamp(None, TimezoneInfo::None)))
                }
            },
            Class::Date | Class::Timestamp | Class::Moment => moment(&value).map(|_| written),
        }
    }

    /// Whether a text beside a day is read as a day.
    fn has_days(&self) -> bool {
        let comparisons = dialect(self.kind).comparisons();
        comparisons.typing == Typing::Static && comparisons.conversion == Conversion::Typed
    }

    /// Compares by its text what has no other form that a value could take.
    fn by_text(&self, class: Class, place: &mut Expr) {
        if class == Class::ByText {
            let plain = std::mem::replace(place, never());
            *place = cast(plain, dialect(self.kind).text_type());
        }
    }

    /// How an expression is compared; `Class::Other` where that is not seen.
    fn class(&self, expression: &Expr) -> Class {
        match expression {
            Expr::Nested(inner) => self.class(inner),
            Expr::CompoundIdentifier(parts) => match &parts[..] {
                [relation, column] => self.column(&fold_ident(self.kind, relation), &fold_ident(self.kind, column)),
                _ => Class::Other,
            },
            Expr::Value(value) => match &value.value {
                Value::SingleQuotedString(_) => Class::Text,
                Value::Number(..) => Class::Decimal,
                Value::Boolean(_) => Class::Boolean,
                _ => Class::Other,
            },
            Expr::Case { conditions, else_result, .. } => {
                let results = conditions.iter().map(|when| &when.result).chain(else_result.as_deref());
                self.common(results)
            }
            Expr::UnaryOp { op: UnaryOperator::Minus, expr } => self.common([&**expr]),
            Expr::BinaryOp { left, op, right } => self.operation(left, op, right),
            Expr::Substring { .. } | Expr::Trim { .. } => Class::Text,
            Expr::Extract { .. } => Class::Decimal,
            Expr::Cast { data_type, .. } => dialect(self.kind).class_of_cast(data_type),
            Expr::Function(function) => self.function(function),
            _ => Class::Other,
        }
    }

    fn column(&self, relation: &str, column: &str) -> Class {
        let columns = self.scopes.last().and_then(|scope| scope.get(relation));
        columns.and_then(|columns| find(self.kind, columns, column)).map_or(Class::Other, |column| column.class)
    }

    /// The class of expressions of one class, nulls apart.
    fn common<'e>(&self, expressions: impl IntoIterator<Item = &'e Expr>) -> Class {
        let is_null = |expression: &Expr| matches!(expression, Expr::Value(value) if value.value == Value::Null);
        let mut classes = expressions.into_iter().filter(|one| !is_null(one)).map(|one| self.class(one));
        let first = classes.next().unwrap_or(Class::Other);
        classes.fold(first, |known, class| match (known, class) {
            (one, other) if one == other => one,
            (one, other) if is_number(one) && is_number(other) => Class::Decimal,
            (Class::Text | Class::ByText, Class::Text | Class::ByText) => Class::Text,
            _ => Class::Other,
        })
    }

    fn operation(&self, left: &Expr, op: &BinaryOperator, right: &Expr) -> Class {
        match op {
            BinaryOperator::StringConcat => Class::Text,
            BinaryOperator::Plus | BinaryOperator::Minus | BinaryOperator::Multiply | BinaryOperator::Divide
                if is_number(self.class(left)) && is_number(self.class(right)) =>
            {
                Class::Decimal
            }
            _ => Class::Other,
        }
    }

    fn function(&self, function: &Function) -> Class {
        let FunctionArguments::List(list) = &function.args else { return Class::Other };
        let argument = |one| match one {
            &FunctionArg::Unnamed(FunctionArgExpr::Expr(ref value)) => Some(value),
            _ => None,
        };
        let arguments = list.args.iter().filter_map(argument);
        let [name] = &function.name.0[..] else { return Class::Other };
        let name = name.as_ident().map(|name| fold_ident(self.kind, name).to_lowercase()).unwrap_or_default();
        match &*name {
            "lower" | "upper" | "ltrim" | "rtrim" | "replace" | "substr" | "concat" | "strftime" => Class::Text,
            "length" | "hour" | "tohour" => Class::Decimal,
            "coalesce" | "ifnull" | "nullif" => self.common(arguments),
            _ => Class::Other,
        }
    }
}

const fn is_number(class: Class) -> bool {
    matches!(class, Class::Integer | Class::Decimal | Class::Real | Class::Double)
}
