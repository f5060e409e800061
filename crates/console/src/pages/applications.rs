//! Applications: their look, their shared dashboards.

use crate::ui::{
    draft::Draft,
    form::{Control, Field, Form},
    parts,
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

/// The list with the form for one more.
#[must_use]
pub fn list(project: &str, applications: &[ApplicationRow], may_change: bool, draft: &Draft) -> AnyView {
    let own = format!("/console/projects/{project}/applications");
    let row = |one: &ApplicationRow| {
        vec![
            parts::link(format!("{own}/{}", one.id), one.name.clone()),
            parts::code(one.id.clone()),
            parts::text(one.dashboards.to_string()),
        ]
    };
    let found = if applications.is_empty() {
        parts::empty("An application is what a host embeds: dashboards with navigation, in the host's look.", None)
    } else {
        parts::table("Applications", &["Application", "Id", "Shared dashboards"], applications.iter().map(row).collect())
    };
    let form = may_change.then(|| {
        let field = Field::text("name", "Name").like("Flight operations");
        parts::part("New application", "", Form::new(own.clone(), "Make application").draw(draft, field.draw(draft)))
    });
    view! { {parts::head("Applications", None, ())}{found}{form} }.into_any()
}

/// A dashboard in an application's list.
#[derive(Clone, Debug)]
pub struct DashboardRow {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How many charts stand on it.
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
    /// How many dashboards users made.
    pub own: usize,
    /// How its look comes out.
    pub look: Look,
    /// Whether the reader may change it.
    pub may_change: bool,
}

/// How a theme comes out: what the page derives from it.
#[derive(Clone, Debug)]
pub struct Look {
    /// Custom properties: name and value.
    pub variables: Vec<(String, String)>,
    /// What could not be kept readable.
    pub problems: Vec<String>,
}

/// Draws it.
#[must_use]
pub fn show(page: &ApplicationPage, draft: &Draft, dashboard: &Draft) -> AnyView {
    let list = format!("/console/projects/{}/applications", page.project);
    let own = format!("{list}/{}", page.id);
    let look = page.may_change.then(|| theme(page, &own, draft));
    let remove = page.may_change.then(|| {
        let told = format!(
            "Its {} shared dashboards go with it, and {} that users made. Pages of hosts that embed it show 'Dashboard not found.'",
            page.dashboards.len(),
            page.own
        );
        let form = Form::new(format!("{own}/remove"), "Delete application");
        parts::part("Delete", "", form.asking("remove", &format!("Delete {}?", page.name), view! { <p>{told}</p> }))
    });
    view! {
        {parts::head(&page.name, Some((list, "Applications")), ())}
        {parts::facts(vec![("Application id", parts::code(page.id.clone())), ("Dashboards of users", parts::text(page.own.to_string()))])}
        {dashboards(page, &own, dashboard)}
        {look}
        {remove}
    }
    .into_any()
}

fn dashboards(page: &ApplicationPage, own: &str, draft: &Draft) -> AnyView {
    let row = |one: &DashboardRow| {
        let first = if one.default { parts::badge("good", "Opens first") } else { ().into_any() };
        vec![parts::link(format!("{own}/dashboards/{}", one.id), one.name.clone()), parts::text(one.charts.to_string()), first]
    };
    let found = if page.dashboards.is_empty() {
        parts::empty("No shared dashboard yet. Every user of the application sees those that you make here.", None)
    } else {
        parts::table("Shared dashboards", &["Dashboard", "Charts", ""], page.dashboards.iter().map(row).collect())
    };
    let form = page.may_change.then(|| {
        let field = Field::text("dashboard", "Name").like("Overview");
        Form::new(format!("{own}/dashboards"), "Add dashboard").draw(draft, field.draw(draft))
    });
    parts::part("Shared dashboards", "", view! { {found}{form} })
}

fn theme(page: &ApplicationPage, own: &str, draft: &Draft) -> AnyView {
    let density = [("", "Regular"), ("compact", "Compact")].map(|(value, label)| (value.to_owned(), label.to_owned())).to_vec();
    let colour = |name: &str, label: &str| Field::text(name, label).optional().like("#0b5fff");
    let fields = view! {
        {Field::text("name", "Name").draw(draft)}
        <div class="columns" data-preview-at=format!("{own}/preview")>
            <div>
                {colour("primary", "Accent").hint("Buttons, focus, the first series.").draw(draft)}
                {colour("background", "Background").hint("A dark one makes the page dark.").draw(draft)}
                {colour("text", "Text").draw(draft)}
                {Field::text("font", "Font").optional().like("Inter").hint("A font that your users' machines have.").draw(draft)}
                {Field::new("radius", "Corner radius", Control::Input("number")).optional().draw(draft)}
                {Field::new("density", "Density", Control::Choice(density)).optional().draw(draft)}
                {Field::new("palette", "Colours of series", Control::Code(3)).optional().hint("One on a line, in order. Inlay's own ten when there is none.").draw(draft)}
            </div>
            <div data-preview="">{look(&page.look)}</div>
        </div>
    };
    let told =
        "Page, charts and exports take it. Contrast is kept by adjusting lightness; where that cannot be, you read it beside.";
    parts::part("Name and look", told, Form::new(own.to_owned(), "Save").draw(draft, fields))
}

/// How a look comes out: the part that changes while the form is filled in.
#[must_use]
pub fn look(look: &Look) -> AnyView {
    let variables = look.variables.iter().map(|(name, value)| format!("{name}:{value}")).collect::<Vec<_>>().join(";");
    let problems = look.problems.iter().map(|problem| parts::warning(problem.clone())).collect_view();
    let bars = [40, 70, 55, 90, 65].into_iter().enumerate().map(|(number, height)| {
        view! { <rect x=(number * 44 + 8).to_string() y=(100 - height).to_string() width="28" height=height.to_string() rx="2" /> }
    });
    view! {
        <h3>"How it comes out"</h3>
        {problems}
        <div class="look" data-variables=variables>
            <strong>"Overview"</strong>
            <span class="look-button">"Save"</span>
            <div class="look-card">
                <span>"Orders per day"</span>
                <svg viewBox="0 0 228 100" role="img" aria-label="Example of a chart">{bars.collect_view()}</svg>
                <small>"Muted text under a chart"</small>
            </div>
        </div>
    }
    .into_any()
}

/// A chart on a dashboard.
#[derive(Clone, Debug)]
pub struct TileRow {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How it is drawn.
    pub kind: String,
}

/// A shared dashboard's page.
#[derive(Clone, Debug)]
pub struct DashboardPage {
    /// The project.
    pub project: String,
    /// The application's id.
    pub application: String,
    /// The application's name.
    pub application_name: String,
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its charts.
    pub tiles: Vec<TileRow>,
    /// How many filters the form shows.
    pub filters: usize,
    /// The columns that a filter may name.
    pub columns: Vec<String>,
    /// The library: id and name.
    pub library: Vec<(String, String)>,
    /// Whether it opens first.
    pub default: bool,
    /// Whether the reader may change it.
    pub may_change: bool,
}

/// Draws it.
#[must_use]
pub fn dashboard(page: &DashboardPage, draft: &Draft, chart: &Draft) -> AnyView {
    let application = format!("/console/projects/{}/applications/{}", page.project, page.application);
    let own = format!("{application}/dashboards/{}", page.id);
    let first = page.default.then(|| parts::badge("good", "Opens first"));
    let head = parts::head(&page.name, Some((application, page.application_name.as_str())), first);
    if !page.may_change {
        let rows = page.tiles.iter().map(|tile| vec![parts::text(tile.name.clone()), parts::text(tile.kind.clone())]).collect();
        return view! { {head}{parts::table("Charts", &["Chart", "Type"], rows)} }.into_any();
    }
    let add = if page.library.is_empty() {
        let action = parts::button(format!("/console/projects/{}/charts/new", page.project), "New chart");
        parts::empty("The library is empty: make a chart first.", Some(action))
    } else {
        let field = Field::new("chart", "Chart", Control::Choice(page.library.clone()));
        Form::new(format!("{own}/charts"), "Add chart").quiet().draw(chart, field.draw(chart))
    };
    let told = view! { <p>"Copies that users made of it stay theirs. The library keeps its charts."</p> };
    let remove =
        Form::new(format!("{own}/remove"), "Delete dashboard").asking("remove", &format!("Delete {}?", page.name), told);
    view! {
        {head}
        {parts::facts(vec![("Dashboard id", parts::code(page.id.clone()))])}
        {parts::part("Add a chart", "From the library; it comes to stand at the bottom.", add)}
        {settings(page, &own, draft)}
        {parts::part("Delete", "", remove)}
    }
    .into_any()
}

fn settings(page: &DashboardPage, own: &str, draft: &Draft) -> AnyView {
    let default = (!page.default).then(|| Field::new("default", "Opens first", Control::Tick).draw(draft));
    let options = page.columns.iter().map(|column| view! { <option value=column.clone()></option> }).collect_view();
    let fields = view! {
        {Field::text("name", "Name").draw(draft)}
        {default}
        {layout(page, own, draft)}
        <h3>"Filters"</h3>
        <datalist id="columns">{options}</datalist>
        {filters(page, draft)}
    };
    parts::part("Name, layout and filters", "", Form::new(own.to_owned(), "Save").draw(draft, fields))
}

fn layout(page: &DashboardPage, own: &str, draft: &Draft) -> AnyView {
    if page.tiles.is_empty() {
        return parts::empty("No chart stands here yet.", None);
    }
    let row = |tile: &TileRow| {
        let number = |edge: &'static str, what: &str| {
            let field = format!("place.{}.{edge}", tile.id);
            let (value, label) = (draft.value(&field).to_owned(), format!("{what} of {}", tile.name));
            view! { <input type="number" min="0" name=field value=value aria-label=label /> }.into_any()
        };
        let remove = view! {
            <button class="button" name="removeChart" value=tile.id.clone() formaction=format!("{own}/charts/remove") formnovalidate=true>"Remove"</button>
        };
        let problem = draft
            .problem(&format!("place.{}", tile.id))
            .map(|problem| view! { <span class="problem">{problem.to_owned()}</span> });
        let name = view! { {tile.name.clone()}" "{problem} }.into_any();
        vec![
            name,
            parts::text(tile.kind.clone()),
            number("x", "Left edge"),
            number("y", "Top edge"),
            number("w", "Width"),
            number("h", "Height"),
            remove.into_any(),
        ]
    };
    let columns = ["Chart", "Type", "Left", "Top", "Width", "Height", ""];
    let rows = page.tiles.iter().map(row).collect();
    view! {
        <h3>"Charts"</h3>
        <p class="muted">"The grid is 12 columns wide; a row is 40 px high."</p>
        {parts::table("Layout", &columns, rows)}
    }
    .into_any()
}

fn filters(page: &DashboardPage, draft: &Draft) -> AnyView {
    let controls = [("select", "Choices"), ("date-range", "Period"), ("number-range", "Numbers"), ("text", "Text")];
    let row = |number: usize| {
        let field = |part: &str| format!("filter.{number}.{part}");
        let input = |part: &str, what: &str, list: Option<&'static str>| {
            let name = field(part);
            let (value, label) = (draft.value(&name).to_owned(), format!("{what} of filter {}", number + 1));
            let problem = draft.problem(&name).map(|problem| view! { <span class="problem">{problem.to_owned()}</span> });
            view! { <input type="text" name=name value=value aria-label=label list=list autocomplete="off" />{problem} }
                .into_any()
        };
        let chosen = draft.value(&field("control")).to_owned();
        let options = controls.map(|(value, label)| {
            let selected = value == chosen;
            view! { <option value=value selected=selected>{label}</option> }
        });
        let options = options.into_iter().collect_view();
        let control =
            view! { <select name=field("control") aria-label=format!("Control of filter {}", number + 1)>{options}</select> };
        vec![
            input("key", "Key", None),
            input("label", "Label", None),
            input("column", "Column", Some("columns")),
            control.into_any(),
        ]
    };
    let rows = (0..page.filters).map(row).collect();
    view! {
        <p class="muted">"Leave a line's key empty to remove it. Hosts set filter_key in the address."</p>
        {parts::table("Filters", &["Key", "Label", "Column", "Control"], rows)}
    }
    .into_any()
}
