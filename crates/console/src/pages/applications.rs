//! Applications: their theme and their shared dashboards.

use crate::ui::{
    draft::Draft,
    form::{Control, Field, Form},
    html::{Html, IntoHtml},
    numbers, parts,
};
use leptos::prelude::*;

/// An application in the list.
#[derive(Clone, Debug)]
pub struct ApplicationRow {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How many shared dashboards it has.
    pub dashboards: usize,
}

/// The list, with a form that creates an application.
#[must_use]
pub fn list(project: &str, applications: &[ApplicationRow], may_change: bool, draft: &Draft) -> Html {
    let own = format!("/console/projects/{project}/applications");
    let row = |one: &ApplicationRow| {
        vec![
            parts::link(format!("{own}/{}", one.id), one.name.clone()),
            parts::code(one.id.clone()),
            numbers::amount(one.dashboards),
        ]
    };
    let found = if applications.is_empty() {
        parts::empty("An application is what a host embeds: dashboards with navigation, in the host's theme.", None)
    } else {
        parts::figures(
            "Applications",
            &["Application", "Id", "Shared dashboards"],
            &["Shared dashboards"],
            applications.iter().map(row).collect(),
        )
    };
    let form = may_change.then(|| {
        let field = Field::text("name", "Name").like("Flight operations");
        let form = Form::new(own.clone(), "Create application").draw(draft, field.draw(draft));
        parts::adding("New application", true, draft.is_refused() || applications.is_empty(), form)
    });
    view! { {parts::head("Applications", None, ())}{form}{found} }.html()
}

/// A dashboard in an application's list.
#[derive(Clone, Debug)]
pub struct DashboardRow {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How many charts it has.
    pub charts: usize,
    /// Whether it opens first.
    pub default: bool,
}

/// An application's page.
#[derive(Clone, Debug)]
pub struct ApplicationPage {
    /// The project.
    pub project: String,
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its shared dashboards.
    pub dashboards: Vec<DashboardRow>,
    /// How many dashboards users created.
    pub own: usize,
    /// The derived theme.
    pub look: Look,
    /// The project's workspaces: id and name.
    pub workspaces: Vec<(String, String)>,
    /// Whether the member may change it.
    pub may_change: bool,
}

/// A theme as the embed derives it from the settings.
#[derive(Clone, Debug)]
pub struct Look {
    /// CSS custom properties: name and value.
    pub variables: Vec<(String, String)>,
    /// Contrast problems that could not be fixed.
    pub problems: Vec<String>,
}

/// Draws it.
#[must_use]
pub fn show(page: &ApplicationPage, draft: &Draft, dashboard: &Draft) -> Html {
    let list = format!("/console/projects/{}/applications", page.project);
    let own = format!("{list}/{}", page.id);
    let look = page.may_change.then(|| theme(page, &own, draft));
    let remove = page.may_change.then(|| {
        let told = format!(
            "This also deletes its {} shared dashboards and {} that users created. Host pages that embed it then show 'Dashboard not found.'",
            page.dashboards.len(),
            page.own
        );
        let form = Form::new(format!("{own}/remove"), "Delete application");
        parts::part("Delete", "", form.asking("remove", &format!("Delete {}?", page.name), view! { <p>{told}</p> }))
    });
    view! {
        {parts::head(&page.name, Some((list, "Applications")), ())}
        {parts::facts(vec![("Application id", parts::code(page.id.clone())), ("Dashboards of users", numbers::amount(page.own))])}
        {dashboards(page, &own, dashboard)}
        {look}
        {remove}
    }
    .html()
}

fn dashboards(page: &ApplicationPage, own: &str, draft: &Draft) -> Html {
    let last = page.dashboards.len().saturating_sub(1);
    let row = |(number, one): (usize, &DashboardRow)| {
        let first = if one.default { parts::badge("good", "Opens first") } else { ().html() };
        let at = format!("{own}/dashboards/{}", one.id);
        let step = |name: &str, way: &str| Form::new(format!("{at}/move"), name).quiet().button(&[("way", way)]);
        let up = (page.may_change && number > 0).then(|| step("Up", "up"));
        let down = (page.may_change && number < last).then(|| step("Down", "down"));
        vec![
            parts::link(at.clone(), one.name.clone()),
            numbers::amount(one.charts),
            first,
            view! { <div class="row-actions moves" role="group" aria-label=format!("Move {}", one.name)>{up}{down}</div> }
                .html(),
        ]
    };
    let found = if page.dashboards.is_empty() {
        parts::empty("No shared dashboard yet. Every user of the application sees the dashboards that you create here.", None)
    } else {
        parts::figures(
            "Shared dashboards",
            &["Dashboard", "Charts", "First", "Order"],
            &["Charts"],
            page.dashboards.iter().enumerate().map(row).collect(),
        )
    };
    let form = page.may_change.then(|| {
        let field = Field::text("dashboard", "Name").like("Overview");
        let form = Form::new(format!("{own}/dashboards"), "Add dashboard").quiet().draw(draft, field.draw(draft));
        parts::adding("New dashboard", false, draft.is_refused() || page.dashboards.is_empty(), form)
    });
    let told = if page.dashboards.len() > 1 { "In the order of the page's navigation and tabs." } else { "" };
    parts::part("Shared dashboards", told, view! { {form}{found} })
}

fn theme(page: &ApplicationPage, own: &str, draft: &Draft) -> Html {
    let density = [("", "Regular"), ("compact", "Compact")].map(|(value, label)| (value.to_owned(), label.to_owned())).to_vec();
    let colour = |name: &str, label: &str| Field::text(name, label).optional().like("#0b5fff");
    let none = (String::new(), "None".to_owned());
    let workspaces = std::iter::once(none).chain(page.workspaces.iter().cloned()).collect();
    let fields = view! {
        {Field::text("name", "Name").draw(draft)}
        {Field::new("workspace", "Workspace", Control::Choice(workspaces)).optional().hint("The assistant on its dashboards uses this workspace's instructions, and callers of v1 find its dashboards here.").draw(draft)}
        <div class="columns" data-preview-at=format!("{own}/preview")>
            <div>
                {colour("primary", "Accent").coloured("--accent").hint("Buttons, focus, the first series.").draw(draft)}
                {colour("background", "Background").coloured("--surface").hint("A dark colour makes the page dark.").draw(draft)}
                {colour("text", "Text").coloured("--text").draw(draft)}
                {Field::text("font", "Font").optional().like("Inter").hint("A font that is installed on your users' devices.").draw(draft)}
                {Field::new("radius", "Corner radius", Control::Input("number")).optional().draw(draft)}
                {Field::new("density", "Density", Control::Choice(density)).optional().draw(draft)}
                {Field::new("palette", "Colours of series", Control::Code(3)).optional().coloured("--chart-1").hint("One per line, in order. Default: Inlay's ten colours.").draw(draft)}
            </div>
            <div data-preview="">{look(&page.look)}</div>
        </div>
    };
    let told = "Page, charts and exports use this theme. Inlay adjusts lightness to keep the contrast readable, and shows a warning beside a colour where it cannot.";
    parts::part("Name and theme", told, Form::new(own.to_owned(), "Save").draw(draft, fields))
}

/// The theme's preview: the part of the page that updates while the form is edited.
#[must_use]
pub fn look(look: &Look) -> Html {
    let variables = look.variables.iter().map(|(name, value)| format!("{name}:{value}")).collect::<Vec<_>>().join(";");
    let problems = look.problems.iter().map(|problem| parts::warning(problem.clone())).collect_view();
    let bars = [40, 70, 55, 90, 65].into_iter().enumerate().map(|(number, height)| {
        view! { <rect x=(number * 44 + 8).to_string() y=(100 - height).to_string() width="28" height=height.to_string() rx="2" /> }
    });
    let series = (0..10).map(|number| view! { <rect x=(number * 22).to_string() y="0" width="18" height="12" rx="2" /> });
    view! {
        <h3>"Preview"</h3>
        {problems}
        <div class="look" data-variables=variables>
            <strong>"Overview"</strong>
            <span class="look-button">"Save"</span>
            <div class="look-card">
                <span>"Orders per day"</span>
                <svg viewBox="0 0 228 100" role="img" aria-label="Example of a chart">{bars.collect_view()}</svg>
                <svg class="look-series" viewBox="0 0 216 12" role="img" aria-label="The colours of ten series">{series.collect_view()}</svg>
                <small>"Muted text under a chart"</small>
            </div>
        </div>
    }
    .html()
}
