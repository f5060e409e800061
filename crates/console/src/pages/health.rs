//! Health of a project: what needs attention, the worst first, and what was found fine.

use crate::ui::{
    html::{Html, IntoHtml},
    parts,
};
use leptos::prelude::*;

/// A time with what happened then: `Last failed`.
pub type Moment = (&'static str, String);

/// Something that needs attention.
#[derive(Clone, Debug)]
pub struct Problem {
    /// What is wrong, in a sentence.
    pub text: String,
    /// Since when, or when it was seen.
    pub moment: Option<Moment>,
    /// Where it is mended.
    pub address: String,
    /// The name of the link there.
    pub action: &'static str,
    /// Where more about it is shown: the address, and the name of the link.
    pub also: Option<(String, &'static str)>,
}

/// Something that was found fine.
#[derive(Clone, Debug)]
pub struct Checked {
    /// What was found.
    pub text: String,
    /// When it was checked, unless that was now.
    pub moment: Option<Moment>,
}

/// The page.
#[derive(Clone, Debug)]
pub struct HealthPage {
    /// Its own address.
    pub own: String,
    /// What is broken.
    pub broken: Vec<Problem>,
    /// What may be meant so, or becomes a problem.
    pub warnings: Vec<Problem>,
    /// What is worth knowing.
    pub notes: Vec<Problem>,
    /// What was found fine.
    pub checked: Vec<Checked>,
    /// When it was looked.
    pub looked_at: String,
}

/// Draws the page.
#[must_use]
pub fn draw(page: &HealthPage) -> Html {
    let again = view! { <a class="button" href=page.own.clone()>"Check again"</a> };
    let notes = (!page.notes.is_empty()).then(|| {
        let all = page.notes.iter().map(|note| row(note, None)).collect_view();
        parts::part("Notes", "No problems, but worth knowing.", view! { <ul class="findings">{all}</ul> })
    });
    let checked = (!page.checked.is_empty()).then(|| {
        let one = |one: &Checked| view! { <li>{one.text.clone()}{one.moment.as_ref().map(moment)}</li> };
        let all = page.checked.iter().map(one).collect_view();
        parts::part("Checked", "Looked at and found fine.", view! { <ul class="checked">{all}</ul> })
    });
    view! {
        {parts::head("Health", None, again)}
        {problems(page)}
        {notes}
        {checked}
    }
    .html()
}

fn problems(page: &HealthPage) -> Html {
    let time = parts::time(&page.looked_at);
    if page.broken.is_empty() && page.warnings.is_empty() {
        return view! { <div class="empty"><p>"Nothing needs attention. Checked "{time}"."</p></div> }.html();
    }
    let broken = page.broken.iter().map(|one| row(one, Some(("bad", "Broken"))));
    let warnings = page.warnings.iter().map(|one| row(one, Some(("warn", "Warning"))));
    view! {
        <p class="muted">{counted(page.broken.len(), page.warnings.len())}". Checked "{time}"."</p>
        <ul class="findings" aria-label="Needs attention">{broken.chain(warnings).collect_view()}</ul>
    }
    .html()
}

/// How many problems there are: `2 broken, 1 warning`.
fn counted(broken: usize, warnings: usize) -> String {
    let warned = parts::counted(i64::try_from(warnings).unwrap_or(i64::MAX), "warning");
    match (broken, warnings) {
        (0, _) => warned,
        (_, 0) => format!("{broken} broken"),
        _ => format!("{broken} broken, {warned}"),
    }
}

fn row(problem: &Problem, badge: Option<(&'static str, &'static str)>) -> Html {
    let badge = badge.map(|(kind, word)| parts::badge(kind, word));
    let also = problem.also.clone().map(|(address, action)| view! { <a href=address>{action}</a> });
    view! {
        <li>
            {badge}
            <p>{problem.text.clone()}{problem.moment.as_ref().map(moment)}</p>
            <span class="ways">
                <a href=problem.address.clone()>{problem.action}</a>
                {also}
            </span>
        </li>
    }
    .html()
}

fn moment((what, at): &Moment) -> Html {
    view! { " "<small class="muted">{format!("{what} ")}{parts::time(at)}</small> }.html()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> Problem {
        Problem { text: text.to_owned(), moment: None, address: "/there".to_owned(), action: "Open the connection", also: None }
    }

    fn html(broken: Vec<Problem>, warnings: Vec<Problem>) -> String {
        let owner = Owner::new();
        let checked = vec![Checked { text: "3 connections respond".to_owned(), moment: None }];
        let notes = vec![problem("Every user sees all rows of table rates of shop.")];
        let looked_at = "2026-03-01T07:30:00.000Z".to_owned();
        let page = HealthPage { own: "/health".to_owned(), broken, warnings, notes, checked, looked_at };
        let html = owner.with(|| draw(&page).to_html());
        owner.cleanup();
        html
    }

    #[test]
    fn what_is_broken_comes_first_with_the_way_to_mend_it() {
        let html = html(vec![problem("Connection shop is away.")], vec![problem("Table notes is closed.")]);
        let order = [
            "1 broken, 1 warning",
            ">Broken<",
            "Connection shop is away.",
            "Open the connection",
            ">Warning<",
            "Notes",
            ">Checked<",
        ];
        let places: Vec<_> = order.iter().map(|part| html.find(part).unwrap_or_else(|| panic!("{part}: {html}"))).collect();
        assert!(places.is_sorted(), "{places:?}: {html}");
        assert!(html.contains("href=\"/there\"") && !html.contains("Nothing needs attention"), "{html}");
    }

    #[test]
    fn a_moment_says_what_happened_then() {
        let moment = Some(("Failing since", "2026-03-01T12:04:00.000Z".to_owned()));
        let html = html(vec![Problem { moment, ..problem("Connection shop does not work.") }], Vec::new());
        assert!(html.contains("Failing since <time datetime=\"2026-03-01T12:04:00.000Z\">"), "{html}");
    }

    #[test]
    fn a_second_place_follows_the_first() {
        let also = Some(("/more".to_owned(), "Open its dashboard"));
        let html = html(vec![Problem { also, ..problem("Report Weekly failed at its last run.") }], Vec::new());
        let places = ["href=\"/there\"", "href=\"/more\">Open its dashboard"].map(|part| html.find(part).expect(part));
        assert!(places.is_sorted(), "{html}");
    }

    #[test]
    fn without_problems_one_sentence_says_so_and_when() {
        let html = html(Vec::new(), Vec::new());
        assert!(html.contains("Nothing needs attention.") && html.contains("2026-03-01 07:30 UTC"), "{html}");
        assert!(!html.contains(">Broken<") && html.contains("3 connections respond"), "{html}");
    }

    #[test]
    fn problems_are_counted() {
        assert_eq!([counted(1, 0), counted(0, 1), counted(2, 3)], ["1 broken", "1 warning", "2 broken, 3 warnings"]);
    }
}
