//! What can go wrong at the door, with the sentence that anybody may read apart from what only an operator may.

use inlay_contract::code::Code;
use std::sync::Arc;

/// Why a query brought no rows. `Display` is a public sentence: no SQL, no table, no column, no value, no driver's words.
#[derive(Clone, Debug, thiserror::Error)]
pub enum QueryError {
    /// The checks or the source refused the query.
    #[error("This query was refused. Ask the person who made this chart to check it.")]
    Failed(Detail),
    /// A table without a rule, a property that is missing or unusable, a rule that does not parse.
    #[error("The rules for your data could not be applied. Ask the operator of this product to check your account.")]
    RowRuleUnresolved(Detail),
    /// The source cannot be reached, or has no connection free.
    #[error("The data source cannot be reached at the moment. Try again later.")]
    SourceUnavailable(Detail),
    /// The time limit was over.
    #[error("This query took too long. Try a shorter period or more filters.")]
    Timeout(Detail),
}

/// The private side of an error: names tables, columns and properties, never a value, an address or a token.
pub type Detail = Arc<str>;

impl QueryError {
    /// The code of the contract.
    #[must_use]
    pub const fn code(&self) -> Code {
        match self {
            Self::Failed(_) => Code::QueryFailed,
            Self::RowRuleUnresolved(_) => Code::RowRuleUnresolved,
            Self::SourceUnavailable(_) => Code::SourceUnavailable,
            Self::Timeout(_) => Code::QueryTimeout,
        }
    }

    /// What an operator may read: for the log and for `apply`, never for a viewer.
    #[must_use]
    pub fn detail(&self) -> &str {
        let (Self::Failed(detail) | Self::RowRuleUnresolved(detail) | Self::SourceUnavailable(detail) | Self::Timeout(detail)) =
            self;
        detail
    }

    pub(crate) fn failed(detail: impl Into<Detail>) -> Self {
        Self::Failed(detail.into())
    }

    pub(crate) fn unresolved(detail: impl Into<Detail>) -> Self {
        Self::RowRuleUnresolved(detail.into())
    }

    pub(crate) fn unavailable(detail: impl Into<Detail>) -> Self {
        Self::SourceUnavailable(detail.into())
    }

    pub(crate) fn timeout(detail: impl Into<Detail>) -> Self {
        Self::Timeout(detail.into())
    }
}
