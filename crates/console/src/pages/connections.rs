//! Connections to databases, and the tables of their catalogues.

mod form;

use crate::ui::{
    draft::Draft,
    form::{Field, Form},
    html::{Html, IntoHtml},
    numbers, parts,
};
use form::ConnectionForm;
pub use form::Kinds;
use leptos::prelude::*;

/// A connection in the list.
#[derive(Clone, Debug)]
pub struct ConnectionRow {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// Its URL without the password.
    pub address: String,
    /// How many tables are listed.
    pub tables: usize,
}

/// The list.
#[must_use]
pub fn list(project: &str, connections: &[ConnectionRow], may_change: bool) -> Html {
    let new = format!("/console/projects/{project}/connections/new");
    let action = may_change.then(|| parts::button(new.clone(), "Connect a database"));
    if connections.is_empty() {
        let told = "A connection reads one of your databases. Your users' queries can read only the tables that you list, and only the rows that your rules allow.";
        let action = may_change.then(|| parts::button(new, "Connect a database"));
        return view! { {parts::head("Connections", None, ())}{parts::empty(told, action)} }.html();
    }
    let row = |one: &ConnectionRow| {
        vec![
            parts::link(format!("/console/projects/{project}/connections/{}", one.id), one.name.clone()),
            parts::text(one.kind.clone()),
            parts::code(one.address.clone()),
            numbers::amount(one.tables),
        ]
    };
    view! {
        {parts::head("Connections", None, action)}
        {parts::figures("Connections", &["Connection", "Database", "Address", "Tables"], &["Tables"], connections.iter().map(row).collect())}
    }
    .html()
}

/// The page for a new connection.
#[must_use]
pub fn new(project: &str, kinds: &Kinds, draft: &Draft) -> Html {
    let list = format!("/console/projects/{project}/connections");
    let form = ConnectionForm { action: list.clone(), submit: "Connect", cancel: list.clone(), kinds, keeps_password: None };
    view! { {parts::head("Connect a database", Some((list, "Connections")), ())}{form.draw(draft)} }.html()
}

/// A table in a connection's catalogue.
#[derive(Clone, Debug)]
pub struct TableRow {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its label.
    pub label: String,
    /// The rows that project users see.
    pub rows: Rows,
    /// How many columns are hidden.
    pub hidden: usize,
}

/// The rows that project users see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rows {
    /// Every row.
    All,
    /// The rows that match a rule.
    Rule(String),
    /// None.
    Nothing,
}

impl Rows {
    fn draw(&self) -> Html {
        match self {
            Self::All => parts::badge("warn", "All rows"),
            Self::Rule(rule) => parts::code(rule.clone()),
            Self::Nothing => parts::badge("", "No rows"),
        }
    }
}

/// A connection's page.
#[derive(Clone, Debug)]
pub struct Connection {
    /// The project.
    pub project: String,
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Whether its address has a password.
    pub keeps_password: bool,
    /// Its tables.
    pub tables: Vec<TableRow>,
    /// What uses it.
    pub uses: Vec<String>,
    /// The warnings of a test, or why it failed. `None` if it was not tested.
    pub tested: Option<Result<Vec<String>, String>>,
    /// The kinds of databases.
    pub kinds: Kinds,
    /// Whether the member may change it.
    pub may_change: bool,
}

/// Draws it: tables first, then settings.
#[must_use]
pub fn show(page: &Connection, draft: &Draft, table: &Draft) -> Html {
    let list = format!("/console/projects/{}/connections", page.project);
    let own = format!("{list}/{}", page.id);
    let tested = page.tested.as_ref().map(|tested| match tested {
        Ok(warnings) if warnings.is_empty() => view! { <p class="notice" role="status">"The database responds."</p> }.html(),
        Ok(warnings) => {
            let all = warnings.iter().map(|warning| parts::warning(warning.clone())).collect_view();
            view! { <p class="notice" role="status">"The database responds, with warnings:"</p>{all} }.html()
        }
        Err(problem) => view! { <p class="refused" role="alert">{problem.clone()}</p> }.html(),
    });
    let test = page.may_change.then(|| Form::new(format!("{own}/test"), "Test").quiet().button(&[]));
    let settings = page.may_change.then(|| {
        let (action, cancel, keeps_password) = (own.clone(), list.clone(), Some(page.keeps_password));
        let form = ConnectionForm { action, submit: "Save", cancel, kinds: &page.kinds, keeps_password };
        parts::part("Settings", "The connection is tested before it is saved.", form.draw(draft))
    });
    let remove = page.may_change.then(|| removal(page, &own));
    view! {
        {parts::head(&page.name, Some((list.clone(), "Connections")), test)}
        {tested}
        {tables(page, &own, table)}
        {settings}
        {remove}
    }
    .html()
}

fn tables(page: &Connection, own: &str, draft: &Draft) -> Html {
    let row = |one: &TableRow| {
        vec![
            parts::link(format!("{own}/tables/{}", one.id), one.name.clone()),
            parts::text(one.label.clone()),
            one.rows.draw(),
            numbers::amount(one.hidden),
        ]
    };
    let list = if page.tables.is_empty() {
        parts::empty("No table is listed, so project users' queries can read nothing here.", choose(page, own, "primary"))
    } else {
        let columns = ["Table", "Label", "Rows visible to project users", "Hidden columns"];
        parts::figures("Tables", &columns, &columns[3..], page.tables.iter().map(row).collect())
    };
    let add = page.may_change.then(|| {
        let field =
            Field::text("table", "Table").like("orders").hint("Its name in the database; schema.table where it has schemas.");
        let form = Form::new(format!("{own}/tables"), "Add table").quiet().draw(draft, field.draw(draft));
        let more = (!page.tables.is_empty()).then(|| choose(page, own, "")).flatten();
        view! {
            {more}
            <details class="more" open=draft.is_refused()><summary>"Add a table by its name"</summary>{form}</details>
        }
    });
    parts::part("Tables", "The only tables that project users' queries may use.", view! { {list}{add} })
}

/// The link to the list of the database's tables.
fn choose(page: &Connection, own: &str, class: &str) -> Option<Html> {
    page.may_change
        .then(|| view! { <p><a class=format!("button {class}") href=format!("{own}/tables")>"Choose tables"</a></p> }.html())
}

fn removal(page: &Connection, own: &str) -> Html {
    if !page.uses.is_empty() {
        let told = "Charts, filters or workspaces use it. Remove those first.";
        return parts::part("Remove", told, parts::names(&page.uses));
    }
    let told = view! { <p>"This also deletes its address and its catalogue of tables. Nothing in the database changes."</p> };
    let question = format!("Remove {}?", page.name);
    parts::part("Remove", "", Form::new(format!("{own}/remove"), "Remove connection").asking("remove", &question, told))
}
