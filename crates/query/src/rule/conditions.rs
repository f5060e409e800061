//! Converts a rule's expression to the condition of a wrapper.

use super::{InvalidRule, Made, Values, exact, placeholders, refuse};
use crate::{
    bind::Binds,
    compare::{call, cast},
    dialect::{Concat, dialect},
    name::{fold_ident, quoted},
    property::PropertyPath,
    schema::{Class, SourceColumn, find},
    source::SourceKind,
    sql::{allowed_in_rule, canonical, guard::ROW},
};
use serde_json::Value;
use sqlparser::ast::{
    BinaryOperator, CastKind, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, UnaryOperator,
    Value as Literal,
};

pub(super) struct Conditions<'a> {
    pub kind: SourceKind,
    pub columns: &'a [SourceColumn],
    pub properties: &'a [PropertyPath],
    pub values: &'a Values<'a>,
    pub binds: &'a mut Binds,
    /// Whether it contains something whose meaning depends on a time zone.
    pub reads_times: bool,
}

impl<'a> Conditions<'a> {
    /// A boolean expression.
    pub(super) fn condition(&mut self, expression: &Expr) -> Made {
        Ok(match expression {
            Expr::Nested(inner) => Expr::Nested(Box::new(self.condition(inner)?)),
            Expr::UnaryOp { op: op @ UnaryOperator::Not, expr } => {
                Expr::UnaryOp { op: *op, expr: Box::new(grouped(self.condition(expr)?)) }
            }
            Expr::BinaryOp { left, op: op @ (BinaryOperator::And | BinaryOperator::Or), right } => {
                binary(self.condition(left)?, op, self.condition(right)?)
            }
            Expr::BinaryOp { left, op, right } if is_comparison(op) => self.comparison(left, op, right)?,
            Expr::InList { expr, list, negated } => self.in_list(expr, list, *negated)?,
            Expr::Between { expr, negated, low, high } => {
                let (expr, class) = self.plain(expr)?;
                let (low, high) = (self.beside(low, class)?, self.beside(high, class)?);
                let end = |end| Box::new(grouped(exact::value_side(self.kind, class, end)));
                Expr::Between {
                    expr: Box::new(grouped(exact::column_side(self.kind, class, expr))),
                    negated: *negated,
                    low: end(low),
                    high: end(high),
                }
            }
            Expr::Like { negated, any: false, expr, pattern, escape_char: None } => {
                let ((expr, class), (pattern, other)) = (self.plain(expr)?, self.plain(pattern)?);
                exact::of_one_family(self.kind, class, Class::Text)?;
                exact::of_one_family(self.kind, other, Class::Text)?;
                let (expr, pattern) = (Box::new(grouped(exact::by_letters(self.kind, expr))), Box::new(grouped(pattern)));
                Expr::Like { negated: *negated, any: false, expr, pattern, escape_char: None }
            }
            Expr::IsNull(inner) => Expr::IsNull(Box::new(grouped(self.plain(inner)?.0))),
            Expr::IsNotNull(inner) => Expr::IsNotNull(Box::new(grouped(self.plain(inner)?.0))),
            Expr::IsTrue(inner) => Expr::IsTrue(Box::new(grouped(self.condition(inner)?))),
            Expr::IsNotTrue(inner) => Expr::IsNotTrue(Box::new(grouped(self.condition(inner)?))),
            Expr::IsFalse(inner) => Expr::IsFalse(Box::new(grouped(self.condition(inner)?))),
            Expr::IsNotFalse(inner) => Expr::IsNotFalse(Box::new(grouped(self.condition(inner)?))),
            other => {
                let (made, class) = self.plain(other)?;
                exact::is_condition(self.kind, class)?;
                made
            }
        })
    }

    /// A comparison. At most one side has a placeholder.
    fn comparison(&mut self, left: &Expr, op: &BinaryOperator, right: &Expr) -> Made {
        let (value, plain, is_turned) = match (self.has_placeholder(left), self.has_placeholder(right)) {
            (true, true) => return refuse("only one side of a comparison can be a placeholder"),
            (false, false) => return self.plain_comparison(left, op, right),
            (true, false) => (left, right, true),
            (false, true) => (right, left, false),
        };
        let (plain, class) = self.plain(plain)?;
        let first = self.binds.len();
        let value = self.beside(value, class)?;
        let compare = |plain, value| if is_turned { binary(value, op, plain) } else { binary(plain, op, value) };
        let is_place = matches!(value, Expr::Value(_)) && *op == BinaryOperator::Eq;
        let loose = (is_place && exact::has_index(self.kind, class, &plain, self.binds, first))
            .then(|| compare(plain.clone(), value.clone()));
        let (plain, value) = (exact::column_side(self.kind, class, plain), exact::value_side(self.kind, class, value));
        let made = compare(plain, value);
        Ok(loose.map_or(made.clone(), |loose| exact::with_index(loose, made)))
    }

    fn plain_comparison(&mut self, left: &Expr, op: &BinaryOperator, right: &Expr) -> Made {
        let (left, right) = (self.plain(left)?, self.plain(right)?);
        if !exact::is_lax(self.kind) {
            return Ok(binary(left.0, op, right.0));
        }
        let class = if matches!(left.0, Expr::Value(_)) { right.1 } else { left.1 };
        let mut side = |side| {
            let alike = exact::alike(self.kind, class, side, self.binds)?;
            Ok(exact::value_side(self.kind, class, alike))
        };
        Ok(binary(side(left)?, op, side(right)?))
    }

    /// `column in (…)`, in which a placeholder may be a list. With an empty list, neither `in` nor `not in` matches any row.
    fn in_list(&mut self, expression: &Expr, list: &[Expr], negated: bool) -> Made {
        let (plain, class) = self.plain(expression)?;
        let first = self.binds.len();
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
                None => {
                    let item = self.plain(item)?;
                    operands.push(exact::alike(self.kind, class, item, self.binds)?);
                }
            }
        }
        if operands.is_empty() {
            let one = |literal| Box::new(Expr::value(literal));
            let (left, right) = (one(Literal::Number("1".to_owned(), false)), one(Literal::Null));
            return Ok(Expr::Nested(Box::new(Expr::BinaryOp { left, op: BinaryOperator::Eq, right })));
        }
        let among = |expr, list| Expr::InList { expr: Box::new(grouped(expr)), list, negated };
        let are_places = !negated && operands.len() == self.binds.len() - first;
        let loose = (are_places && exact::has_index(self.kind, class, &plain, self.binds, first))
            .then(|| among(plain.clone(), operands.clone()));
        let operands = operands.into_iter().map(|operand| exact::value_side(self.kind, class, operand)).collect();
        let made = among(exact::column_side(self.kind, class, plain), operands);
        Ok(loose.map_or(made.clone(), |loose| exact::with_index(loose, made)))
    }

    /// The other side of a comparison: a placeholder, `lower({{…}})`, or an expression without a placeholder.
    fn beside(&mut self, expression: &Expr, class: Class) -> Made {
        if let Some(path) = self.placeholder(expression) {
            let value = self.values.of(path, class)?;
            return self.bind(path, class, &value);
        }
        if let Some((function, inner)) = case_function(expression)
            && let Some(path) = self.placeholder(inner)
        {
            exact::of_one_family(self.kind, class, Class::Text)?;
            let value = self.values.of(path, Class::Text)?;
            let bound = self.bind(path, Class::Text, &value)?;
            return Ok(call(function, vec![bound]));
        }
        let plain = self.plain(expression)?;
        exact::alike(self.kind, class, plain, self.binds)
    }

    fn bind(&mut self, path: &PropertyPath, class: Class, value: &Value) -> Made {
        if class == Class::Other {
            return refuse("the column's type cannot be compared with a placeholder: use CAST(column AS TEXT)");
        }
        let unusable = |_| InvalidRule::new(format!("the property {path} cannot be compared with its column"));
        dialect(self.kind).operand(class, value, self.binds).map_err(unusable)
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
    fn plain(&mut self, expression: &Expr) -> Made<(Expr, Class)> {
        Ok(match expression {
            Expr::Identifier(name) => self.column(name)?,
            Expr::CompoundIdentifier(parts) => match &parts[..] {
                // A column qualified with the table's own name: a wrapper contains only one table.
                [_, name] => self.column(name)?,
                _ => return refuse("a rule can only use columns of its own table"),
            },
            Expr::Nested(inner) => {
                let (inner, class) = self.plain(inner)?;
                (Expr::Nested(Box::new(inner)), class)
            }
            Expr::Value(literal) => {
                let class = match &literal.value {
                    Literal::Number(_, _) => Class::Decimal,
                    Literal::SingleQuotedString(text) => {
                        let made = canonical::text(self.kind, text.clone(), self.binds);
                        return Ok((Expr::value(made.map_err(|refusal| InvalidRule::new(refusal.0))?), Class::Text));
                    }
                    Literal::Boolean(_) => Class::Boolean,
                    Literal::Null => Class::Other,
                    _ => return refuse("the literals of a rule are numbers, text in single quotes, true, false and null"),
                };
                (expression.clone(), class)
            }
            Expr::UnaryOp { op: op @ (UnaryOperator::Minus | UnaryOperator::Plus), expr } => {
                let (inner, class) = self.plain(expr)?;
                exact::is_number(self.kind, class)?;
                (Expr::UnaryOp { op: *op, expr: Box::new(grouped(inner)) }, class)
            }
            Expr::BinaryOp { left, op, right } => {
                let Some(class) = result_of(op) else {
                    return refuse("the operators of a rule are comparisons, arithmetic, and, or, not");
                };
                self.calculation(left, op, right, class)?
            }
            Expr::Cast { kind: CastKind::Cast | CastKind::DoubleColon, expr, data_type, format: None }
                if dialect(self.kind).allows_type(data_type) =>
            {
                let ((inner, from), class) = (self.plain(expr)?, dialect(self.kind).class_of_cast(data_type));
                if matches!(class, Class::Integer | Class::Decimal | Class::Double | Class::Real) {
                    exact::is_number(self.kind, from)?;
                }
                self.reads_times |= class == Class::Moment;
                (cast(inner, data_type.clone()), class)
            }
            Expr::Function(function) => self.function(function)?,
            _ => return refuse("a rule can use comparisons, in, between, like, is null, and, or, not, and plain functions"),
        })
    }

    /// A binary operation: arithmetic, concatenation, or a comparison inside another.
    fn calculation(&mut self, left: &Expr, op: &BinaryOperator, right: &Expr, class: Class) -> Made<(Expr, Class)> {
        if exact::is_lax(self.kind) && is_comparison(op) {
            return refuse("join comparisons with and, or, not");
        }
        let ((left, one), (right, other)) = (self.plain(left)?, self.plain(right)?);
        if class == Class::Decimal {
            exact::is_number(self.kind, one)?;
            exact::is_number(self.kind, other)?;
        }
        let is_concat = *op == BinaryOperator::StringConcat && dialect(self.kind).printing().concat == Concat::Function;
        Ok((if is_concat { call("concat", vec![left, right]) } else { binary(left, op, right) }, class))
    }

    fn column(&mut self, name: &Ident) -> Made<(Expr, Class)> {
        if placeholders::index(&name.value).is_some() {
            return refuse("a placeholder must be compared with a column, or be in the list of `in`");
        }
        let unknown = || InvalidRule::new(format!("the table has no column {name}"));
        let column = find(self.kind, self.columns, &fold_ident(self.kind, name)).ok_or_else(unknown)?;
        self.reads_times |= column.class == Class::Moment;
        Ok((Expr::CompoundIdentifier(vec![quoted(self.kind, ROW), quoted(self.kind, &column.name)]), column.class))
    }

    fn function(&mut self, function: &Function) -> Made<(Expr, Class)> {
        let name = function.name.0.first().and_then(|part| part.as_ident()).map(|name| fold_ident(self.kind, name));
        let name = name.filter(|name| function.name.0.len() == 1 && allowed_in_rule(self.kind, name));
        let Some(name) = name else { return refuse("a rule can only call plain functions, such as lower or coalesce") };
        let bare = function.over.is_none() && function.filter.is_none() && function.within_group.is_empty();
        let arguments = match &function.args {
            FunctionArguments::None => &[][..],
            FunctionArguments::List(list) if list.clauses.is_empty() && list.duplicate_treatment.is_none() && bare => {
                &list.args
            }
            _ => return refuse("a rule can only call plain functions, such as lower or coalesce"),
        };
        let mut made = Vec::new();
        let mut first = Class::Other;
        for argument in arguments {
            let FunctionArg::Unnamed(FunctionArgExpr::Expr(argument)) = argument else { return refuse("a rule cannot use *") };
            let (argument, class) = self.plain(argument)?;
            first = if made.is_empty() { class } else { first };
            match &*name {
                "coalesce" | "ifnull" | "nullif" => exact::of_one_family(self.kind, first, class)?,
                "abs" | "round" | "mod" => exact::is_number(self.kind, class)?,
                "lower" | "upper" | "trim" | "ltrim" | "rtrim" | "substr" if made.is_empty() => {
                    exact::of_one_family(self.kind, class, Class::Text)?;
                }
                _ => {}
            }
            made.push(argument);
        }
        let class = match &*name {
            "lower" | "upper" | "trim" | "ltrim" | "rtrim" | "replace" | "substr" | "strftime" => Class::Text,
            "length" | "round" | "mod" => Class::Decimal,
            "abs" | "coalesce" | "ifnull" | "nullif" => first,
            "date" | "current_date" => Class::Date,
            "now" | "current_timestamp" => Class::Moment,
            _ => Class::Other,
        };
        self.reads_times |= matches!(&*name, "now" | "current_date" | "current_timestamp");
        let keeps_bare_form = matches!(function.args, FunctionArguments::None);
        Ok((if keeps_bare_form { Expr::Function(function.clone()) } else { call(&name, made) }, class))
    }
}

pub(super) fn binary(left: Expr, op: &BinaryOperator, right: Expr) -> Expr {
    Expr::BinaryOp { left: Box::new(grouped(left)), op: op.clone(), right: Box::new(grouped(right)) }
}

/// Puts a compound operand in parentheses, so that the database reads the tree that was checked, whatever its operator
/// precedence.
fn grouped(operand: Expr) -> Expr {
    match operand {
        Expr::Identifier(_)
        | Expr::CompoundIdentifier(_)
        | Expr::Value(_)
        | Expr::Nested(_)
        | Expr::Function(_)
        | Expr::Cast { kind: CastKind::Cast, .. }
        | Expr::Convert { .. }
        | Expr::Trim { .. } => operand,
        other => Expr::Nested(Box::new(other)),
    }
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
