//! Charts on the server: an option that `inlay_contract::chart` made, drawn by the page's own ECharts in QuickJS, as SVG; dashboards of
//! such pictures as PDF, and rows as Excel workbooks.

mod engine;
mod error;
pub mod paper;
mod picture;
mod renderer;
mod workbook;

pub use error::RenderError;
pub use renderer::{Renderer, RendererSettings};
pub use workbook::{workbook, workbook_of};
