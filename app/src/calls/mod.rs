//! The calls from pages to the server. Each call is declared once, in its area's file: name, request, answer. The declaration
//! generates the function that the page calls, the method that the server implements, and the server function below
//! `/share/fn/` that connects them.

#[macro_use]
mod declare;

pub mod build;
pub mod client;
pub mod drawn;
#[cfg(feature = "edit")]
pub mod edit;
pub mod embed;
pub mod opened;
pub mod refusal;
#[cfg(feature = "edit")]
pub mod reports;
pub mod scope;
#[cfg(feature = "ssr")]
mod serve;
pub mod workspace;

pub use drawn::Drawn;
#[cfg(feature = "ssr")]
pub use drawn::Style;
pub use refusal::Refusal;
pub use scope::{PageAddress, Scope, Target};
#[cfg(feature = "ssr")]
pub use serve::{Calls, Writing, answer, refused, register};
