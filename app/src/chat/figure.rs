//! A chart of an answer: the same figure as on dashboards, with its actions below.

use super::wire::{DrawnChart, Shown};
use crate::ui::effect::effect;
use crate::{
    browser::{charts, download},
    calls::Picture,
    data::csv,
    tile::{
        html::{number_view, pivot_view},
        look::{Look, UNFIT},
        model::Rows,
        table::{self, DataTable, Titles},
    },
    ui::{
        icons,
        menu::{Menu, MenuItem},
        part::{IntoPart, Part},
    },
};
use inlay_contract::{chart::definition::ChartType, data::ChartData};
use leptos::{html, prelude::*, task::spawn_local};
use send_wrapper::SendWrapper;
use std::sync::Arc;

/// The chart, once the browser has drawn it.
type MountedChart = StoredValue<Option<SendWrapper<charts::Chart>>>;

/// A figure.
#[component]
pub fn Figure(
    /// The chart.
    chart: DrawnChart,
    /// Unique on the page.
    id: String,
    /// The buttons below it.
    #[prop(into)]
    actions: Part,
) -> impl IntoView {
    let DrawnChart { title, kind, shown, svg } = chart;
    let (state, body, menu) = match shown {
        Shown::Empty => ("empty", note("No data yet."), None),
        Shown::Failed(why) => ("error", note(&why), None),
        Shown::Rows { picture, data } => {
            let rows = Arc::new(Rows { data, picture });
            let mounted: MountedChart = StoredValue::new(None);
            let (as_table, plot) = (RwSignal::new(false), NodeRef::<html::Div>::new());
            let menu = menu(&title, &id, &rows, as_table, mounted);
            ("ready", body(&title, &rows, svg, as_table, mounted, plot), Some(menu))
        }
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
                {menu}
            </div>
            <div class="tile-body">{body}</div>
            {actions}
        </figure>
    }
    .part()
}

fn note(text: &str) -> Part {
    view! { <p class="tile-note">{text.to_owned()}</p> }.part()
}

fn body(
    title: &str,
    rows: &Arc<Rows>,
    svg: Option<String>,
    as_table: RwSignal<bool>,
    mounted: MountedChart,
    plot: NodeRef<html::Div>,
) -> Part {
    let (title, rows) = (title.to_owned(), Arc::clone(rows));
    let option = match &rows.picture {
        Some(Picture::Option(option)) => Some(option.clone()),
        _ => None,
    };
    let drawing = option.clone();
    effect(move || {
        if let (Some(option), Some(element)) = (drawing.clone(), plot.get()) {
            spawn_local(async move {
                let Ok(chart) = charts::mount(&element, &option, |_, _| async { None }).await else { return };
                mounted.try_update_value(|kept| *kept = Some(SendWrapper::new(chart)));
            });
        }
    });
    on_cleanup(move || {
        mounted.try_with_value(|chart| chart.as_ref().map(|chart| chart.dispose()));
    });
    let has_plot = option.is_some();
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
    match rows.picture.clone() {
        Some(Picture::Option(_) | Picture::Text(_)) => ().part(),
        Some(Picture::Number(number)) => number_view(number),
        Some(Picture::Pivot(pivot)) => pivot_view(title, pivot),
        Some(Picture::Table(view)) => {
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

fn menu(title: &str, id: &str, rows: &Arc<Rows>, as_table: RwSignal<bool>, mounted: MountedChart) -> Part {
    let (name, data) = (title.to_owned(), rows.data.clone());
    let mut items = vec![
        MenuItem {
            label: Signal::derive(move || if as_table.get() { "Show chart" } else { "Show data" }.to_owned()),
            icon: (move || if as_table.get() { icons::columns() } else { icons::rows() }).part(),
            action: Callback::new(move |()| as_table.update(|on| *on = !*on)),
        },
        MenuItem {
            label: Signal::stored("Download CSV".to_owned()),
            icon: icons::download(),
            action: Callback::new(move |()| download_csv(&name, &data)),
        },
    ];
    if matches!(rows.picture, Some(Picture::Option(_))) {
        let name = title.to_owned();
        items.push(MenuItem {
            label: Signal::stored("Download image".to_owned()),
            icon: icons::picture(),
            action: Callback::new(move |()| download_picture(&name, mounted)),
        });
    }
    view! { <Menu label="Chart menu" id=format!("menu-{id}") items /> }.part()
}

fn download_csv(title: &str, data: &ChartData) {
    download::text(&csv::file_name(title, "csv"), "text/csv;charset=utf-8", &csv::write(data));
}

fn download_picture(title: &str, mounted: MountedChart) {
    let Some(svg) = mounted.with_value(|chart| chart.as_ref().and_then(|chart| chart.svg().ok())) else { return };
    let name = csv::file_name(title, "");
    spawn_local(async move { download::picture(name.trim_end_matches('.'), &svg).await });
}
