//! The chat of a workspace: threads of questions and answers. A thread belongs to the user who began it and to nobody else; what
//! is asked runs over the one door with that user's row rules, over the tables of the workspace's production version.

mod answering;
pub mod ask;
mod data;
pub mod pins;
pub mod prose;
pub mod recast;
mod record;
mod scope;
pub mod store;
pub mod threads;
pub mod v2;

#[cfg(test)]
mod security_tests;
#[cfg(test)]
mod tests;

pub use ask::{Answering, Question, ask};
pub use data::Rows;
pub use record::{Feedback, Message, MessageState, Step, Thread, Trouble};
pub use scope::{Subject, Surroundings};

use answering::Seats;
use inlay_assistant::{Assistant, Limits};

/// What answering needs on this node.
pub struct Chat {
    /// Answers questions.
    pub assistant: Assistant,
    /// Who has how many answers under way.
    pub seats: Seats,
}

impl Chat {
    /// A node's chat, nobody asking.
    pub fn new(answers_at_once: usize) -> Self {
        Self { assistant: Assistant::new(Limits::default()), seats: Seats::new(answers_at_once) }
    }
}
