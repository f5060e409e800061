//! Charts on the server: an option that `inlay_contract::chart` made, drawn by the page's own ECharts in QuickJS, as SVG.

mod engine;
mod error;
mod picture;
mod renderer;

pub use error::RenderError;
pub use renderer::{Renderer, RendererSettings};
