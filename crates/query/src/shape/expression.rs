//! Whether an item of a select list is computed from one row or from many.

use crate::{name::fold_ident, source::SourceKind};
use inlay_sql_walk::{walk, walk_mut};
use sqlparser::ast::{Expr, Function, Ident, Query, Value, Visitor, VisitorMut};
use std::ops::ControlFlow;

/// Functions that compute a number from many rows.
const AGGREGATES: [&str; 7] = ["count", "sum", "avg", "min", "max", "total", "median"];

/// Functions that return the same value for the same row, by the names of all databases. Queries may call others
/// (`sql::functions`), but those do not form groups.
#[rustfmt::skip]
const OF_ONE_ROW: &[&str] = &[
    "abs", "adddays", "addmonths", "age", "ascii", "btrim", "bucket", "cast", "ceil", "ceiling", "char", "char_length",
    "character_length", "chr", "coalesce", "concat", "concat_ws", "current_date", "date", "date_add", "date_bin", "date_diff",
    "date_format", "date_part", "date_sub", "date_trunc", "datediff", "datename", "datepart", "datesub", "datetime", "datetrunc",
    "day", "day_of_month", "day_of_week", "day_of_year", "dayname", "dayofmonth", "dayofweek", "dayofyear", "decade", "div", "dow",
    "doy", "elt", "endswith", "ends_with", "epoch", "exp", "extract", "field", "floor", "fmod", "format", "format_datetime",
    "formatdatetime", "from_days", "from_unixtime", "greatest", "hour", "if", "ifnull", "iif", "initcap", "instr", "intdiv",
    "isnull", "isodow", "isoyear", "json_extract", "json_extract_scalar", "json_extract_string", "json_unquote", "json_value",
    "jsonextractstring", "julianday", "last_day", "last_day_of_month", "lcase", "least", "left", "len", "length", "lengthutf8",
    "ln", "locate", "log", "log10", "log2", "lower", "lowerutf8", "ltrim", "make_date", "makedate", "mid", "minute", "mod", "modulo",
    "month", "monthname", "multiif", "now", "nullif", "octet_length", "ord", "period_add", "position", "pow", "power", "printf", "quarter",
    "regexp_extract", "regexp_replace", "regexp_substr", "replace", "replaceall", "replaceone", "reverse", "right", "round",
    "rounddown", "rtrim", "sec_to_time", "second", "sign", "split_part", "sqrt", "startswith", "starts_with", "str_to_date",
    "strftime", "strlen", "strpos", "strptime", "subdate", "substr", "substring", "substring_index", "substringutf8", "time",
    "time_bucket", "time_format", "timediff", "timestampdiff", "to_char", "to_date", "to_days", "to_number", "to_timestamp", "today",
    "todate", "todate32", "todatetime", "todayofmonth", "todayofweek", "todayofyear", "tohour", "toint32", "toint64", "toisoweek",
    "toisoyear", "tolastdayofmonth", "tominute", "tomonday", "tomonth", "toquarter", "tostartofday", "tostartofhour",
    "tostartofinterval", "tostartofmonth", "tostartofquarter", "tostartofweek", "tostartofyear", "tostring", "toweek", "toyear",
    "toyyyymm", "toyyyymmdd", "transform", "translate", "trim", "trunc", "truncate", "ucase", "unixepoch", "unix_timestamp", "upper",
    "upperutf8", "week", "week_of_year", "weekday", "weekofyear", "width_bucket", "year", "year_of_week", "yearweek", "yow",
];

/// The parts of an expression.
struct Parts {
    kind: SourceKind,
    /// A query, a window, an unknown aggregate, or a volatile function.
    strange: bool,
    aggregates: bool,
}

impl Visitor for Parts {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.strange = true;
        ControlFlow::Break(())
    }

    fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<()> {
        match expression {
            Expr::Function(function) if function.over.is_some() => self.strange = true,
            Expr::Function(function) => match self.name(function) {
                Some(name) if AGGREGATES.contains(&&*name) => self.aggregates = true,
                Some(name) if OF_ONE_ROW.contains(&&*name) => {}
                _ => self.strange = true,
            },
            Expr::GroupingSets(_) | Expr::Cube(_) | Expr::Rollup(_) => self.strange = true,
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

impl Parts {
    fn of(kind: SourceKind, expression: &Expr) -> Self {
        let mut parts = Self { kind, strange: false, aggregates: false };
        // The visitor records why it stopped.
        let _stopped = walk(expression, &mut parts).is_break();
        parts
    }

    fn name(&self, function: &Function) -> Option<String> {
        let [part] = &function.name.0[..] else { return None };
        part.as_ident().map(|name| fold_ident(self.kind, name).to_ascii_lowercase())
    }
}

/// Whether an expression has one value per row that is always the same for the same row.
pub(super) fn is_of_one_row(kind: SourceKind, expression: &Expr) -> bool {
    let Parts { strange, aggregates, .. } = Parts::of(kind, expression);
    !strange && !aggregates
}

/// Whether an expression is a number that is computed from many rows.
pub(super) fn aggregates(kind: SourceKind, expression: &Expr) -> bool {
    let Parts { strange, aggregates, .. } = Parts::of(kind, expression);
    !strange && aggregates
}

/// Whether an expression has one value in each group of rows with equal values of `by`.
pub(super) fn is_determined<'a>(expression: &Expr, by: impl Iterator<Item = &'a Expr> + Clone) -> bool {
    /// Removes the grouping expressions and looks for other columns.
    struct Known<I>(I);
    impl<'a, I: Iterator<Item = &'a Expr> + Clone> VisitorMut for Known<I> {
        type Break = ();

        fn pre_visit_expr(&mut self, expression: &mut Expr) -> ControlFlow<()> {
            if self.0.clone().any(|by| without_parentheses(by) == without_parentheses(expression)) {
                *expression = Expr::value(Value::Null);
            }
            match expression {
                Expr::Identifier(_) | Expr::CompoundIdentifier(_) => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        }
    }
    walk_mut(&mut expression.clone(), &mut Known(by)).is_continue()
}

/// The expression in parentheses.
pub(super) fn without_parentheses(expression: &Expr) -> &Expr {
    match expression {
        Expr::Nested(inner) => without_parentheses(inner),
        _ => expression,
    }
}

/// Whether an expression reads a column with this (folded) name.
pub(super) fn mentions(kind: SourceKind, expression: &Expr, column: &str) -> bool {
    struct Mentions<'a>(SourceKind, &'a str);
    impl Visitor for Mentions<'_> {
        type Break = ();

        fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<()> {
            match column_of(expression) {
                Some(name) if fold_ident(self.0, name) == self.1 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        }
    }
    walk(expression, &mut Mentions(kind, column)).is_break()
}

/// The name of an expression that is only a column.
pub(super) fn column_of(expression: &Expr) -> Option<&Ident> {
    match without_parentheses(expression) {
        Expr::Identifier(name) => Some(name),
        Expr::CompoundIdentifier(names) => names.last(),
        _ => None,
    }
}
