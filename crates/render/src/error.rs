//! Why a chart was not drawn.

/// Why a chart was not drawn. The texts are for logs: they contain no rows and no names from data.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// A side is zero or longer than `picture::LONGEST_SIDE`.
    #[error("a chart of {width} × {height} pixels cannot be drawn")]
    Size {
        /// CSS pixels.
        width: u32,
        /// CSS pixels.
        height: u32,
    },
    /// The queue is full.
    #[error("too many charts wait to be drawn")]
    Busy,
    /// A limit of time or memory was reached.
    #[error("the chart took too long or too much memory to draw")]
    Exhausted,
    /// The chart library refused the option.
    #[error("the chart library failed: {0}")]
    Library(String),
    /// The picture contains something forbidden. It is discarded.
    #[error("the picture is not safe to show: {0}")]
    Unsafe(&'static str),
    /// The engine has stopped.
    #[error("the chart engine does not run")]
    Stopped,
}
