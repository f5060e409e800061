//! The management console's pages: view models in, HTML out. Forms work without a script; `frontend/console` makes them
//! livelier. Nothing here reads a store or answers a request: `src/console` of the server does.

pub mod pages;
pub mod shell;
pub mod ui;

pub use shell::{Place, Section, Shell};
pub use ui::{
    draft::Draft,
    html::{Html, IntoHtml},
};
