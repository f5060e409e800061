//! Limits of one SQLite connection that neither a pragma nor sqlx sets.
//!
//! SQLite asks its progress handler between two steps of its machine, never within a function. So `replace`, `instr` and
//! `LIKE`, whose work grows with the product of two lengths, end in time only if no value is long.

use libsqlite3_sys::{SQLITE_LIMIT_LENGTH, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, sqlite3_limit};
use sqlx_sqlite::LockedSqliteHandle;
use std::ffi::c_int;

/// The limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueLimits {
    /// The most bytes of a text, a blob or a row.
    pub value: c_int,
    /// The most bytes of the pattern of `LIKE` and `GLOB`.
    pub pattern: c_int,
}

impl ValueLimits {
    /// Sets them on a connection, for good: SQL cannot change them.
    pub fn set(self, connection: &mut LockedSqliteHandle<'_>) {
        limit(connection, SQLITE_LIMIT_LENGTH, self.value);
        limit(connection, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, self.pattern);
    }
}

#[expect(unsafe_code, reason = "SQLite's own function is the only way to set a limit")]
fn limit(connection: &mut LockedSqliteHandle<'_>, which: c_int, most: c_int) {
    let handle = connection.as_raw_handle();
    // SAFETY: the handle belongs to an open connection, and is locked for as long as `connection` is borrowed. The function
    // reads and writes one integer of the connection; it keeps no pointer.
    unsafe { sqlite3_limit(handle.as_ptr(), which, most) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use sqlx::Connection;
    use sqlx_sqlite::SqliteConnection;

    #[tokio::test]
    async fn values_and_patterns_beyond_the_limits_are_refused() {
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.expect("a database");
        let ask = async |connection: &mut SqliteConnection, sql: &'static str| {
            sqlx::query_scalar::<_, i64>(sql).fetch_one(connection).await.map_err(|problem| problem.to_string())
        };
        const LONG: &str = "SELECT length(replace(hex(zeroblob(1000)), '0', '0123456789'))";
        const PATTERN: &str = "SELECT 'x' LIKE hex(zeroblob(200))";
        assert_eq!((ask(&mut connection, LONG).await, ask(&mut connection, PATTERN).await), (Ok(20_000), Ok(0)));
        ValueLimits { value: 10_000, pattern: 300 }.set(&mut connection.lock_handle().await.expect("its handle"));
        assert!(ask(&mut connection, LONG).await.is_err_and(|problem| problem.contains("too big")));
        assert!(ask(&mut connection, PATTERN).await.is_err_and(|problem| problem.contains("too complex")));
        assert_eq!(ask(&mut connection, "SELECT length(hex(zeroblob(1000)))").await, Ok(2_000), "the connection goes on");
    }
}
