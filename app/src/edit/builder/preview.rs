//! The preview of the chart. It is requested after each change, with a short delay.

use super::{Builder, built::Built, mend};
use crate::ui::effect::effect;
use crate::{
    calls::edit::{self, PreviewRequest},
    tile::{
        figure::body,
        model::{MountedChart, Shown, TileState},
    },
    ui::part::{IntoPart, Part},
};
use gloo_timers::callback::Timeout;
use inlay_contract::{chart::definition::ChartType, grid::GridPosition, ids::ChartId};
use leptos::{html, prelude::*, task::spawn_local};

/// Milliseconds without a change before the server is asked.
const REST: u32 = 300;

/// The preview's part of the dialog.
pub fn preview(builder: Builder) -> Part {
    let shown = RwSignal::new(None::<TileState>);
    let asking = RwSignal::new(false);
    let owner = StoredValue::new(Owner::current().unwrap_or_default());
    let question = StoredValue::new(0_u32);
    effect(move || {
        let built = builder.built.get();
        question.update_value(|number| *number += 1);
        let number = question.get_value();
        let is_current = move || question.try_get_value() == Some(number);
        let rested = move || {
            if !is_current() {
                return;
            }
            asking.set(built.misfit().is_none());
            if asking.get_untracked() {
                spawn_local(ask(builder, built, shown, asking, owner, is_current));
            }
        };
        Timeout::new(REST, rested).forget();
    });
    let misfit = Memo::new(move |_| builder.built.with(Built::misfit));
    let name = move || builder.built.with(|built| built.face().title);
    let picture = move || {
        let node = NodeRef::<html::Div>::new();
        let mounted: MountedChart = StoredValue::new(None);
        shown.get().map(|tile| body(tile, mounted, node, None))
    };
    let note = move || {
        misfit.get().map(|misfit| {
            let button = mend::button(builder, &misfit);
            view! { <div class="builder-misfit"><p role="status">{misfit.to_string()}</p>{button}</div> }
        })
    };
    // The last picture stays while the chart cannot be drawn or is asked for.
    let is_stale = move || asking.get() || misfit.with(Option::is_some);
    view! {
        <figure class="tile builder-tile" class:stale=is_stale aria-label="Preview" aria-busy=move || asking.get().to_string()>
            <div class="tile-head"><h3 class="tile-title">{name}</h3></div>
            {note}
            {picture}
        </figure>
    }
    .part()
}

async fn ask(
    builder: Builder,
    built: Built,
    shown: RwSignal<Option<TileState>>,
    asking: RwSignal<bool>,
    owner: StoredValue<Owner>,
    is_current: impl Fn() -> bool,
) {
    let Some(chart) = built.edit() else { return asking.set(false) };
    let filters = builder.editor.board.filters.with_untracked(|filters| filters.active().clone());
    let request = PreviewRequest { target: builder.editor.target(), chart: chart.clone(), filters };
    let answer = edit::preview_chart(request).await;
    if !is_current() {
        return;
    }
    let answer = match answer {
        Ok(drawn) => Shown::answer(drawn.content, drawn.drawings.into_iter().next().flatten()),
        Err(refusal) => Shown::Problem(refusal.0),
    };
    if let Shown::Rows(rows) = &answer
        && built.kind != ChartType::Text
    {
        let columns: Vec<String> = rows.data.columns.iter().map(|column| column.name.clone()).collect();
        // Only set if different: otherwise the response would cause the next request.
        if builder.built.with_untracked(|built| built.columns != columns) {
            builder.built.update(|built| built.columns = columns);
        }
    }
    let Some(owner) = owner.try_get_value() else { return };
    let tile = owner.with(|| {
        let tile = TileState::of(ChartId::generate(), &built.face(), GridPosition { x: 0, y: 0, w: 12, h: 8 }, answer);
        tile.draft.set_value(Some(chart));
        tile
    });
    shown.set(Some(tile));
    asking.set(false);
}
