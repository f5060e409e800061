//! From a rule's expression to the condition of a wrapper.

use super::{InvalidRule, Values, placeholders};
use crate::{
    bind::Binds,
    compare::{cast, operand},
    name::{fold_ident, quoted},
    property::PropertyPath,
    schema::{Class, SourceColumn, find},
    source::SourceKind,
    sql::{allowed_in_rule, allowed_type, guard::ROW},
};
use serde_json::Value;
use sqlparser::ast::{
    BinaryOperator, CastKind, DataType, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentList, FunctionArguments,
    Ident, UnaryOperator, Value as Literal,
};

pub(super) struct Conditions<'a> {
    pub kind: SourceKind,
    pub columns: &'a [SourceColumn],
    pub properties: &'a [PropertyPath],
    pub values: &'a Values<'a>,
    pub binds: &'a mut Binds,
}

type Made<T = Expr> = Result<T, InvalidRule>;

fn refuse<T>(reason: &str) -> Made<T> {
    Err(InvalidRule::new(reason))
}

impl<'a> Conditions<'a> {
    /// Something that is true or false for a row.
    pub(super) fn condition(&mut self, expression: &Expr) -> Made {
        Ok(match expression {
            Expr::Nested(inner) => Expr::Nested(Box::new(self.condition(inner)?)),
            Expr::UnaryOp { op: op @ UnaryOperator::Not, expr } => {
                Expr::UnaryOp { op: *op, expr: Box::new(self.condition(expr)?) }
            }
            Expr::BinaryOp { left, op: op @ (BinaryOperator::And | BinaryOperator::Or), right } => {
                binary(self.condition(left)?, op, self.condition(right)?)
            }
            Expr::BinaryOp { left, op, right } if is_comparison(op) => {
                let (left, right) = self.pair(left, right)?;
                binary(left, op, right)
            }
            Expr::InList { expr, list, negated } => self.in_list(expr, list, *negated)?,
            Expr::Between { expr, negated, low, high } => {
                let (expr, class) = self.plain(expr)?;
                let (low, high) = (self.beside(low, class)?, self.beside(high, class)?);
                Expr::Between {
                    expr: Box::new(by_text(expr, class)),
                    negated: *negated,
                    low: Box::new(low),
                    high: Box::new(high),
                }
            }
            Expr::Like { negated, any: false, expr, pattern, escape_char: None } => {
                let (expr, pattern) = (Box::new(self.plain(expr)?.0), Box::new(self.plain(pattern)?.0));
                Expr::Like { negated: *negated, any: false, expr, pattern, escape_char: None }
            }
            Expr::IsNull(inner) => Expr::IsNull(Box::new(self.plain(inner)?.0)),
            Expr::IsNotNull(inner) => Expr::IsNotNull(Box::new(self.plain(inner)?.0)),
            Expr::IsTrue(inner) => Expr::IsTrue(Box::new(self.condition(inner)?)),
            Expr::IsNotTrue(inner) => Expr::IsNotTrue(Box::new(self.condition(inner)?)),
            Expr::IsFalse(inner) => Expr::IsFalse(Box::new(self.condition(inner)?)),
            Expr::IsNotFalse(inner) => Expr::IsNotFalse(Box::new(self.condition(inner)?)),
            other => self.plain(other)?.0,
        })
    }

    /// Both sides of a comparison; at most one has a placeholder.
    fn pair(&mut self, left: &Expr, right: &Expr) -> Made<(Expr, Expr)> {
        match (self.has_placeholder(left), self.has_placeholder(right)) {
            (true, true) => refuse("a comparison has a placeholder on one side only"),
            (true, false) => {
                let (plain, class) = self.plain(right)?;
                Ok((self.beside(left, class)?, by_text(plain, class)))
            }
            (false, true) => {
                let (plain, class) = self.plain(left)?;
                Ok((by_text(plain, class), self.beside(right, class)?))
            }
            (false, false) => Ok((self.plain(left)?.0, self.plain(right)?.0)),
        }
    }

    /// `column in (…)`, where a placeholder may hold a list. An empty list compares with nothing: neither `in` nor `not in`
    /// keeps a row then.
    fn in_list(&mut self, expression: &Expr, list: &[Expr], negated: bool) -> Made {
        let (plain, class) = self.plain(expression)?;
        let mut operands = Vec::new();
        for item in list {
            match self.placeholder(item) {
                Some(path) => match self.values.of(path, class)? {
                    Value::Array(values) => {
                        for value in &values {
                            operands.push(self.bind(path, class, value)?);
                        }
                    }
                    value => operands.push(self.bind(path, class, &value)?),
                },
                None => operands.push(self.plain(item)?.0),
            }
        }
        if operands.is_empty() {
            let one = |literal| Box::new(Expr::value(literal));
            let (left, right) = (one(Literal::Number("1".to_owned(), false)), one(Literal::Null));
            return Ok(Expr::Nested(Box::new(Expr::BinaryOp { left, op: BinaryOperator::Eq, right })));
        }
        Ok(Expr::InList { expr: Box::new(by_text(plain, class)), list: operands, negated })
    }

    /// What stands beside something of a class: a placeholder, `lower({{…}})`, or anything without one.
    fn beside(&mut self, expression: &Expr, class: Class) -> Made {
        if let Some(path) = self.placeholder(expression) {
            let value = self.values.of(path, class)?;
            return self.bind(path, class, &value);
        }
        if let Some((function, inner)) = case_function(expression)
            && let Some(path) = self.placeholder(inner)
        {
            let value = self.values.of(path, Class::Text)?;
            let bound = self.bind(path, Class::Text, &value)?;
            return Ok(call(function, vec![bound]));
        }
        Ok(self.plain(expression)?.0)
    }

    fn bind(&mut self, path: &PropertyPath, class: Class, value: &Value) -> Made {
        if class == Class::Other {
            return refuse("a column without a declared or comparable type: compare CAST(column AS TEXT) with a placeholder");
        }
        let unusable = |_| InvalidRule::new(format!("the property {path} cannot be compared with its column"));
        operand(self.kind, class, value, self.binds).map_err(unusable)
    }

    fn placeholder(&self, expression: &Expr) -> Option<&'a PropertyPath> {
        match expression {
            Expr::Identifier(name) if name.quote_style.is_none() => self.properties.get(placeholders::index(&name.value)?),
            Expr::Nested(inner) => self.placeholder(inner),
            _ => None,
        }
    }

    fn has_placeholder(&self, expression: &Expr) -> bool {
        self.placeholder(expression).is_some()
            || case_function(expression).is_some_and(|(_, inner)| self.placeholder(inner).is_some())
    }

    /// An expression without placeholders, and how it is compared.
    fn plain(&self, expression: &Expr) -> Made<(Expr, Class)> {
        Ok(match expression {
            Expr::Identifier(name) => self.column(name)?,
            Expr::CompoundIdentifier(parts) => match &parts[..] {
                // The table's own name before a column: inside the wrapper there is one table only.
                [_, name] => self.column(name)?,
                _ => return refuse("a rule names columns of its own table"),
            },
            Expr::Nested(inner) => {
                let (inner, class) = self.plain(inner)?;
                (Expr::Nested(Box::new(inner)), class)
            }
            Expr::Value(literal) => {
                let class = match &literal.value {
                    Literal::Number(_, _) => Class::Decimal,
                    Literal::SingleQuotedString(_) => Class::Text,
                    Literal::Boolean(_) => Class::Boolean,
                    Literal::Null => Class::Other,
                    _ => return refuse("a rule holds numbers, text in single quotes, true, false and null"),
                };
                (expression.clone(), class)
            }
            Expr::UnaryOp { op: op @ (UnaryOperator::Minus | UnaryOperator::Plus), expr } => {
                let (inner, class) = self.plain(expr)?;
                (Expr::UnaryOp { op: *op, expr: Box::new(inner) }, class)
            }
            Expr::BinaryOp { left, op, right } => {
                let Some(class) = result_of(op) else { return refuse("a rule holds comparisons, arithmetic, and, or, not") };
                (binary(self.plain(left)?.0, op, self.plain(right)?.0), class)
            }
            Expr::Cast { kind: CastKind::Cast | CastKind::DoubleColon, expr, data_type, format: None }
                if allowed_type(self.kind, data_type) =>
            {
                (cast(self.plain(expr)?.0, data_type.clone()), class_of(self.kind, data_type))
            }
            Expr::Function(function) => self.function(function)?,
            _ => return refuse("a rule holds comparisons, in, between, like, is null, and, or, not, and plain functions"),
        })
    }

    fn column(&self, name: &Ident) -> Made<(Expr, Class)> {
        if placeholders::index(&name.value).is_some() {
            return refuse("a placeholder stands beside a column in a comparison, or in the list of `in`");
        }
        let unknown = || InvalidRule::new(format!("the table has no column {name}"));
        let column = find(self.kind, self.columns, &fold_ident(self.kind, name)).ok_or_else(unknown)?;
        Ok((Expr::CompoundIdentifier(vec![quoted(ROW), quoted(&column.name)]), column.class))
    }

    fn function(&self, function: &Function) -> Made<(Expr, Class)> {
        let name = function.name.0.first().and_then(|part| part.as_ident()).map(|name| fold_ident(self.kind, name));
        let name = name.filter(|name| function.name.0.len() == 1 && allowed_in_rule(self.kind, name));
        let Some(name) = name else { return refuse("a rule calls plain functions only, such as lower or coalesce") };
        let bare = function.over.is_none() && function.filter.is_none() && function.within_group.is_empty();
        let arguments = match &function.args {
            FunctionArguments::None => &[][..],
            FunctionArguments::List(list) if list.clauses.is_empty() && list.duplicate_treatment.is_none() && bare => {
                &list.args
            }
            _ => return refuse("a rule calls plain functions only, such as lower or coalesce"),
        };
        let mut made = Vec::new();
        let mut first = Class::Other;
        for argument in arguments {
            let FunctionArg::Unnamed(FunctionArgExpr::Expr(argument)) = argument else { return refuse("a rule holds no *") };
            let (argument, class) = self.plain(argument)?;
            first = if made.is_empty() { class } else { first };
            made.push(argument);
        }
        let class = match &*name {
            "lower" | "upper" | "trim" | "ltrim" | "rtrim" | "replace" | "substr" | "strftime" => Class::Text,
            "length" | "round" | "mod" => Class::Decimal,
            "abs" | "coalesce" | "ifnull" | "nullif" => first,
            "date" => Class::Date,
            _ => Class::Other,
        };
        let keeps_bare_form = matches!(function.args, FunctionArguments::None);
        Ok((if keeps_bare_form { Expr::Function(function.clone()) } else { call(&name, made) }, class))
    }
}

fn binary(left: Expr, op: &BinaryOperator, right: Expr) -> Expr {
    Expr::BinaryOp { left: Box::new(left), op: op.clone(), right: Box::new(right) }
}

/// A column that is compared by its text.
fn by_text(expression: Expr, class: Class) -> Expr {
    if class == Class::ByText { cast(expression, DataType::Text) } else { expression }
}

const fn is_comparison(op: &BinaryOperator) -> bool {
    use BinaryOperator::{Eq, Gt, GtEq, Lt, LtEq, NotEq};
    matches!(op, Eq | NotEq | Lt | LtEq | Gt | GtEq)
}

fn result_of(op: &BinaryOperator) -> Option<Class> {
    use BinaryOperator::{Divide, Minus, Modulo, Multiply, Plus, StringConcat};
    match op {
        Plus | Minus | Multiply | Divide | Modulo => Some(Class::Decimal),
        StringConcat => Some(Class::Text),
        _ if is_comparison(op) => Some(Class::Boolean),
        _ => None,
    }
}

fn class_of(kind: SourceKind, data_type: &DataType) -> Class {
    match data_type {
        DataType::Uuid => Class::Uuid,
        DataType::Bool | DataType::Boolean => Class::Boolean,
        DataType::Date if kind == SourceKind::Postgres => Class::Date,
        DataType::Timestamp(_, _) if kind == SourceKind::Postgres => Class::Timestamp,
        DataType::Text | DataType::Varchar(_) | DataType::CharacterVarying(_) => Class::Text,
        DataType::Int(_) | DataType::Integer(_) | DataType::BigInt(_) | DataType::SmallInt(_) => Class::Integer,
        DataType::Numeric(_) | DataType::Decimal(_) => Class::Decimal,
        DataType::Real | DataType::DoublePrecision | DataType::Double(_) => Class::Double,
        _ => Class::Other,
    }
}

/// `lower(…)`, `upper(…)` or `trim(…)` of one argument.
fn case_function(expression: &Expr) -> Option<(&'static str, &Expr)> {
    if let Expr::Trim { trim_where: None, trim_what: None, expr, trim_characters: None } = expression {
        return Some(("trim", expr));
    }
    let Expr::Function(function) = expression else { return None };
    let name = function.name.to_string().to_ascii_lowercase();
    let name = ["lower", "upper"].into_iter().find(|known| *known == name)?;
    let FunctionArguments::List(list) = &function.args else { return None };
    match &list.args[..] {
        [FunctionArg::Unnamed(FunctionArgExpr::Expr(inner))] => Some((name, inner)),
        _ => None,
    }
}

fn call(name: &str, arguments: Vec<Expr>) -> Expr {
    let args = arguments.into_iter().map(|argument| FunctionArg::Unnamed(FunctionArgExpr::Expr(argument))).collect();
    Expr::Function(Function {
        name: vec![Ident::new(name)].into(),
        uses_odbc_syntax: false,
        parameters: FunctionArguments::None,
        args: FunctionArguments::List(FunctionArgumentList { duplicate_treatment: None, args, clauses: Vec::new() }),
        within_group: Vec::new(),
        filter: None,
        null_treatment: None,
        over: None,
    })
}
