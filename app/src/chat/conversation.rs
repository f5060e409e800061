//! The actions of a conversation, for dashboards and workspaces.

use super::turn::Turn;
use crate::calls::Refusal;
use inlay_contract::code::Code;
use leptos::prelude::*;
use send_wrapper::SendWrapper;
use web_sys::AbortController;

/// A conversation that takes questions.
pub trait Conversation: Copy + Send + Sync + 'static {
    /// The questions and answers.
    fn turns(self) -> RwSignal<Vec<Turn>>;

    /// The text that is not sent yet.
    fn draft(self) -> Draft;

    /// Sends the draft.
    fn send(self);

    /// Asks a question. Returns false if the text is empty or an answer is in progress.
    fn ask(self, text: &str) -> bool;

    /// Repeats a turn's question in place.
    fn ask_again(self, turn: &Turn);

    /// Stops the answer in progress.
    fn stop(self);

    /// Whether an answer is in progress. Tracked.
    fn is_answering(self) -> bool {
        self.turns().with(|turns| turns.last().is_some_and(Turn::is_answering))
    }

    /// The question in a text, if it can be asked now.
    fn askable(self, text: &str) -> Option<String> {
        let text = text.trim();
        (!text.is_empty() && !untrack(|| self.is_answering())).then(|| text.to_owned())
    }
}

/// The text that is not sent yet, and why the server refused it.
#[derive(Clone, Copy)]
pub struct Draft {
    /// The text.
    pub text: RwSignal<String>,
    /// Why the server refused the text.
    pub refused: RwSignal<Option<String>>,
}

impl Default for Draft {
    fn default() -> Self {
        Self { text: RwSignal::new(String::new()), refused: RwSignal::new(None) }
    }
}

impl Draft {
    /// Replaces the text.
    pub fn put(self, text: String) {
        self.text.set(text);
        self.refused.set(None);
    }

    /// Puts a question back into the input, with the reason, if the server refused it because of its text. A text that was
    /// written in the meantime stays. Returns whether that was the reason.
    pub fn give_back(self, question: &str, refusal: &Refusal) -> bool {
        let for_its_words = refusal.0.code == Code::ValidationFailed;
        if for_its_words {
            if self.text.with_untracked(|text| text.trim().is_empty()) {
                self.text.set(question.to_owned());
            }
            self.refused.set(Some(refusal.0.message.clone()));
        }
        for_its_words
    }
}

/// The request in progress, so that it can be stopped.
#[derive(Clone, Copy)]
pub struct UnderWay(StoredValue<Option<SendWrapper<AbortController>>>);

impl Default for UnderWay {
    fn default() -> Self {
        Self(StoredValue::new(None))
    }
}

impl UnderWay {
    /// Registers a new request. `None` if the browser cannot abort requests.
    #[must_use]
    pub fn begin(self) -> Option<AbortController> {
        let controller = AbortController::new().ok()?;
        self.0.set_value(Some(SendWrapper::new(controller.clone())));
        Some(controller)
    }

    /// Whether a request is in progress.
    #[must_use]
    pub fn is_there(self) -> bool {
        self.0.with_value(Option::is_some)
    }

    /// Stops the request, if there is one.
    pub fn stop(self) {
        if let Some(controller) = self.0.try_update_value(Option::take).flatten() {
            controller.abort();
        }
    }

    /// Marks this request as ended. A request that has begun since stays.
    pub fn ended(self, controller: &AbortController) {
        self.0.try_update_value(|kept| {
            if kept.as_ref().is_some_and(|kept| **kept == *controller) {
                *kept = None;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_that_was_refused_for_its_words_comes_back_to_be_mended() {
        let owner = Owner::new();
        owner.set();
        let draft = Draft::default();
        assert!(!draft.give_back("long", &Refusal::new(Code::RateLimited, "Wait.")));
        assert_eq!((draft.text.get_untracked().as_str(), draft.refused.get_untracked()), ("", None));
        assert!(draft.give_back("long", &Refusal::new(Code::ValidationFailed, "Too long.")));
        assert_eq!(
            (draft.text.get_untracked().as_str(), draft.refused.get_untracked().as_deref()),
            ("long", Some("Too long."))
        );
        draft.put("other".to_owned());
        assert_eq!(draft.refused.get_untracked(), None);
        assert!(draft.give_back("long", &Refusal::new(Code::ValidationFailed, "Too long.")));
        assert_eq!(draft.text.get_untracked(), "other");
    }
}
