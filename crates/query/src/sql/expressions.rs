//! The allow-list of expressions.

use super::functions::{is_modest_format, is_short_text};
use crate::{dialect::dialect, name::fold_ident, source::SourceKind};
use sqlparser::ast::{
    CastKind, CeilFloorKind, DateTimeField, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause,
    FunctionArguments, Ident, ObjectName, UnaryOperator, Value,
};

/// The character set that MySQL converts text to for an exact comparison.
pub(crate) const UNICODE: &str = "utf8mb4";

/// Checks a single expression. The visitor calls it for the nested ones.
pub(super) fn check(kind: SourceKind, expression: &Expr) -> Result<(), String> {
    let dialect = dialect(kind);
    let forms = dialect.forms();
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
        | Expr::Substring { .. } => true,
        Expr::Trim { trim_where: _, trim_what, expr: _, trim_characters } => {
            let letters = trim_what.iter().map(|letters| &**letters).chain(trim_characters.iter().flatten());
            dialect.functions().trims_by_any.is_allowed() || letters.into_iter().all(is_short_text)
        }
        Expr::InList { list, .. } => forms.names_in_lists.is_allowed() || !list.iter().any(is_name),
        Expr::Like { any, .. } => !any,
        Expr::ILike { any, .. } => forms.ilike.is_allowed() && !any,
        Expr::IsUnknown(_) | Expr::IsNotUnknown(_) | Expr::Extract { .. } | Expr::Position { .. } | Expr::Interval(_) => {
            forms.standard_words.is_allowed()
        }
        Expr::AtTimeZone { .. } => forms.at_time_zone.is_allowed(),
        Expr::Overlay { .. } => forms.overlay.is_allowed(),
        Expr::GroupingSets(_) | Expr::Cube(_) | Expr::Rollup(_) => forms.grouping_sets.is_allowed(),
        Expr::AnyOp { compare_op, right, .. } | Expr::AllOp { compare_op, right, .. } => {
            forms.quantified_comparisons.is_allowed()
                && dialect.allows_operator(compare_op)
                && matches!(**right, Expr::Subquery(_))
        }
        Expr::RLike { .. } => forms.rlike.is_allowed(),
        Expr::Convert { is_try: false, expr: _, data_type: None, charset: Some(charset), target_before_value: _, styles } => {
            forms.convert.is_allowed() && styles.is_empty() && charset.to_string() == UNICODE
        }
        Expr::BinaryOp { op, .. } => dialect.allows_operator(op),
        Expr::UnaryOp { op, .. } => matches!(op, UnaryOperator::Not | UnaryOperator::Plus | UnaryOperator::Minus),
        Expr::Cast { kind: form, data_type, format, expr: _ } => {
            let form = match form {
                CastKind::Cast => true,
                CastKind::DoubleColon => forms.double_colon_casts.is_allowed(),
                CastKind::TryCast => forms.try_casts.is_allowed(),
                CastKind::SafeCast => false,
            };
            form && format.is_none() && dialect.allows_type(data_type)
        }
        Expr::TypedString(typed) => {
            forms.typed_texts.is_allowed() && !typed.uses_odbc_syntax && dialect.allows_type(&typed.data_type)
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

/// The variant's name, for the operator. The expression itself may contain personal data.
fn variant(expression: &Expr) -> String {
    let text = format!("{expression:?}");
    text.chars().take_while(char::is_ascii_alphanumeric).collect()
}

fn column(kind: SourceKind, name: &Ident) -> Result<(), String> {
    let revealing = dialect(kind).words().revealing;
    let reveals = name.quote_style.is_none() && revealing.contains(&&*fold_ident(kind, name));
    if reveals { Err("a name that tells who the connection is".to_owned()) } else { Ok(()) }
}

/// Whether these are the parameters of `quantile(0.9)(x)`.
fn are_numbers(parameters: &FunctionArguments) -> bool {
    let FunctionArguments::List(list) = parameters else { return false };
    let is_number = |parameter: &FunctionArg| match parameter {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(literal))) => matches!(literal.value, Value::Number(_, _)),
        _ => false,
    };
    list.clauses.is_empty() && list.args.iter().all(is_number)
}

/// Whether an argument is a short literal text.
fn is_short_argument(argument: &FunctionArg) -> bool {
    matches!(argument, FunctionArg::Unnamed(FunctionArgExpr::Expr(letters)) if is_short_text(letters))
}

/// Whether an expression is only a name.
fn is_name(expression: &Expr) -> bool {
    match expression {
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) => true,
        Expr::Nested(inner) => is_name(inner),
        Expr::Tuple(items) => items.iter().any(is_name),
        _ => false,
    }
}

fn is_plain_collation(kind: SourceKind, collation: &ObjectName) -> bool {
    let [part] = &collation.0[..] else { return false };
    part.as_ident().is_some_and(|name| dialect(kind).allows_collation(&fold_ident(kind, name)))
}

fn call(kind: SourceKind, function: &Function) -> Result<(), String> {
    let Function { name, uses_odbc_syntax, parameters, args, within_group: _, filter: _, null_treatment, over: _ } = function;
    let [part] = &name.0[..] else { return Err("a function with a schema".to_owned()) };
    let functions = dialect(kind).functions();
    let name = part.as_ident().map(|name| functions.case.fold(&fold_ident(kind, name))).ok_or("a computed function name")?;
    let refused = || Err(format!("the function {name} is not allowed here"));
    if !functions.holds(&name) {
        return refused();
    }
    let parameters =
        matches!(parameters, FunctionArguments::None) || (functions.parameters.is_allowed() && are_numbers(parameters));
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
            functions.separator.is_allowed()
                && matches!(text.value, Value::SingleQuotedString(_) | Value::DoubleQuotedString(_))
        }
        _ => false,
    });
    let modest = !functions.with_picture.contains(&&*name) || is_modest_format(&arguments.args);
    let trims = matches!(&*name, "trim" | "ltrim" | "rtrim") && !functions.trims_by_any.is_allowed();
    let modest = modest && (!trims || arguments.args.iter().skip(1).all(is_short_argument));
    if arguments.args.iter().all(plain) && clauses && modest { Ok(()) } else { refused() }
}
