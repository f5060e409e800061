//! A chart of an answer: the same figure with the same menu as on dashboards, with its actions below.

use super::wire::{self, DrawnChart, ProofView};
use crate::ui::effect::effect;
use crate::{
    browser::charts,
    drawing::Drawing,
    tile::{
        html::{pivot, written},
        look::{Look, UNFIT},
        menu::{self, Files},
        model::{MountedChart, Rows, Shown, State, TileState},
        table::{self, DataTable, Titles},
    },
    ui::part::{IntoPart, IntoParts, Part},
};
use inlay_contract::{
    chart::definition::ChartType,
    code::Code,
    data::ChartData,
    grid::GridPosition,
    ids::ChartId,
    page::{ChartFace, Problem},
};
use leptos::{html, prelude::*, task::spawn_local};
use send_wrapper::SendWrapper;
use std::{rc::Rc, sync::Arc};

/// A conversation has no grid.
const PLACE: GridPosition = GridPosition { x: 0, y: 0, w: 12, h: 6 };

/// A figure. `id` is unique on the page, `files` creates its downloads, `actions` are the buttons below it.
pub fn figure(chart: DrawnChart, id: String, files: impl Files, actions: Part) -> Part {
    let DrawnChart { title, kind, shown, svg, proof, .. } = chart;
    let shown = match shown {
        wire::Shown::Rows { drawing, data } => Shown::Rows(Arc::new(Rows { data, drawing })),
        wire::Shown::Empty => Shown::Rows(Arc::new(Rows { data: ChartData::default(), drawing: None })),
        wire::Shown::Failed(why) => Shown::Problem(Problem::new(Code::QueryFailed, why)),
    };
    let state = State::of(&shown, false).name();
    let tile = TileState::of(ChartId::generate(), &ChartFace { title: title.clone(), kind }, PLACE, shown.clone());
    let mounted: MountedChart = StoredValue::new(None);
    let content = match shown {
        Shown::Problem(problem) => note(&problem.message),
        Shown::Rows(rows) if !rows.is_empty() => body(title.clone(), rows, svg, tile.as_table, mounted),
        Shown::Rows(_) | Shown::Nothing => note("No data yet."),
    };
    view! {
        <figure
            class="tile answer-chart"
            class:tile-number=kind == ChartType::Number
            aria-label=title.clone()
            aria-busy="false"
            data-state=state
            data-kind=if kind.is_html() { "html" } else { "picture" }
        >
            <div class="tile-head">
                <h3 class="tile-title" title=title.clone()>{title.clone()}</h3>
                {menu::menu(format!("menu-{id}"), tile, mounted, files, Vec::new())}
            </div>
            <div class="tile-body">{content}</div>
            {proof.map(proof_view)}
            {actions}
        </figure>
    }
    .part()
}

/// How the rows were worked out, folded.
fn proof_view(proof: ProofView) -> Part {
    let ProofView { sentence, measures, verified_by, read } = proof;
    let defined = measures.into_iter().map(|(label, definition)| view! { <div><dt>{label}</dt><dd>{definition}</dd></div> });
    let defined = (defined.len() > 0).then(|| view! { <dl>{defined.parts()}</dl> });
    view! {
        <details class="proof">
            <summary>"How this was worked out"</summary>
            <p>{sentence}</p>
            {defined}
            {verified_by.map(|name| view! { <p>{format!("Verified by {name}.")}</p> })}
            <p class="proof-read">{read}</p>
        </details>
    }
    .part()
}

fn note(text: &str) -> Part {
    view! { <p class="tile-note">{text.to_owned()}</p> }.part()
}

fn body(title: String, rows: Arc<Rows>, svg: Option<String>, as_table: RwSignal<bool>, mounted: MountedChart) -> Part {
    let plot = NodeRef::<html::Div>::new();
    let option = match &rows.drawing {
        Some(Drawing::Option(option)) => Some(option.clone()),
        _ => None,
    };
    let has_plot = option.is_some();
    effect(move || {
        if let (Some(option), Some(element)) = (option.clone(), plot.get()) {
            spawn_local(async move {
                let Ok(chart) = charts::mount(&element, &option, |_, _| async { None }).await else { return };
                mounted.try_update_value(|kept| *kept = Some(SendWrapper::new(Rc::new(chart))));
            });
        }
    });
    on_cleanup(move || {
        mounted.try_with_value(|chart| chart.as_ref().map(|chart| chart.dispose()));
    });
    view! {
        {has_plot.then(|| view! {
            <div class="plot" node_ref=plot hidden=move || as_table.get() inner_html=svg.unwrap_or_default()></div>
        })}
        {move || instead(&title, &rows, as_table.get())}
    }
    .part()
}

/// What replaces the plot: the rows, an HTML chart, or why there is none.
fn instead(title: &str, rows: &Arc<Rows>, as_table: bool) -> Part {
    if as_table {
        return data_table(title, rows);
    }
    match rows.drawing.clone() {
        Some(Drawing::Option(_) | Drawing::Empty | Drawing::Text(_)) => ().part(),
        Some(Drawing::Number(html)) => written("number-chart", html),
        Some(Drawing::Pivot(html)) => pivot(title, html),
        Some(Drawing::Table(view)) => {
            view! { <DataTable name=title.to_owned() view titles=Titles::Labels rows=Arc::clone(rows) /> }.part()
        }
        None => note(UNFIT),
    }
}

fn data_table(title: &str, rows: &Arc<Rows>) -> Part {
    let locale = Look::here().locale.get_value();
    let view = table::of_data(&rows.data, &locale);
    view! { <DataTable name=format!("{title} data") view titles=Titles::Names rows=Arc::clone(rows) /> }.part()
}
