//! What stands above the charts while the filters leave none of them with rows: for which days there is data, and a way there.

use crate::{
    calls::embed::{self, NearestData},
    tile::board::Board,
    ui::{
        effect::effect,
        part::{IntoPart, Part},
    },
};
use leptos::{prelude::*, task::spawn_local};

/// The message. Nothing while a chart has rows.
#[component]
pub fn NoRows() -> impl IntoView {
    let board = Board::here();
    let nearest = RwSignal::new(None::<NearestData>);
    effect(move || {
        nearest.set(None);
        if !board.bare.get() {
            return;
        }
        let filters = board.filters.with(|filters| filters.active().clone());
        let Some(request) = board.asked_with(filters) else { return };
        spawn_local(async move {
            let asked = request.filters.clone();
            // Without an answer the message stands without days. The filters may have changed meanwhile.
            let answer = embed::nearest_data(request).await.ok().flatten();
            if board.filters.try_with_untracked(|filters| *filters.active() == asked) == Some(true) {
                nearest.set(answer);
            }
        });
    });
    move || board.bare.get().then(|| message(board, nearest.get()))
}

fn message(board: Board, nearest: Option<NearestData>) -> Part {
    let clear = view! { <button type="button" class="button" on:click=move |_| board.clear_filters()>"Clear filters"</button> };
    let (text, show) = match nearest {
        None => ("No chart has data for these filters.".to_owned(), None),
        Some(NearestData { span, period, filters }) => {
            let show = move |_| board.choose_filters(filters.clone());
            let show =
                view! { <button type="button" class="button button-main" on:click=show>{format!("Show {period}")}</button> };
            (format!("No data in this period. There is data from {span}."), Some(show))
        }
    };
    view! { <div class="no-rows" role="status"><p>{text}</p>{show}{clear}</div> }.part()
}
