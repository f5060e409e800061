//! Answers a viewer's questions about their own rows, in words and charts.
//!
//! Without a model the built-in analyst answers: it matches the question with the catalogue, writes SQL for what it understood,
//! and says how it understood the question. With a model, it works through a few tools. Both read rows only through [`Data`],
//! which applies the viewer's row rules. Nothing in this crate can reach a database.

mod agent;
mod analyst;
mod assistant;
mod clients;
pub mod conversation;
pub mod data;
pub mod evaluation;
pub mod event;
pub mod markdown;
mod model;
pub mod scope;
pub mod settings;
mod telling;

pub use assistant::{Assistant, Ended, Outcome, Request};
pub use clients::Clients;
pub use conversation::{ChartOnScreen, Message, Role, ToolResult};
pub use data::{Data, Problem};
pub use event::{Event, StepStatus};
pub use scope::{ColumnModel, Comparison, Example, Scope, TableModel, Term};
pub use settings::{Limits, ModelSettings, Prices, Provider, Usage};
