//! The types that a cast may name. Not on the list: types whose text form looks things up (`regclass`), binary and
//! network types, arrays, and everything that a database lets its users define.

use crate::source::SourceKind;
use sqlparser::ast::{DataType, TimezoneInfo};

/// Standard SQL beyond what the simpler databases have.
const fn is_standard(kind: SourceKind) -> bool {
    matches!(kind, SourceKind::Postgres | SourceKind::Trino | SourceKind::Duckdb)
}

/// Whether a cast may name this type.
pub(crate) fn allowed(kind: SourceKind, data_type: &DataType) -> bool {
    match data_type {
        DataType::Character(_)
        | DataType::Char(_)
        | DataType::CharacterVarying(_)
        | DataType::CharVarying(_)
        | DataType::Varchar(_)
        | DataType::Text
        | DataType::Numeric(_)
        | DataType::Decimal(_)
        | DataType::Dec(_)
        | DataType::Float(_)
        | DataType::SmallInt(None)
        | DataType::Int(None)
        | DataType::Integer(None)
        | DataType::BigInt(None)
        | DataType::Real
        | DataType::Double(_)
        | DataType::DoublePrecision
        | DataType::Bool
        | DataType::Boolean
        | DataType::Date
        | DataType::Time(_, TimezoneInfo::None | TimezoneInfo::WithoutTimeZone)
        | DataType::Timestamp(_, _) => true,
        DataType::Datetime(_) => matches!(kind, SourceKind::Sqlite | SourceKind::Mysql | SourceKind::Clickhouse),
        DataType::TinyInt(None) => matches!(kind, SourceKind::Clickhouse | SourceKind::Trino | SourceKind::Duckdb),
        DataType::Int16
        | DataType::Int32
        | DataType::Int64
        | DataType::Int128
        | DataType::Int256
        | DataType::UInt8
        | DataType::UInt16
        | DataType::UInt32
        | DataType::UInt64
        | DataType::Float32
        | DataType::Float64
        | DataType::String(None)
        | DataType::Date32
        | DataType::Datetime64(_, _) => kind == SourceKind::Clickhouse,
        DataType::Nullable(inner) => kind == SourceKind::Clickhouse && allowed(kind, inner),
        DataType::Signed | DataType::Unsigned | DataType::Binary(None) => kind == SourceKind::Mysql,
        DataType::Uuid => is_standard(kind) || kind == SourceKind::Clickhouse,
        DataType::Int2(None)
        | DataType::Int4(None)
        | DataType::Int8(None)
        | DataType::Float4
        | DataType::Float8
        | DataType::Interval { .. }
        | DataType::JSONB => kind == SourceKind::Postgres,
        DataType::JSON => is_standard(kind) || kind == SourceKind::Mysql,
        _ => false,
    }
}
