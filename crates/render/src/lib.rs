//! Charts on the server: options of `inlay_contract::chart` as SVG, drawn by the page's own ECharts in QuickJS; dashboards as
//! PDF; rows as Excel workbooks.

mod engine;
mod error;
mod line;
mod measures;
pub mod paper;
mod picture;
mod renderer;
mod workbook;

pub use error::RenderError;
pub use renderer::{Renderer, RendererSettings};
pub use workbook::{Sheet, workbook};
