//! Evaluations of a workspace's versions: results and progress.

use crate::ui::{
    draft::Draft,
    form::{Control, Field, Form},
    html::{Html, IntoHtml},
    parts,
};
use leptos::prelude::*;

/// The state of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Came {
    /// Not started.
    Waiting,
    /// In progress.
    Running,
    /// Completed.
    Done,
    /// Failed, with the reason.
    Failed(String),
    /// Interrupted, with the reason.
    Interrupted(String),
    /// Cancelled.
    Cancelled,
}

/// An evaluation in the list.
#[derive(Clone, Debug)]
pub struct EvaluationRow {
    /// Its id.
    pub id: String,
    /// The version.
    pub version: i64,
    /// Its state.
    pub came: Came,
    /// The model. Empty for the built-in analyst.
    pub answered_by: String,
    /// How many questions have been answered.
    pub asked: i64,
    /// How many answers were right.
    pub right: i64,
    /// How many questions there are.
    pub of: i64,
    /// By how many percentage points it differs from the complete one before.
    pub change: Option<i64>,
    /// The wrong answers: question and reason.
    pub misses: Vec<(String, String)>,
    /// The member who started it. `None` if they are no longer a member.
    pub wanted_by: Option<String>,
    /// The user that it runs as. `None` if the user was deleted.
    pub user: Option<String>,
    /// When it was started.
    pub at: String,
}

impl EvaluationRow {
    const fn is_under_way(&self) -> bool {
        matches!(self.came, Came::Waiting | Came::Running)
    }
}

/// The evaluations of a workspace, newest first.
#[derive(Clone, Debug)]
pub struct Evaluations {
    /// The workspace's path.
    pub own: String,
    /// The evaluations.
    pub rows: Vec<EvaluationRow>,
    /// Whether the member may start and cancel evaluations.
    pub may_change: bool,
}

/// The section of a workspace's page, with the form that starts an evaluation.
#[must_use]
pub fn part(all: &Evaluations, versions: Vec<i64>, users: Vec<(String, String)>, draft: &Draft) -> Html {
    let form = (all.may_change && !users.is_empty()).then(|| {
        let numbers = versions.into_iter().map(|number| (number.to_string(), format!("Version {number}"))).collect();
        let fields = view! {
            <div class="pair">
                {Field::new("number", "Version", Control::Choice(numbers)).draw(draft)}
                {Field::new("user", "Asked as", Control::Choice(users)).draw(draft)}
            </div>
        };
        Form::new(format!("{}/evaluate", all.own), "Evaluate").quiet().draw(draft, fields)
    });
    let told = "Asks a version's examples in the background and compares the rows of each answer with those of its SQL. Evaluate a draft here before you put it into production. A model's tokens count toward the organization's daily budget.";
    let empty = (all.rows.is_empty() && form.is_none())
        .then(|| parts::empty("No evaluation yet. An evaluation needs a user whose rows it can query.", None));
    let list = view! { <div class="followed" data-follow=format!("{}?only=evaluations", all.own)>{list(all)}</div> };
    parts::part("Evaluation", told, view! { {empty}{form}{list} })
}

/// The list. The page's script refreshes it while an evaluation is in progress.
#[must_use]
pub fn list(all: &Evaluations) -> Html {
    if all.rows.is_empty() {
        return ().html();
    }
    let by = |row: &EvaluationRow| {
        let somebody = row.wanted_by.clone().unwrap_or_else(|| "a former member".to_owned());
        let user = row.user.clone().unwrap_or_else(|| "a user who is gone".to_owned());
        view! { {somebody}<br /><span class="muted">{format!("as {user}")}</span> }.html()
    };
    let answerer = |row: &EvaluationRow| match (&row.came, row.answered_by.as_str()) {
        // The model is not known until the first answer.
        (Came::Waiting, _) | (Came::Cancelled | Came::Failed(_) | Came::Interrupted(_), "") if row.asked == 0 => {
            parts::muted("—")
        }
        (_, "") => parts::text("The built-in analyst"),
        (_, model) => parts::text(model),
    };
    let row = |row: &EvaluationRow| {
        let cells = [parts::time(&row.at), parts::text(row.version.to_string()), by(row), answerer(row), result(row)];
        let cancel = (row.is_under_way() && all.may_change).then(|| {
            let name = format!("Cancel the evaluation of version {}", row.version);
            let form = Form::new(format!("{}/evaluations/{}/cancel", all.own, row.id), "Cancel").quiet().button(&[]);
            view! { <div role="group" aria-label=name>{form}</div> }
        });
        cells.into_iter().chain(all.may_change.then(|| cancel.html())).collect()
    };
    let columns = ["When", "Version", "Started by", "Answered by", "Result", ""];
    let columns = if all.may_change { &columns[..] } else { &columns[..5] };
    let under_way = all.rows.iter().any(EvaluationRow::is_under_way).then(|| {
        view! { <p class="muted" data-under-way=""><noscript>"Reload the page to see its progress."</noscript></p> }
    });
    view! { {parts::figures("Evaluations", columns, &["Version"], all.rows.iter().map(row).collect())}{under_way} }.html()
}

fn result(row: &EvaluationRow) -> Html {
    let so_far = format!("{} of {} answered, {} right", row.asked, row.of, row.right);
    let word = match &row.came {
        Came::Waiting => parts::badge("", "Waiting"),
        Came::Running => {
            let name = format!("Answered questions of version {}", row.version);
            view! { <progress max=row.of.to_string() value=row.asked.to_string() aria-label=name></progress>" "{so_far} }.html()
        }
        Came::Done => {
            let kind = if row.right == row.of { "good" } else { "warn" };
            view! { {parts::badge(kind, &format!("{} of {} right", row.right, row.of))}{row.change.map(changed)} }.html()
        }
        Came::Failed(why) => ended("bad", "Failed", so_far, why),
        Came::Interrupted(why) => ended("warn", "Interrupted", so_far, why),
        Came::Cancelled => ended("", "Cancelled", so_far, ""),
    };
    let misses = row.misses.iter().map(|(question, why)| {
        view! { <li><strong>{question.clone()}</strong><br /><span class="muted">{why.clone()}</span></li> }
    });
    let misses = (!row.misses.is_empty()).then(|| {
        let told = format!("{} wrong", row.misses.len());
        view! {
            <details class="more" data-key=row.id.clone()><summary>{told}</summary><ul class="plain">{misses.collect_view()}</ul></details>
        }
    });
    view! { {word}{misses} }.html()
}

/// The difference to the evaluation before.
fn changed(points: i64) -> Html {
    let told = match points {
        0 => "as before".to_owned(),
        1.. => format!("{} more", parts::counted(points, "point")),
        _ => format!("{} fewer", parts::counted(-points, "point")),
    };
    view! { " "{parts::muted(told)} }.html()
}

/// The result of an incomplete evaluation.
fn ended(kind: &'static str, word: &str, so_far: String, why: &str) -> Html {
    let why = (!why.is_empty()).then(|| view! { <br />{why.to_owned()} });
    view! { {parts::badge(kind, word)}" "<span class="muted">{so_far}</span>{why} }.html()
}
