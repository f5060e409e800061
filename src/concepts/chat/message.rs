//! Threads and messages as they are stored.

use crate::ground::time::Timestamp;
use inlay_assistant::{Role, StepStatus, ToolResult};
use inlay_contract::{
    code::WireCode,
    ids::{MessageId, ThreadId, WorkspaceId},
};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How often an answer in progress is stored.
pub const SAVED_EVERY: Duration = Duration::from_secs(3);

/// When an answer was not stored for this long, the node that wrote it is gone.
const SILENCE: Duration = Duration::from_secs(20);

/// A conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Its id.
    pub id: ThreadId,
    /// The workspace that it is about.
    pub workspace: WorkspaceId,
    /// Its title: the beginning of its first question, or the name that its user gave it.
    pub title: String,
    /// When it began.
    pub created_at: Timestamp,
    /// When its last message was written.
    pub updated_at: Timestamp,
}

/// A question or an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Its id.
    pub id: MessageId,
    /// Its place in the thread, from 0.
    pub position: i64,
    /// The speaker.
    pub role: Role,
    /// The text, as Markdown.
    pub text: String,
    /// The steps of the answer.
    pub steps: Vec<Step>,
    /// The results that it shows.
    pub results: Vec<ToolResult>,
    /// Its state.
    pub state: MessageState,
    /// Why it failed.
    pub problem: Option<AnswerError>,
    /// The key of the rows that the viewer could see when `results` were read.
    pub data_key: Option<String>,
    /// The reader's rating.
    pub feedback: Option<Feedback>,
    /// When it was written.
    pub created_at: Timestamp,
    /// When it was stored last.
    pub updated_at: Timestamp,
}

/// Questions of a workspace that ask the same and that were declined, or whose answers were rated as bad.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct OpenQuestion {
    /// What they ask, without what does not change its meaning.
    pub asked: String,
    /// One of them, as it was asked.
    pub question: String,
    /// How many there are.
    pub times: i64,
    /// How many were declined.
    pub declined: i64,
    /// How many answers were rated as bad.
    pub rated: i64,
    /// The time of the last one.
    pub last_at: Timestamp,
}

/// A step of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// A short description for people.
    pub name: String,
    /// Its status.
    pub status: StepStatus,
}

/// Why an answer failed, in words that its reader may see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerError {
    /// For programs.
    pub code: WireCode,
    /// For people.
    pub message: String,
}

/// The state of a message. Questions are `Done` at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageState {
    /// More is to come.
    Answering,
    /// Complete.
    Done,
    /// Its reader left or stopped it.
    Stopped,
    /// It failed; `problem` says why.
    Failed,
    /// The service stopped while it was being made.
    Interrupted,
}

impl MessageState {
    const ALL: [Self; 5] = [Self::Answering, Self::Done, Self::Stopped, Self::Failed, Self::Interrupted];

    /// Its name in the store and in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Answering => "answering",
            Self::Done => "done",
            Self::Stopped => "stopped",
            Self::Failed => "failed",
            Self::Interrupted => "interrupted",
        }
    }

    /// Reads a state. An answer that was not stored for a while counts as interrupted.
    pub fn read(name: &str, updated_at: Timestamp, now: Timestamp) -> Self {
        match Self::ALL.into_iter().find(|state| state.name() == name) {
            Some(Self::Answering) if updated_at.plus(SILENCE) < now => Self::Interrupted,
            Some(state) => state,
            None => Self::Interrupted,
        }
    }
}

/// A reader's rating of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feedback {
    /// It helped.
    Good,
    /// It did not.
    Bad,
}

impl Feedback {
    /// Its name in the store and in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Bad => "bad",
        }
    }

    /// Reads a rating.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Good, Self::Bad].into_iter().find(|feedback| feedback.name() == name)
    }
}

/// The maximum length of a title, in characters.
pub const LONGEST_TITLE: usize = 200;
const OPENING: usize = 64;

/// A thread's first title: the beginning of its first question, cut between words.
pub fn opening(question: &str) -> String {
    let line = question.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= OPENING {
        return line;
    }
    let cut: String = line.chars().take(OPENING).collect();
    let words = cut.rsplit_once(' ').map_or(cut.as_str(), |(words, _)| words);
    format!("{words}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_cut_between_words() {
        assert_eq!(opening("  How many\n orders? "), "How many orders?");
        assert_eq!(opening(&"word ".repeat(40)), format!("{}…", "word ".repeat(12).trim_end()));
        assert_eq!(opening(&"ü".repeat(100)), format!("{}…", "ü".repeat(OPENING)));
    }

    #[test]
    fn an_answer_that_nobody_writes_is_interrupted() {
        let (then, now) = (Timestamp(1_000), Timestamp(1_000 + 20_001));
        assert_eq!(MessageState::read("answering", then, Timestamp(1_000 + 20_000)), MessageState::Answering);
        assert_eq!(MessageState::read("answering", then, now), MessageState::Interrupted);
        assert_eq!(MessageState::read("done", then, now), MessageState::Done);
    }
}
