//! Answers a viewer's questions about their own rows, in words and charts.
//!
//! Without a model the built-in analyst answers: it reads the question against the catalogue, hands what it understood to
//! [`Data`] as a question, and says so. With one, a language model works through a few tools. Either way rows come through
//! [`Data`] alone, the one door that holds the viewer's row rules; nothing here can reach a database.

mod agent;
mod analyst;
mod assistant;
pub mod causes;
mod clients;
pub mod confidence;
pub mod conversation;
pub mod data;
pub mod evaluation;
pub mod event;
mod language;
pub mod markdown;
mod model;
mod proof;
mod reading;
pub mod scope;
pub mod settings;
mod transcript;
pub mod verified;
mod world;
mod written;

pub use assistant::{Assistant, Ended, Outcome, Request};
pub use clients::Clients;
pub use confidence::Confidence;
pub use conversation::{ChartOnScreen, Chip, Choice, Message, Role, ToolResult};
pub use data::{Answer, Assumed, AssumedTable, Beyond, Data, DataError, ModelRows, Sight};
pub use event::{Event, StepStatus};
pub use scope::{
    ColumnModel, Comparison, Dimension, Example, Number, Scope, SemanticModel, SemanticTable, TableModel, Term, TermValue,
    Words,
};
pub use settings::{Limits, ModelSettings, Prices, Provider, Usage};
pub use verified::Verified;
pub use world::Surveys;
pub use written::WrittenQuery;
