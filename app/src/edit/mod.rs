//! The editing tools. Changes are shown on the page at once and stored when the viewer saves. The page offers what its
//! permissions allow; the server checks the role again at every write.

pub mod arrange;
pub mod builder;
pub mod chart_menu;
pub mod draft;
pub mod filters;
pub mod forms;
pub mod grid;
pub mod library;
pub mod offers;
pub mod press;
pub mod state;
pub mod toolbar;
pub mod tools;
pub mod type_pictures;

pub use state::Editor;
pub use tools::Open;
