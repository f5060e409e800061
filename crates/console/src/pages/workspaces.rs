//! Workspaces: a chat over a connection, and its versions.

use super::evaluations::{self, Evaluations};
use crate::ui::{
    cell::{Cell, problem, told_at},
    draft::Draft,
    form::{Control, Field, Form},
    html::{Html, IntoHtml, area_text},
    parts,
};
use leptos::prelude::*;

/// A workspace in the list.
#[derive(Clone, Debug)]
pub struct WorkspaceRow {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its newest version.
    pub version: i64,
    /// The version that embeds serve.
    pub production: Option<i64>,
}

/// The list.
#[must_use]
pub fn list(project: &str, workspaces: &[WorkspaceRow], may_change: bool) -> Html {
    let new = format!("/console/projects/{project}/workspaces/new");
    let action = may_change.then(|| parts::button(new.clone(), "New workspace"));
    if workspaces.is_empty() {
        let told = "A workspace is a chat about one connection: users ask about their own rows and get answers and charts.";
        let action = may_change.then(|| parts::button(new, "New workspace"));
        return view! { {parts::head("Workspaces", None, ())}{parts::empty(told, action)} }.html();
    }
    let row = |one: &WorkspaceRow| {
        let production = match one.production {
            Some(number) => parts::badge("good", &format!("Version {number}")),
            None => parts::badge("", "Not published"),
        };
        vec![
            parts::link(format!("/console/projects/{project}/workspaces/{}", one.id), one.name.clone()),
            parts::text(one.version.to_string()),
            production,
        ]
    };
    view! {
        {parts::head("Workspaces", None, view! { <a class="button" href=format!("/console/projects/{project}/model")>"Language model"</a>{action} })}
        {parts::figures("Workspaces", &["Workspace", "Newest version", "In production"], &["Newest version"], workspaces.iter().map(row).collect())}
    }
    .html()
}

/// A version in the list.
#[derive(Clone, Debug)]
pub struct VersionRow {
    /// Its number.
    pub number: i64,
    /// Whether it can be promoted.
    pub published: bool,
    /// Whether embeds serve it.
    pub production: bool,
    /// By how many percentage points it answers worse than the version in production. `None` if it does not, or is not known to.
    pub fell_by: Option<i64>,
}

/// A workspace's page.
#[derive(Clone, Debug)]
pub struct WorkspacePage {
    /// The project.
    pub project: String,
    /// Its id. `None` for a new one.
    pub id: Option<String>,
    /// Its stored name.
    pub name: String,
    /// Its versions, newest first.
    pub versions: Vec<VersionRow>,
    /// The connections: id and name.
    pub connections: Vec<(String, String)>,
    /// How many examples the form shows.
    pub examples: usize,
    /// The evaluations of its versions. `None` for a new workspace.
    pub evaluations: Option<Evaluations>,
    /// The users that examples can run as: id and name.
    pub users: Vec<(String, String)>,
    /// The names of the applications that use it.
    pub applications: Vec<String>,
    /// How many conversations users had in it.
    pub conversations: i64,
    /// Whether the member may change it.
    pub may_change: bool,
}

/// The forms of a workspace's page.
#[derive(Clone, Debug, Default)]
pub struct Forms {
    /// The settings.
    pub settings: Draft,
    /// The name.
    pub name: Draft,
    /// The v1 agent that it replaces.
    pub agent: Draft,
    /// The evaluation.
    pub evaluation: Draft,
}

/// Draws it.
#[must_use]
pub fn show(page: &WorkspacePage, forms: &Forms) -> Html {
    let draft = &forms.settings;
    let list = format!("/console/projects/{}/workspaces", page.project);
    let (title, submit) =
        if page.id.is_some() { (page.name.as_str(), "Save as a draft") } else { ("New workspace", "Create workspace") };
    if page.connections.is_empty() {
        let action = parts::button(format!("/console/projects/{}/connections/new", page.project), "Connect a database");
        let told = "A workspace reads a database: connect one first.";
        return view! { {parts::head(title, Some((list, "Workspaces")), ())}{parts::empty(told, Some(action))} }.html();
    }
    let own = page.id.as_ref().map(|id| format!("{list}/{id}"));
    let facts = page.id.clone().map(|id| parts::facts(vec![("Workspace id", parts::code(id))]));
    let versions = own.as_ref().map(|own| versions(page, own));
    let form = page.may_change.then(|| {
        let model_only = Field::new("modelOnly", "A language model asks the semantic model only", Control::Tick)
            .hint("It writes no SQL of its own. Without measures, the built-in analyst answers.");
        let name = if page.id.is_some() { ().html() } else { Field::text("name", "Name").like("Ask about orders").draw(draft) };
        let fields = view! {
            {name}
            {Field::new("connection", "Connection", Control::Choice(page.connections.clone())).draw(draft)}
            {Field::new("tables", "Tables to ask about", Control::Code(3)).optional().hint("One per line. Default: all listed tables.").draw(draft)}
            {Field::new("questions", "Starter questions", Control::Area(3)).optional().hint("Up to six, one per line.").draw(draft)}
            {examples(page, draft)}
            {Field::new("instructions", "Instructions", Control::Area(4)).optional().hint("Text for a language model, in addition to the catalogue. Viewers never see it.").draw(draft)}
            {model_only.at_times().draw(draft)}
            {Field::text("assistantName", "The assistant's name").optional().draw(draft)}
            {Field::text("inputPlaceholder", "Hint in the input").optional().draw(draft)}
            {Field::text("userName", "The user's name").optional().hint("Default: their own name.").draw(draft)}
            {Field::text("thinkingPlaceholder", "Text while an answer is in progress").optional().draw(draft)}
            {Field::text("disclaimerText", "Note below the input").optional().draw(draft)}
        };
        parts::part("Draft", "", Form::new(own.clone().unwrap_or_else(|| list.clone()), submit).draw(draft, fields))
    });
    let evaluations = page.evaluations.as_ref().map(|all| {
        let versions = page.versions.iter().map(|one| one.number).collect();
        evaluations::part(all, versions, page.users.clone(), &forms.evaluation)
    });
    let embed = page.id.as_ref().map(|id| {
        let address = format!("/console/projects/{}/embed?embed=%2Fshare%2Fworkspace%2F{}%2F{id}", page.project, page.project);
        let answers = page.may_change.then(|| {
            view! { <a class="button" href=format!("{list}/{id}/answers")>"Questions and answers"</a> }
        });
        view! { {answers}<a class="button" href=address>"Embed code and playground"</a> }
    });
    let more = own.filter(|_| page.may_change).map(|own| name_and_end(page, &own, forms));
    view! { {parts::head(title, Some((list, "Workspaces")), embed)}{facts}{versions}{form}{evaluations}{more} }.html()
}

/// The forms for its name and its agent, and its deletion.
fn name_and_end(page: &WorkspacePage, own: &str, forms: &Forms) -> Html {
    let field = Field::text("name", "Name").named("workspace-name").draw(&forms.name);
    let rename = Form::new(format!("{own}/name"), "Rename").quiet().draw(&forms.name, field);
    let field = Field::text("agentId", "Agent id").optional().draw(&forms.agent);
    let agent = Form::new(format!("{own}/agent"), "Save agent").quiet().draw(&forms.agent, field);
    let replaced =
        "The v1 agent that this workspace replaces. v1 hosts that send this agentId to save-from-chat reach this workspace.";
    let stands = match page.applications.as_slice() {
        [] => String::new(),
        names => format!(" {} is no longer linked to it, and v1 callers no longer find its dashboards.", names.join(", ")),
    };
    let told = match page.conversations {
        0 => format!("It has no conversations.{stands}"),
        1 => format!("This also deletes 1 conversation of its users.{stands}"),
        many => format!("This also deletes {many} conversations of its users.{stands}"),
    };
    let question = format!("Delete {}?", page.name);
    let remove = Form::new(format!("{own}/remove"), "Delete workspace").asking("remove", &question, view! { <p>{told}</p> });
    let kept = "Embeds and conversations use its id and keep working. A project file uses its name.";
    view! { {parts::part("Name", kept, rename)}{parts::part("v1 agent", replaced, agent)}{parts::part("Delete", "", remove)} }
        .html()
}

/// Example questions with their queries, and two empty rows.
fn examples(page: &WorkspacePage, draft: &Draft) -> Html {
    let row = |number: usize| {
        let field = |part: &str| format!("example.{number}.{part}");
        let (question, query) = (field("question"), field("query"));
        let invalid = draft.problem(&query).map(|_| "true");
        let asked = Cell::text(question, format!("Question of example {}", number + 1)).like("Which region sold most?");
        view! {
            <div class="example">
                {asked.draw(draft)}
                <textarea name=query.clone() rows="2" class="code" spellcheck="false" aria-label=format!("Query of example {}", number + 1)
                    aria-describedby=told_at(&query) aria-invalid=invalid
                    placeholder="select region, sum(amount) from orders group by 1 order by 2 desc limit 1">{area_text(draft.value(&query))}</textarea>
                {problem(&query, draft)}
            </div>
        }
    };
    let open =
        page.examples > 2 || (0..page.examples).any(|number| draft.problem(&format!("example.{number}.query")).is_some());
    view! {
        <details class="more" open=open>
            <summary>"Examples: questions with the queries that answer them"</summary>
            <p class="muted">
                "A language model reads them in addition to the catalogue, and an evaluation asks them. A query is SQL, or a query of the semantic model as JSON: "
                {parts::code(r#"{"measures": ["revenue"], "dimensions": [{"name": "regions.name"}]}"#)}
                ". To remove an example, clear its question."
            </p>
            {(0..page.examples).map(row).collect_view()}
        </details>
    }
    .html()
}

fn versions(page: &WorkspacePage, own: &str) -> Html {
    let step = |name: &str, step: &str, number: i64| {
        Form::new(format!("{own}/versions"), name).quiet().button(&[("step", step), ("number", &number.to_string())])
    };
    let row = |one: &VersionRow| {
        let state = match (one.production, one.published) {
            (true, _) => parts::badge("good", "In production"),
            (false, true) => parts::badge("", "Published"),
            (false, false) => parts::badge("warn", "Draft"),
        };
        let fell = one.fell_by.map(|points| format!("{} fewer right than in production", parts::counted(points, "point")));
        let state = view! { {state}{fell.clone().map(|fell| view! { " "{parts::badge("bad", &fell)} })} }.html();
        let action = match (page.may_change, one.production, one.published) {
            (true, false, false) => step("Publish", "publish", one.number),
            (true, false, true) => match fell {
                None => step("Put into production", "promote", one.number),
                Some(fell) => {
                    let told = view! { <p>{format!("It has {fell}. The evaluations below list its wrong answers.")}</p> };
                    Form::new(format!("{own}/versions"), "Put into production anyway")
                        .hiding("step", "promote")
                        .hiding("despite", "on")
                        .hiding("number", &one.number.to_string())
                        .asking(&format!("version-{}", one.number), "Put a version that answers worse into production?", told)
                }
            },
            _ => ().html(),
        };
        vec![parts::nth("Version", one.number), state, action]
    };
    let live = page.versions.iter().any(|one| one.production);
    let below = (page.may_change && live).then(|| {
        view! { <div class="row-actions">{step("Roll back", "roll-back", 0)}{step("Take out of production", "unpublish", 0)}</div> }
    });
    let rows = page.versions.iter().map(row).collect();
    parts::part(
        "Versions",
        "Embeds serve the version in production.",
        view! { {parts::table("Versions", &["Version", "State", ""], rows)}{below} },
    )
}
