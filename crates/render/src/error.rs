//! Why a chart was not drawn.

/// A chart that was not drawn. The texts are for logs: they hold no row and no name from data.
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
    /// So many charts wait that this one would come too late.
    #[error("too many charts wait to be drawn")]
    Busy,
    /// Drawing took longer than allowed, in time or memory.
    #[error("the chart took too long or too much memory to draw")]
    Exhausted,
    /// The chart library refused the option.
    #[error("the chart library failed: {0}")]
    Library(String),
    /// The picture holds what no picture may hold; it is thrown away.
    #[error("the picture is not safe to show: {0}")]
    Unsafe(&'static str),
    /// The engine is gone.
    #[error("the chart engine does not run")]
    Stopped,
}
