//! State that the whole page shares: its content, the conversation, the open panel, and the handling of refusals.

use super::{
    opened::{permissions, workspace},
    wire::{PageQuestion, Panel, ThreadView, Turns, WorkspacePage},
};
use crate::{
    calls::{PageAddress, Refusal, client, workspace as calls},
    chat::{
        conversation::{Conversation, Draft, UnderWay},
        stream,
        turn::Turn,
        wire::{AnswerState, ChartSource, DrawnChart, Shown, TurnView},
    },
    filters::query,
    frame::{content::Page, host::Host},
    ui::effect::effect,
};
use gloo_timers::callback::Timeout;
use inlay_contract::{
    code::Code,
    frame::message::{ErrorCode, Out},
    ids::{MessageId, ThreadId},
    page::PageMessage,
    permissions::Permissions,
};
use leptos::{html, prelude::*, task::spawn_local};
use std::sync::Arc;
use web_sys::AbortController;

/// The path that questions are posted to.
const PATH: &str = "/share/chat";
/// How often a thread is loaded again while another page waits for its answer.
const LOOK_EVERY: u32 = 2_000;
/// How long a notice is shown.
const NOTICE: u32 = 5_000;

/// The turns of a thread before those that are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Earlier {
    /// There are none.
    #[default]
    None,
    /// There are some.
    Some,
    /// They are being loaded.
    Loading,
}

/// The page's state. One per page, provided as context.
#[derive(Clone, Copy)]
pub struct Session {
    page: RwSignal<Arc<WorkspacePage>>,
    /// The viewer's permissions. A renewed token may change them.
    pub permissions: RwSignal<Permissions>,
    /// The turns of the open thread.
    pub turns: RwSignal<Vec<Turn>>,
    /// The open thread. `None` for a new one.
    pub thread: RwSignal<Option<ThreadId>>,
    /// Whether the thread has turns before those that are shown.
    pub earlier: RwSignal<Earlier>,
    /// The open panel.
    pub panel: RwSignal<Option<Panel>>,
    /// The input for questions.
    pub input: NodeRef<html::Textarea>,
    draft: Draft,
    /// The question that the draft replaces.
    pub editing: RwSignal<Option<MessageId>>,
    /// A notice that is shown for a moment.
    pub notice: RwSignal<Option<String>>,
    /// Grows when the content of panels is out of date.
    pub changed: RwSignal<u32>,
    host: Host,
    /// Whether the page was requested for the same user as before.
    resumes: StoredValue<bool>,
    /// Whether the address's prompt was sent for this user, if there is one.
    pub prompted: StoredValue<bool>,
    keys: StoredValue<u32>,
    under_way: UnderWay,
}

impl Session {
    /// The state of a page, with the thread that it came with.
    #[must_use]
    pub fn new(page: WorkspacePage, host: Host) -> Self {
        let session = Self {
            permissions: RwSignal::new(permissions(&page)),
            page: RwSignal::new(Arc::new(page)),
            turns: RwSignal::new(Vec::new()),
            thread: RwSignal::new(None),
            earlier: RwSignal::default(),
            panel: RwSignal::new(None),
            input: NodeRef::new(),
            draft: Draft::default(),
            editing: RwSignal::new(None),
            notice: RwSignal::new(None),
            changed: RwSignal::new(0),
            host,
            resumes: StoredValue::new(false),
            prompted: StoredValue::new(false),
            keys: StoredValue::new(0),
            under_way: UnderWay::default(),
        };
        session.begin();
        session
    }

    /// The component's session. Every component is below the root, which provides it.
    #[must_use]
    pub fn here() -> Self {
        expect_context()
    }

    /// The current page. Tracked.
    #[must_use]
    pub fn page(self) -> Arc<WorkspacePage> {
        self.page.get()
    }

    /// The current page. Not tracked.
    #[must_use]
    pub fn page_untracked(self) -> Arc<WorkspacePage> {
        self.page.get_untracked()
    }

    /// Replaces the page, and with it the conversation.
    pub fn show(self, page: WorkspacePage) {
        self.stop();
        self.permissions.set(permissions(&page));
        if workspace(&page).is_some() {
            self.prompted.set_value(page.parameters.prompt.is_none());
        }
        self.page.set(Arc::new(page));
        self.begin();
    }

    /// Replaces the page with a message.
    fn show_message(self, message: PageMessage) {
        self.show(self.page_untracked().without_content(Some(message)));
    }

    /// The page is requested, for the same user as before or for another. Returns the address to request.
    #[must_use]
    pub fn requests(self, resumes: bool) -> PageAddress {
        self.resumes.set_value(resumes);
        let mut address = client::address();
        if resumes && self.prompted.get_value() {
            address.search = query::without(&address.search, &["prompt"]);
        }
        address
    }

    /// Shows the thread that the page came with.
    fn begin(self) {
        let page = self.page.get_untracked();
        self.panel.set(page.parameters.nav);
        // The same user goes on writing.
        if !self.resumes.get_value() {
            self.leave_editing();
        }
        self.open(workspace(&page).and_then(|view| view.thread.clone()));
    }

    fn open(self, thread: Option<ThreadView>) {
        self.thread.set(thread.as_ref().map(|thread| thread.id));
        let kept = thread.map(|thread| thread.shown).unwrap_or_default();
        self.earlier.set(if kept.has_earlier { Earlier::Some } else { Earlier::None });
        self.turns.set(self.kept(kept.turns));
    }

    fn kept(self, turns: Vec<TurnView>) -> Vec<Turn> {
        let first = self.next_keys(turns.len());
        (first..).zip(turns).map(|(key, turn)| Turn::kept(key, turn)).collect()
    }

    /// Shows the turns before those that are shown. `comes` is called just before they are there.
    pub fn show_earlier(self, comes: impl FnOnce() + 'static) {
        let first = self.turns.with_untracked(|turns| turns.first().and_then(|turn| turn.question.get_untracked()));
        let (Some(thread), Some(before)) = (self.thread.get_untracked(), first) else { return };
        self.earlier.set(Earlier::Loading);
        spawn_local(async move {
            let answer = calls::earlier_turns(client::address(), thread, before).await;
            // Another thread may be open by now, or this one from its end.
            let first = self.turns.try_with_untracked(|turns| turns.first().and_then(|turn| turn.question.get_untracked()));
            if first != Some(Some(before)) {
                return;
            }
            match answer {
                Ok(Turns { turns, has_earlier }) => {
                    comes();
                    let earlier = self.kept(turns);
                    self.turns.update(|shown| drop(shown.splice(..0, earlier)));
                    self.earlier.set(if has_earlier { Earlier::Some } else { Earlier::None });
                }
                Err(refusal) => {
                    self.earlier.set(Earlier::Some);
                    self.refuse(&refusal);
                }
            }
        });
    }

    fn next_keys(self, count: usize) -> u32 {
        let first = self.keys.get_value();
        self.keys.set_value(first.wrapping_add(u32::try_from(count).unwrap_or_default()));
        first
    }

    /// Handles a refused request: replaces the page with a message, or shows the reason.
    pub fn refuse(self, refusal: &Refusal) {
        match refusal.page_message() {
            // If a thread, an answer or a chart no longer exists, the page stays.
            _ if refusal.0.code == Code::NotFound => self.tell("This item no longer exists."),
            Some(message) => self.show_message(message),
            None => self.tell(&refusal.0.message),
        }
    }

    /// Shows a notice for a moment.
    pub fn tell(self, notice: &str) {
        let text = notice.to_owned();
        self.notice.set(Some(text.clone()));
        let over = move || {
            if self.notice.try_get_untracked().flatten().as_ref() == Some(&text) {
                self.notice.set(None);
            }
        };
        Timeout::new(NOTICE, over).forget();
    }

    /// Tells the host of a chart that failed.
    pub fn report(self, chart: &DrawnChart) {
        if let Shown::Failed(why) = &chart.shown {
            let message = format!("{}: {why}", chart.title);
            effect(move || self.host.post(&Out::Error { code: ErrorCode::ChartFailed, message: message.clone() }));
        }
    }

    /// Marks the content of panels as out of date.
    pub fn has_changed(self) {
        self.changed.update(|count| *count = count.wrapping_add(1));
    }

    /// Starts editing a question, to ask it again in its place.
    pub fn edit(self, question: Option<MessageId>, text: String) {
        self.editing.set(question);
        self.draft.put(text);
        if let Some(input) = self.input.get_untracked() {
            let _ = input.focus();
        }
    }

    /// Cancels editing a question.
    pub fn leave_editing(self) {
        self.editing.set(None);
        self.draft.put(String::new());
    }

    /// Asks a question, in place of an earlier one if `replaces` is given. Returns false if the text is empty or an answer is
    /// in progress.
    fn ask_in_place(self, text: &str, replaces: Option<MessageId>) -> bool {
        let Some(text) = self.askable(text) else { return false };
        let Some(controller) = self.under_way.begin() else { return false };
        let turn = Turn::asked(self.next_keys(1), text.clone());
        self.turns.update(|turns| {
            let replaced = replaces.and_then(|id| turns.iter().position(|turn| turn.question.get_untracked() == Some(id)));
            if let Some(place) = replaced {
                turns.truncate(place);
            }
            turns.push(turn.clone());
        });
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
            self.was_refused(&question, &turn, &refusal);
        }
        self.under_way.ended(&controller);
    }

    /// The server refused the question and stored nothing.
    fn was_refused(self, question: &PageQuestion, turn: &Turn, refusal: &Refusal) {
        let for_its_words = self.draft.give_back(&turn.text, refusal);
        turn.answer.state.set(AnswerState::Failed(refusal.0.message.clone()));
        match (refusal.page_message(), question.thread.filter(|_| question.replaces.is_some())) {
            (Some(_), _) => self.refuse(refusal),
            // The question that was to be replaced is still stored.
            (None, Some(thread)) => {
                if !for_its_words {
                    self.tell(&refusal.0.message);
                }
                self.open_thread(thread, question.replaces.filter(|_| for_its_words));
            }
            (None, None) if for_its_words => self.turns.update(|turns| turns.retain(|other| other.key != turn.key)),
            (None, None) => {}
        }
    }

    /// Begins a new thread.
    pub fn start_afresh(self) {
        self.stop();
        self.leave_editing();
        self.open(None);
    }

    /// Opens a thread. Keeps editing `editing`, if given.
    pub fn open_thread(self, thread: ThreadId, editing: Option<MessageId>) {
        self.stop();
        self.editing.set(editing);
        spawn_local(async move {
            match calls::open_thread(client::address(), thread).await {
                Ok(view) => {
                    self.open(Some(view));
                    self.look_again();
                }
                Err(refusal) => self.refuse(&refusal),
            }
        });
    }

    /// Loads the thread again as long as its last answer is being made for another page.
    pub fn look_again(self) {
        let Some(thread) = self.thread.get_untracked().filter(|_| untrack(|| self.is_answering())) else { return };
        if self.under_way.is_there() {
            return;
        }
        let look = move || {
            if self.thread.try_get_untracked().flatten() == Some(thread) && !self.under_way.is_there() {
                self.open_thread(thread, None);
            }
        };
        Timeout::new(LOOK_EVERY, look).forget();
    }

    /// The turn of a chart.
    #[must_use]
    pub fn turn_of(self, source: ChartSource) -> Option<Turn> {
        self.turns.with_untracked(|turns| turns.iter().find(|turn| turn.has(source)).cloned())
    }
}

impl Conversation for Session {
    fn turns(self) -> RwSignal<Vec<Turn>> {
        self.turns
    }

    fn draft(self) -> Draft {
        self.draft
    }

    /// Sends the draft, in place of the question that is being edited, if any.
    fn send(self) {
        let text = self.draft.text.get_untracked();
        let replaces = self.editing.get_untracked();
        if self.ask_in_place(&text, replaces) {
            self.leave_editing();
        }
    }

    fn ask(self, text: &str) -> bool {
        self.ask_in_place(text, None)
    }

    fn ask_again(self, turn: &Turn) {
        let question = turn.question.get_untracked();
        if question.is_none() {
            // The server refused it, so it does not know the question.
            self.turns.update(|turns| turns.retain(|other| other.key != turn.key));
        }
        self.ask_in_place(&turn.text, question);
    }

    fn stop(self) {
        self.under_way.stop();
    }
}
