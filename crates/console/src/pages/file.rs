//! The project file: export, import, and what an import would change.

use crate::ui::{
    draft::Draft,
    form::{Control, Field, Form},
    html::{Html, IntoHtml},
    parts,
};
use leptos::prelude::*;

/// What happens to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is created.
    Made,
    /// Some fields change.
    Changed,
    /// It is deleted.
    Removed,
    /// The file does not list it, but it stays.
    Stays,
}

/// A changed field.
#[derive(Clone, Debug)]
pub struct FieldRow {
    /// Its name.
    pub field: String,
    /// The current value. `None` if there is none.
    pub old: Option<String>,
    /// The new value. `None` if it would be removed.
    pub new: Option<String>,
}

/// A change of one object.
#[derive(Clone, Debug)]
pub struct ChangeRow {
    /// Its kind, such as `role`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// What happens to it.
    pub outcome: Outcome,
    /// Its changed fields.
    pub fields: Vec<FieldRow>,
}

/// Objects that would fail after the file is applied.
#[derive(Clone, Debug)]
pub struct LossRow {
    /// What happens, and to what.
    pub lost: String,
    /// The objects that use it.
    pub uses: Vec<String>,
}

/// What applying a file would do.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The changes.
    pub changes: Vec<ChangeRow>,
    /// Warnings about the connections.
    pub warnings: Vec<String>,
    /// Objects that would fail.
    pub losses: Vec<LossRow>,
    /// A token that states which losses the member has seen, sent when the file is applied.
    pub despite: String,
}

/// The page.
#[derive(Clone, Debug)]
pub struct FilePage {
    /// The project.
    pub project: String,
    /// The project as a file.
    pub yaml: String,
    /// The effect of the typed file. `None` if nothing was compared.
    pub compared: Option<Comparison>,
    /// What the draft of the semantic model in the text guessed and left out. `None` for other texts.
    pub notes: Option<Vec<String>>,
    /// The most bytes of a request.
    pub most: usize,
    /// The error for a larger file.
    pub too_large: String,
    /// Whether the member may apply a file.
    pub may_change: bool,
}

/// Draws it.
#[must_use]
pub fn show(page: &FilePage, draft: &Draft) -> Html {
    let own = format!("/console/projects/{}/file", page.project);
    let download = view! { <a class="button" href=format!("{own}/download")>"Download"</a> };
    let told = "This project as a project file. Addresses that may contain passwords are ${VARIABLES}.";
    let import = page.may_change.then(|| {
        let compared = page.compared.as_ref().map(comparison);
        let upload = Field::new("upload", "File", Control::File(".yaml,.yml,application/yaml,text/yaml"))
            .optional()
            .hint("Replaces the text below.");
        let field = Field::new("file", "Project file", Control::Code(16))
            .optional()
            .hint("YAML, as for inlay apply. ${NAME_URL} keeps the connection's current address.");
        let fields = view! {
            {page.notes.as_deref().map(notes)}
            {upload.draw(draft)}
            {field.draw(draft)}
            {compared}
            <div><button class="button" name="compare" value="on">"Compare"</button></div>
        };
        let told = "Objects in the file are created or changed by name. Tables, dashboards and their charts that a file created and no longer lists are deleted. Compare shows the changes without applying them.";
        parts::part("Import", told, Form::new(own.clone(), "Apply").with_files(page.most, &page.too_large).draw(draft, fields))
    });
    view! {
        {parts::head("Project file", None, download)}
        {parts::part("Export", told, parts::copied("Project file", page.yaml.clone()))}
        {import}
    }
    .html()
}

/// The notes of a draft. Nothing is collapsed, because each guess is to be checked.
fn notes(notes: &[String]) -> Html {
    let list = notes.iter().map(|note| view! { <li>{note.clone()}</li> }).collect_view();
    let list = (!notes.is_empty()).then(|| view! { <ul class="notes">{list}</ul> });
    let told = "The text below contains a draft of the semantic model. Nothing is applied yet. Check what was guessed or left out, edit the text, then apply it.";
    view! { <section aria-label="Notes of the draft"><p class="warning">{told}</p>{list}</section> }.html()
}

fn comparison(found: &Comparison) -> Html {
    let warnings = found.warnings.iter().map(|told| parts::warning(told.clone())).collect_view();
    let rows = found.changes.iter().map(change).collect_view();
    let list = (!found.changes.is_empty()).then(|| view! { <ul class="changes">{rows}</ul> });
    view! {
        <section class="comparison" role="group" aria-label="Changes by this file" data-result="">
            <h3>{summary(&found.changes)}</h3>
            {losses(found)}
            {list}
            {warnings}
        </section>
    }
    .html()
}

/// The objects that would fail, one by one, so that the member sees them before applying.
fn losses(found: &Comparison) -> Option<Html> {
    if found.losses.is_empty() {
        return None;
    }
    // Nothing is collapsed, so that the member sees everything.
    let row = |loss: &LossRow| {
        let uses = loss.uses.iter().map(|one| view! { <li>{one.clone()}</li> }).collect_view();
        view! { <li>{loss.lost.clone()}<ul>{uses}</ul></li> }
    };
    let rows = found.losses.iter().map(row).collect_view();
    Some(
        view! {
            <input type="hidden" name="despiteUses" value=found.despite.clone() />
            {parts::warning("The objects below fail once this file is applied. Press Apply to apply it anyway.")}
            <ul class="losses">{rows}</ul>
        }
        .html(),
    )
}

/// The summary of the changes.
fn summary(changes: &[ChangeRow]) -> String {
    let count = |outcome| changes.iter().filter(|change| change.outcome == outcome).count();
    let counts = [(Outcome::Made, "create"), (Outcome::Changed, "change"), (Outcome::Removed, "remove")];
    let told: Vec<_> = counts
        .into_iter()
        .map(|(outcome, verb)| (count(outcome), verb))
        .filter(|(count, _)| *count > 0)
        .enumerate()
        .map(|(number, (count, verb))| match (number, count) {
            (0, 1) => format!("{verb} 1 object"),
            (0, _) => format!("{verb} {count} objects"),
            _ => format!("{verb} {count}"),
        })
        .collect();
    match told.as_slice() {
        [] => "Applying this file would change nothing.".to_owned(),
        [one] => format!("Applying this file would {one}."),
        [rest @ .., last] => format!("Applying this file would {} and {last}.", rest.join(", ")),
    }
}

fn change(change: &ChangeRow) -> Html {
    let (class, word) = match change.outcome {
        Outcome::Made => ("good", "Created"),
        Outcome::Changed => ("warn", "Changed"),
        Outcome::Removed => ("bad", "Removed"),
        Outcome::Stays => ("", "Stays, although the file does not name it"),
    };
    let fields = (!change.fields.is_empty()).then(|| {
        let rows = change.fields.iter().map(field).collect_view();
        view! { <dl class="fields">{rows}</dl> }
    });
    view! {
        <li>
            {parts::badge(class, word)}" "{change.kind.clone()}" "<strong>{change.name.clone()}</strong>
            {fields}
        </li>
    }
    .html()
}

fn field(field: &FieldRow) -> Html {
    let old = field.old.clone().map(|text| view! { <del><span class="unseen">"was "</span>{text}</del> });
    let new = field.new.clone().map(|text| view! { <ins><span class="unseen">"becomes "</span>{text}</ins> });
    let arrow = (old.is_some() && new.is_some()).then_some(" → ");
    view! { <div><dt>{field.field.clone()}</dt><dd>{old}{arrow}{new}</dd></div> }.html()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(outcome: Outcome) -> ChangeRow {
        ChangeRow { kind: "role".to_owned(), name: "Viewer".to_owned(), outcome, fields: Vec::new() }
    }

    #[test]
    fn what_would_be_done_is_one_sentence() {
        assert_eq!(summary(&[row(Outcome::Stays)]), "Applying this file would change nothing.");
        assert_eq!(summary(&[row(Outcome::Removed)]), "Applying this file would remove 1 object.");
        let all = [row(Outcome::Made), row(Outcome::Made), row(Outcome::Changed), row(Outcome::Removed)];
        assert_eq!(summary(&all), "Applying this file would create 2 objects, change 1 and remove 1.");
    }
}
