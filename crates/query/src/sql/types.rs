//! The types that a cast may name. Not on the list: types whose text form looks things up (`regclass`), binary and
//! network types, arrays, and everything that a database lets its users define.

use crate::source::SourceKind;
use sqlparser::ast::{DataType, TimezoneInfo};

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
        DataType::Datetime(_) => matches!(kind, SourceKind::Sqlite | SourceKind::Mysql),
        DataType::Signed | DataType::Unsigned | DataType::Binary(None) => kind == SourceKind::Mysql,
        DataType::Uuid
        | DataType::Int2(None)
        | DataType::Int4(None)
        | DataType::Int8(None)
        | DataType::Float4
        | DataType::Float8
        | DataType::Interval { .. }
        | DataType::JSONB => kind == SourceKind::Postgres,
        DataType::JSON => matches!(kind, SourceKind::Postgres | SourceKind::Mysql),
        _ => false,
    }
}
