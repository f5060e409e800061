//! The dialog that builds a chart from a description: describe it, look at the preview, add it to the dashboard.

use super::{answer, composer::composer, talk::Talk, wire::AssistantTask};
use crate::{
    browser::sheet,
    chat::auto_scroll::Follow,
    edit::Editor,
    ui::{
        dialog::Dialog,
        part::{IntoPart, Part},
    },
};
use leptos::{prelude::*, task::spawn_local};

/// The dialog.
pub fn dialog(editor: Editor) -> Part {
    let talk = Talk::new(AssistantTask::Chart, editor.board);
    let ready = RwSignal::new(false);
    spawn_local(async move {
        sheet::conversation().await;
        let _ = ready.try_set(true);
    });
    let content = move || ready.get().then(|| content(talk));
    let close = Callback::new(move |()| editor.close());
    view! { <Dialog label="Describe a chart".to_owned() form="wide" close content=content.part() /> }.part()
}

fn content(talk: Talk) -> Part {
    let hint = move || {
        talk.turns.with(Vec::is_empty).then(|| view! {
        <p class="select-note">"Describe the chart you want, for example “average delay by month”. Then refine it, for example “as a pie”."</p>
    })
    };
    let follow = Follow::new(talk.turns);
    view! {
        <div class="describe">
            {hint}
            <div class="describe-talk" node_ref=follow.scroll on:scroll=move |_| follow.scrolled()>
                <div node_ref=follow.column>{answer::conversation(talk)}</div>
            </div>
            {composer(talk, "Description", "Describe the chart")}
        </div>
    }
    .part()
}
