//! Rows as structs. [`row!`] declares the columns of a table once. The struct, how it is read and written, and the column lists
//! in SQL follow from that declaration. A test compares the declarations with the tables.

use super::Conn;
use crate::on;
use sqlx::{
    Database, FromRow, IntoArguments,
    error::BoxDynError,
    query::{Query, QueryAs, QueryScalar},
};
use sqlx_core::{query::query_with_result, query_as::query_as_with_result, query_scalar::query_scalar_with_result};
use sqlx_postgres::Postgres;
use sqlx_sqlite::Sqlite;

/// A struct that is read from columns of a table.
pub trait Columns {
    /// The table.
    const TABLE: &'static str;
    /// The names of the columns, in the order of the struct.
    const NAMES: &'static [&'static str];
    /// The names as a SQL list: `id, name`.
    const COLUMNS: &'static str;
}

/// A struct of all columns of a table.
pub trait Row: Columns {
    /// A placeholder for each column: `$1, $2`.
    const VALUES: &'static str = placeholders(Self::NAMES.len());
    /// `INSERT INTO table (id, name) VALUES ($1, $2)`.
    const INSERT: &'static str;
}

/// A row as the arguments of a statement. `$1` is its first column.
pub trait Bind<DB: Database>: Row {
    /// The values, in the order of the columns.
    fn arguments(self) -> Result<DB::Arguments, BoxDynError>;
}

/// Declares all columns of a table, or the subset that a statement reads:
/// ```ignore
/// row! {
///     /// A role.
///     pub(crate) struct RoleRow in "roles" { id: RoleId, name: String, permissions: Json<RolePermissions> }
/// }
/// row! {
///     /// A role's name.
///     struct NamedRole of RoleRow { id: RoleId, name: String }
/// }
/// ```
/// A part with a column that the table does not have, or of another type, does not compile.
macro_rules! row {
    ($(#[$about:meta])* $vis:vis struct $row:ident in $table:literal { $($field:ident: $type:ty),+ $(,)? }) => {
        $crate::ground::store::rows::row!(@read $table, $(#[$about])* $vis struct $row { $($field: $type),+ });

        impl $crate::ground::store::rows::Row for $row {
            const INSERT: &'static str = $crate::ground::store::rows::sql!(
                "INSERT INTO ",
                $table,
                " (",
                $crate::ground::store::rows::columns!($row),
                ") VALUES (",
                $crate::ground::store::rows::values!($row),
                ")"
            );
        }

        $crate::ground::store::rows::row!(@bind sqlx_sqlite::Sqlite, $row { $($field),+ });
        $crate::ground::store::rows::row!(@bind sqlx_postgres::Postgres, $row { $($field),+ });
    };
    ($(#[$about:meta])* $vis:vis struct $part:ident of $row:ident { $($field:ident: $type:ty),+ $(,)? }) => {
        $crate::ground::store::rows::row!(
            @read <$row as $crate::ground::store::rows::Columns>::TABLE, $(#[$about])* $vis struct $part { $($field: $type),+ }
        );

        const _: fn($row) -> $part = |row| $part { $($field: row.$field),+ };
    };
    (@read $table:expr, $(#[$about:meta])* $vis:vis struct $row:ident { $($field:ident: $type:ty),+ }) => {
        $(#[$about])*
        #[derive(sqlx::FromRow)]
        $vis struct $row {
            $($vis $field: $type,)+
        }

        impl $crate::ground::store::rows::Columns for $row {
            const TABLE: &'static str = $table;
            const NAMES: &'static [&'static str] = &[$(stringify!($field)),+];
            const COLUMNS: &'static str = $crate::ground::store::rows::list!($row, "", &[]);
        }
    };
    (@bind $database:ty, $row:ident { $($field:ident),+ }) => {
        impl $crate::ground::store::rows::Bind<$database> for $row {
            fn arguments(self) -> Result<<$database as sqlx::Database>::Arguments, sqlx::error::BoxDynError> {
                let mut arguments = <$database as sqlx::Database>::Arguments::default();
                $(sqlx::Arguments::add(&mut arguments, self.$field)?;)+
                Ok(arguments)
            }
        }
    };
}
pub(crate) use row;

/// Joins constant parts of SQL: `sql!("SELECT ", columns!(RoleRow), " FROM roles WHERE id = $1")`.
macro_rules! sql {
    ($($part:expr),+ $(,)?) => {{
        const PARTS: &[&str] = &[$($part),+];
        const TEXT: [u8; $crate::ground::store::rows::length(PARTS)] = $crate::ground::store::rows::joined(PARTS);
        $crate::ground::store::rows::text(&TEXT)
    }};
}
pub(crate) use sql;

/// The columns of a row in SQL: `columns!(RoleRow)`, or under an alias of the table: `columns!(RoleRow as r)`.
macro_rules! columns {
    ($row:ident) => {
        <$row as $crate::ground::store::rows::Columns>::COLUMNS
    };
    ($row:ident as $alias:ident) => {
        $crate::ground::store::rows::list!($row, concat!(stringify!($alias), "."), &[])
    };
}
pub(crate) use columns;

/// The placeholders of a row in SQL, for an `INSERT … SELECT` of its values.
macro_rules! values {
    ($row:ident) => {
        <$row as $crate::ground::store::rows::Row>::VALUES
    };
}
pub(crate) use values;

/// The insertion of a row, to be followed by `ON CONFLICT` or `RETURNING`. Without them use [`insert`].
macro_rules! inserts {
    ($row:ident) => {
        <$row as $crate::ground::store::rows::Row>::INSERT
    };
}
pub(crate) use inserts;

/// The `SELECT` list of an `INSERT … SELECT` that copies a row. Named columns get their own SQL:
/// `copied!(RoleRow as r { id: "$1" })`. All others are copied.
macro_rules! copied {
    ($row:ident as $alias:ident { $($column:ident: $value:literal),+ $(,)? }) => {
        $crate::ground::store::rows::list!($row, concat!(stringify!($alias), "."), &[$((stringify!($column), $value)),+])
    };
}
pub(crate) use copied;

macro_rules! list {
    ($row:ident, $prefix:expr, $others:expr) => {{
        const NAMES: &[&str] = <$row as $crate::ground::store::rows::Columns>::NAMES;
        const OTHERS: &[(&str, &str)] = $others;
        const LIST: [u8; $crate::ground::store::rows::list_length(NAMES, $prefix, OTHERS)] =
            $crate::ground::store::rows::listed(NAMES, $prefix, OTHERS);
        $crate::ground::store::rows::text(&LIST)
    }};
}
pub(crate) use list;

/// Inserts a row.
pub async fn insert<R>(conn: &mut Conn<'_>, row: R) -> sqlx::Result<()>
where
    R: Bind<Sqlite> + Bind<Postgres> + Send,
{
    on!(conn, |c| query(R::INSERT, row).execute(c).await.map(drop))
}

/// A statement with a row's values as `$1` and so on. Further values may be bound after them.
pub fn query<DB, R>(sql: &'static str, row: R) -> Query<'static, DB, DB::Arguments>
where
    DB: Database,
    DB::Arguments: IntoArguments<DB>,
    R: Bind<DB>,
{
    query_with_result(sql, row.arguments())
}

/// The same for a statement that returns rows.
pub fn query_as<DB, R, T>(sql: &'static str, row: R) -> QueryAs<'static, DB, T, DB::Arguments>
where
    DB: Database,
    DB::Arguments: IntoArguments<DB>,
    R: Bind<DB>,
    T: for<'r> FromRow<'r, DB::Row>,
{
    query_as_with_result(sql, row.arguments())
}

/// The same for a statement that returns one column.
pub fn query_scalar<DB, R, T>(sql: &'static str, row: R) -> QueryScalar<'static, DB, T, DB::Arguments>
where
    DB: Database,
    DB::Arguments: IntoArguments<DB>,
    R: Bind<DB>,
    (T,): for<'r> FromRow<'r, DB::Row>,
{
    query_scalar_with_result(sql, row.arguments())
}

/// The total length of all parts, in bytes.
pub const fn length(parts: &[&str]) -> usize {
    let (mut sum, mut part) = (0, 0);
    while part < parts.len() {
        sum += parts[part].len();
        part += 1;
    }
    sum
}

/// The parts, joined.
pub const fn joined<const LENGTH: usize>(parts: &[&str]) -> [u8; LENGTH] {
    let mut text = [0; LENGTH];
    let (mut end, mut part) = (0, 0);
    while part < parts.len() {
        end = append(&mut text, end, parts[part]);
        part += 1;
    }
    text
}

/// The length of [`listed`], in bytes.
pub const fn list_length(names: &[&str], prefix: &str, others: &[(&str, &str)]) -> usize {
    let (mut sum, mut name) = ((names.len() - 1) * SEPARATOR.len(), 0);
    while name < names.len() {
        sum += match other(names[name], others) {
            Some(value) => value.len(),
            None => prefix.len() + names[name].len(),
        };
        name += 1;
    }
    sum
}

/// Names as a SQL list, each with the prefix, some replaced by other SQL.
pub const fn listed<const LENGTH: usize>(names: &[&str], prefix: &str, others: &[(&str, &str)]) -> [u8; LENGTH] {
    let mut text = [0; LENGTH];
    let (mut end, mut name, mut replaced) = (0, 0, 0);
    while name < names.len() {
        if name > 0 {
            end = append(&mut text, end, SEPARATOR);
        }
        end = match other(names[name], others) {
            Some(value) => {
                replaced += 1;
                append(&mut text, end, value)
            }
            None => {
                end = append(&mut text, end, prefix);
                append(&mut text, end, names[name])
            }
        };
        name += 1;
    }
    assert!(replaced == others.len(), "SQL stands for a column that the table does not have");
    text
}

/// The replacement of a name.
const fn other<'a>(name: &str, others: &[(&str, &'a str)]) -> Option<&'a str> {
    let mut other = 0;
    while other < others.len() {
        if same(others[other].0.as_bytes(), name.as_bytes()) {
            return Some(others[other].1);
        }
        other += 1;
    }
    None
}

const fn same(one: &[u8], other: &[u8]) -> bool {
    let mut byte = 0;
    while byte < one.len() && byte < other.len() && one[byte] == other[byte] {
        byte += 1;
    }
    byte == one.len() && byte == other.len()
}

const SEPARATOR: &str = ", ";

const fn append(text: &mut [u8], start: usize, part: &str) -> usize {
    let part = part.as_bytes();
    let mut byte = 0;
    while byte < part.len() {
        text[start + byte] = part[byte];
        byte += 1;
    }
    start + byte
}

/// The result of [`joined`] or [`listed`] as text.
pub const fn text(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("whole texts make a text"),
    }
}

const PLACEHOLDERS: &str =
    "$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22";

/// A list of this many placeholders.
const fn placeholders(columns: usize) -> &'static str {
    let short = if columns > 9 { 9 } else { columns };
    let length = short * "$1, ".len() + (columns - short) * "$10, ".len() - SEPARATOR.len();
    PLACEHOLDERS.split_at(length).0
}

#[cfg(test)]
mod tests {
    row! {
        struct Few in "few" { id: i64, name: String }
    }
    row! {
        struct Many in "many" { i: i64, j: i64, k: i64, a: i64, b: i64, c: i64, d: i64, e: i64, f: i64, g: i64, h: i64 }
    }

    #[test]
    fn sql_lists_what_the_struct_declares() {
        const SQL: &str = sql!("SELECT ", columns!(Few as f), " FROM few f WHERE f.id = $1");
        assert_eq!(SQL, "SELECT f.id, f.name FROM few f WHERE f.id = $1");
        assert_eq!(copied!(Few as f { id: "$1" }), "$1, f.name");
        assert_eq!(values!(Many), "$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11");
        assert_eq!(
            inserts!(Many),
            "INSERT INTO many (i, j, k, a, b, c, d, e, f, g, h) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
        );
    }
}
