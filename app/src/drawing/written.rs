//! What the server writes of charts that never change on the page: numbers and pivot tables. The wasm takes their HTML as it is.

use crate::ui::{
    icons,
    part::{IntoPart, IntoParts, Part},
};
use inlay_contract::chart::{
    number::{Delta, Direction, NumberView, Tone},
    pivot::{PivotRow, PivotView},
    table::{self, Cell, Shade},
};
use leptos::prelude::*;

/// The HTML of a view, without Leptos' marks of what a page takes over: the page takes the whole text as it is. No text of a view
/// holds such a mark, since `<` is escaped.
#[must_use]
pub fn html(view: Part) -> String {
    view.to_html().replace("<!>", "")
}

/// A big number, as large as its card allows.
#[must_use]
pub fn number(NumberView { parts, width, exact, delta, spark, .. }: NumberView) -> Part {
    let unit = |text: String| (!text.is_empty()).then(|| view! { <span class="number-unit">{text}</span> });
    view! {
        <p class="number-value" style=format!("--tenths:{width}") data-value=table::exact(&exact)>
            {format!("{}{}", parts.prefix, parts.digits)}{unit(parts.suffix)}
        </p>
        {delta.map(delta_view)}
        {spark.map(|svg| view! { <div class="number-spark" inner_html=svg></div> })}
    }
    .part()
}

fn delta_view(Delta { text, direction, tone, before }: Delta) -> Part {
    let trend = match tone {
        Tone::Positive => "good",
        Tone::Negative => "bad",
        Tone::Neutral => "none",
    };
    let (word, arrow) = match direction {
        Direction::Up => ("Up ", Some(icons::trend_up())),
        Direction::Down => ("Down ", Some(icons::trend_down())),
        Direction::Flat => ("", None),
    };
    view! {
        <p class="number-delta">
            <span class="number-change" data-trend=trend>{arrow}<span class="unseen">{word}</span>{text}</span>
            <span>{format!("from {before}")}</span>
        </p>
    }
    .part()
}

/// A pivot table.
#[must_use]
pub fn pivot(name: &str, PivotView { row_titles, heads, rows, totals }: PivotView) -> Part {
    let depth = heads.len();
    let corner = row_titles.clone().into_iter().map(|title| view! { <th scope="col" rowspan=depth.to_string()>{title}</th> });
    let corner = corner.parts();
    let mut levels = heads.into_iter().map(|level| {
        let cells = spans(level).into_iter().map(|(head, width)| {
            view! { <th scope="col" class="number" colspan=width.to_string()>{head}</th> }
        });
        cells.parts()
    });
    let first = levels.next();
    let rest = levels.map(|level| view! { <tr>{level}</tr> }).parts();
    let body = rows.into_iter().map(|PivotRow { names, cells }| {
        let names = names.into_iter().map(|name| view! { <th scope="row">{name}</th> }).parts();
        view! { <tr>{names}{values(cells)}</tr> }
    });
    let width = row_titles.len();
    let totals = totals
        .map(|cells| view! { <tr class="totals"><th scope="row" colspan=width.to_string()>"Total"</th>{values(cells)}</tr> });
    view! {
        <table class="table" aria-label=name.to_owned()>
            <thead><tr>{corner}{first}</tr>{rest}</thead>
            <tbody>{body.parts()}{totals}</tbody>
        </table>
    }
    .part()
}

fn values(cells: Vec<Cell>) -> Part {
    cells
        .into_iter()
        .map(|cell| view! { <td class="number" data-value=cell.exact data-shade=cell.shade.map(Shade::name)>{cell.text}</td> })
        .parts()
}

/// Merges neighbouring heads with the same name into one that spans several columns.
fn spans(heads: Vec<String>) -> Vec<(String, usize)> {
    let mut spans: Vec<(String, usize)> = Vec::new();
    for head in heads {
        match spans.last_mut() {
            Some((last, width)) if *last == head => *width += 1,
            _ => spans.push((head, 1)),
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_the_same_name_stand_over_all_their_columns() {
        let heads = ["2001", "2001", "2002", "Total"].map(str::to_owned).to_vec();
        assert_eq!(spans(heads), [("2001".to_owned(), 2), ("2002".to_owned(), 1), ("Total".to_owned(), 1)]);
    }

    #[test]
    fn no_text_of_a_view_becomes_markup() {
        let cell = |text: &str| Cell::plain(text.to_owned(), String::new());
        let view = PivotView {
            row_titles: vec!["<i>".to_owned()],
            heads: vec![vec!["<b>".to_owned()]],
            rows: vec![PivotRow { names: vec!["<!>x".to_owned()], cells: vec![cell("<u>")] }],
            totals: None,
        };
        let html = html(pivot("\"><s>", view));
        for text in ["<i>", "<b>", "<!>", "<u>", "<s>"] {
            assert!(!html.contains(text), "{text} in {html}");
        }
        for text in [">&lt;i&gt;<", ">&lt;b&gt;<", ">&lt;!&gt;x<", ">&lt;u&gt;<", "aria-label=\"&quot;"] {
            assert!(html.contains(text), "{text} is missing in {html}");
        }
    }
}
