//! The chat of a workspace: threads of questions and answers. A thread belongs to the user who began it. Queries run through
//! the query engine with that user's row rules, on the tables of the workspace's production version.

pub mod answering;
pub mod ask;
pub mod checking;
pub mod convert;
mod data;
pub mod data_scope;
pub mod guard;
pub mod message;
mod modelled;
mod open_workspace;
pub mod pins;
pub mod prose;
pub mod slots;
mod store;
pub mod threads;

#[cfg(test)]
pub(crate) use slots::AnswerSlotRow;

#[cfg(test)]
mod guard_tests;
#[cfg(test)]
mod security_tests;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

pub use ask::{Answering, Question, ask};
pub use data::Rows;
pub use data_scope::{DataScope, DataScopeParts, ViewerLocale};
pub use message::{AnswerError, Feedback, Message, MessageState, OpenQuestion, Step, Thread};
pub use open_workspace::OpenWorkspace;
pub use store::{TIDY, TIDY_QUESTIONS, close, open_questions};

#[cfg(test)]
pub(crate) use store::{MessageRow, OpenQuestionRow, ThreadRow};

use crate::{
    concepts::access::Viewer,
    ground::{error::Result, state::App},
};
use inlay_assistant::Data;
use std::sync::Arc;

/// The rows of a ground that a viewer may see, for questions outside a thread.
pub fn rows(app: &App, viewer: &Viewer, data_scope: Arc<DataScope>) -> Arc<dyn Data> {
    Arc::new(data::Guarded::new(guard::Guard { app: app.clone(), viewer: viewer.clone(), data_scope }))
}

/// Whether a viewer's access to a ground is unchanged since it was opened.
///
/// # Errors
/// 401 when their token was revoked or they are deleted, 409 `ACCESS_CHANGED`.
pub async fn still_sees(app: &App, viewer: &Viewer, data_scope: &Arc<DataScope>) -> Result<()> {
    guard::Guard { app: app.clone(), viewer: viewer.clone(), data_scope: Arc::clone(data_scope) }.check().await
}
