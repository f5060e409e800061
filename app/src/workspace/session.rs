//! What the whole page shares: what it shows now, the conversation, which panel is open, and how a refusal ends it.

use super::{
    stream,
    talk::{Turn, turns},
    wire::{
        AnswerState, ChartSource, PageQuestion, Panel, WorkspaceContent, WorkspacePage, WorkspaceParameters, WorkspaceView,
    },
};
use crate::{
    backend::{Refusal, client},
    workspace::functions,
};
use inlay_contract::{
    ids::{MessageId, ThreadId},
    page::PageMessage,
};
use leptos::{prelude::*, task::spawn_local};
use send_wrapper::SendWrapper;
use std::{sync::Arc, time::Duration};
use web_sys::AbortController;

/// Where questions go.
const PATH: &str = "/share/chat";
/// How often a thread is looked at whose answer another page waits for.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// How long a notice stays.
const NOTICE: Duration = Duration::from_secs(5);

/// The page's state. One for each page; provided as context.
#[derive(Clone, Copy)]
pub struct Session {
    /// What is shown.
    pub page: RwSignal<Arc<WorkspacePage>>,
    /// What was said in the open thread.
    pub turns: RwSignal<Vec<Turn>>,
    /// The open thread; none for a new one.
    pub thread: RwSignal<Option<ThreadId>>,
    /// The panel that is open.
    pub panel: RwSignal<Option<Panel>>,
    /// What is written and not sent.
    pub draft: RwSignal<String>,
    /// The question that the draft is to take the place of.
    pub editing: RwSignal<Option<MessageId>>,
    /// What was done or could not be done, for a moment.
    pub notice: RwSignal<Option<String>>,
    /// Counts what panels show stale.
    pub changed: RwSignal<u32>,
    keys: StoredValue<u32>,
    under_way: StoredValue<Option<SendWrapper<AbortController>>>,
}

impl Session {
    /// A session that shows this page first.
    #[must_use]
    pub fn new(page: WorkspacePage) -> Self {
        let session = Self {
            page: RwSignal::new(Arc::new(page)),
            turns: RwSignal::new(Vec::new()),
            thread: RwSignal::new(None),
            panel: RwSignal::new(None),
            draft: RwSignal::new(String::new()),
            editing: RwSignal::new(None),
            notice: RwSignal::new(None),
            changed: RwSignal::new(0),
            keys: StoredValue::new(0),
            under_way: StoredValue::new(None),
        };
        session.begin();
        session
    }

    /// The session of the component that asks. Every component stands under the root, which provides it.
    #[must_use]
    pub fn here() -> Self {
        expect_context()
    }

    /// Shows another page in place of this one.
    pub fn show(self, page: WorkspacePage) {
        self.stop();
        self.page.set(Arc::new(page));
        self.begin();
    }

    /// Puts the page's own thread on it.
    fn begin(self) {
        let page = self.page.get_untracked();
        self.panel.set(page.parameters.nav);
        self.draft.set(String::new());
        self.editing.set(None);
        self.open(workspace(&page).and_then(|view| view.thread.clone()));
    }

    fn open(self, thread: Option<super::wire::ThreadView>) {
        self.thread.set(thread.as_ref().map(|thread| thread.id));
        let count = thread.as_ref().map_or(0, |thread| thread.turns.len());
        let first = self.next_keys(count);
        self.turns.set(thread.map(|thread| turns(first, thread)).unwrap_or_default());
    }

    fn next_keys(self, count: usize) -> u32 {
        let first = self.keys.get_value();
        self.keys.set_value(first.wrapping_add(u32::try_from(count).unwrap_or_default()));
        first
    }

    /// Shows a message in place of the page.
    pub fn show_message(self, message: PageMessage) {
        let WorkspacePage { locale, timezone, parameters, .. } = (*self.page.get_untracked()).clone();
        let parameters = WorkspaceParameters { prompt: None, ..parameters };
        self.show(WorkspacePage { content: WorkspaceContent::Message(message), parameters, locale, timezone });
    }

    /// A request was refused: the page makes place for the message that says so, or the viewer reads why.
    pub fn refuse(self, refusal: &Refusal) {
        match refusal.0.code.as_str() {
            // A thread, an answer or a chart that is gone leaves the rest as it is.
            "NOT_FOUND" => self.tell("This is not there any more."),
            _ => match refusal.page_message() {
                Some(message) => self.show_message(message),
                None => self.tell(&refusal.0.message),
            },
        }
    }

    /// Says something for a moment.
    pub fn tell(self, notice: &str) {
        let text = notice.to_owned();
        self.notice.set(Some(text.clone()));
        set_timeout(
            move || {
                if self.notice.try_get_untracked().flatten().as_ref() == Some(&text) {
                    self.notice.set(None);
                }
            },
            NOTICE,
        );
    }

    /// What panels show is stale.
    pub fn has_changed(self) {
        self.changed.update(|count| *count = count.wrapping_add(1));
    }

    /// Whether an answer is under way. Tracked.
    #[must_use]
    pub fn is_answering(self) -> bool {
        self.turns.with(|turns| turns.last().is_some_and(Turn::is_answering))
    }

    /// Sends what is written, in place of the question that is being edited, if one is.
    pub fn send_draft(self) {
        let text = self.draft.get_untracked();
        let replaces = self.editing.get_untracked();
        if self.ask(&text, replaces) {
            self.draft.set(String::new());
            self.editing.set(None);
        }
    }

    /// Asks; false when there is nothing to ask or an answer is under way.
    pub fn ask(self, text: &str, replaces: Option<MessageId>) -> bool {
        let text = text.trim().to_owned();
        if text.is_empty() || untrack(|| self.is_answering()) {
            return false;
        }
        let Ok(controller) = AbortController::new() else { return false };
        let turn = Turn::asked(self.next_keys(1), text.clone());
        self.turns.update(|turns| {
            let replaced = replaces.and_then(|id| turns.iter().position(|turn| turn.question.get_untracked() == Some(id)));
            if let Some(place) = replaced {
                turns.truncate(place);
            }
            turns.push(turn.clone());
        });
        self.under_way.set_value(Some(SendWrapper::new(controller.clone())));
        let (address, thread) = (client::address(), self.thread.get_untracked());
        let question = PageQuestion { address, thread, message: text, replaces };
        spawn_local(async move { self.hear(question, controller, turn).await });
        true
    }

    async fn hear(self, question: PageQuestion, controller: AbortController, turn: Turn) {
        let noted = turn.clone();
        let heard = move |event| {
            if let Some(thread) = noted.note(event) {
                self.thread.set(Some(thread));
                self.has_changed();
            }
        };
        if let Err(refusal) = stream::ask(PATH, &question, &controller, heard).await {
            turn.answer.state.set(AnswerState::Failed(refusal.0.message.clone()));
            match (refusal.page_message(), question.thread.filter(|_| question.replaces.is_some())) {
                (Some(_), _) => self.refuse(&refusal),
                // What was to be replaced still stands.
                (None, Some(thread)) => {
                    self.tell(&refusal.0.message);
                    self.open_thread(thread);
                }
                (None, None) => {}
            }
        }
        self.under_way.try_update_value(|kept| {
            if kept.as_ref().is_some_and(|kept| **kept == controller) {
                *kept = None;
            }
        });
    }

    /// Asks a turn's question again, in its place.
    pub fn ask_again(self, turn: &Turn) {
        let question = turn.question.get_untracked();
        if question.is_none() {
            // It was refused, so the server knows nothing of it.
            self.turns.update(|turns| turns.retain(|other| other.key != turn.key));
        }
        self.ask(&turn.text, question);
    }

    /// Stops the answer that is under way.
    pub fn stop(self) {
        if let Some(controller) = self.under_way.try_update_value(Option::take).flatten() {
            controller.abort();
        }
    }

    /// Begins a new thread.
    pub fn start_afresh(self) {
        self.stop();
        self.draft.set(String::new());
        self.editing.set(None);
        self.open(None);
    }

    /// Opens another thread.
    pub fn open_thread(self, thread: ThreadId) {
        self.stop();
        self.editing.set(None);
        spawn_local(async move {
            match functions::open_thread(client::address(), thread).await {
                Ok(view) => {
                    self.open(Some(view));
                    self.look_again();
                }
                Err(refusal) => self.refuse(&refusal),
            }
        });
    }

    /// Looks at the thread again as long as another page makes its last answer.
    pub fn look_again(self) {
        let Some(thread) = self.thread.get_untracked().filter(|_| untrack(|| self.is_answering())) else { return };
        if self.under_way.with_value(Option::is_some) {
            return;
        }
        set_timeout(
            move || {
                if self.thread.try_get_untracked().flatten() == Some(thread) && !self.under_way.with_value(Option::is_some) {
                    self.open_thread(thread);
                }
            },
            LOOK_EVERY,
        );
    }

    /// The turn that a chart belongs to.
    #[must_use]
    pub fn turn_of(self, source: ChartSource) -> Option<Turn> {
        self.turns.with_untracked(|turns| turns.iter().find(|turn| turn.has(source)).cloned())
    }
}

/// The workspace that a page shows, if it shows one.
#[must_use]
pub fn workspace(page: &WorkspacePage) -> Option<&WorkspaceView> {
    match &page.content {
        WorkspaceContent::Workspace(view) => Some(view),
        WorkspaceContent::Message(_) | WorkspaceContent::AwaitingToken => None,
    }
}
