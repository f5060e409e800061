//! Shared dashboards: charts, layout, filters, and the embed's own editor.

use crate::ui::{
    cell::{Cell, problem},
    draft::Draft,
    form::{Control, Field, Form},
    html::{Html, IntoHtml},
    parts,
};
use leptos::prelude::*;

/// A chart on a dashboard.
#[derive(Clone, Debug)]
pub struct TileRow {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its chart type.
    pub kind: String,
    /// The library chart that it is a copy of. `None` if it belongs to the dashboard alone.
    pub origin: Option<TileOrigin>,
}

/// The library chart that a tile is a copy of.
#[derive(Clone, Debug)]
pub struct TileOrigin {
    /// The library chart's id.
    pub chart: String,
    /// The version that was copied, if known.
    pub version: Option<i64>,
    /// The library chart's newest version.
    pub newest: i64,
    /// Whether it was changed on the dashboard.
    pub changed: bool,
}

impl TileOrigin {
    fn draw(&self, project: &str) -> Html {
        let told = match self.version {
            Some(version) if version == self.newest => format!("Version {version}"),
            Some(version) => format!("Version {version} of {}", self.newest),
            None => format!("An earlier version than {}", self.newest),
        };
        let told = if self.changed && self.version.is_some() { format!("{told}, changed here") } else { told };
        parts::link(format!("/console/projects/{project}/charts/{}", self.chart), told)
    }
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
    /// The columns that a filter can use.
    pub columns: Vec<String>,
    /// The library charts: id and name.
    pub library: Vec<(String, String)>,
    /// Whether it opens first.
    pub default: bool,
    /// The refused form for a copy.
    pub copy: Option<Draft>,
    /// Whether the member may change it.
    pub may_change: bool,
}

/// Draws it.
#[must_use]
pub fn show(page: &DashboardPage, draft: &Draft, chart: &Draft) -> Html {
    let application = format!("/console/projects/{}/applications/{}", page.project, page.application);
    let own = format!("{application}/dashboards/{}", page.id);
    let first = page.default.then(|| parts::badge("good", "Opens first"));
    let editor = page.may_change.then(|| view! { <a class="button primary" href=format!("{own}/edit")>"Edit on the page"</a> });
    let actions = view! { {first}{editor} };
    let head = parts::head(&page.name, Some((application, page.application_name.as_str())), actions);
    if !page.may_change {
        let rows = page.tiles.iter().map(|tile| vec![parts::text(tile.name.clone()), parts::text(tile.kind.clone())]).collect();
        return view! { {head}{parts::table("Charts", &["Chart", "Type"], rows)} }.html();
    }
    let add = if page.library.is_empty() {
        let address = format!("/console/projects/{}/charts/new", page.project);
        let action = view! { <a class="button" href=address>"New chart"</a> };
        parts::empty("The library is empty: create a chart first.", Some(action.html()))
    } else {
        let field = Field::new("chart", "Chart", Control::Choice(page.library.clone()));
        let form = Form::new(format!("{own}/charts"), "Add chart").quiet().draw(chart, field.draw(chart));
        let told = view! { <p class="muted">"A library chart, added at the bottom."</p> };
        parts::adding("Add a chart", false, chart.is_refused() || page.tiles.is_empty(), view! { {told}{form} })
    };
    let told = view! { <p>"Users keep their own copies. The library keeps its charts."</p> };
    let remove =
        Form::new(format!("{own}/remove"), "Delete dashboard").asking("remove", &format!("Delete {}?", page.name), told);
    view! {
        {head}
        {parts::facts(vec![("Dashboard id", parts::code(page.id.clone()))])}
        {add}
        {settings(page, &own, draft)}
        {duplicate(page, &own)}
        {parts::part("Delete", "", remove)}
    }
    .html()
}

fn duplicate(page: &DashboardPage, own: &str) -> Html {
    let draft = page.copy.clone().unwrap_or_else(|| Draft::of([("name", format!("{} (Copy)", page.name))]));
    let form = Form::new(format!("{own}/clone"), "Duplicate")
        .quiet()
        .draw(&draft, Field::text("name", "Name of the copy").named("copy-name").draw(&draft));
    let form = parts::adding("Create a copy", false, page.copy.as_ref().is_some_and(Draft::is_refused), form);
    parts::part("Duplicate", "Creates another shared dashboard with copies of all charts.", form)
}

fn settings(page: &DashboardPage, own: &str, draft: &Draft) -> Html {
    let default = (!page.default).then(|| Field::new("default", "Opens first", Control::Tick).draw(draft));
    let options = page.columns.iter().map(|column| view! { <option value=column.clone()></option> }).collect_view();
    let fields = view! {
        {Field::text("name", "Name").draw(draft)}
        {default}
        {Field::new("refresh", "Refresh interval in seconds", Control::Input("number")).optional()
            .hint("Open pages reload their data at this interval while they are visible: 30 to 86,400 s. Leave empty to turn off.").draw(draft)}
        {layout(page, own, draft)}
        <h3>"Filters"</h3>
        <datalist id="columns">{options}</datalist>
        {filters(page, draft)}
    };
    parts::part("Name, layout and filters", "", Form::new(own.to_owned(), "Save").draw(draft, fields))
}

fn layout(page: &DashboardPage, own: &str, draft: &Draft) -> Html {
    if page.tiles.is_empty() {
        return parts::empty("No charts yet.", None);
    }
    let row = |tile: &TileRow| {
        let whole = format!("place.{}", tile.id);
        let number = |edge: &'static str, what: &str| {
            let field = format!("{whole}.{edge}");
            Cell::number(field, format!("{what} of {}", tile.name)).part_of(&whole).draw(draft)
        };
        let remove = view! {
            <button class="button" name="removeChart" value=tile.id.clone() formaction=format!("{own}/charts/remove") formnovalidate=true>"Remove"</button>
        };
        let name = view! { {tile.name.clone()}{problem(&whole, draft)} }.html();
        vec![
            name,
            parts::text(tile.kind.clone()),
            tile.origin.as_ref().map_or_else(|| parts::muted("Only on this dashboard"), |origin| origin.draw(&page.project)),
            number("x", "Left edge"),
            number("y", "Top edge"),
            number("w", "Width"),
            number("h", "Height"),
            remove.html(),
        ]
    };
    let columns = ["Chart", "Type", "Library", "Left", "Top", "Width", "Height", ""];
    let rows = page.tiles.iter().map(row).collect();
    view! {
        <h3>"Charts"</h3>
        <p class="muted">"The grid is 12 columns wide; a row is 40 px high."</p>
        {parts::table("Layout", &columns, rows)}
    }
    .html()
}

fn filters(page: &DashboardPage, draft: &Draft) -> Html {
    let controls = [("select", "Choices"), ("date-range", "Period"), ("number-range", "Numbers"), ("text", "Text")];
    let row = |number: usize| {
        let field = |part: &str| format!("filter.{number}.{part}");
        let input = |part: &str, what: &str| Cell::text(field(part), format!("{what} of filter {}", number + 1));
        let chosen = draft.value(&field("control")).to_owned();
        let options = controls.map(|(value, label)| {
            let selected = value == chosen;
            view! { <option value=value selected=selected>{label}</option> }
        });
        let options = options.into_iter().collect_view();
        let control =
            view! { <select name=field("control") aria-label=format!("Control of filter {}", number + 1)>{options}</select> };
        vec![
            input("key", "Key").draw(draft),
            input("label", "Label").draw(draft),
            input("column", "Column").of("columns").draw(draft),
            control.html(),
            input("default", "Default").like("North, or last_30_days").draw(draft),
        ]
    };
    let rows = (0..page.filters).map(row).collect();
    view! {
        <p class="muted">"To remove a filter, clear its key. Hosts set filter_key in the address; otherwise the default applies."</p>
        {parts::table("Filters", &["Key", "Label", "Column", "Control", "Default"], rows)}
    }
    .html()
}

/// The page with a dashboard's own editor.
#[derive(Clone, Debug)]
pub struct Editing {
    /// The project.
    pub project: String,
    /// The application.
    pub application: String,
    /// The dashboard.
    pub id: String,
    /// The dashboard's name.
    pub name: String,
    /// The URL of the dashboard's page.
    pub address: String,
    /// The users that it can be edited as: id and name.
    pub users: Vec<(String, String)>,
    /// The console's own origin, for messages to the frame.
    pub origin: String,
}

/// Draws it.
#[must_use]
pub fn editing(page: &Editing) -> Html {
    let own = format!("/console/projects/{}/applications/{}/dashboards/{}", page.project, page.application, page.id);
    let head = parts::head(&format!("Edit {}", page.name), Some((own.clone(), page.name.as_str())), ());
    if page.users.is_empty() {
        let told = "Charts show a user's rows. Sign a user in first, with your server or with the playground's code.";
        let action = parts::button(format!("/console/projects/{}/embed", page.project), "Code for your server");
        return view! { {head}{parts::empty(told, Some(action))} }.html();
    }
    let users = page.users.iter().map(|(id, name)| view! { <option value=id.clone()>{name.clone()}</option> }).collect_view();
    view! {
        {head}
        <p class="muted">"Your changes are visible to every user of the application once you press Save inside the dashboard. Users' own copies stay as they are."</p>
        <div data-editing=page.address.clone() data-tokens=format!("{own}/token") data-origin=page.origin.clone()>
            {crate::ui::form::csrf()}
            <div class="field"><label for="editing-user">"Rows of"</label><select id="editing-user" data-user="">{users}</select></div>
            <p class="refused" role="alert" data-problem="" hidden=true></p>
            <div class="frame"><iframe title=format!("Editor of {}", page.name) data-frame=""></iframe></div>
        </div>
        <noscript><p class="refused">"The editor needs JavaScript."</p></noscript>
    }
    .html()
}
