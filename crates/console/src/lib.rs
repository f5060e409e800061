//! The pages of the management console: view models in, HTML out. Forms work without scripts; `frontend/console` enhances them.
//! Nothing here reads a store or handles a request: the server's `src/console` does.

pub mod pages;
pub mod shell;
pub mod ui;

pub use shell::{NamedId, Section, Shell};
pub use ui::{
    draft::Draft,
    html::{Html, IntoHtml},
};
