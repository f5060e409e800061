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
#[rustfmt::skip]
const MYSQL: &[&str] = &[
    "addtime", "any_value", "ascii", "bit_and", "bit_length", "bit_or", "bit_xor", "char_length", "character_length",
    "conv", "cot", "crc32", "curdate", "curtime", "date_add", "date_format", "date_sub", "datediff", "day", "dayname",
    "dayofmonth", "dayofweek", "dayofyear", "elt", "field", "find_in_set", "format", "from_days", "from_unixtime",
    "greatest", "group_concat", "grouping", "hex", "hour", "if", "ifnull", "instr", "isnull", "json_array", "json_arrayagg",
    "json_contains", "json_extract", "json_length", "json_object", "json_objectagg", "json_type", "json_unquote",
    "json_valid", "json_value", "last_day", "lcase", "least", "left", "localtime", "localtimestamp", "locate", "log2",
    "makedate", "maketime", "md5", "median", "microsecond", "mid", "minute", "month", "monthname", "now", "ord",
    "percentile_cont", "percentile_disc", "period_add", "period_diff", "position", "pow", "quarter", "rand", "regexp_instr",
    "regexp_like", "regexp_replace", "regexp_substr", "reverse", "right", "sec_to_time", "second", "std", "stddev",
    "stddev_pop", "stddev_samp", "str_to_date", "strcmp", "subdate", "substring_index", "subtime", "time", "time_format",
    "time_to_sec", "timediff", "timestamp", "timestampadd", "timestampdiff", "to_days", "to_seconds", "truncate", "ucase",
    "unhex", "unix_timestamp", "utc_date", "utc_time", "utc_timestamp", "var_pop", "var_samp", "variance", "week",
    "weekday", "weekofyear", "year", "yearweek",
];
#[rustfmt::skip]
const CLICKHOUSE: &[&str] = &[
    "abs", "acos", "adddays", "addhours", "addminutes", "addmonths", "addquarters", "addseconds", "addweeks", "addyears",
    "and", "any", "anyheavy", "anyif", "anylast", "argmax", "argmin", "arraycount", "arraydistinct", "arrayelement",
    "arraysort", "arraystringconcat", "arraysum", "asin", "atan", "atan2", "avgif", "avgweighted", "cbrt", "ceiling",
    "char_length", "character_length", "corr", "countequal", "countif", "covarpop", "covarsamp", "date_add", "date_diff",
    "date_sub", "date_trunc", "dateadd", "datediff", "datename", "datesub", "datetrunc", "day", "dayofmonth", "dayofweek",
    "dayofyear", "divide", "empty", "endswith", "equals", "exp10", "exp2", "extract", "farmhash64", "floor",
    "formatdatetime", "fromunixtimestamp", "greater", "greaterorequals", "greatest", "grouparray", "grouping",
    "groupuniqarray", "has", "hasall", "hasany", "hour", "if", "ifnull", "indexof", "intdiv", "intdivorzero", "isfinite",
    "isinfinite", "isnan", "isnotnull", "isnull", "jsonextractbool", "jsonextractfloat", "jsonextractint",
    "jsonextractstring", "jsonhas", "jsonlength", "kurtpop", "kurtsamp", "laginframe", "leadinframe", "least", "length",
    "lengthutf8", "less", "lessorequals", "like", "locate", "log1p", "log2", "lowerutf8", "match", "maxif", "median",
    "medianexact", "minif", "minus", "minute", "modulo", "month", "monthname", "multiif", "multiply", "negate", "not",
    "notempty", "notequals", "notlike", "now", "nullif", "or", "plus", "position", "positioncaseinsensitive",
    "positionutf8", "pow", "quantile", "quantileexact", "quantileexactinclusive", "quantiles", "quantiletdigest", "quarter",
    "regexpextract", "replaceall", "replaceone", "replaceregexpall", "replaceregexpone", "reverse", "reverseutf8",
    "roundbankers", "rounddown", "second", "simplejsonextractstring", "simplelinearregression", "skewpop", "skewsamp",
    "splitbychar", "startswith", "stddevpop", "stddevsamp", "substringindex", "substringutf8", "subtractdays",
    "subtracthours", "subtractmonths", "subtractweeks", "subtractyears", "sumif", "sumkahan", "timediff", "timestamp_add",
    "timestamp_diff", "timestamp_sub", "tobool", "todate", "todate32", "todateornull", "todatetime", "todatetime64",
    "todatetimeornull", "today", "todayofmonth", "todayofweek", "todayofyear", "todecimal128", "todecimal32", "todecimal64",
    "tofloat32", "tofloat64", "tofloat64ornull", "tofloat64orzero", "tohour", "toint16", "toint32", "toint64",
    "toint64ornull", "toint64orzero", "toint8", "toisoweek", "toisoyear", "tolastdayofmonth", "tominute", "tomonday",
    "tomonth", "topk", "toquarter", "torelativedaynum", "tosecond", "tostartofday", "tostartoffifteenminutes",
    "tostartoffiveminutes", "tostartofhour", "tostartofinterval", "tostartofisoyear", "tostartofminute", "tostartofmonth",
    "tostartofquarter", "tostartofsecond", "tostartoftenminutes", "tostartofweek", "tostartofyear", "tostring",
    "totimezone", "touint16", "touint32", "touint64", "touint8", "tounixtimestamp", "toweek", "toyear", "toyearweek",
    "toyyyymm", "toyyyymmdd", "transform", "trimboth", "trimleft", "trimright", "truncate", "tuple", "tupleelement", "uniq",
    "uniqcombined", "uniqexact", "uniqexactif", "uniqhll12", "uniqif", "upperutf8", "varpop", "varsamp",
    "visitparamextractstring", "week", "xor", "year", "yesterday",
];
#[rustfmt::skip]
const TRINO: &[&str] = &[
    "any_value", "approx_distinct", "approx_percentile", "arbitrary", "array_agg", "at_timezone", "bit_count",
    "bitwise_and", "bitwise_or", "bool_and", "bool_or", "cardinality", "cbrt", "char_length", "chr", "codepoint", "concat",
    "corr", "cosine_similarity", "count_if", "covar_pop", "covar_samp", "date_add", "date_diff", "date_format",
    "date_parse", "date_trunc", "day", "day_of_month", "day_of_week", "day_of_year", "dow", "doy", "e", "element_at",
    "every", "format_datetime", "from_iso8601_date", "from_iso8601_timestamp", "from_unixtime", "geometric_mean",
    "greatest", "grouping", "hour", "if", "infinity", "is_finite", "is_infinite", "is_nan", "json_array_length",
    "json_extract", "json_extract_scalar", "json_format", "json_parse", "kurtosis", "last_day_of_month", "least", "length",
    "levenshtein_distance", "listagg", "ln", "localtime", "localtimestamp", "log2", "max_by", "millisecond", "min_by",
    "minute", "month", "nan", "normalize", "now", "parse_datetime", "position", "pow", "quarter", "rand", "regexp_count",
    "regexp_extract", "regexp_like", "regexp_replace", "regr_intercept", "regr_slope", "reverse", "second", "skewness",
    "split_part", "starts_with", "stddev", "stddev_pop", "stddev_samp", "strpos", "to_iso8601", "to_unixtime", "translate",
    "truncate", "try", "typeof", "url_extract_host", "url_extract_path", "var_pop", "var_samp", "variance", "week",
    "week_of_year", "width_bucket", "with_timezone", "year", "year_of_week", "yow",
];
#[rustfmt::skip]
const DUCKDB: &[&str] = &[
    "age", "any_value", "approx_count_distinct", "approx_quantile", "arg_max", "arg_min", "array_agg", "bit_and", "bit_or",
    "bool_and", "bool_or", "bool_xor", "cbrt", "century", "char_length", "chr", "concat", "contains", "corr", "count_if",
    "covar_pop", "covar_samp", "date_add", "date_diff", "date_part", "date_sub", "date_trunc", "datediff", "datepart",
    "datesub", "datetrunc", "day", "dayname", "dayofmonth", "dayofweek", "dayofyear", "decade", "ends_with", "entropy",
    "epoch", "epoch_ms", "even", "extract", "fdiv", "first", "fmod", "gcd", "geomean", "greatest", "group_concat",
    "grouping", "hour", "if", "ifnull", "instr", "isfinite", "isinf", "isnan", "isodow", "isoyear", "json_array_length",
    "json_extract", "json_extract_string", "json_type", "kurtosis", "last", "last_day", "lcase", "lcm", "least", "left",
    "len", "list", "list_distinct", "list_sort", "listagg", "ln", "log2", "make_date", "make_time", "make_timestamp",
    "max_by", "mean", "median", "microsecond", "millisecond", "min_by", "minute", "mode", "month", "monthname", "now",
    "position", "pow", "prefix", "product", "quantile", "quantile_cont", "quantile_disc", "quarter", "regexp_extract",
    "regexp_full_match", "regexp_matches", "regexp_replace", "regr_intercept", "regr_r2", "regr_slope", "reverse", "right",
    "second", "skewness", "split_part", "starts_with", "stddev", "stddev_pop", "stddev_samp", "strftime", "strip_accents",
    "strlen", "strpos", "strptime", "suffix", "time_bucket", "to_days", "to_hours", "to_minutes", "to_months", "to_seconds",
    "to_timestamp", "to_weeks", "to_years", "today", "translate", "trunc", "try_strptime", "typeof", "ucase", "unicode",
    "upper", "var_pop", "var_samp", "variance", "week", "weekday", "weekofyear", "year", "yearweek",
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
        SourceKind::Mysql => MYSQL,
        SourceKind::Clickhouse => CLICKHOUSE,
        SourceKind::Trino => TRINO,
        SourceKind::Duckdb => DUCKDB,
    };
    [AGGREGATES, WINDOWS, SCALARS, own].iter().any(|list| list.contains(&name))
}

/// Whether a row rule may call the function of this (folded) name.
pub(crate) fn allowed_in_rule(kind: SourceKind, name: &str) -> bool {
    RULES.contains(&name) && allowed(kind, name)
}

/// Whether the function's first argument is a unit of time, written like a column.
pub(super) fn takes_unit(kind: SourceKind, name: &str) -> bool {
    match kind {
        SourceKind::Mysql => matches!(name, "timestampdiff" | "timestampadd"),
        SourceKind::Clickhouse => {
            matches!(name, "date_add" | "date_diff" | "date_sub" | "timestamp_add" | "timestamp_diff" | "timestamp_sub")
        }
        SourceKind::Sqlite | SourceKind::Postgres | SourceKind::Trino | SourceKind::Duckdb => false,
    }
}

/// Whether a word is a unit of time.
pub(super) fn is_unit(word: &str) -> bool {
    let units = ["microsecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year"];
    units.iter().any(|unit| word.eq_ignore_ascii_case(unit))
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
