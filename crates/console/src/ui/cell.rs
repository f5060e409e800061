//! Controls in table cells. The column's heading is their visible label, so each has its own accessible name.

use super::{
    draft::Draft,
    html::{Html, IntoHtml},
};
use leptos::prelude::*;

/// A control in a cell.
#[derive(Clone, Debug)]
pub struct Cell {
    name: String,
    label: String,
    kind: &'static str,
    list: Option<&'static str>,
    example: Option<&'static str>,
    whole: Option<String>,
}

impl Cell {
    /// One line of text. `label` is its accessible name.
    #[must_use]
    pub fn text(name: impl Into<String>, label: impl Into<String>) -> Self {
        Self { name: name.into(), label: label.into(), kind: "text", list: None, example: None, whole: None }
    }

    /// A whole number, 0 or more.
    #[must_use]
    pub fn number(name: impl Into<String>, label: impl Into<String>) -> Self {
        Self { kind: "number", ..Self::text(name, label) }
    }

    /// Suggests values: the id of a `datalist`.
    #[must_use]
    pub const fn of(mut self, list: &'static str) -> Self {
        self.list = Some(list);
        self
    }

    /// A placeholder.
    #[must_use]
    pub const fn like(mut self, example: &'static str) -> Self {
        self.example = Some(example);
        self
    }

    /// Shares its error, which [`problem`] shows once under this name.
    #[must_use]
    pub fn part_of(mut self, name: &str) -> Self {
        self.whole = Some(name.to_owned());
        self
    }

    /// Draws it with its value and error from a draft.
    #[must_use]
    pub fn draw(self, draft: &Draft) -> Html {
        let whole = self.whole.filter(|whole| draft.problem(whole).is_some());
        let invalid = (whole.is_some() || draft.problem(&self.name).is_some()).then_some("true");
        let told = told_at(whole.as_ref().unwrap_or(&self.name));
        let least = (self.kind == "number").then_some("0");
        let below = whole.is_none().then(|| problem(&self.name, draft));
        let value = draft.value(&self.name).to_owned();
        view! {
            <input type=self.kind min=least name=self.name value=value aria-label=self.label list=self.list
                placeholder=self.example autocomplete="off" aria-describedby=told aria-invalid=invalid />
            {below}
        }
        .html()
    }
}

/// The id of the element with a field's error.
#[must_use]
pub fn told_at(name: &str) -> String {
    format!("told-{}", name.replace(|letter: char| !letter.is_alphanumeric(), "-"))
}

/// The error of a field, or of several fields that are [`Cell::part_of`] one name.
#[must_use]
pub fn problem(name: &str, draft: &Draft) -> Html {
    view! { <span class="problem" id=told_at(name) data-problem="">{draft.problem(name).map(str::to_owned)}</span> }.html()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(cell: Cell, draft: &Draft) -> String {
        let owner = Owner::new();
        let html = owner.with(|| cell.draw(draft).to_html());
        owner.cleanup();
        html
    }

    #[test]
    fn a_wrong_cell_is_described_by_its_own_problem() {
        let mut draft = Draft::of([("filter.0.key", "region 1")]);
        draft.refuse("filter.0.key", "must be letters");
        let html = drawn(Cell::text("filter.0.key", "Key of filter 1"), &draft);
        for part in [
            r#"value="region 1""#,
            r#"aria-invalid="true""#,
            r#"aria-describedby="told-filter-0-key""#,
            r#"id="told-filter-0-key""#,
            "must be letters",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        assert!(!drawn(Cell::text("filter.1.key", "Key of filter 2"), &draft).contains("aria-invalid"));
    }

    #[test]
    fn parts_of_one_thing_share_its_problem() {
        let mut draft = Draft::default();
        let cell = || Cell::number("place.7.x", "Left edge").part_of("place.7");
        assert!(drawn(cell(), &draft).contains(r#"aria-describedby="told-place-7-x""#));
        draft.refuse("place.7", "does not fit");
        let html = drawn(cell(), &draft);
        assert!(html.contains(r#"aria-describedby="told-place-7""#) && html.contains(r#"aria-invalid="true""#), "{html}");
        assert!(!html.contains("does not fit"), "the tile tells it: {html}");
    }
}
