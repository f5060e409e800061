//! What a conversation can do, whoever keeps it.

use super::turn::Turn;
use crate::calls::Refusal;
use inlay_contract::code::Code;
use leptos::prelude::*;
use send_wrapper::SendWrapper;
use web_sys::AbortController;

/// A conversation that questions are put to.
pub trait Asks: Copy + Send + Sync + 'static {
    /// What was said.
    fn turns(self) -> RwSignal<Vec<Turn>>;

    /// What is written and not sent.
    fn draft(self) -> Draft;

    /// Sends what is written.
    fn send(self);

    /// Asks; false when there is nothing to ask or an answer is under way.
    fn ask(self, text: &str) -> bool;

    /// Asks a turn's question again, in its place.
    fn ask_again(self, turn: &Turn);

    /// Stops the answer that is under way.
    fn stop(self);

    /// Whether an answer is under way. Tracked.
    fn is_answering(self) -> bool {
        self.turns().with(|turns| turns.last().is_some_and(Turn::is_answering))
    }

    /// The question that a text is, if it can be asked now.
    fn askable(self, text: &str) -> Option<String> {
        let text = text.trim();
        (!text.is_empty() && !untrack(|| self.is_answering())).then(|| text.to_owned())
    }
}

/// What is written and not sent, and why the server would not have it.
#[derive(Clone, Copy)]
pub struct Draft {
    /// The words.
    pub text: RwSignal<String>,
    /// Why they were refused.
    pub refused: RwSignal<Option<String>>,
}

impl Default for Draft {
    fn default() -> Self {
        Self { text: RwSignal::new(String::new()), refused: RwSignal::new(None) }
    }
}

impl Draft {
    /// Puts other words in the place of these.
    pub fn put(self, text: String) {
        self.text.set(text);
        self.refused.set(None);
    }

    /// Gives a question back whose words the server would not have, with the reason, so that they can be mended; what was written
    /// meanwhile stays. Whether it was refused for its words.
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

/// The request whose answer is under way, so that it can be stopped.
#[derive(Clone, Copy)]
pub struct UnderWay(StoredValue<Option<SendWrapper<AbortController>>>);

impl Default for UnderWay {
    fn default() -> Self {
        Self(StoredValue::new(None))
    }
}

impl UnderWay {
    /// A request begins; none where the browser knows no way to stop one.
    #[must_use]
    pub fn begin(self) -> Option<AbortController> {
        let controller = AbortController::new().ok()?;
        self.0.set_value(Some(SendWrapper::new(controller.clone())));
        Some(controller)
    }

    /// Whether one is under way.
    #[must_use]
    pub fn is_there(self) -> bool {
        self.0.with_value(Option::is_some)
    }

    /// Stops it, if there is one.
    pub fn stop(self) {
        if let Some(controller) = self.0.try_update_value(Option::take).flatten() {
            controller.abort();
        }
    }

    /// This one has ended; another that has begun since stays.
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
