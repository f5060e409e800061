//! The columns of a source's tables, and how values are compared with them.

use crate::{name::fold, source::SourceKind};
use inlay_contract::data::ColumnType;

/// A column of a source's table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceColumn {
    /// Its name, as the database spells it.
    pub name: String,
    /// How values are compared with it.
    pub class: Class,
    /// Whether comparing it with a literal can never fail in the database: it is a stored column of a built-in type. Only set
    /// for PostgreSQL, the only kind that needs it.
    pub plain: bool,
}

impl SourceColumn {
    /// A column without further information.
    pub(crate) const fn new(name: String, class: Class) -> Self {
        Self { name, class, plain: false }
    }
}

/// How a column is compared with a bound value. A value is converted to the class before it is bound, so that no database
/// converts implicitly: no error can depend on rows, and no comparison can match every row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Whole numbers of at most 64 bits.
    Integer,
    /// Exact decimals. On SQLite, all numbers.
    Decimal,
    /// 32-bit floating point.
    Real,
    /// 64-bit floating point.
    Double,
    /// Text.
    Text,
    /// Types that are compared by their text: enumerations, padded and case-insensitive text.
    ByText,
    /// UUIDs.
    Uuid,
    /// Truth values.
    Boolean,
    /// Days.
    Date,
    /// Dates with times, without a zone.
    Timestamp,
    /// Moments in time.
    Moment,
    /// Other types, and SQLite columns without a declared type. Rules cannot compare them.
    Other,
}

impl Class {
    /// Whether it is compared by built-in functions of the database, for a built-in type.
    pub(crate) const fn is_builtin(self) -> bool {
        !matches!(self, Self::ByText | Self::Other)
    }

    /// Its public type.
    pub(crate) const fn column_type(self) -> ColumnType {
        match self {
            Self::Integer | Self::Decimal | Self::Real | Self::Double => ColumnType::Number,
            Self::Text | Self::ByText | Self::Uuid => ColumnType::Text,
            Self::Boolean => ColumnType::Boolean,
            Self::Date => ColumnType::Date,
            Self::Timestamp | Self::Moment => ColumnType::Timestamp,
            Self::Other => ColumnType::Json,
        }
    }

    /// The nearest class of a public type, for checking a rule when it is saved.
    pub(crate) const fn of_column_type(kind: ColumnType) -> Self {
        match kind {
            ColumnType::Number => Self::Decimal,
            ColumnType::Text => Self::Text,
            ColumnType::Boolean => Self::Boolean,
            ColumnType::Date => Self::Date,
            ColumnType::Timestamp => Self::Timestamp,
            ColumnType::Json => Self::Other,
        }
    }

    /// The class of a SQLite declared type, by SQLite's affinity rules. Dates and booleans are detected first.
    pub(crate) fn of_sqlite(declared: &str) -> Self {
        let declared = declared.to_ascii_lowercase();
        let has = |parts: &[&str]| parts.iter().any(|part| declared.contains(part));
        match declared.trim() {
            "date" => Self::Date,
            text if text.starts_with("datetime") || text.starts_with("timestamp") => Self::Timestamp,
            "bool" | "boolean" => Self::Boolean,
            _ if has(&["int"]) => Self::Decimal,
            _ if has(&["char", "clob", "text"]) => Self::Text,
            "" | "blob" | "any" => Self::Other,
            _ if has(&["real", "floa", "doub", "num", "dec"]) => Self::Decimal,
            _ => Self::Other,
        }
    }

    /// The class of a PostgreSQL type: its `typname` (for a domain, its base type's), and whether it is an enumeration.
    pub(crate) fn of_postgres(name: &str, is_enum: bool) -> Self {
        match name {
            _ if is_enum => Self::ByText,
            "int2" | "int4" | "int8" => Self::Integer,
            "numeric" => Self::Decimal,
            "float4" => Self::Real,
            "float8" => Self::Double,
            "text" | "varchar" => Self::Text,
            "bpchar" | "name" | "citext" | "char" => Self::ByText,
            "uuid" => Self::Uuid,
            "bool" => Self::Boolean,
            "date" => Self::Date,
            "timestamp" => Self::Timestamp,
            "timestamptz" => Self::Moment,
            _ => Self::Other,
        }
    }

    /// The class of a `ClickHouse` type, such as `LowCardinality(Nullable(String))`.
    pub(crate) fn of_clickhouse(column_type: &str) -> Self {
        let mut inner = column_type;
        while let Some(wrapped) = inner.strip_prefix("Nullable(").or_else(|| inner.strip_prefix("LowCardinality(")) {
            inner = wrapped.strip_suffix(')').unwrap_or(wrapped);
        }
        match inner.split('(').next().unwrap_or_default() {
            "Int8" | "Int16" | "Int32" | "Int64" | "UInt8" | "UInt16" | "UInt32" => Self::Integer,
            "UInt64" | "Int128" | "Int256" | "UInt128" | "UInt256" | "Decimal" => Self::Decimal,
            "Float32" => Self::Real,
            "Float64" => Self::Double,
            "String" => Self::Text,
            "Enum8" | "Enum16" => Self::ByText,
            "UUID" => Self::Uuid,
            "Bool" => Self::Boolean,
            "Date" | "Date32" => Self::Date,
            // A moment in time, whatever its zone.
            "DateTime" | "DateTime64" => Self::Moment,
            _ => Self::Other,
        }
    }

    /// The class of a Trino type, such as `decimal(10,2)` or `timestamp(3) with time zone`.
    pub(crate) fn of_trino(column_type: &str) -> Self {
        let zoned = column_type.ends_with("with time zone");
        match column_type.split(['(', ' ']).next().unwrap_or_default() {
            "tinyint" | "smallint" | "integer" | "bigint" => Self::Integer,
            "decimal" => Self::Decimal,
            "real" => Self::Real,
            "double" => Self::Double,
            "varchar" => Self::Text,
            "char" => Self::ByText,
            "uuid" => Self::Uuid,
            "boolean" => Self::Boolean,
            "date" => Self::Date,
            "timestamp" if zoned => Self::Moment,
            "timestamp" => Self::Timestamp,
            _ => Self::Other,
        }
    }

    #[cfg(feature = "duckdb")]
    /// The class of a `DuckDB` type, such as `DECIMAL(10,2)`.
    pub(crate) fn of_duckdb(column_type: &str) -> Self {
        match column_type.split('(').next().unwrap_or_default() {
            _ if column_type.ends_with(']') => Self::Other,
            "TINYINT" | "SMALLINT" | "INTEGER" | "BIGINT" | "UTINYINT" | "USMALLINT" | "UINTEGER" => Self::Integer,
            "UBIGINT" | "HUGEINT" | "UHUGEINT" | "DECIMAL" => Self::Decimal,
            "FLOAT" => Self::Real,
            "DOUBLE" => Self::Double,
            "VARCHAR" => Self::Text,
            "ENUM" => Self::ByText,
            "UUID" => Self::Uuid,
            "BOOLEAN" => Self::Boolean,
            "DATE" => Self::Date,
            "TIMESTAMP" | "TIMESTAMP_S" | "TIMESTAMP_MS" | "TIMESTAMP_NS" => Self::Timestamp,
            "TIMESTAMP WITH TIME ZONE" => Self::Moment,
            _ => Self::Other,
        }
    }

    /// The class of a MySQL column type, such as `bigint(20) unsigned` or `enum('a','b')`.
    pub(crate) fn of_mysql(column_type: &str) -> Self {
        let lower = column_type.to_ascii_lowercase();
        let name = lower.split(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or_default();
        match name {
            "tinyint" if lower.starts_with("tinyint(1)") => Self::Boolean,
            // Up to 2⁶⁴ - 1.
            "bigint" if lower.contains("unsigned") => Self::Decimal,
            "tinyint" | "smallint" | "mediumint" | "int" | "integer" | "bigint" | "year" => Self::Integer,
            "boolean" => Self::Boolean,
            "largeint" | "decimal" | "numeric" | "decimalv3" => Self::Decimal,
            "float" => Self::Real,
            "double" => Self::Double,
            "char" | "varchar" | "tinytext" | "text" | "mediumtext" | "longtext" | "string" | "enum" | "set" => Self::Text,
            "uuid" => Self::Uuid,
            "date" => Self::Date,
            "datetime" => Self::Timestamp,
            "timestamp" => Self::Moment,
            _ => Self::Other,
        }
    }
}

/// The column with this name, folded as the database does.
pub(crate) fn find<'a>(kind: SourceKind, columns: &'a [SourceColumn], folded: &str) -> Option<&'a SourceColumn> {
    columns.iter().find(|column| fold(kind, &column.name) == folded)
}
