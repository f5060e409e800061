//! The project file: export, import, and what an import would change.

use crate::ui::{
    draft::Draft,
    form::{Control, Field, Form},
    parts,
};
use leptos::prelude::*;

/// A line of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// It stays.
    Same(String),
    /// It goes.
    Gone(String),
    /// It comes.
    New(String),
}

/// The page.
#[derive(Clone, Debug)]
pub struct FilePage {
    /// The project.
    pub project: String,
    /// The project as a file.
    pub yaml: String,
    /// What the file that was typed would change; none when nothing was compared.
    pub compared: Option<Vec<Line>>,
    /// Whether the reader may apply one.
    pub may_change: bool,
}

/// Draws it.
#[must_use]
pub fn show(page: &FilePage, draft: &Draft) -> AnyView {
    let own = format!("/console/projects/{}/file", page.project);
    let download = view! { <a class="button" href=format!("{own}/download")>"Download"</a> };
    let told = "Everything that a project file can say of this project. Addresses that may hold passwords are ${VARIABLES}.";
    let import = page.may_change.then(|| {
        let compared = page.compared.as_ref().map(|lines| comparison(lines));
        let field = Field::new("file", "Project file", Control::Code(16))
            .hint("YAML, as inlay apply takes it. ${NAME_URL} keeps the address that the connection has.");
        let fields = view! {
            {field.draw(draft)}
            <button class="button" name="compare" value="on">"Compare"</button>
            {compared}
        };
        let told = "Applied by name: what the file names is made or changed; tables, dashboards and charts on them that it once made and no longer names go.";
        parts::part("Import", told, Form::new(own.clone(), "Apply").draw(draft, fields))
    });
    view! {
        {parts::head("Project file", None, download)}
        {parts::part("Export", told, parts::copied("Project file", page.yaml.clone()))}
        {import}
    }
    .into_any()
}

fn comparison(lines: &[Line]) -> AnyView {
    let changed = lines.iter().filter(|line| !matches!(line, Line::Same(_))).count();
    if changed == 0 {
        return view! { <p class="notice" role="status">"Applying this file would change nothing."</p> }.into_any();
    }
    let rows = lines.iter().map(|line| match line {
        Line::Same(text) => view! { <span>{format!("  {text}\n")}</span> }.into_any(),
        Line::Gone(text) => view! { <del>{format!("- {text}\n")}</del> }.into_any(),
        Line::New(text) => view! { <ins>{format!("+ {text}\n")}</ins> }.into_any(),
    });
    view! {
        <h3>{format!("{changed} lines would change")}</h3>
        <pre class="diff" tabindex="0" role="group" aria-label="What would change">{rows.collect_view()}</pre>
    }
    .into_any()
}
