//! Small building blocks of pages.

use super::{
    html::{Html, IntoHtml},
    icons::{self, Icon},
    numbers,
};
use leptos::prelude::*;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The characters that are not percent-encoded in a URL's value, besides letters and digits.
const VALUE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A page's heading, with a link back and its actions.
#[must_use]
pub fn head(title: &str, back: Option<(String, &str)>, actions: impl IntoHtml) -> Html {
    head_with(title, back, actions.html())
}

fn head_with(title: &str, back: Option<(String, &str)>, actions: Html) -> Html {
    let back = back.map(|(address, name)| {
        view! { <a class="back" href=address>{icons::svg(Icon::Back)}{name.to_owned()}</a> }
    });
    view! {
        <div class="head">
            {back}
            <div class="head-row"><h1>{title.to_owned()}</h1><div class="head-actions">{actions}</div></div>
        </div>
    }
    .html()
}

/// A link that looks like a button.
#[must_use]
pub fn button(address: impl Into<String>, name: &str) -> Html {
    view! { <a class="button primary" href=address.into()>{name.to_owned()}</a> }.html()
}

/// A section of a page with a heading.
#[must_use]
pub fn part(title: &str, told: &str, body: impl IntoHtml) -> Html {
    part_with(title, told, body.html())
}

fn part_with(title: &str, told: &str, body: Html) -> Html {
    let told = (!told.is_empty()).then(|| view! { <p class="muted">{told.to_owned()}</p> });
    view! { <section class="part"><h2>{title.to_owned()}</h2>{told}{body}</section> }.html()
}

/// A form that is collapsed until it is needed. It is open if it was refused. `main`: its button is the page's primary button,
/// until an open form has one.
#[must_use]
pub fn adding(name: &str, main: bool, open: bool, form: impl IntoHtml) -> Html {
    adding_with(name, main, open, form.html())
}

fn adding_with(name: &str, main: bool, open: bool, form: Html) -> Html {
    let class = if main { "button primary" } else { "button" };
    view! {
        <details class="adding" open=open>
            <summary class=class>{name.to_owned()}</summary>
            <div class="adding-box">{form}</div>
        </details>
    }
    .html()
}

/// A table. On narrow screens, the cells of a row are stacked.
#[must_use]
pub fn table(caption: &str, columns: &[&str], rows: Vec<Vec<Html>>) -> Html {
    figures(caption, columns, &[], rows)
}

/// A table with numeric columns, given by name: they are right-aligned, with their headings.
#[must_use]
pub fn figures(caption: &str, columns: &[&str], numeric: &[&str], rows: Vec<Vec<Html>>) -> Html {
    let columns = columns.iter().map(|name| ((*name).to_owned(), numeric.contains(name))).collect();
    grid("scroll cards", caption, columns, rows)
}

/// The rows of a database, with any number of columns: it scrolls sideways on narrow screens. Each column states whether it is
/// numeric.
#[must_use]
pub fn data(caption: &str, columns: Vec<(String, bool)>, rows: Vec<Vec<Html>>) -> Html {
    grid("scroll", caption, columns, rows)
}

// Explicit roles: browsers drop the implicit ones of cells that are displayed as blocks.
fn grid(class: &'static str, caption: &str, columns: Vec<(String, bool)>, rows: Vec<Vec<Html>>) -> Html {
    let aligned = |numeric: bool| numeric.then_some("num");
    let head = |(name, numeric): &(String, bool)| {
        view! { <th scope="col" role="columnheader" class=aligned(*numeric)>{name.clone()}</th> }
    };
    let head = columns.iter().map(head).collect_view();
    let row = |cells: Vec<Html>| {
        let cell = |((name, numeric), cell): (&(String, bool), Html)| {
            view! { <td role="cell" class=aligned(*numeric) data-label=name.clone()>{cell}</td> }
        };
        let cells = columns.iter().zip(cells).map(cell).collect_view();
        view! { <tr role="row">{cells}</tr> }
    };
    let body = rows.into_iter().map(row).collect_view();
    view! {
        <div class=class tabindex="0" role="region" aria-label=caption.to_owned()>
            <table role="table">
                <caption class="unseen">{caption.to_owned()}</caption>
                <thead role="rowgroup"><tr role="row">{head}</tr></thead>
                <tbody role="rowgroup">{body}</tbody>
            </table>
        </div>
    }
    .html()
}

/// A list of names. Those that do not fit on a line are collapsed.
#[must_use]
pub fn names(all: &[String]) -> Html {
    const IN_A_LINE: usize = 4;
    if all.len() <= IN_A_LINE {
        return text(all.join(", "));
    }
    let list = all.iter().map(|name| view! { <li>{name.clone()}</li> }).collect_view();
    view! { <details class="more"><summary>{format!("{} in all", all.len())}</summary><ul class="plain columned">{list}</ul></details> }
        .html()
}

/// An empty state: what belongs here, and how to begin.
#[must_use]
pub fn empty(told: &str, action: Option<Html>) -> Html {
    view! { <div class="empty"><p>{told.to_owned()}</p>{action}</div> }.html()
}

/// A badge for a state.
#[must_use]
pub fn badge(kind: &'static str, word: &str) -> Html {
    view! { <span class=format!("badge {kind}")>{word.to_owned()}</span> }.html()
}

/// Plain text in a cell.
#[must_use]
pub fn text(text: impl Into<String>) -> Html {
    text.into().html()
}

/// A number at the start of a row. If the heading does not name it, `what` does.
#[must_use]
pub fn nth(what: &str, number: i64) -> Html {
    view! { <span class="narrow">{format!("{what} ")}</span>{number.to_string()} }.html()
}

/// Muted text in a cell.
#[must_use]
pub fn muted(text: impl Into<String>) -> Html {
    view! { <span class="muted">{text.into()}</span> }.html()
}

/// A link in a cell.
#[must_use]
pub fn link(address: impl Into<String>, name: impl Into<String>) -> Html {
    view! { <a href=address.into()>{name.into()}</a> }.html()
}

/// Inline code.
#[must_use]
pub fn code(text: impl Into<String>) -> Html {
    view! { <code>{text.into()}</code> }.html()
}

/// A code block with a copy button.
#[must_use]
pub fn copied(name: &str, text: impl Into<String>) -> Html {
    view! {
        <div class="copied" data-copy="">
            <pre tabindex="0" role="group" aria-label=name.to_owned()>{text.into()}</pre>
        </div>
    }
    .html()
}

/// A secret that is shown only once.
#[must_use]
pub fn secret(name: &str, told: &str, value: &str) -> Html {
    view! {
        <div class="secret" role="status">
            <p><strong>{name.to_owned()}</strong>" "{told.to_owned()}</p>
            {copied(name, value)}
        </div>
    }
    .html()
}

/// A warning.
#[must_use]
pub fn warning(text: impl Into<String>) -> Html {
    view! { <p class="warning">{text.into()}</p> }.html()
}

/// An error, announced at once.
#[must_use]
pub fn refused(told: &str) -> Html {
    view! { <p class="refused" role="alert" tabindex="-1">{told.to_owned()}</p> }.html()
}

/// A list of names and values.
#[must_use]
pub fn facts(facts: Vec<(&str, Html)>) -> Html {
    let rows =
        facts.into_iter().map(|(name, value)| view! { <div><dt>{name.to_owned()}</dt><dd>{value}</dd></div> }).collect_view();
    view! { <dl class="facts">{rows}</dl> }.html()
}

/// A time in machine-readable form, which scripts convert to the member's time zone.
#[must_use]
pub fn time(iso: &str) -> Html {
    let shown = iso.get(..16).unwrap_or(iso).replace('T', " ");
    view! { <time datetime=iso.to_owned()>{format!("{shown} UTC")}</time> }.html()
}

/// The same for a time that may be missing.
#[must_use]
pub fn time_or(iso: Option<&str>, none: &str) -> Html {
    iso.map_or_else(|| muted(none), time)
}

/// Links to the previous and next page with the same search. `None` if there is only one page.
#[must_use]
pub fn pages(address: &str, search: &[(&str, &str)], page: i64, more: bool) -> Option<Html> {
    let at = |page: i64| with_query(address, search, &[("page", page.to_string().as_str())]);
    buttons(page, (page > 1).then(|| at(page - 1)), more.then(|| at(page + 1)))
}

/// The neighbours of a page of a list that is read from where its neighbours end.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    /// The page's number, from 1.
    pub page: i64,
    /// The cursor of its first row, if there are pages before.
    pub before: Option<String>,
    /// The cursor of its last row, if there are pages after.
    pub after: Option<String>,
}

/// Links to the previous and the next page, by the rows at their ends. The first page has the list's own address.
#[must_use]
pub fn turns(address: &str, search: &[(&str, &str)], turns: &Turns) -> Option<Html> {
    let at = |page: i64, name: &str, cursor: &String| {
        let number = page.to_string();
        let place = [("page", number.as_str()), (name, cursor.as_str())];
        with_query(address, search, if page > 1 { &place } else { &[] })
    };
    let before = turns.before.as_ref().map(|cursor| at(turns.page - 1, "before", cursor));
    let after = turns.after.as_ref().map(|cursor| at(turns.page + 1, "after", cursor));
    buttons(turns.page, before, after)
}

fn with_query(address: &str, search: &[(&str, &str)], more: &[(&str, &str)]) -> String {
    let query = search.iter().chain(more).map(|(name, value)| format!("{name}={}", utf8_percent_encode(value, VALUE)));
    let query = query.collect::<Vec<_>>().join("&");
    if query.is_empty() { address.to_owned() } else { format!("{address}?{query}") }
}

fn buttons(page: i64, before: Option<String>, after: Option<String>) -> Option<Html> {
    let is_alone = before.is_none() && after.is_none();
    let before = before.map(|address| view! { <a class="button" rel="prev" href=address>"Previous"</a> });
    let after = after.map(|address| view! { <a class="button" rel="next" href=address>"Next"</a> });
    (!is_alone).then(|| {
        view! { <nav class="pages" aria-label="Pages">{before}<span class="muted">{format!("Page {page}")}</span>{after}</nav> }
            .html()
    })
}

/// A number with its noun: `1 tenant`, `2 tenants`.
#[must_use]
pub fn counted(number: i64, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{} {one}s", numbers::whole(number)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_lead_to_their_neighbours_with_the_search() {
        let owner = Owner::new();
        let html = |page, more| {
            owner.with(|| pages("/log", &[("who", "a&b é")], page, more).map(|view| view.to_html()).unwrap_or_default())
        };
        let second = html(2, true);
        for link in ["/log?who=a%26b%20%C3%A9&amp;page=1", "/log?who=a%26b%20%C3%A9&amp;page=3"] {
            assert!(second.contains(link) || second.contains(&link.replace("&amp;", "&")), "{link}: {second}");
        }
        assert!(!html(1, true).contains("rel=\"prev\"") && !html(2, false).contains("rel=\"next\""));
        assert_eq!(html(1, false), "");
        owner.cleanup();
    }

    #[test]
    fn one_thing_is_not_several() {
        assert_eq!((counted(1, "tenant"), counted(0, "tenant")), ("1 tenant".to_owned(), "0 tenants".to_owned()));
    }
}
