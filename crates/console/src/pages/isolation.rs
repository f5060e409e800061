//! Isolation checks of a project: the choice, the last result and those before.

use crate::ui::{
    form::Form,
    html::{Html, IntoHtml},
    numbers, parts,
};
use leptos::prelude::*;

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// No made-up customer saw a row.
    Passed,
    /// A made-up customer saw rows.
    Leaked,
    /// Something could not be asked.
    Incomplete,
}

/// A check in the list.
#[derive(Clone, Debug)]
pub struct CheckRow {
    /// Its id.
    pub id: String,
    /// When it ended.
    pub at: String,
    /// How it ended.
    pub ended: Ended,
    /// The number of leaks.
    pub leaks: i64,
    /// The number of questions that could not be asked.
    pub gaps: i64,
}

/// What was asked by one way: its name, and the numbers of answers that were judged, empty, compared, refused and visible to everybody.
#[derive(Clone, Debug)]
pub struct WayRow {
    /// Its name for people.
    pub name: String,
    /// The numbers.
    pub counts: [i64; 5],
}

/// A leak or a gap.
#[derive(Clone, Debug)]
pub struct FindingRow {
    /// Whether it is a leak.
    pub is_leak: bool,
    /// The way, for people.
    pub way: String,
    /// The chart, table or workspace.
    pub place: String,
    /// What was found.
    pub what: String,
}

/// The last check.
#[derive(Clone, Debug)]
pub struct LastCheck {
    /// The tables by what a stranger sees of them.
    pub tables: Vec<(&'static str, Vec<String>)>,
    /// What was asked.
    pub ways: Vec<WayRow>,
    /// The first leaks and gaps.
    pub findings: Vec<FindingRow>,
}

/// The page.
#[derive(Clone, Debug)]
pub struct Isolation {
    /// The project's address.
    pub project: String,
    /// The project's name.
    pub name: String,
    /// Whether checks are allowed.
    pub allowed: bool,
    /// The hour (UTC) at which they begin.
    pub hour: u8,
    /// When a check last passed.
    pub passed_at: Option<String>,
    /// The last check.
    pub last: Option<LastCheck>,
    /// The newest checks.
    pub checks: Vec<CheckRow>,
    /// Whether the member may allow and start them.
    pub may_change: bool,
}

const PURPOSE: &str = "Each night, two made-up customers ask for data by every way there is. Their properties match no row, so neither may see a row \
    of a table with a rule. Nothing of them is stored or counted.";

/// Draws the page.
#[must_use]
pub fn draw(page: &Isolation) -> Html {
    let own = format!("{}/isolation", page.project);
    let allow = |word: &str, value| Form::new(own.clone(), word).button(&[("allowed", value)]);
    let head = parts::head("Isolation checks", Some((page.project.clone(), page.name.as_str())), ());
    if !page.allowed && page.checks.is_empty() {
        let action = page.may_change.then(|| allow("Allow checks", "on"));
        return view! { {head}{parts::empty(PURPOSE, action)} }.html();
    }
    let state = if page.allowed {
        parts::text(format!("Allowed, each night at {:02}:00 UTC", page.hour))
    } else {
        parts::muted("Not allowed")
    };
    let actions = page.may_change.then(|| {
        if !page.allowed {
            return allow("Allow checks", "on");
        }
        let told = view! { <p>"Checks stop. Results so far stay."</p> };
        let forbid = Form::new(own.clone(), "Forbid checks").hiding("allowed", "off");
        let check = Form::new(format!("{own}/check"), "Check now").quiet().button(&[]);
        view! { <div class="actions">{check}{forbid.asking("isolation", "Forbid isolation checks?", told)}</div> }.html()
    });
    let facts = parts::facts(vec![
        ("State", state),
        ("Last result", page.checks.first().map_or_else(|| parts::muted("None yet"), |row| word(row.ended))),
        ("Last passed", parts::time_or(page.passed_at.as_deref(), "Never")),
    ]);
    let checks = if page.checks.is_empty() {
        parts::empty("No check has run yet. The first one runs tonight, or when you start it.", None)
    } else {
        list(&own, &page.checks)
    };
    view! {
        {head}
        {parts::part("Choice", PURPOSE, view! { {facts}{actions} })}
        {page.last.as_ref().map(last)}
        {parts::part("Results", "The signed report of a check verifies with the published keys.", checks)}
    }
    .html()
}

fn word(ended: Ended) -> Html {
    match ended {
        Ended::Passed => parts::badge("good", "Passed"),
        Ended::Leaked => parts::badge("bad", "Leak found"),
        Ended::Incomplete => parts::badge("warn", "Incomplete"),
    }
}

fn list(own: &str, checks: &[CheckRow]) -> Html {
    let row = |row: &CheckRow| {
        let report = parts::link(format!("{own}/{}/download", row.id), "Signed report");
        vec![parts::time(&row.at), word(row.ended), numbers::count(row.leaks), numbers::count(row.gaps), report]
    };
    let columns = ["When", "Result", "Leaks", "Not asked", "Report"];
    parts::figures("Results", &columns, &["Leaks", "Not asked"], checks.iter().map(row).collect())
}

/// The last check: what was found and what to do, what was asked, and the tables.
fn last(last: &LastCheck) -> Html {
    let columns = ["Way", "Asked", "Empty", "Compared", "Refused", "Visible to everybody"];
    let row = |way: &WayRow| std::iter::once(parts::text(way.name.clone())).chain(way.counts.map(numbers::count)).collect();
    let ways = parts::figures("Ways to data", &columns, &columns[1..], last.ways.iter().map(row).collect());
    let tables = last
        .tables
        .iter()
        .map(|(name, tables)| (*name, if tables.is_empty() { parts::muted("None") } else { parts::names(tables) }));
    view! {
        {(!last.findings.is_empty()).then(|| findings(&last.findings))}
        {parts::part("What was asked", "In the last check.", ways)}
        {parts::part("Tables", "By what a made-up customer sees of them.", parts::facts(tables.collect()))}
    }
    .html()
}

fn findings(all: &[FindingRow]) -> Html {
    let todo = if all.iter().any(|row| row.is_leak) {
        "Close the tables until the leak is understood, compare their rules, and test them as a real user. The operator's runbook has the steps."
    } else {
        "No leak was found, but the check proves nothing for these places. Check that the database answers at night and that the rules can be read."
    };
    let row = |row: &FindingRow| {
        let kind = if row.is_leak { parts::badge("bad", "Leak") } else { parts::badge("warn", "Not asked") };
        vec![kind, parts::text(row.way.clone()), parts::text(row.place.clone()), parts::text(row.what.clone())]
    };
    let table = parts::table("Findings", &["Kind", "Way", "Place", "What happened"], all.iter().map(row).collect());
    parts::part("Findings", todo, table)
}
