//! PostgreSQL, and what speaks its protocol.

use super::{
    Backslash, Case, Comparisons, Concat, Conversion, Dialect, Fence, Floats, Form, Forms, Functions, HttpPorts, Lexis, Names,
    Needed, Permit, Printing, Roles, Typing, Words, common, grammar::PostgresGrammar,
};
use crate::{
    address::{RefusedAddress, Route, SourceLocation},
    bind::{Bind, Binds},
    compare::{Incomparable, Moment, boolean, bound, moment, number, text, uuid, written},
    error::QueryError,
    limits::Limits,
    schema::Class,
    source::{Source, SourceKind},
    sources::Pool,
};
use chrono::NaiveDate;
use inlay_contract::chart::question::Grain;
use serde_json::Value;
use sqlparser::{
    ast::{BinaryOperator, DataType, ExactNumberInfo, Expr, TimezoneInfo},
    dialect::Dialect as Grammar,
};

/// PostgreSQL, and what speaks its protocol.
pub(crate) struct Postgres;

/// Functions beyond the common ones.
#[rustfmt::skip]
const FUNCTIONS: &[&str] = &[
    "age", "array_agg", "ascii", "bit_and", "bit_or", "bool_and", "bool_or", "btrim", "cbrt", "char_length", "chr", "corr",
    "covar_pop", "covar_samp", "date_bin", "date_part", "date_trunc", "div", "every", "extract", "greatest", "grouping",
    "initcap", "json_agg", "json_array_length", "json_build_object", "json_typeof", "jsonb_agg", "jsonb_array_length",
    "jsonb_build_object", "jsonb_typeof", "justify_days", "justify_hours", "justify_interval", "least", "left", "localtime",
    "localtimestamp", "make_date", "make_interval", "make_timestamp", "md5", "mode", "now", "num_nonnulls", "num_nulls",
    "percentile_cont", "percentile_disc", "position", "regexp_replace", "regr_avgx", "regr_avgy", "regr_count",
    "regr_intercept", "regr_r2", "regr_slope", "reverse", "right", "split_part", "starts_with", "stddev", "stddev_pop",
    "stddev_samp", "strpos", "to_char", "to_date", "to_number", "to_timestamp", "translate", "var_pop", "var_samp",
    "variance", "width_bucket",
];

impl Dialect for Postgres {
    fn kind(&self) -> SourceKind {
        SourceKind::Postgres
    }

    fn is_built_in(&self) -> bool {
        true
    }

    fn is_file(&self) -> bool {
        false
    }

    fn address_prefixes(&self) -> &'static [&'static str] {
        &["postgres://", "postgresql://", "cockroachdb://", "cockroach://", "redshift://"]
    }

    fn place(&self, url: &str) -> Result<SourceLocation, RefusedAddress> {
        SourceLocation::of_postgres(url)
    }

    fn http(&self) -> Option<HttpPorts> {
        None
    }

    /// Custom settings have a prefix: `app.tenant_id`.
    fn takes_token_in(&self, setting: &str) -> bool {
        setting.split_once('.').is_some_and(|(prefix, name)| !prefix.is_empty() && !name.is_empty())
    }

    fn roles(&self) -> Roles {
        Roles::Readable
    }

    fn open(&self, source: &Source, route: &Route, limits: &Limits) -> Result<Pool, QueryError> {
        Pool::postgres(source, route, limits)
    }

    fn grammar(&self) -> &'static dyn Grammar {
        &PostgresGrammar
    }

    fn names(&self) -> Names {
        Names {
            quote_mark: '"',
            backslash: Backslash::Letter,
            listed: Case::Exact,
            bare: Case::AsciiLower,
            quoted: Case::Exact,
        }
    }

    fn default_schema(&self) -> &'static str {
        "public"
    }

    fn lexis(&self) -> Lexis {
        Lexis { quotes: &[('\'', '\''), ('"', '"')], comments: &["--", "/*"], backslash: Backslash::Letter }
    }

    fn words(&self) -> Words {
        Words {
            revealing: &[
                "user",
                "current_user",
                "session_user",
                "system_user",
                "current_role",
                "current_catalog",
                "current_schema",
            ],
            after_tables: &[],
        }
    }

    fn forms(&self) -> Forms {
        Forms {
            lateral: Permit::Allowed,
            names_in_lists: Permit::Allowed,
            double_quoted_texts: Permit::Refused,
            typed_texts: Permit::Allowed,
            standard_words: Permit::Allowed,
            quantified_comparisons: Permit::Allowed,
            ilike: Permit::Allowed,
            rlike: Permit::Refused,
            at_time_zone: Permit::Allowed,
            overlay: Permit::Allowed,
            grouping_sets: Permit::Allowed,
            convert: Permit::Refused,
            double_colon_casts: Permit::Allowed,
            try_casts: Permit::Refused,
            calls_by_dot: Permit::Allowed,
        }
    }

    fn allows_operator(&self, operator: &BinaryOperator) -> bool {
        common::is_plain_operator(operator)
            || common::is_arrow(operator)
            || matches!(
                operator,
                BinaryOperator::PGExp
                    | BinaryOperator::PGRegexMatch
                    | BinaryOperator::PGRegexIMatch
                    | BinaryOperator::PGRegexNotMatch
                    | BinaryOperator::PGRegexNotIMatch
                    | BinaryOperator::Overlaps
            )
    }

    fn allows_collation(&self, name: &str) -> bool {
        matches!(name, "C" | "POSIX" | "default")
    }

    fn allows_type(&self, data_type: &DataType) -> bool {
        common::is_plain_type(data_type)
            || matches!(
                data_type,
                DataType::Uuid
                    | DataType::Int2(None)
                    | DataType::Int4(None)
                    | DataType::Int8(None)
                    | DataType::Float4
                    | DataType::Float8
                    | DataType::Interval { .. }
                    | DataType::JSON
                    | DataType::JSONB
            )
    }

    fn functions(&self) -> Functions {
        Functions {
            listed: &[common::AGGREGATES, common::WINDOWS, common::SCALARS, FUNCTIONS],
            case: Case::Exact,
            with_unit: &[],
            with_picture: &[],
            trims_by_any: Permit::Allowed,
            parameters: Permit::Refused,
            separator: Permit::Refused,
        }
    }

    /// It reads text in one way with the settings that each query brings.
    fn printing(&self) -> Printing {
        Printing { form: Form::Written, concat: Concat::Operator }
    }

    fn respell(&self, _: &mut DataType) {}

    fn fence(&self) -> Fence {
        Fence { end: " OFFSET 0", needed: Needed::ForLeaks }
    }

    fn period(&self, grain: Grain, column: &str) -> String {
        common::date_trunc(grain, column)
    }

    fn days_later(&self, moment: &str, days: i64) -> String {
        common::days_later(moment, days)
    }

    fn months_later(&self, moment: &str, months: i64) -> String {
        common::months_later(moment, months)
    }

    fn weekday(&self, column: &str) -> String {
        common::isodow(column)
    }

    fn hour(&self, column: &str) -> String {
        common::hour(column)
    }

    fn hour_name(&self, column: &str) -> String {
        format!("to_char({column}, 'HH24')")
    }

    fn truth(&self, on: bool) -> &'static str {
        common::truth(on)
    }

    fn day(&self, day: NaiveDate) -> String {
        common::day(day)
    }

    fn median(&self, value: &str) -> Option<String> {
        Some(format!("percentile_cont(0.5) within group (order by {value})"))
    }

    fn stepped(&self, number: &str, width: &str) -> String {
        common::stepped(number, width)
    }

    fn half(&self, whole: &str) -> String {
        common::half(whole)
    }

    fn comparisons(&self) -> Comparisons {
        Comparisons {
            conversion: Conversion::Typed,
            typing: Typing::Static,
            made_text: Class::ByText,
            floats: Floats::BesideDecimals,
        }
    }

    fn operand(&self, class: Class, value: &Value, binds: &mut Binds) -> Result<Expr, Incomparable> {
        let (text, data_type) = typed(class, value).ok_or(Incomparable)?;
        bound(Bind::Text(text), Some(data_type), binds)
    }

    fn text_type(&self) -> DataType {
        DataType::Text
    }

    fn class_of_cast(&self, data_type: &DataType) -> Class {
        common::dated_class(data_type)
    }
}

/// A value's text beside a column, and the type of its cast.
pub(crate) fn typed(class: Class, value: &Value) -> Option<(String, DataType)> {
    Some(match class {
        Class::Integer => {
            let text = number(value)?;
            let whole = text.parse::<i64>().is_ok();
            (text, if whole { DataType::BigInt(None) } else { DataType::Numeric(ExactNumberInfo::None) })
        }
        Class::Decimal => (number(value)?, DataType::Numeric(ExactNumberInfo::None)),
        Class::Real => (number(value)?, DataType::Real),
        Class::Double => (number(value)?, DataType::DoublePrecision),
        Class::Text | Class::ByText => (text(value)?, DataType::Text),
        Class::Uuid => (uuid(value)?, DataType::Uuid),
        Class::Boolean => (boolean(value)?.to_string(), DataType::Boolean),
        Class::Date => match moment(value)? {
            Moment::Day(day) => (day.to_string(), DataType::Date),
            Moment::Time(time) => (written(time), DataType::Timestamp(None, TimezoneInfo::None)),
        },
        Class::Timestamp => (written(moment(value)?.start()), DataType::Timestamp(None, TimezoneInfo::None)),
        Class::Moment => (written(moment(value)?.start()) + "Z", DataType::Timestamp(None, TimezoneInfo::WithTimeZone)),
        Class::Other => return None,
    })
}
