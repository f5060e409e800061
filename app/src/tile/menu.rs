//! A chart's menu: its rows as a table, and its downloads. The same on dashboards and in conversations.

use super::model::{MountedChart, Shown, TileState};
use crate::{
    browser::download,
    calls::Refusal,
    data::csv,
    ui::{
        icons,
        menu::{Menu, MenuItem},
        part::{IntoPart, Part},
    },
};
use inlay_contract::{chart::definition::ChartType, code::Code};
use leptos::{prelude::*, task::spawn_local};

/// The media type of Excel workbooks.
const EXCEL: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// The rules of the page for its charts' menus. Provided as context.
#[derive(Clone, Copy, Debug)]
pub struct Offers {
    /// `Download CSV` and `Download XLSX`.
    pub csv: bool,
}

/// The files of a chart that the server creates.
pub trait Files: Copy + Send + Sync + 'static {
    /// The rows as an Excel workbook, in base64.
    fn workbook(self) -> impl Future<Output = Result<String, Refusal>>;

    /// The chart as SVG. `None` if it cannot be drawn.
    fn picture(self) -> impl Future<Output = Option<String>>;

    /// Shows the viewer why a download failed.
    fn say(self, refusal: Refusal);
}

/// The menu of a chart, with `more` items at its end. `id` is unique on the page.
pub fn menu(id: String, tile: TileState, mounted: MountedChart, files: impl Files, more: Vec<MenuItem>) -> Part {
    let mut items = Vec::new();
    if tile.face().kind != ChartType::Text {
        items.extend(of_rows(tile, files));
    }
    items.push(MenuItem::new("Download image", icons::picture(), move || download_picture(tile, mounted, files)));
    items.extend(more);
    view! { <Menu label="Chart menu" id items /> }.part()
}

fn of_rows(tile: TileState, files: impl Files) -> Vec<MenuItem> {
    let offers = expect_context::<Offers>();
    let mut items = vec![MenuItem {
        label: Signal::derive(move || if tile.as_table.get() { "Show chart" } else { "Show data" }.to_owned()),
        icon: (move || if tile.as_table.get() { icons::columns() } else { icons::rows() }).part(),
        action: Callback::new(move |()| tile.as_table.update(|on| *on = !*on)),
        narrow: false,
        is_on: None,
    }];
    if offers.csv {
        items.push(MenuItem::new("Download CSV", icons::download(), move || download_csv(tile)));
        items.push(MenuItem::new("Download XLSX", icons::rows(), move || download_workbook(tile, files)));
    }
    items
}

fn download_csv(tile: TileState) {
    if let Shown::Rows(rows) = tile.shown.get_untracked() {
        download::text(&file_name(tile, "csv"), csv::MEDIA_TYPE, &csv::write(&rows.data));
    }
}

/// The name of a file that the page makes of its own rows. It begins with the time at which old rows were read: a long title is cut
/// at its end.
fn file_name(tile: TileState, extension: &str) -> String {
    let read = tile.shown.with_untracked(|shown| shown.as_of().map(csv::read_at));
    tile.face.with_value(|face| csv::file_name(&format!("{} {}", read.unwrap_or_default(), face.title), extension))
}

fn download_workbook(tile: TileState, files: impl Files) {
    let name = tile.face.with_value(|face| csv::file_name(&face.title, "xlsx"));
    spawn_local(async move {
        match files.workbook().await {
            Ok(file) => download::bytes(&name, EXCEL, &file),
            Err(refusal) => files.say(refusal),
        }
    });
}

/// Downloads the chart as the page shows it. The server draws HTML charts.
fn download_picture(tile: TileState, mounted: MountedChart, files: impl Files) {
    let drawn = mounted.with_value(|chart| chart.as_ref().and_then(|chart| chart.svg().ok()));
    // The server draws no old rows.
    let name = if drawn.is_some() { file_name(tile, "") } else { tile.face.with_value(|face| csv::file_name(&face.title, "")) };
    spawn_local(async move {
        let svg = match drawn {
            Some(svg) => Some(svg),
            None => files.picture().await,
        };
        match svg {
            Some(svg) => download::picture(name.trim_end_matches('.'), &svg).await,
            None => files.say(Refusal::new(Code::Unavailable, "The image could not be created. Try again later.")),
        }
    });
}
