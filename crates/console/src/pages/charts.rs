//! The chart library.

use crate::ui::{
    draft::Draft,
    form::{Control, Field, Form},
    html::{Html, IntoHtml},
    parts,
    sheet::Sheet,
};
use leptos::prelude::*;
use std::collections::BTreeSet;

/// A chart in the list.
#[derive(Clone, Debug)]
pub struct ChartRow {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its chart type.
    pub kind: String,
    /// Its version.
    pub version: i64,
    /// The dashboards that show it.
    pub used_on: Vec<String>,
}

/// The list.
#[must_use]
pub fn list(project: &str, charts: &[ChartRow], may_change: bool) -> Html {
    let new = format!("/console/projects/{project}/charts/new");
    let action = may_change.then(|| parts::button(new.clone(), "New chart"));
    if charts.is_empty() {
        let told = "The library contains charts: an SQL query and how to draw its result. Dashboards show copies of them.";
        let action = may_change.then(|| parts::button(new, "New chart"));
        return view! { {parts::head("Charts", None, ())}{parts::empty(told, action)} }.html();
    }
    let row = |chart: &ChartRow| {
        let used = if chart.used_on.is_empty() { parts::muted("Nowhere") } else { parts::text(chart.used_on.join(", ")) };
        vec![
            parts::link(format!("/console/projects/{project}/charts/{}", chart.id), chart.name.clone()),
            parts::text(chart.kind.clone()),
            parts::text(chart.version.to_string()),
            used,
        ]
    };
    view! {
        {parts::head("Charts", None, action)}
        {parts::figures("Charts", &["Chart", "Type", "Version", "Used on"], &["Version"], charts.iter().map(row).collect())}
    }
    .html()
}

/// The result of a query.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The first rows.
    pub sheet: Sheet,
    /// How many rows there are.
    pub count: usize,
    /// The URL of the picture, `None` for a chart without one, or why it cannot be drawn.
    pub picture: Result<Option<String>, String>,
}

/// A copy of the chart on a shared dashboard.
#[derive(Clone, Debug)]
pub struct CopyRow {
    /// The dashboard's id.
    pub dashboard: String,
    /// The path of its page, within the project.
    pub address: String,
    /// The names of application and dashboard.
    pub named: String,
    /// The version that was copied, if known.
    pub version: Option<i64>,
    /// Whether it was changed on the dashboard.
    pub changed: bool,
    /// Whether an update would change it.
    pub behind: bool,
}

/// A version of a chart.
#[derive(Clone, Debug)]
pub struct VersionRow {
    /// Its number.
    pub number: i64,
    /// The chart's name then.
    pub name: String,
    /// Its chart type then.
    pub kind: String,
    /// Its query.
    pub query: String,
    /// When it was saved.
    pub at: String,
}

/// A chart's page.
#[derive(Clone, Debug)]
pub struct ChartPage {
    /// Whether the chart queries the semantic model, by its options.
    pub by_model: bool,
    /// The project.
    pub project: String,
    /// Its id. `None` for a new one.
    pub id: Option<String>,
    /// Its stored name.
    pub name: String,
    /// Its version.
    pub version: i64,
    /// The dashboards that show it.
    pub used_on: Vec<String>,
    /// Its copies on shared dashboards.
    pub copies: Vec<CopyRow>,
    /// The connections: id and name.
    pub connections: Vec<(String, String)>,
    /// The chart types.
    pub kinds: Vec<(String, String)>,
    /// The users to try as: id and name.
    pub users: Vec<(String, String)>,
    /// The columns that its query returns, if known.
    pub columns: Vec<String>,
    /// The result of a trial.
    pub rows: Option<Rows>,
    /// Its versions, newest first.
    pub versions: Vec<VersionRow>,
    /// Whether the member may change it.
    pub may_change: bool,
}

/// Draws it.
#[must_use]
pub fn show(page: &ChartPage, draft: &Draft) -> Html {
    let list = format!("/console/projects/{}/charts", page.project);
    let (title, submit) =
        if page.id.is_some() { (page.name.as_str(), "Save as a new version") } else { ("New chart", "Create chart") };
    let action = page.id.as_ref().map_or_else(|| list.clone(), |id| format!("{list}/{id}"));
    let facts = page.id.clone().map(|id| {
        let used = if page.used_on.is_empty() { "Nowhere".to_owned() } else { page.used_on.join(", ") };
        parts::facts(vec![
            ("Chart id", parts::code(id)),
            ("Version", parts::text(page.version.to_string())),
            ("Used on", parts::text(used)),
        ])
    });
    if page.connections.is_empty() {
        let action = parts::button(format!("/console/projects/{}/connections/new", page.project), "Connect a database");
        let told = "A chart reads a database: connect one first.";
        return view! { {parts::head(title, Some((list, "Charts")), ())}{parts::empty(told, Some(action))} }.html();
    }
    let form = if page.may_change {
        form(page, draft, action, submit, list.clone())
    } else {
        parts::copied("Query", draft.value("sql").to_owned())
    };
    let remove = page.id.as_ref().filter(|_| page.may_change).map(|id| {
        let told = if page.used_on.is_empty() {
            "No dashboard shows it.".to_owned()
        } else {
            format!("It is used on {}. The copies there stay.", page.used_on.join(", "))
        };
        let form = Form::new(format!("{list}/{id}/remove"), "Delete chart");
        let question = format!("Delete {} from the library?", page.name);
        parts::part("Delete", "", form.asking("remove", &question, view! { <p>{told}</p> }))
    });
    view! { {parts::head(title, Some((list.clone(), "Charts")), ())}{facts}{form}{copies(page, &list)}{history(page, &list)}{remove} }.html()
}

/// The dashboards that show it, with their versions.
fn copies(page: &ChartPage, list: &str) -> Option<Html> {
    let id = page.id.as_ref().filter(|_| !page.copies.is_empty())?;
    let row = |copy: &CopyRow| {
        let version = match (copy.version, copy.changed) {
            (None, _) => "An earlier version".to_owned(),
            (Some(version), false) => version.to_string(),
            (Some(version), true) => format!("{version}, changed there"),
        };
        let name = format!("update.{}", copy.dashboard);
        // A copy that was changed on its dashboard is overwritten only if its box is ticked.
        let tick = (copy.behind && page.may_change).then(|| {
            view! { <input type="checkbox" name=name value="on" checked=!copy.changed aria-label=format!("Update {}", copy.named) /> }
        });
        vec![
            tick.html(),
            parts::link(format!("/console/projects/{}/{}", page.project, copy.address), copy.named.clone()),
            parts::text(version),
        ]
    };
    let rows = parts::table("Dashboards", &["Update", "Dashboard", "Version"], page.copies.iter().map(row).collect());
    let behind: BTreeSet<_> = page.copies.iter().filter(|copy| copy.behind).map(|copy| &copy.dashboard).collect();
    let body = if behind.is_empty() || !page.may_change {
        rows
    } else {
        let submit = match behind.len() {
            1 => "Update 1 dashboard".to_owned(),
            many => format!("Update {many} dashboards"),
        };
        let version = view! { <input type="hidden" name="version" value=page.version.to_string() />{rows} };
        Form::new(format!("{list}/{id}/copies"), &submit).quiet().draw(&Draft::default(), version)
    };
    let told = "Each dashboard shows a copy. An update brings the selected copies to the newest version. Users' own copies stay as they are.";
    Some(parts::part("On dashboards", told, body))
}

/// The earlier versions. Each can be restored.
fn history(page: &ChartPage, list: &str) -> Option<Html> {
    let id = page.id.as_ref().filter(|_| page.versions.len() > 1)?;
    let row = |one: &VersionRow| {
        let action = if one.number == page.version {
            parts::badge("good", "Newest")
        } else if page.may_change {
            let form = Form::new(format!("{list}/{id}/restore"), "Restore").quiet();
            form.button(&[("number", &one.number.to_string())])
        } else {
            ().html()
        };
        let query = view! { <details class="more"><summary>{one.name.clone()}</summary><pre class="code">{one.query.clone()}</pre></details> };
        vec![parts::nth("Version", one.number), query.html(), parts::text(one.kind.clone()), parts::time(&one.at), action]
    };
    let rows = page.versions.iter().map(row).collect();
    let told = "Dashboards show copies. Each copy keeps the version that it was made from.";
    Some(parts::part("History", told, parts::table("History", &["Version", "Name and query", "Type", "Saved", ""], rows)))
}

fn form(page: &ChartPage, draft: &Draft, action: String, submit: &str, list: String) -> Html {
    let users = (!page.users.is_empty()).then(|| {
        let mut users = vec![(String::new(), "Choose a user".to_owned())];
        users.extend(page.users.iter().cloned());
        let field = Field::new("user", "Try as", Control::Choice(users)).at_times();
        view! {
            <div class="try">
                {field.hint("Draws the chart with the rows that this user may see. Nothing is saved.").draw(draft)}
                <button class="button" name="try" value="on">"Try"</button>
            </div>
        }
    });
    let rows = page.rows.as_ref().map(rows);
    let by_model = page.by_model;
    let fields = view! {
        {Field::text("name", "Name").like("Orders per day").draw(draft)}
        {Field::new("connection", "Connection", Control::Choice(page.connections.clone())).draw(draft)}
        {Field::new("kind", "Type", Control::Choice(page.kinds.clone())).draw(draft)}
        {Field::new("sql", "Query", Control::Code(6)).optional().like("select day, count(*) as orders from orders group by 1 order by 1")
            .hint(if by_model { BY_MODEL } else { "Each table is limited to the rows that the viewer may see." }).draw(draft)}
        {users}
        {rows}
        {encoding(page, draft)}
        <details class="more" open=by_model || ["cacheSeconds", "parts", "options"].iter().any(|name| draft.problem(name).is_some())>
            <summary>"Other encodings and options"</summary>
            {Field::new("cacheSeconds", "Cache time in seconds", Control::Input("number")).optional()
                .hint("Default: the connection's. 0 queries the database each time.").draw(draft)}
            {Field::new("parts", "Other encodings", Control::Code(3)).optional().hint("A JSON object like encoding in a project file: size, region, bins…").draw(draft)}
            {Field::new("options", "Options", Control::Code(3)).optional().hint("A JSON object: number formats, stacking, units, colours.").draw(draft)}
        </details>
    };
    Form::new(action, submit).or(list).draw(draft, fields)
}

const BY_MODEL: &str = "This chart queries the semantic model. Its query is in the options below. SQL here replaces it.";

/// The chart's columns. They are suggested once the query is known: from the server, or by the script when the query loses the
/// focus.
fn encoding(page: &ChartPage, draft: &Draft) -> Html {
    let column = |name: &str, label: &str, list: &'static str| Field::text(name, label).optional().among(list);
    let known = || page.columns.iter().map(|name| view! { <option value=name.clone()></option> }).collect_view();
    let told = if page.columns.is_empty() { String::new() } else { format!("The query returns {}.", page.columns.join(", ")) };
    let at = format!("/console/projects/{}/charts/columns", page.project);
    view! {
        <div class="group" data-columns-at=at>
            <h3>"Encoding"</h3>
            <p class="muted" role="status" data-columns="">{told}</p>
            <datalist id="query-columns">{known()}</datalist>
            // Each field that takes several columns has its own list: the script prefixes its options with what is already
            // typed.
            <datalist id="query-columns-y" data-several="">{known()}</datalist>
            <datalist id="query-columns-label" data-several="">{known()}</datalist>
            <div class="pair">
                {column("x", "Horizontal (x)", "query-columns").like("day").draw(draft)}
                {column("y", "Vertical (y)", "query-columns-y").like("orders, returns").draw(draft)}
                {column("series", "Series", "query-columns").draw(draft)}
                {column("label", "Label", "query-columns-label").draw(draft)}
                {column("value", "Value", "query-columns").draw(draft)}
            </div>
        </div>
    }
    .html()
}

fn rows(found: &Rows) -> Html {
    let picture = match &found.picture {
        Ok(None) => None,
        Ok(Some(address)) => {
            Some(view! { <img class="drawn" src=address.clone() alt="Preview of the chart" width="720" height="320" /> }.html())
        }
        Err(problem) => Some(parts::warning(problem.clone())),
    };
    view! {
        <div data-result="">
            {picture}
            {found.sheet.draw("Rows")}
            <p class="muted">{format!("{} of {}.", found.sheet.rows.len(), parts::counted(i64::try_from(found.count).unwrap_or(i64::MAX), "row"))}</p>
        </div>
    }
    .html()
}
