//! Deleting a project: what is deleted, and who still uses it.

use crate::ui::{
    draft::Draft,
    form::{Field, Form},
    html::{Html, IntoHtml},
    parts,
};
use leptos::prelude::*;

/// A project that the member may delete.
#[derive(Clone, Debug)]
pub struct Removal {
    /// Its organization.
    pub organization: String,
    /// Its id.
    pub project: String,
    /// Its name.
    pub name: String,
    /// The objects that are deleted: name and number.
    pub goes: Vec<(&'static str, i64)>,
    /// The number of days of its usage figures.
    pub days: u64,
    /// How often its dashboards were opened in that time.
    pub opened: i64,
    /// How many customers opened them.
    pub customers: i64,
    /// How many questions were asked in its chats.
    pub questions: i64,
}

impl Removal {
    /// Its recent usage.
    fn used(&self) -> Html {
        let days = self.days;
        if self.opened == 0 && self.customers == 0 && self.questions == 0 {
            return parts::muted(format!("No use of its embeds in the last {days} days."));
        }
        let told = [
            (self.customers, format!("{} came", parts::counted(self.customers, "customer"))),
            (self.opened, format!("dashboards were opened {}", parts::counted(self.opened, "time"))),
            (self.questions, format!("{} came to the chats", parts::counted(self.questions, "question"))),
        ];
        let told: Vec<_> = told.into_iter().filter(|(number, _)| *number > 0).map(|(_, told)| told).collect();
        parts::warning(format!(
            "It is in use. In the last {days} days {}. Open pages end at their reader's next action.",
            told.join(", ")
        ))
    }
}

/// The page.
#[must_use]
pub fn draw(page: &Removal, draft: &Draft) -> Html {
    let own = format!("/console/projects/{}", page.project);
    let there: Vec<_> = page.goes.iter().filter(|(_, number)| *number > 0).collect();
    let rows = there.iter().map(|(what, number)| (*what, parts::text(number.to_string()))).collect();
    let goes = if there.is_empty() { parts::muted("The project is empty.") } else { parts::facts(rows) };
    let action = format!("/console/organizations/{}/projects/{}/delete", page.organization, page.project);
    let confirm = Field::text("confirm", "Type the project's name").hint(format!("Exactly as written here: {}", page.name));
    let file = format!("{own}/file/download");
    let kept = view! {
        <p class="muted">
            "The organization's API keys and the audit log stay. A "<a href=file>"project file"</a>
            " keeps the objects that members created, without customers, users and their own objects."
        </p>
    };
    view! {
        {parts::head(&format!("Delete {}", page.name), Some((own.clone(), &page.name)), ())}
        {page.used()}
        {parts::part("What is deleted", "Permanently, and on every page that embeds it.", goes)}
        {parts::part("Delete project", "", view! {
            {kept}
            {Form::new(action, "Delete project").destructive().or(own).draw(draft, confirm.draw(draft))}
        })}
    }
    .html()
}
