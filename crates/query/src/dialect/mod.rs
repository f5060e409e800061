//! What the databases differ in: a file for each.
//!
//! Whatever depends on the kind of a source is asked of the kind's [`Dialect`]; no other file of this crate names a kind, and a test
//! keeps it so. The trait has no default methods and its answers have no default fields. A new database therefore does not compile
//! until every question is answered for it, and it is allowed nothing that nobody thought of.

mod answers;
mod clickhouse;
mod common;
mod duckdb;
mod grammar;
mod mysql;
pub(crate) mod parts;
pub(crate) mod postgres;
pub(crate) mod sqlite;
pub(crate) mod steps;
mod trino;

#[cfg(feature = "duckdb")]
pub(crate) use self::duckdb::Duckdb;
pub(crate) use answers::{
    Backslash, Case, Comparisons, Concat, Conversion, Fence, Floats, Form, Forms, Functions, HttpPorts, Lexis, Names, Needed,
    Permit, Printing, Roles, Typing, Words,
};
pub(crate) use mysql::Mysql;
pub(crate) use postgres::Postgres;
pub(crate) use sqlite::Sqlite;

use crate::{
    address::{RefusedAddress, Route, SourceLocation},
    bind::Binds,
    compare::Incomparable,
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
    ast::{BinaryOperator, DataType, Expr},
    dialect::Dialect as Grammar,
};

/// The answers of one database.
pub(crate) trait Dialect: Sync {
    /// The kind whose dialect this is.
    fn kind(&self) -> SourceKind;

    // Connections

    /// Whether this build can reach such databases.
    fn is_built_in(&self) -> bool;

    /// Whether its databases are files. Their addresses are paths, which are no secret, and only the folders that the operator
    /// names may hold them.
    fn is_file(&self) -> bool;

    /// What an address begins with, one of these, so that no driver is handed another's.
    fn address_prefixes(&self) -> &'static [&'static str];

    /// Where an address leads, as the driver will read it. The place is judged before anything connects to it.
    ///
    /// # Errors
    /// The address cannot be read, or holds what no source's may.
    fn place(&self, url: &str) -> Result<SourceLocation, RefusedAddress>;

    /// The ports of its HTTP interface; `None` when it is reached in another way, and no HTTP address is taken for it.
    fn http(&self) -> Option<HttpPorts>;

    /// Whether a viewer's token may be put into the setting of this name: only into one that the database itself gives no meaning.
    /// Into a built-in setting such as `role`, a token would choose whom the database takes the connection for.
    fn takes_token_in(&self, setting: &str) -> bool;

    /// Whether the rights of a connection's role can be read, so that an operator is warned of those that are too many.
    fn roles(&self) -> Roles;

    /// Prepares connections that take the route; makes none yet.
    ///
    /// # Errors
    /// [`QueryError::SourceUnavailable`]: this build cannot reach such databases, or the address cannot be read.
    fn open(&self, source: &Source, route: &Route, limits: &Limits) -> Result<Pool, QueryError>;

    // Reading SQL

    /// How `sqlparser` reads its SQL. It must read nothing as harmless that the database reads otherwise, such as a session's variable
    /// as a name or a comment that the database runs.
    fn grammar(&self) -> &'static dyn Grammar;

    /// How names are quoted and compared. Two names that the database takes for one must not be two here: the second would have
    /// another rule.
    fn names(&self) -> Names;

    /// The schema of a table that is named without one; empty where the connection's address says it.
    fn default_schema(&self) -> &'static str;

    /// How SQL is cut into words, for finding a rule's placeholders before it is parsed. A placeholder inside a text or a comment
    /// would not be a bound value.
    fn lexis(&self) -> Lexis;

    /// Words that mean something where a name could stand.
    fn words(&self) -> Words;

    // What a query may hold

    /// Which forms of SQL are allowed.
    fn forms(&self) -> Forms;

    /// Whether an operator of two sides is allowed. Those that a user of the database can define are not.
    fn allows_operator(&self, operator: &BinaryOperator) -> bool;

    /// Whether a collation is allowed, by its folded name: one that comes with the database and orders text in a known way.
    fn allows_collation(&self, name: &str) -> bool;

    /// Whether a cast may name a type. Types whose text form looks things up, arrays, and everything that users define are not allowed.
    fn allows_type(&self, data_type: &DataType) -> bool;

    /// Which functions a query may call.
    fn functions(&self) -> Functions;

    // Writing SQL

    /// How a checked query is printed, so that the database reads what was checked.
    fn printing(&self) -> Printing;

    /// Gives a type of a cast the name that the database knows, where the printer writes another.
    fn respell(&self, data_type: &mut DataType);

    /// What ends a wrapper with a rule, and when it is needed.
    fn fence(&self) -> Fence;

    /// The first day of the period that holds the day of a quoted column.
    fn period(&self, grain: Grain, column: &str) -> String;

    /// The day so many days after a moment's; before it when negative.
    fn days_later(&self, moment: &str, days: i64) -> String;

    /// The day so many months after a moment's; before it when negative. A day that the month does not have is its last.
    fn months_later(&self, moment: &str, months: i64) -> String;

    /// The day of the week of a column's moment: 0 is Monday.
    fn weekday(&self, column: &str) -> String;

    /// The hour of a column's moment, 0 to 23.
    fn hour(&self, column: &str) -> String;

    /// The hour of a column's moment as it is shown, `00` to `23` where the database pads numbers by itself.
    fn hour_name(&self, column: &str) -> String;

    /// A truth value.
    fn truth(&self, on: bool) -> &'static str;

    /// A day to compare a column's days and moments with.
    fn day(&self, day: NaiveDate) -> String;

    /// The middle value of a group; `None` where the database has no function for it.
    fn median(&self, value: &str) -> Option<String>;

    /// The greatest multiple of a width that is no greater than a number.
    fn stepped(&self, number: &str, width: &str) -> String;

    /// Half of a whole number, rounded down.
    fn half(&self, whole: &str) -> String;

    // Comparing values

    /// How values are compared.
    fn comparisons(&self) -> Comparisons;

    /// Binds a value for a comparison with a column of a class. The value takes the column's class first, so that the database never
    /// converts one of the two by itself.
    ///
    /// # Errors
    /// The value cannot be compared with that class.
    fn operand(&self, class: Class, value: &Value, binds: &mut Binds) -> Result<Expr, Incomparable>;

    /// The type of a text, for a cast.
    fn text_type(&self) -> DataType;

    /// How the result of a cast is compared in a rule; `Class::Other` refuses a comparison with a placeholder.
    fn class_of_cast(&self, data_type: &DataType) -> Class;
}

/// The dialect of a kind: the one place that tells kinds apart.
pub(crate) const fn dialect(kind: SourceKind) -> &'static dyn Dialect {
    match kind {
        SourceKind::Sqlite => &Sqlite,
        SourceKind::Postgres => &Postgres,
        SourceKind::Mysql => &Mysql,
        SourceKind::Clickhouse => &clickhouse::Clickhouse,
        SourceKind::Trino => &trino::Trino,
        SourceKind::Duckdb => &duckdb::Duckdb,
    }
}

#[cfg(test)]
mod tests;
