//! AI insights: a sidebar that answers questions about the charts on screen, with the current filters.

use super::{answer, composer::composer, talk::Talk, wire::AssistantTask};
use crate::{
    browser::{focus, sheet},
    chat::{auto_scroll::Follow, composer::starters, conversation::Conversation, icons as own},
    drill::Asking,
    pages::opened::Opened,
    tile::board::Board,
    ui::{
        icons,
        part::{IntoPart, Part},
    },
};
use inlay_contract::permissions::Flag;
use leptos::{ev, html, prelude::*, task::spawn_local};

/// Questions to start with.
const STARTERS: [&str; 2] = ["What stands out on this page?", "What can I ask?"];

/// The sidebar's state. Provided as context where the viewer may open it.
#[derive(Clone, Copy)]
pub struct Insights {
    open: RwSignal<bool>,
    /// The button that opens the sidebar. It gets the focus back when the sidebar closes.
    button: NodeRef<html::Button>,
    talk: Talk,
}

/// Provides the sidebar of a dashboard to viewers who may open it.
pub fn start(opened: Opened, board: Board) {
    if opened.permissions().allows(Flag::AiInsight) {
        let (open, button) = (RwSignal::new(false), NodeRef::new());
        let insights = Insights { open, button, talk: Talk::new(AssistantTask::Insight, board) };
        provide_context(insights);
        provide_context(Asking(Callback::new(move |question: String| insights.ask(question))));
    }
}

/// The button that opens the sidebar.
pub fn button() -> Part {
    let Some(insights) = use_context::<Insights>() else { return ().part() };
    let toggle = move |_| match insights.open.get_untracked() {
        true => insights.close(),
        false => spawn_local(async move {
            sheet::conversation().await;
            insights.open.set(true);
        }),
    };
    view! {
        <button
            type="button"
            node_ref=insights.button
            class="button"
            aria-expanded=move || insights.open.get().to_string()
            aria-controls="insights"
            on:click=toggle
        >
            {icons::spark()}
            "AI insights"
        </button>
    }
    .part()
}

/// The sidebar, while it is open.
pub fn panel() -> Part {
    let Some(insights) = use_context::<Insights>() else { return ().part() };
    (move || insights.open.get().then(|| insights.panel())).part()
}

impl Insights {
    /// Opens the sidebar and asks a question in it.
    fn ask(self, question: String) {
        spawn_local(async move {
            sheet::conversation().await;
            self.open.set(true);
            self.talk.ask(&question);
        });
    }

    fn close(self) {
        self.open.set(false);
        focus::on(self.button);
    }

    fn panel(self) -> Part {
        let talk = self.talk;
        let on_key = move |event: ev::KeyboardEvent| {
            if event.key() == "Escape" {
                event.prevent_default();
                self.close();
            }
        };
        let empty = move || talk.turns.with(Vec::is_empty);
        let follow = Follow::new(talk.turns);
        view! {
            <aside id="insights" class="insights" aria-label="AI insights" on:keydown=on_key>
                <div class="panel-head">
                    <h2>"AI insights"</h2>
                    {move || (!empty()).then(|| view! {
                        <button type="button" class="icon-button" aria-label="New conversation" title="New conversation"
                            on:click=move |_| talk.start_afresh()>
                            {own::plus()}
                        </button>
                    })}
                    <button type="button" class="icon-button" aria-label="Close panel" title="Close panel"
                        on:click=move |_| self.close()>
                        {icons::cross()}
                    </button>
                </div>
                <div class="insights-talk" node_ref=follow.scroll on:scroll=move |_| follow.scrolled()>
                    <div node_ref=follow.column>
                        {move || empty().then(|| beginning(talk))}
                        {answer::conversation(talk)}
                    </div>
                </div>
                {composer(talk, "Question", "Ask about these charts")}
            </aside>
        }
        .part()
    }
}

fn beginning(talk: Talk) -> Part {
    view! {
        <div class="insights-start">
            <p>"Ask about the charts on this page. Answers use the current filters."</p>
            {starters(talk, STARTERS.map(str::to_owned))}
        </div>
    }
    .part()
}
