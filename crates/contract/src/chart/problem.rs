//! Why a chart cannot be drawn, in a sentence for the operator who wrote its definition.

/// A definition that does not fit the rows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChartProblem {
    /// The type needs a part that the encoding leaves out.
    #[error("This chart needs `{0}` in its encoding.")]
    MissingPart(&'static str),
    /// The encoding names a column that the query does not give.
    #[error("The encoding's `{part}` names the column `{column}`, which the query does not return.")]
    MissingColumn {
        /// The part of the encoding.
        part: &'static str,
        /// What it names.
        column: String,
    },
    /// A part that is measured got a column without numbers.
    #[error("The encoding's `{part}` needs numbers, but the column `{column}` holds none.")]
    NotNumeric {
        /// The part of the encoding.
        part: &'static str,
        /// What it names.
        column: String,
    },
    /// A part that is a date got a column without dates.
    #[error("The encoding's `{part}` needs dates, but the column `{column}` holds none.")]
    NotDates {
        /// The part of the encoding.
        part: &'static str,
        /// What it names.
        column: String,
    },
    /// An option has a value that is not one of its own.
    #[error("The chart's options cannot be read: {0}.")]
    Options(String),
    /// Number, table, pivot and text are HTML; they have no picture.
    #[error("This chart is shown as HTML and has no picture.")]
    NoPicture,
}
