//! Fields that the forms of the model have in common. What was not edited stays exactly as it was, also where a form could not
//! have said it: names with commas, white space at the end of a description.

use crate::{
    concepts::catalog::terms::words,
    faces::console::submission::Typed,
    ground::{error::Error, problems::Problems},
};
use inlay_console::Draft;
use inlay_contract::format::{NumberFormat, NumberStyle};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// The most decimals of a format.
const MOST_DECIMALS: u8 = 20;

/// A text; `None` when it is empty.
pub(super) fn text(typed: &Typed, name: &str, old: Option<&String>) -> Option<String> {
    match old {
        Some(old) if old.trim() == typed.get(name) => Some(old.clone()),
        _ => typed.given(name).map(str::to_owned),
    }
}

/// Names separated by commas.
pub(super) fn names(typed: &Typed, name: &str, old: &[String]) -> Vec<String> {
    if typed.get(name) == old.join(", ").trim() { old.to_vec() } else { words(typed.get(name)) }
}

/// A choice by the name that the project file has for it.
pub(super) fn chosen<T: DeserializeOwned>(typed: &Typed, name: &str, problems: &mut Problems) -> Option<T> {
    let chosen = serde_json::from_value(Value::String(typed.get(name).to_owned()));
    chosen.map_err(|_| problems.add(name, "is not one of the choices")).ok()
}

/// The name of a choice in the project file.
pub(super) fn name_of(chosen: &impl Serialize) -> String {
    serde_json::to_value(chosen).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

/// The texts of a dimension, measure or metric.
#[derive(Clone, Copy, Default)]
pub(super) struct Texts<'a> {
    pub(super) label: Option<&'a String>,
    pub(super) description: Option<&'a String>,
    pub(super) synonyms: &'a [String],
}

/// What was typed for them.
pub(super) struct TypedTexts {
    pub(super) label: Option<String>,
    pub(super) description: Option<String>,
    pub(super) synonyms: Vec<String>,
}

impl Texts<'_> {
    /// Adds them to a draft, with a prefix before each field's name.
    pub(super) fn in_draft(self, draft: Draft, prefix: &str) -> Draft {
        let shown = |text: Option<&String>| text.cloned().unwrap_or_default();
        draft
            .with(&format!("{prefix}label"), shown(self.label))
            .with(&format!("{prefix}description"), shown(self.description))
            .with(&format!("{prefix}synonyms"), self.synonyms.join(", "))
    }

    /// Reads them from a form whose object had these before.
    pub(super) fn typed(self, typed: &Typed, prefix: &str) -> TypedTexts {
        TypedTexts {
            label: text(typed, &format!("{prefix}label"), self.label),
            description: text(typed, &format!("{prefix}description"), self.description),
            synonyms: names(typed, &format!("{prefix}synonyms"), self.synonyms),
        }
    }
}

/// Adds a format and the direction of a number to a draft.
pub(super) fn format_in_draft(draft: Draft, format: Option<&NumberFormat>, lower_is_better: bool) -> Draft {
    let draft = draft.with("lowerIsBetter", if lower_is_better { "on" } else { "" });
    let Some(format) = format else { return draft };
    draft
        .with("format.style", name_of(&format.style))
        .with("format.currency", format.currency.clone().unwrap_or_default())
        .with("format.decimals", format.decimals.map(|decimals| decimals.to_string()).unwrap_or_default())
        .with("format.unit", format.unit.clone().unwrap_or_default())
}

/// Reads a format. From where on numbers are shortened is no field of the form, and stays.
pub(super) fn format(typed: &Typed, old: Option<&NumberFormat>, problems: &mut Problems) -> Option<NumberFormat> {
    let style = match typed.given("format.style") {
        Some(_) => chosen::<NumberStyle>(typed, "format.style", problems),
        None => None,
    };
    let currency = text(typed, "format.currency", old.and_then(|old| old.currency.as_ref()));
    let is_code = |code: &String| code.len() == 3 && code.chars().all(|letter| letter.is_ascii_alphabetic());
    if currency.as_ref().is_some_and(|code| !is_code(code)) {
        problems.add("format.currency", "is not a currency code; write three letters, such as EUR");
    }
    let decimals = typed.given("format.decimals").and_then(|digits| {
        let read = digits.parse().ok().filter(|decimals| *decimals <= MOST_DECIMALS);
        if read.is_none() {
            problems.add("format.decimals", format!("must be a whole number from 0 to {MOST_DECIMALS}"));
        }
        read
    });
    let unit = text(typed, "format.unit", old.and_then(|old| old.unit.as_ref()));
    let compact_from = old.and_then(|old| old.compact_from);
    let is_set = style.is_some() || currency.is_some() || decimals.is_some() || unit.is_some() || compact_from.is_some();
    is_set.then(|| NumberFormat { style: style.unwrap_or_default(), currency, unit, decimals, compact_from })
}

/// An error with its fields by the names of a form.
pub(super) fn renamed(problem: Error, field: impl Fn(&str) -> String) -> Error {
    let details = problem.details.map(|details| details.into_iter().map(|(name, told)| (field(&name), told)).collect());
    Error { details: details.map(Box::new), ..problem }
}
