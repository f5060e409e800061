//! The functions that a query may call, by database. What is not here is refused: whatever reads files, settings, catalogues
//! or other tables, takes SQL as text, sleeps, or makes text of any length (`repeat`, `lpad`, `zeroblob`).

use crate::source::SourceKind;
use sqlparser::ast::{Expr, FunctionArg, FunctionArgExpr, Value};

const AGGREGATES: &[&str] = &["count", "sum", "avg", "min", "max", "string_agg"];
const WINDOWS: &[&str] = &[
    "row_number",
    "rank",
    "dense_rank",
    "percent_rank",
    "cume_dist",
    "ntile",
    "lag",
    "lead",
    "first_value",
    "last_value",
    "nth_value",
];
/// Functions of one row that both databases have.
const SCALARS: &[&str] = &[
    "abs",
    "acos",
    "asin",
    "atan",
    "atan2",
    "ceil",
    "ceiling",
    "coalesce",
    "concat",
    "concat_ws",
    "cos",
    "degrees",
    "exp",
    "floor",
    "length",
    "ln",
    "log",
    "log10",
    "lower",
    "ltrim",
    "mod",
    "nullif",
    "octet_length",
    "pi",
    "power",
    "radians",
    "random",
    "replace",
    "round",
    "rtrim",
    "sign",
    "sin",
    "sqrt",
    "substr",
    "substring",
    "tan",
    "trim",
    "trunc",
    "upper",
    "current_date",
    "current_time",
    "current_timestamp",
    "date",
];
const SQLITE: &[&str] = &[
    "char",
    "datetime",
    "format",
    "glob",
    "group_concat",
    "hex",
    "if",
    "ifnull",
    "iif",
    "instr",
    "json_array_length",
    "json_extract",
    "json_group_array",
    "json_type",
    "json_valid",
    "julianday",
    "like",
    "log2",
    "median",
    "percentile",
    "percentile_cont",
    "percentile_disc",
    "pow",
    "printf",
    "strftime",
    "time",
    "timediff",
    "total",
    "typeof",
    "unicode",
    "unixepoch",
];
const POSTGRES: &[&str] = &[
    "age",
    "array_agg",
    "ascii",
    "bit_and",
    "bit_or",
    "bool_and",
    "bool_or",
    "btrim",
    "cbrt",
    "char_length",
    "chr",
    "corr",
    "covar_pop",
    "covar_samp",
    "date_bin",
    "date_part",
    "date_trunc",
    "div",
    "every",
    "extract",
    "greatest",
    "grouping",
    "initcap",
    "json_agg",
    "json_array_length",
    "json_build_object",
    "json_typeof",
    "jsonb_agg",
    "jsonb_array_length",
    "jsonb_build_object",
    "jsonb_typeof",
    "justify_days",
    "justify_hours",
    "justify_interval",
    "least",
    "left",
    "localtime",
    "localtimestamp",
    "make_date",
    "make_interval",
    "make_timestamp",
    "md5",
    "mode",
    "now",
    "num_nonnulls",
    "num_nulls",
    "percentile_cont",
    "percentile_disc",
    "position",
    "regexp_replace",
    "regr_avgx",
    "regr_avgy",
    "regr_count",
    "regr_intercept",
    "regr_r2",
    "regr_slope",
    "reverse",
    "right",
    "split_part",
    "starts_with",
    "stddev",
    "stddev_pop",
    "stddev_samp",
    "strpos",
    "to_char",
    "to_date",
    "to_number",
    "to_timestamp",
    "translate",
    "var_pop",
    "var_samp",
    "variance",
    "width_bucket",
];
/// What a row rule may call: plain functions of one row.
const RULES: &[&str] = &[
    "abs",
    "coalesce",
    "current_date",
    "current_timestamp",
    "date",
    "date_trunc",
    "ifnull",
    "length",
    "lower",
    "ltrim",
    "mod",
    "now",
    "nullif",
    "replace",
    "round",
    "rtrim",
    "strftime",
    "substr",
    "trim",
    "upper",
];

/// Whether a query may call the function of this (folded) name.
pub(super) fn allowed(kind: SourceKind, name: &str) -> bool {
    let own = match kind {
        SourceKind::Sqlite => SQLITE,
        SourceKind::Postgres => POSTGRES,
    };
    [AGGREGATES, WINDOWS, SCALARS, own].iter().any(|list| list.contains(&name))
}

/// Whether a row rule may call the function of this (folded) name.
pub(crate) fn allowed_in_rule(kind: SourceKind, name: &str) -> bool {
    RULES.contains(&name) && allowed(kind, name)
}

/// Whether the function formats by a picture that could ask for text of any length.
pub(super) fn formats(kind: SourceKind, name: &str) -> bool {
    kind == SourceKind::Sqlite && matches!(name, "printf" | "format")
}

/// Whether the picture of such a function is a literal whose widths have at most two digits.
pub(super) fn is_modest_format(arguments: &[FunctionArg]) -> bool {
    let Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(literal)))) = arguments.first() else { return false };
    let Value::SingleQuotedString(picture) = &literal.value else { return false };
    let mut digits = 0;
    picture.chars().all(|letter| {
        digits = if letter.is_ascii_digit() { digits + 1 } else { 0 };
        letter != '*' && digits <= 2
    })
}
