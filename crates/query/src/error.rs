//! The errors of queries. The public sentence is kept apart from the detail for operators.

use inlay_contract::code::Code;
use std::sync::Arc;

/// Why a query failed. `Display` is a public sentence without SQL, names, values or the driver's message.
#[derive(Clone, Debug, thiserror::Error)]
pub enum QueryError {
    /// The checks or the source refused the query.
    #[error("This query was refused. Ask the person who made this chart to check it.")]
    Failed(Detail),
    /// A table has no rule, or its rule is not valid or reads a missing or unusable property.
    #[error("The rules for your data could not be applied. Ask the operator of this product to check your account.")]
    RowRuleUnresolved(Detail),
    /// The source is not reachable, or has no free connection.
    #[error("The data source cannot be reached at the moment. Try again later.")]
    SourceUnavailable(Detail),
    /// The source may not be asked: its address is not allowed, or it refuses the login of its connection or the database that it names.
    #[error("The data source cannot be reached at the moment. Try again later.")]
    Refused(Detail),
    /// The time limit was reached.
    #[error("This query took too long. Try a shorter period or more filters.")]
    Timeout(Detail),
    /// The node has no memory for the result at the moment.
    #[error("The service is busy at the moment. Try again in a few seconds.")]
    Busy(Detail),
}

/// The private part of an error. It may name tables, columns and properties, but contains no value, address or token.
pub type Detail = Arc<str>;

impl QueryError {
    /// The error code.
    #[must_use]
    pub const fn code(&self) -> Code {
        match self {
            Self::Failed(_) => Code::QueryFailed,
            Self::RowRuleUnresolved(_) => Code::RowRuleUnresolved,
            Self::SourceUnavailable(_) | Self::Refused(_) => Code::SourceUnavailable,
            Self::Timeout(_) => Code::QueryTimeout,
            Self::Busy(_) => Code::Unavailable,
        }
    }

    /// The detail for operators: for logs and for `apply`, never for a viewer.
    #[must_use]
    pub fn detail(&self) -> &str {
        let (Self::Failed(detail)
        | Self::RowRuleUnresolved(detail)
        | Self::SourceUnavailable(detail)
        | Self::Refused(detail)
        | Self::Timeout(detail)
        | Self::Busy(detail)) = self;
        detail
    }

    /// Whether a later attempt may succeed: the source, or a place to wait for it, was missing at the moment.
    #[must_use]
    pub const fn may_pass(&self) -> bool {
        matches!(self, Self::SourceUnavailable(_) | Self::Refused(_) | Self::Timeout(_) | Self::Busy(_))
    }

    /// Whether the source gave no answer at all. An answer that refuses the query, or the viewer, is one.
    pub(crate) const fn is_silence(&self) -> bool {
        matches!(self, Self::SourceUnavailable(_) | Self::Timeout(_))
    }

    pub(crate) fn failed(detail: impl Into<Detail>) -> Self {
        Self::Failed(detail.into())
    }

    pub(crate) fn unresolved(detail: impl Into<Detail>) -> Self {
        Self::RowRuleUnresolved(detail.into())
    }

    pub(crate) fn refused(detail: impl Into<Detail>) -> Self {
        Self::Refused(detail.into())
    }

    pub(crate) fn unavailable(detail: impl Into<Detail>) -> Self {
        Self::SourceUnavailable(detail.into())
    }

    pub(crate) fn busy() -> Self {
        Self::Busy("no memory is left for this result".into())
    }

    pub(crate) fn timeout(detail: impl Into<Detail>) -> Self {
        Self::Timeout(detail.into())
    }
}
