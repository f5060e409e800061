//! The SQL of questions. This is the one place that writes SQL for customers' databases from what somebody asks; whatever a database
//! spells in its own way is asked of its dialect. Names are quoted and values are literals, so that whatever they hold stays a name or
//! a value. What cannot be written safely is refused.

mod condition;
mod cycle;
mod median;
mod select;
mod spelling;
#[cfg(test)]
mod tests;

use crate::{error::QueryError, source::SourceKind};
pub use cycle::WEEKDAYS;
pub(crate) use cycle::{compared as compared_cycle, name as cycle_name, place_of_weekday};
use inlay_contract::chart::question::Question;
use select::Select;
pub(crate) use spelling::Spelling;

/// Rows of an answer where a question does not say how many.
const ROWS: u32 = 1_000;
/// The most rows that a question may ask for.
const MOST_ROWS: u32 = 50_000;
/// The most columns, conditions and orders of a question, each.
const MOST_PARTS: usize = 500;
/// The most tables that a question joins. Rows multiply with each whose column holds a key more than once.
const MOST_JOINS: usize = 16;

/// The SQL of a question, its conditions included. It is checked like any other when it runs.
///
/// # Errors
/// The question asks for nothing, twice for the same column, for an order by a column that it does not have, for a number that has no
/// meaning or that the database cannot work out, it is too large, or it holds a name or value that cannot be written safely.
pub fn question_sql(kind: SourceKind, question: &Question) -> Result<String, QueryError> {
    Select::of(kind, question).sql()
}

/// The SQL that counts the different values of a column, and how many of them a key of another table has: a row of two numbers. Column
/// and key are each a table and its column.
///
/// # Errors
/// A name cannot be written safely.
pub fn containment_sql(kind: SourceKind, column: (&str, &str), key: (&str, &str)) -> Result<String, QueryError> {
    let spelling = Spelling::of(kind);
    let (table, column) = (spelling.table(column.0)?, spelling.name(column.1)?);
    let (keys, key) = (spelling.table(key.0)?, spelling.name(key.1)?);
    Ok(format!(
        "select count(*) as present, count(k.{key}) as found from (select distinct {column} as used from {table} \
         where {column} is not null) u left join {keys} k on k.{key} = u.used"
    ))
}

/// The SQL that counts the values of a key which several rows share: a row of one number. Rows without a value of each column do not
/// count, since no join reaches them.
///
/// # Errors
/// A name cannot be written safely.
pub(crate) fn repeated_sql(kind: SourceKind, table: &str, key: &[String]) -> Result<String, QueryError> {
    let spelling = Spelling::of(kind);
    // With the table, because SQLite takes a name in quotes for a text where the table has no such column.
    let own = |column: &String| Ok(format!("t.{}", spelling.name(column)?));
    let columns: Vec<String> = key.iter().map(own).collect::<Result<_, QueryError>>()?;
    let given: Vec<String> = columns.iter().map(|column| format!("{column} is not null")).collect();
    Ok(format!(
        "select count(*) as repeated from (select {} from {} t where {} group by {} having count(*) > 1) r",
        columns.join(", "),
        spelling.table(table)?,
        given.join(" and "),
        columns.join(", ")
    ))
}

fn refused<T>(why: &'static str) -> Result<T, QueryError> {
    Err(QueryError::failed(why))
}
