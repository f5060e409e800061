//! An organization's projects, and a project's own page.

use crate::ui::{
    draft::Draft,
    form::{Control, Field, Form},
    html::{Html, IntoHtml},
    numbers, parts,
};
use leptos::prelude::*;

/// A project in the list.
#[derive(Clone, Debug)]
pub struct ProjectRow {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How many connections, customers and applications it has.
    pub counts: [i64; 3],
}

/// The list.
#[must_use]
pub fn list(organization: &str, projects: &[ProjectRow], may_make: bool) -> Html {
    let new = format!("/console/organizations/{organization}/projects/new");
    let action = may_make.then(|| parts::button(new.clone(), "New project"));
    if projects.is_empty() {
        let action = may_make.then(|| parts::button(new, "Create the first project"));
        let told = "A project contains connections to databases, roles, charts and the applications that hosts embed.";
        return view! { {parts::head("Projects", None, ())}{parts::empty(told, action)} }.html();
    }
    let row = |project: &ProjectRow| {
        let counts = project.counts.map(numbers::count);
        let name = parts::link(format!("/console/projects/{}", project.id), project.name.clone());
        std::iter::once(name).chain(counts).collect()
    };
    let columns = ["Project", "Connections", "Customers", "Applications"];
    view! {
        {parts::head("Projects", None, action)}
        {parts::figures("Projects", &columns, &columns[1..], projects.iter().map(row).collect())}
    }
    .html()
}

/// The fields of a project's settings.
fn settings(draft: &Draft) -> Html {
    view! {
        {Field::text("name", "Name").like("Flight operations").draw(draft)}
        {Field::new("allowedOrigins", "Allowed origins", Control::Code(3)).optional()
            .hint("Origins whose pages may frame this project's embeds, one per line, for example https://host.example. Without an origin, any page may.")
            .draw(draft)}
        {Field::text("timezone", "Time zone").hint("Time zone of days, unless the page's address names one.").like("UTC").draw(draft)}
        {Field::text("locale", "Language").hint("Language of numbers and dates, unless the page's address names one.").like("en").draw(draft)}
    }
    .html()
}

/// The page for a new project.
#[must_use]
pub fn new(organization: &str, draft: &Draft) -> Html {
    let list = format!("/console/organizations/{organization}/projects");
    view! {
        {parts::head("New project", Some((list.clone(), "Projects")), ())}
        {Form::new(list.clone(), "Create project").or(list).draw(draft, settings(draft))}
    }
    .html()
}

/// A step to the first embed.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its name.
    pub name: &'static str,
    /// Its purpose.
    pub told: &'static str,
    /// Where to take it.
    pub address: String,
    /// Whether it is done.
    pub done: bool,
}

/// A project's page.
#[derive(Clone, Debug)]
pub struct Overview {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How many things are broken.
    pub broken: usize,
    /// The steps to the first embed.
    pub steps: Vec<Step>,
    /// Whether the member may change it.
    pub may_change: bool,
    /// Whether the member may delete it.
    pub may_delete: bool,
}

/// How many things are broken, with the way to them.
fn attention(page: &Overview) -> Html {
    let told =
        if page.broken == 1 { "1 thing needs attention".to_owned() } else { format!("{} things need attention", page.broken) };
    view! { <p class="refused">{parts::link(format!("/console/projects/{}/health", page.id), told)}</p> }.html()
}

/// A project's page: the open steps, and its settings.
#[must_use]
pub fn overview(page: &Overview, draft: &Draft) -> Html {
    let action = format!("/console/projects/{}", page.id);
    let steps = page.steps.iter().map(|step| {
        let mark = if step.done { parts::badge("good", "Done") } else { parts::badge("", "To do") };
        view! { <li><a href=step.address.clone()>{step.name}</a><span class="muted">{step.told}</span>{mark}</li> }
    });
    let steps = view! { <ol class="steps">{steps.collect_view()}</ol> };
    let steps = if page.steps.iter().all(|step| step.done) {
        view! { <details class="more"><summary>"Steps to the first embed: all done"</summary>{steps}</details> }.into_any()
    } else {
        parts::part("Steps to the first embed", "", steps).into_any()
    };
    let settings = if page.may_change {
        Form::new(action, "Save").draw(draft, settings(draft))
    } else {
        parts::facts(vec![
            ("Allowed origins", parts::code(draft.value("allowedOrigins").replace('\n', ", "))),
            ("Time zone", parts::text(draft.value("timezone").to_owned())),
            ("Language", parts::text(draft.value("locale").to_owned())),
        ])
    };
    let isolation = parts::link(format!("/console/projects/{}/isolation", page.id), "Isolation checks");
    let removal = page.may_delete.then(|| {
        let link = view! { <a class="button danger" href=format!("/console/projects/{}/delete", page.id)>"Delete project"</a> };
        parts::part("Delete this project", "The next page lists what is deleted and asks you to confirm.", link)
    });
    view! {
        {parts::head(&page.name, None, ())}
        {(page.broken > 0).then(|| attention(page))}
        {parts::facts(vec![("Project id", parts::code(page.id.clone()))])}
        {steps}
        {parts::part("Settings", "", settings)}
        {parts::part("Proof of isolation", "Made-up customers check each night that customers' rows stay apart.", isolation)}
        {removal}
    }
    .html()
}
