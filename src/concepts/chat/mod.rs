//! The chat of a workspace: threads of questions and answers. A thread belongs to the user who began it and to nobody else; what
//! is asked runs over the one door with that user's row rules, over the tables of the workspace's production version.

pub mod answering;
pub mod ask;
mod data;
pub mod ground;
pub mod guard;
pub mod pins;
pub mod prose;
pub mod recast;
pub mod record;
mod scope;
pub mod seats;
mod store;
pub mod threads;

#[cfg(test)]
pub(crate) use seats::SeatRow;

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
pub use ground::{Ground, Parts, Surroundings};
pub use record::{Feedback, Message, MessageState, Step, Thread, Trouble};
pub use scope::Subject;

#[cfg(test)]
pub(crate) use store::{MessageRow, ThreadRow};

use crate::{
    concepts::{access::Viewer, models::reach::Reach},
    ground::{error::Result, state::App},
};
use inlay_assistant::{Assistant, Data, Limits};
use std::sync::Arc;

/// What answering needs on this node.
pub struct Chat {
    /// Answers questions.
    pub assistant: Assistant,
}

impl Chat {
    /// With models where the operator lets them be.
    pub fn new(reach: Reach) -> Self {
        Self { assistant: Assistant::new(Limits::default(), Arc::new(reach)) }
    }
}

/// The rows that a viewer may see of a ground, for whoever answers questions about them outside a thread.
pub fn rows(app: &App, viewer: &Viewer, ground: Arc<Ground>) -> Arc<dyn Data> {
    Arc::new(data::Guarded::new(guard::Guard { app: app.clone(), viewer: viewer.clone(), ground }))
}

/// Whether a viewer still sees of a ground what they saw when it was opened.
///
/// # Errors
/// 401 when their token was cut off or they are gone, 409 `ACCESS_CHANGED`, and what the store says when it is away.
pub async fn still_sees(app: &App, viewer: &Viewer, ground: &Arc<Ground>) -> Result<()> {
    guard::Guard { app: app.clone(), viewer: viewer.clone(), ground: Arc::clone(ground) }.check().await
}
