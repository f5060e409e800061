//! Fourth stage: a question becomes SQL, by one builder that writes nothing but quoted names, literals and its own words.

mod dialect;
mod select;

pub(super) use dialect::Unsayable;

use super::{
    knowledge::Knowledge,
    question::{Place, Question},
};
use inlay_contract::source::SourceKind;

/// The query of a question and what its columns are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    pub sql: String,
    /// The names of the dimensions' columns, in the question's order.
    pub dimensions: Vec<String>,
    /// Those of the measures.
    pub measures: Vec<String>,
    /// Latitude and longitude, for a map.
    pub position: Option<(String, String)>,
}

/// The SQL of a question. `position` adds where the first dimension's place is on the globe.
///
/// # Errors
/// A value or name cannot be written safely.
pub(super) fn statement(question: &Question, knowledge: &Knowledge) -> Result<Statement, Unsayable> {
    select::Select::of(question, knowledge).statement()
}

/// The least and the greatest value of a column under a question's conditions, for steps.
pub(super) fn range(question: &Question, place: Place, knowledge: &Knowledge) -> Result<String, Unsayable> {
    select::Select::of(question, knowledge).range(place)
}

/// The first and last moment of a column.
pub(super) fn extent(dialect: SourceKind, table: &str, column: &str) -> Result<String, Unsayable> {
    let column = dialect::quoted(dialect, column)?;
    Ok(format!("select min({column}) as first_one, max({column}) as last_one from {}", dialect::table(dialect, table)?))
}

/// Some rows of these columns, to see what they hold.
pub(super) fn sample(dialect: SourceKind, table: &str, columns: &[&str]) -> Result<String, Unsayable> {
    let columns: Result<Vec<String>, Unsayable> = columns.iter().map(|column| dialect::quoted(dialect, column)).collect();
    Ok(format!("select {} from {} limit 50", columns?.join(", "), dialect::table(dialect, table)?))
}

/// How many values a column has, and how many different ones: a key has no fewer.
pub(super) fn uniqueness(dialect: SourceKind, table: &str, column: &str) -> Result<String, Unsayable> {
    let column = dialect::quoted(dialect, column)?;
    Ok(format!(
        "select count({column}) as present, count(distinct {column}) as different from {}",
        dialect::table(dialect, table)?
    ))
}

/// How many different values a column has, and how many of them a key has too.
pub(super) fn containment(dialect: SourceKind, from: (&str, &str), to: (&str, &str)) -> Result<String, Unsayable> {
    let (column, key) = (dialect::quoted(dialect, from.1)?, dialect::quoted(dialect, to.1)?);
    let (table, other) = (dialect::table(dialect, from.0)?, dialect::table(dialect, to.0)?);
    Ok(format!(
        "select count(*) as present, count(k.{key}) as found from (select distinct {column} as used from {table} where {column} is not null) u \
         left join {other} k on k.{key} = u.used"
    ))
}

/// The values of a column that are one of these phrases, or begin like one of these words, whatever their case.
pub(super) fn lookup(
    dialect: SourceKind,
    table: &str,
    column: &str,
    phrases: &[String],
    beginnings: &[String],
) -> Result<String, Unsayable> {
    let column = dialect::quoted(dialect, column)?;
    let literal = |text: &str| dialect::literal(dialect, &text.into()).ok();
    let phrases: Vec<String> = phrases.iter().filter_map(|phrase| literal(phrase)).collect();
    if phrases.is_empty() {
        return Err(Unsayable);
    }
    let mut conditions = vec![format!("lower({column}) in ({})", phrases.join(", "))];
    // `%` and `_` would mean something.
    let plain = beginnings.iter().filter(|text| text.chars().all(char::is_alphanumeric));
    conditions
        .extend(plain.filter_map(|text| literal(&format!("{text}%"))).map(|pattern| format!("lower({column}) like {pattern}")));
    Ok(format!(
        "select distinct {column} as found from {} where {} order by 1 limit 500",
        dialect::table(dialect, table)?,
        conditions.join(" or ")
    ))
}
