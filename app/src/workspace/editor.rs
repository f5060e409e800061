//! The form that changes an answer's chart: its title and type.

use super::session::Session;
use crate::{
    calls::{client, workspace},
    chat::{
        composer::on_enter,
        wire::{ChartSource, DrawnChart},
    },
    ui::part::{IntoPart, IntoParts, Part},
};
use inlay_contract::chart::definition::ChartType;
use leptos::{prelude::*, task::spawn_local};

/// The types that a chart can be changed to, with their labels. The server refuses a type that does not fit the columns.
const KINDS: [(ChartType, &str); 9] = [
    (ChartType::Bar, "Bars"),
    (ChartType::Line, "Line"),
    (ChartType::Area, "Area"),
    (ChartType::Pie, "Pie"),
    (ChartType::Donut, "Donut"),
    (ChartType::Treemap, "Treemap"),
    (ChartType::Funnel, "Funnel"),
    (ChartType::Number, "Number"),
    (ChartType::Table, "Table"),
];

/// The form below a chart.
pub fn editor(source: ChartSource, chart: &DrawnChart, open: RwSignal<bool>) -> Part {
    let session = Session::here();
    let title = RwSignal::new(chart.title.clone());
    let kind = RwSignal::new(chart.kind);
    let own = (!KINDS.iter().any(|(known, _)| *known == chart.kind)).then_some((chart.kind, "Keep current type"));
    let options = own.into_iter().chain(KINDS).enumerate().map(|(place, (option, name))| {
        view! { <option value=place.to_string() selected=option == kind.get_untracked()>{name}</option> }
    });
    let options = options.parts();
    let choose = move |event| {
        let place = event_target_value(&event).parse::<usize>().unwrap_or_default();
        kind.set(own.into_iter().chain(KINDS).nth(place).map_or(ChartType::Table, |(kind, _)| kind));
    };
    let problem = RwSignal::new(None::<String>);
    let save = move || {
        let (title, kind) = (title.get_untracked(), kind.get_untracked());
        spawn_local(async move {
            match workspace::edit_chart(client::address(), source, title, kind).await {
                Ok(chart) => {
                    open.try_set(false);
                    if let Some(turn) = session.turn_of(source) {
                        turn.replace(chart);
                    }
                }
                Err(refusal) => {
                    problem.try_set(Some(refusal.0.message));
                }
            }
        });
    };
    view! {
        <div class="chart-editor">
            <label class="filter">
                <span class="filter-label">"Title"</span>
                <input class="control" maxlength="200" on:keydown=move |event| on_enter(&event, save) prop:value=move || title.get()
                    on:input=move |event| title.set(event_target_value(&event)) />
            </label>
            <label class="filter">
                <span class="filter-label">"Drawn as"</span>
                <select class="control" on:change=choose>{options}</select>
            </label>
            <button type="button" class="button" on:click=move |_| save()>"Apply"</button>
            {move || problem.get().map(|problem| view! { <p class="answer-note" role="alert">{problem}</p> })}
        </div>
    }
    .part()
}
