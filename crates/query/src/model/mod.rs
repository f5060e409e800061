//! The semantic model: queries that name measures and dimensions become SQL (docs/model.md).
//!
//! Nothing is ever counted twice, whatever is asked: the rows of each table that holds measures are gathered on their own, joined
//! with nothing but tables that a declared key leads to, so that no row multiplies; the results are then put side by side by
//! their dimensions. The SQL is built as a syntax tree and passes the same checks as any other.

mod check;
mod compare;
mod condition;
mod definition;
mod draft;
mod expression;
mod fact;
mod fiscal;
mod groups;
mod narrowing;
mod newest;
mod number;
mod offer;
mod outer;
mod own;
mod paths;
mod plan;
mod sentence;
mod tree;
mod uses;

pub use check::{ModelProblem, check_model, name_of_number};
pub use compare::ComparedPeriod;
pub use definition::{Model, ModelTable, Reference};
pub use draft::{Draft, DraftInput, DraftNote, TableDraft, draft};
pub use narrowing::{DimensionFilter, Narrowing, Reach, TimeReach};

use crate::{source::SourceKind, sql::on_deep_stack};
use chrono::NaiveDate;
use inlay_contract::{
    format::NumberFormat,
    model::{ModelColumnKind, ModelQuery},
};

/// The SQL of a query of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Compiled {
    /// The answer's rows.
    pub sql: String,
    /// One row with the measures over all rows together, in the columns' order; if asked for.
    pub totals: Option<String>,
    /// One SELECT with the same groups over the table whose rows the numbers gather, for the rows behind a mark. `None` where the rows
    /// of several tables or those of a first or last moment lie behind it.
    pub behind: Option<String>,
    /// The most rows that are shown, where the query does not say how many. The SQL asks for one more, which tells that the answer
    /// is cut.
    pub most: Option<usize>,
    /// The answer's columns, in order.
    pub columns: Vec<CompiledColumn>,
    /// What is worked out.
    pub sentence: String,
}

/// A column of the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct CompiledColumn {
    /// Its name in the SQL.
    pub name: String,
    /// What it is.
    pub role: ModelColumnKind,
    /// What people read instead of the name.
    pub label: String,
    /// Whether the model declares the label. Otherwise it is a name of the model.
    pub is_labelled: bool,
    /// How its values are written.
    pub format: Option<NumberFormat>,
}

/// Why a query has no meaning, for whoever asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {why}")]
pub struct NoMeaning {
    /// The field of the query, such as `dimensions[1]`.
    pub at: String,
    /// Why, and what would work.
    pub why: String,
}

impl NoMeaning {
    fn new(at: impl Into<String>, why: impl Into<String>) -> Self {
        Self { at: at.into(), why: why.into() }
    }
}

/// The result of a part of the compilation.
type Made<T> = Result<T, NoMeaning>;

/// Compiles a query for a kind of database. Relative periods and comparisons count from the day.
///
/// # Errors
/// The query has no meaning in this model.
pub fn compile(kind: SourceKind, model: &Model, query: &ModelQuery, today: NaiveDate) -> Result<Compiled, NoMeaning> {
    compile_narrowed(kind, model, query, Narrowing::default(), today)
}

/// Compiles a query under filters from outside.
///
/// # Errors
/// The query has no meaning in this model, or a filter does not reach it.
pub fn compile_narrowed(
    kind: SourceKind,
    model: &Model,
    query: &ModelQuery,
    narrowing: Narrowing,
    today: NaiveDate,
) -> Result<Compiled, NoMeaning> {
    on_deep_stack(|| {
        let own = own::Own::of(kind, model, query, today)?;
        let plan = plan::Plan::narrowed(kind, model, &own, query, narrowing, today)?;
        let sql = outer::statement(&plan)?;
        let totals = if query.totals { Some(outer::statement(&plan.totals())?) } else { None };
        let behind = outer::behind(&plan)?;
        let most = if query.limit.is_none() { Some(plan::ROWS as usize) } else { None };
        Ok(Compiled { sql, totals, behind, most, columns: plan.columns(), sentence: sentence::of(&plan) })
    })
}
