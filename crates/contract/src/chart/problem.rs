//! Why a chart cannot be drawn, as a sentence for the author of its definition.

/// A definition that does not fit the rows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChartProblem {
    /// The encoding lacks a part that the type requires.
    #[error("This chart needs `{0}` in its encoding.")]
    MissingPart(&'static str),
    /// The encoding names a column that the query does not return.
    #[error("The encoding's `{part}` names the column `{column}`, which the query does not return.")]
    MissingColumn {
        /// The part of the encoding.
        part: &'static str,
        /// The column.
        column: String,
    },
    /// A part that needs numbers has a column without any.
    #[error("The encoding's `{part}` needs numbers, but the column `{column}` holds none.")]
    NotNumeric {
        /// The part of the encoding.
        part: &'static str,
        /// The column.
        column: String,
    },
    /// A part that needs dates has a column without any.
    #[error("The encoding's `{part}` needs dates, but the column `{column}` holds none.")]
    NotDates {
        /// The part of the encoding.
        part: &'static str,
        /// The column.
        column: String,
    },
    /// A pivot table with too many cells.
    #[error(
        "This pivot table has {rows} rows and {columns} columns, which are more than {most} cells. Use columns with fewer values."
    )]
    TooManyCells {
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
        /// The most cells.
        most: usize,
    },
    /// An option has an invalid value.
    #[error("The chart's options cannot be read: {0}.")]
    Options(String),
    /// Number, table, pivot and text are HTML and have no picture.
    #[error("This chart is shown as HTML and has no picture.")]
    NoPicture,
}
