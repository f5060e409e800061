//! The allow-list of expressions.

use super::{functions, types};
use crate::{name::fold_ident, source::SourceKind};
use sqlparser::ast::{
    BinaryOperator, CastKind, CeilFloorKind, DateTimeField, Expr, Function, FunctionArg, FunctionArgExpr,
    FunctionArgumentClause, FunctionArguments, Ident, ObjectName, UnaryOperator, Value,
};

/// Names that PostgreSQL answers without parentheses and that tell who the connection is.
const REVEALING: &[&str] =
    &["user", "current_user", "session_user", "system_user", "current_role", "current_catalog", "current_schema"];

/// The character set that MySQL turns text into for an exact comparison.
pub(crate) const UNICODE: &str = "utf8mb4";

/// Looks at one expression, not at what is inside it: the visitor comes to that by itself.
pub(super) fn check(kind: SourceKind, expression: &Expr) -> Result<(), String> {
    use SourceKind::{Clickhouse, Duckdb, Postgres, Trino};
    let postgres = kind == Postgres;
    let mysql = kind == SourceKind::Mysql;
    let allowed = match expression {
        Expr::Identifier(name) => return column(kind, name),
        Expr::CompoundIdentifier(parts) => (2..=3).contains(&parts.len()),
        Expr::Value(_)
        | Expr::Nested(_)
        | Expr::IsFalse(_)
        | Expr::IsNotFalse(_)
        | Expr::IsTrue(_)
        | Expr::IsNotTrue(_)
        | Expr::IsNull(_)
        | Expr::IsNotNull(_)
        | Expr::IsDistinctFrom(_, _)
        | Expr::IsNotDistinctFrom(_, _)
        | Expr::InSubquery { .. }
        | Expr::Between { .. }
        | Expr::Case { .. }
        | Expr::Exists { .. }
        | Expr::Subquery(_)
        | Expr::Tuple(_)
        | Expr::Substring { .. }
        | Expr::Trim { .. } => true,
        // ClickHouse reads a name there as a table, past every wrapper.
        Expr::InList { list, .. } => kind != Clickhouse || !list.iter().any(is_name),
        Expr::Like { any, .. } => !any,
        Expr::ILike { any, .. } => matches!(kind, Postgres | Clickhouse | Duckdb) && !any,
        Expr::IsUnknown(_) | Expr::IsNotUnknown(_) | Expr::Extract { .. } | Expr::Position { .. } | Expr::Interval(_) => {
            kind != SourceKind::Sqlite
        }
        Expr::AtTimeZone { .. } => matches!(kind, Postgres | Trino | Duckdb),
        Expr::Overlay { .. } => postgres,
        Expr::GroupingSets(_) | Expr::Cube(_) | Expr::Rollup(_) => matches!(kind, Postgres | Clickhouse | Trino | Duckdb),
        Expr::AnyOp { compare_op, right, .. } | Expr::AllOp { compare_op, right, .. } => {
            kind != SourceKind::Sqlite && operator(kind, compare_op) && matches!(**right, Expr::Subquery(_))
        }
        Expr::RLike { .. } => mysql,
        Expr::Convert { is_try: false, expr: _, data_type: None, charset: Some(charset), target_before_value: _, styles } => {
            mysql && styles.is_empty() && charset.to_string() == UNICODE
        }
        Expr::BinaryOp { op, .. } => operator(kind, op),
        Expr::UnaryOp { op, .. } => matches!(op, UnaryOperator::Not | UnaryOperator::Plus | UnaryOperator::Minus),
        Expr::Cast { kind: form, data_type, format, expr: _ } => {
            let form = match form {
                CastKind::Cast => true,
                CastKind::DoubleColon => matches!(kind, Postgres | Duckdb),
                CastKind::TryCast => matches!(kind, Trino | Duckdb),
                CastKind::SafeCast => false,
            };
            form && format.is_none() && types::allowed(kind, data_type)
        }
        Expr::TypedString(typed) => {
            kind != SourceKind::Sqlite && !typed.uses_odbc_syntax && types::allowed(kind, &typed.data_type)
        }
        Expr::Ceil { field, .. } | Expr::Floor { field, .. } => {
            matches!(field, CeilFloorKind::DateTimeField(DateTimeField::NoDateTime))
        }
        Expr::Collate { collation, .. } => is_plain_collation(kind, collation),
        Expr::Function(function) => return call(kind, function),
        _ => false,
    };
    if allowed { Ok(()) } else { Err(format!("this expression is not allowed: {}", variant(expression))) }
}

/// The variant's name, for the operator: the expression itself may hold a person's data.
fn variant(expression: &Expr) -> String {
    let text = format!("{expression:?}");
    text.chars().take_while(char::is_ascii_alphanumeric).collect()
}

fn column(kind: SourceKind, name: &Ident) -> Result<(), String> {
    let reveals = kind == SourceKind::Postgres && name.quote_style.is_none() && REVEALING.contains(&&*fold_ident(kind, name));
    if reveals { Err("a name that tells who the connection is".to_owned()) } else { Ok(()) }
}

/// The parameters of `quantile(0.9)(x)`.
fn are_numbers(parameters: &FunctionArguments) -> bool {
    let FunctionArguments::List(list) = parameters else { return false };
    let is_number = |parameter: &FunctionArg| match parameter {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(literal))) => matches!(literal.value, Value::Number(_, _)),
        _ => false,
    };
    list.clauses.is_empty() && list.args.iter().all(is_number)
}

/// Whether an expression is a name and nothing else.
fn is_name(expression: &Expr) -> bool {
    match expression {
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) => true,
        Expr::Nested(inner) => is_name(inner),
        Expr::Tuple(items) => items.iter().any(is_name),
        _ => false,
    }
}

fn operator(kind: SourceKind, operator: &BinaryOperator) -> bool {
    match operator {
        BinaryOperator::Plus
        | BinaryOperator::Minus
        | BinaryOperator::Multiply
        | BinaryOperator::Divide
        | BinaryOperator::Modulo
        | BinaryOperator::StringConcat
        | BinaryOperator::Gt
        | BinaryOperator::Lt
        | BinaryOperator::GtEq
        | BinaryOperator::LtEq
        | BinaryOperator::Eq
        | BinaryOperator::NotEq
        | BinaryOperator::And
        | BinaryOperator::Or
        | BinaryOperator::BitwiseAnd
        | BinaryOperator::BitwiseOr => true,
        BinaryOperator::Arrow | BinaryOperator::LongArrow => {
            matches!(kind, SourceKind::Sqlite | SourceKind::Postgres | SourceKind::Mysql)
        }
        BinaryOperator::Glob => kind == SourceKind::Sqlite,
        BinaryOperator::Spaceship | BinaryOperator::MyIntegerDivide | BinaryOperator::Xor => kind == SourceKind::Mysql,
        BinaryOperator::PGExp
        | BinaryOperator::PGRegexMatch
        | BinaryOperator::PGRegexIMatch
        | BinaryOperator::PGRegexNotMatch
        | BinaryOperator::PGRegexNotIMatch
        | BinaryOperator::Overlaps => kind == SourceKind::Postgres,
        _ => false,
    }
}

fn is_plain_collation(kind: SourceKind, collation: &ObjectName) -> bool {
    let [part] = &collation.0[..] else { return false };
    part.as_ident().is_some_and(|name| match kind {
        SourceKind::Sqlite => matches!(&*fold_ident(kind, name), "binary" | "nocase" | "rtrim"),
        SourceKind::Postgres => matches!(&*fold_ident(kind, name), "C" | "POSIX" | "default"),
        SourceKind::Clickhouse | SourceKind::Trino | SourceKind::Duckdb => false,
        SourceKind::Mysql => {
            let name = fold_ident(kind, name);
            name.starts_with(UNICODE) && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        }
    })
}

fn call(kind: SourceKind, function: &Function) -> Result<(), String> {
    let Function { name, uses_odbc_syntax, parameters, args, within_group: _, filter: _, null_treatment, over: _ } = function;
    let [part] = &name.0[..] else { return Err("a function with a schema".to_owned()) };
    let mut name = part.as_ident().map(|name| fold_ident(kind, name)).ok_or("a computed function name")?;
    if kind == SourceKind::Clickhouse {
        // Written in its own way, toStartOfMonth; no two functions differ in case alone.
        name.make_ascii_lowercase();
    }
    let refused = || Err(format!("the function {name} is not allowed here"));
    if !functions::allowed(kind, &name) {
        return refused();
    }
    let parameters =
        matches!(parameters, FunctionArguments::None) || (kind == SourceKind::Clickhouse && are_numbers(parameters));
    if *uses_odbc_syntax || !parameters || null_treatment.is_some() {
        return refused();
    }
    let arguments = match args {
        FunctionArguments::None => return Ok(()),
        FunctionArguments::Subquery(_) => return refused(),
        FunctionArguments::List(arguments) => arguments,
    };
    let plain = |argument: &FunctionArg| match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(_)) => true,
        FunctionArg::Unnamed(FunctionArgExpr::Wildcard) => name == "count",
        _ => false,
    };
    let clauses = arguments.clauses.iter().all(|clause| match clause {
        FunctionArgumentClause::OrderBy(_) => true,
        FunctionArgumentClause::Separator(text) => {
            kind == SourceKind::Mysql && matches!(text.value, Value::SingleQuotedString(_) | Value::DoubleQuotedString(_))
        }
        _ => false,
    });
    let modest = !functions::formats(kind, &name) || functions::is_modest_format(&arguments.args);
    if arguments.args.iter().all(plain) && clauses && modest { Ok(()) } else { refused() }
}
