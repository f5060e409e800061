//! Key checks: the choice with the last result, and the notices of keys that are not unique.

use crate::ui::{
    form::Form,
    html::{Html, IntoHtml},
    numbers, parts,
};
use leptos::prelude::*;

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Each key is unique.
    Passed,
    /// A key is not unique.
    Repeated,
    /// Some keys could not be counted.
    Incomplete,
}

/// The last check.
#[derive(Clone, Debug)]
pub struct LastCheck {
    /// When it ended.
    pub at: String,
    /// How it ended.
    pub ended: Ended,
    /// The number of keys that it counted.
    pub counted: i64,
    /// The number of keys and connections that could not be counted.
    pub gaps: i64,
    /// The first of them, with the reason.
    pub missing: Vec<(String, String)>,
}

/// The choice and the last check.
#[derive(Clone, Debug)]
pub struct Keys {
    /// The address that takes the choice.
    pub address: String,
    /// Whether checks are allowed.
    pub allowed: bool,
    /// The hour (UTC) at which they begin.
    pub hour: u8,
    /// The last check.
    pub last: Option<LastCheck>,
    /// When a check last counted every key.
    pub complete_at: Option<String>,
    /// Whether the member may allow and start them.
    pub may_change: bool,
}

/// What a key that is not unique is to the table that shows it.
#[derive(Clone, Debug)]
pub enum Place {
    /// Its own key, with the columns of other tables that refer to it: `orders.customer_id`.
    Own(Vec<String>),
    /// A column of another table that is not its declared key, with the column of this table that refers to it.
    Other {
        /// The column of this table.
        column: String,
        /// The other table.
        table: String,
    },
}

/// A key that is not unique.
#[derive(Clone, Debug)]
pub struct KeyNotice {
    /// Its columns.
    pub key: String,
    /// The number of its values that several rows share.
    pub values: i64,
    /// When they were counted.
    pub counted_at: String,
    /// Where it stands.
    pub place: Place,
}

const PURPOSE: &str = "Each night, a count in the databases finds keys that several rows share. Joins to such a key count rows several times. \
    The rows of all customers are counted together.";

/// The part with the choice and the last check.
pub(super) fn draw(keys: &Keys) -> Html {
    let state = if keys.allowed {
        parts::text(format!("Allowed, each night at {:02}:00 UTC", keys.hour))
    } else {
        parts::muted("Not allowed")
    };
    let actions = keys.may_change.then(|| {
        if !keys.allowed {
            return Form::new(keys.address.clone(), "Allow checks").button(&[("allowed", "on")]);
        }
        let told = view! { <p>"Checks stop, and the page no longer shows which keys are not unique."</p> };
        let forbid = Form::new(keys.address.clone(), "Forbid checks").hiding("allowed", "off");
        let check = Form::new(format!("{}/check", keys.address), "Check now").quiet().button(&[]);
        view! { <div class="actions">{check}{forbid.asking("keys", "Forbid key checks?", told)}</div> }.html()
    });
    let mut facts = vec![("State", state)];
    if keys.allowed {
        facts.push(("Last result", keys.last.as_ref().map_or_else(|| parts::muted("None yet"), result)));
        facts.push(("Every key last counted", parts::time_or(keys.complete_at.as_deref(), "Never")));
    }
    let missing: Vec<Vec<Html>> = keys.last.iter().filter(|_| keys.allowed).flat_map(|last| &last.missing).map(gap).collect();
    let missing = (!missing.is_empty()).then(|| parts::table("Keys that were not counted", &["Not counted", "Why"], missing));
    parts::part("Keys", PURPOSE, view! { {parts::facts(facts)}{missing}{actions} })
}

fn gap((place, why): &(String, String)) -> Vec<Html> {
    let place = if place.is_empty() { parts::muted("All keys") } else { parts::code(place.clone()) };
    vec![place, parts::text(why.clone())]
}

fn result(last: &LastCheck) -> Html {
    let word = match last.ended {
        Ended::Passed => parts::badge("good", "Unique"),
        Ended::Repeated => parts::badge("bad", "Not unique"),
        Ended::Incomplete => parts::badge("warn", "Incomplete"),
    };
    let counted = format!(" {} counted", parts::counted(last.counted, "key"));
    let gaps = (last.gaps > 0).then(|| format!(", {} not counted", numbers::whole(last.gaps)));
    view! { {word}{counted}{gaps}", "{parts::time(&last.at)} }.html()
}

/// A key that is not unique: how many values, when they were counted, which numbers are wrong, and what to do.
pub(super) fn notice(notice: &KeyNotice) -> Html {
    let values = match notice.values {
        1 => "1 value is on several rows".to_owned(),
        values => format!("{} values are each on several rows", numbers::whole(values)),
    };
    let (begins, effect) = match &notice.place {
        Place::Own(referring) => ("The key ".to_owned(), of_own(referring)),
        Place::Other { column, table } => (format!("{column} refers to {table}."), OTHER.to_owned()),
    };
    view! {
        <p class="warning">
            {begins}{parts::code(notice.key.clone())}{format!(" is not unique: {values} (counted ")}
            {parts::time(&notice.counted_at)}{format!("). {effect}")}
        </p>
    }
    .html()
}

const OTHER: &str = "The semantic model does not join along this reference. SQL that does counts rows several times.";

fn of_own(referring: &[String]) -> String {
    const MEND: &str = "Remove the repeated rows, or change the key of this table.";
    if referring.is_empty() {
        return format!("No table refers to it, so no number counts rows several times. {MEND}");
    }
    let (referring, refer) = (referring.join(", "), if referring.len() == 1 { "refers" } else { "refer" });
    format!(
        "{referring} {refer} to it: a number that is grouped or filtered along this reference counts a row once for each row that has \
        its key. {MEND}"
    )
}
