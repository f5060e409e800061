//! The expressions that a model declares: SQL of one row of one table.

use super::tree::{Tree, null};
use crate::{name::fold_ident, source::SourceKind, sql::parse_expression};
use inlay_sql_walk::expressions_mut;
use sqlparser::ast::{Expr, Function, Value};
use std::ops::ControlFlow;

/// Functions that gather rows, in the databases' own spellings.
const GATHERING: &[&str] = &[
    "any",
    "anylast",
    "any_value",
    "arbitrary",
    "array_agg",
    "avg",
    "bit_and",
    "bit_or",
    "bit_xor",
    "bool_and",
    "bool_or",
    "checksum",
    "corr",
    "count",
    "count_if",
    "countif",
    "entropy",
    "every",
    "favg",
    "first",
    "fsum",
    "geometric_mean",
    "group_concat",
    "histogram",
    "kahan_sum",
    "kurtosis",
    "kurtosis_pop",
    "last",
    "list",
    "listagg",
    "mad",
    "max",
    "max_by",
    "median",
    "min",
    "min_by",
    "mode",
    "product",
    "skewness",
    "std",
    "string_agg",
    "sum",
    "sumif",
    "sumkahan",
    "topk",
    "total",
    "variance",
];
/// What the names of more of them begin with.
const GATHERING_KINDS: &[&str] = &[
    "approx_",
    "arg_m",
    "argm",
    "avgif",
    "avgweighted",
    "covar",
    "grouparray",
    "groupbit",
    "groupuniq",
    "json_agg",
    "json_array",
    "json_group",
    "json_object_agg",
    "jsonb_agg",
    "jsonb_object_agg",
    "percentile",
    "quantile",
    "regr_",
    "stddev",
    "uniq",
    "var_",
    "varpop",
    "varsamp",
];

/// Reads an expression and puts the table's name before each of its columns.
///
/// # Errors
/// A sentence: it cannot be read, gathers rows, reads another table, or holds a parameter.
pub(super) fn of_row(kind: SourceKind, text: &str, relation: &str) -> Result<Expr, String> {
    let mut made = parse_expression(kind, text).map_err(|refusal| refusal.0)?;
    // The printer of syntax trees takes a quote behind a backslash for escaped, and a text that holds both would end early.
    let has_texts = text.contains(['\'', '"', '`', '\\', '$']);
    if has_texts && parse_expression(kind, &made.to_string()).as_ref() != Ok(&made) {
        return Err("it holds a text or name with a quote behind a backslash; write it in another way".to_owned());
    }
    let tree = Tree { kind };
    let broken = expressions_mut(&mut made, |part: &mut Expr| match part {
        Expr::Identifier(name) => {
            *part = Expr::CompoundIdentifier(vec![tree.own(relation), name.clone()]);
            ControlFlow::Continue(())
        }
        Expr::CompoundIdentifier(parts) if parts.first() != Some(&tree.own(relation)) => {
            let name = parts.iter().map(|part| &*part.value).collect::<Vec<_>>().join(".");
            ControlFlow::Break(format!("`{name}` names a table; write columns of this table alone, without its name"))
        }
        Expr::Subquery(_) | Expr::Exists { .. } | Expr::InSubquery { .. } | Expr::AnyOp { .. } | Expr::AllOp { .. } => {
            ControlFlow::Break("it holds a SELECT; write an expression over columns of this table alone".to_owned())
        }
        Expr::Function(function) if gathers(kind, function) => ControlFlow::Break(format!(
            "{} gathers several rows; a measure says how in `aggregate`, and its expression is about one row",
            function.name
        )),
        Expr::Value(value) if matches!(value.value, Value::Placeholder(_)) => {
            ControlFlow::Break("it holds a parameter".to_owned())
        }
        // Only values of filters stand in parentheses.
        Expr::Nested(inner) if is_value(inner) => {
            let inner = std::mem::replace(&mut **inner, null());
            *part = inner;
            ControlFlow::Continue(())
        }
        _ => ControlFlow::Continue(()),
    });
    match broken {
        ControlFlow::Break(why) => Err(why),
        ControlFlow::Continue(()) => Ok(made),
    }
}

/// Whether an expression is what a filter's value is written as.
fn is_value(expression: &Expr) -> bool {
    match expression {
        Expr::Value(_) => true,
        Expr::Cast { expr, .. } => is_value(expr),
        _ => false,
    }
}

/// Whether an expression is a column alone.
pub(super) fn is_column(expression: &Expr) -> bool {
    match expression {
        Expr::Nested(inner) => is_column(inner),
        other => matches!(other, Expr::CompoundIdentifier(_)),
    }
}

fn gathers(kind: SourceKind, function: &Function) -> bool {
    let name = function.name.0.last().and_then(|part| part.as_ident()).map(|name| fold_ident(kind, name).to_lowercase());
    let several = name.is_some_and(|name| {
        // On SQLite and MySQL, max and min of several values are of one row.
        let of_one_row = matches!(&*name, "min" | "max") && count_of_arguments(function) > 1;
        let kind = GATHERING_KINDS.iter().any(|begin| name.starts_with(begin)) && name != "json_array";
        (GATHERING.contains(&&*name) || kind) && !of_one_row
    });
    several || function.over.is_some() || function.filter.is_some() || !function.within_group.is_empty()
}

fn count_of_arguments(function: &Function) -> usize {
    match &function.args {
        sqlparser::ast::FunctionArguments::List(list) => list.args.len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(text: &str) -> Result<String, String> {
        of_row(SourceKind::Sqlite, text, "t").map(|made| made.to_string())
    }

    #[test]
    fn columns_get_their_tables_name() {
        assert_eq!(made("amount"), Ok("\"t\".amount".to_owned()));
        assert_eq!(
            made("case when \"Delay\" > 0 then delay + 1 else 0 end").expect("read"),
            "CASE WHEN \"t\".\"Delay\" > 0 THEN \"t\".delay + 1 ELSE 0 END"
        );
        assert_eq!(made("a = (-(1)) or b in (('x'), (2))").as_deref(), Ok("\"t\".a = (-1) OR \"t\".b IN ('x', 2)"));
        assert_eq!(made("max(a, b)").expect("of one row"), "max(\"t\".a, \"t\".b)");
    }

    #[test]
    fn what_is_not_of_one_row_is_refused() {
        for (text, why) in [
            ("sum(amount)", "gathers several rows"),
            ("max(amount)", "gathers several rows"),
            ("var_samp(amount)", "gathers several rows"),
            ("argMax(amount, id)", "gathers several rows"),
            ("row_number() over (order by id)", "gathers several rows"),
            ("(select 1)", "holds a SELECT"),
            ("id in (select id from customers)", "holds a SELECT"),
            ("exists (select 1)", "holds a SELECT"),
            ("customers.name", "names a table"),
            ("amount > ?", "a parameter"),
            ("status = 'a\\''b'", "a quote behind a backslash"),
            ("amount, id", "must be one expression"),
            ("amount --", ""),
        ] {
            let told = made(text);
            assert!(told.clone().is_err_and(|told| told.contains(why)) || (why.is_empty() && told.is_ok()), "{text}: {told:?}");
        }
    }
}
