//! The semantic model: its tables and joins as a picture, its measures and metrics, and each of them on a page of its own.

mod fields;
mod formula;
mod keys;
mod metric_fields;
mod number;
mod number_form;
mod picture;
mod table_form;
mod trial;

pub use fields::{NamedColumn, Removal};
pub use formula::{of_filter, of_measure, of_metric};
pub use keys::{Ended, KeyNotice, Keys, LastCheck, Place};
pub use metric_fields::{Condition, MetricFields, MetricKind, kinds};
pub use number::{Number, number};
pub use number_form::{Defines, NumberForm, number_form};
pub use table_form::{ADDED_COLUMNS, InModel, MeasureLink, ModelColumn, TableForm, table_form};
pub use trial::Trial;

pub(super) use fields::{choice, suggestions};
pub(super) use number_form::AGGREGATES;

use crate::ui::{
    draft::Draft,
    form::{Control, Field, Form},
    html::{Html, IntoHtml},
    numbers, parts,
};
use leptos::prelude::*;

/// A measure or metric in the list.
#[derive(Clone, Debug)]
pub struct NumberRow {
    /// Its name.
    pub name: String,
    /// Its label.
    pub label: Option<String>,
    /// How it is computed.
    pub formula: String,
    /// The number of charts and metrics that use it.
    pub uses: usize,
    /// The address of its page.
    pub address: String,
}

/// A table of the model.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its label.
    pub label: Option<String>,
    /// The columns of its key.
    pub key: Vec<String>,
    /// Its default time dimension.
    pub time: Option<String>,
    /// The columns that refer to tables of the model, with the tables' names.
    pub references: Vec<(String, String)>,
    /// The declared dimensions.
    pub dimensions: Vec<String>,
    /// The columns that can be dimensions.
    pub columns: Vec<String>,
    /// Its measures.
    pub measures: Vec<NumberRow>,
    /// Its keys that are not unique, and those that it refers to.
    pub notices: Vec<KeyNotice>,
    /// The address of its form, if the member may change it.
    pub edit: Option<String>,
}

impl Table {
    fn shown(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.name)
    }
}

/// The model of a connection.
#[derive(Clone, Debug)]
pub struct Connection {
    /// Its name.
    pub name: String,
    /// Its tables.
    pub tables: Vec<Table>,
    /// Metrics of its measures.
    pub metrics: Vec<NumberRow>,
}

/// A listed table that is not part of the model.
#[derive(Clone, Debug)]
pub struct OtherTable {
    /// Its name.
    pub name: String,
    /// The connection's name.
    pub connection: String,
    /// The address of its form.
    pub address: String,
    /// Whether it is left out because project users see none of its rows, although it declares something.
    pub closed: bool,
}

/// The page.
#[derive(Clone, Debug)]
pub struct SemanticModel {
    /// The address of the project file's page.
    pub file: String,
    /// The tables that the member may make part of the model.
    pub others: Vec<OtherTable>,
    /// The address of the form for a new metric, if the member may add one.
    pub new_metric: Option<String>,
    /// The connections whose models the member may draft.
    pub draftable: Vec<String>,
    /// The connections with a model.
    pub connections: Vec<Connection>,
    /// Whether keys are checked, and how.
    pub keys: Keys,
}

const PURPOSE: &str = "The semantic model defines what can be counted: the keys of tables, the joins between them, measures and metrics. \
    Charts, the API and exports then compute each number in one way.";
/// How it begins, for members who may declare it.
const BEGIN: &str = "Choose a table below, or declare the model in the project file.";

/// Draws the page.
#[must_use]
pub fn draw(page: &SemanticModel) -> Html {
    let guide = || view! { <a class="button" href="/docs/model">"Guide"</a> }.html();
    if page.connections.is_empty() {
        let file = view! { <a class="button" href=page.file.clone()>"Project file"</a> };
        let actions = view! { <div class="actions">{file}{guide()}</div> }.html();
        let purpose = if page.others.is_empty() { PURPOSE.to_owned() } else { format!("{PURPOSE} {BEGIN}") };
        return view! {
            {parts::head("Semantic model", None, ())}
            {parts::empty(&purpose, Some(actions))}
            {others(page)}
            {drafting(page)}
        }
        .html();
    }
    let several = page.connections.len() > 1;
    let connections = page.connections.iter().enumerate().map(|(at, connection)| {
        let name = several.then(|| view! { <h2 class="source">{connection.name.clone()}</h2> });
        view! { {name}{model(at, connection)} }.html()
    });
    let metric = page.new_metric.clone().map(|address| view! { <a class="button" href=address>"Add metric"</a> });
    view! {
        {parts::head("Semantic model", None, view! { {metric}{guide()} })}
        {connections.collect_view()}
        {others(page)}
        {keys::draw(&page.keys)}
        {drafting(page)}
    }
    .html()
}

/// The listed tables that are not part of the model.
fn others(page: &SemanticModel) -> Option<Html> {
    const TOLD: &str = "Listed tables that declare no key, time, dimension or measure, or that are closed.";
    let row = |one: &OtherTable| {
        let state = if one.closed { parts::badge("warn", "Closed") } else { ().html() };
        vec![parts::link(one.address.clone(), one.name.clone()), parts::text(one.connection.clone()), state]
    };
    let rows = page.others.iter().map(row).collect();
    let list = || parts::table("Tables outside the model", &["Table", "Connection", ""], rows);
    (!page.others.is_empty()).then(|| parts::part("Tables outside the model", TOLD, list()))
}

/// The form for a draft.
fn drafting(page: &SemanticModel) -> Option<Html> {
    const TOLD: &str = "Reads the keys, types and names of a database's tables and proposes keys, joins, times and measures. \
        You review the proposals in the project file. Existing settings do not change.";
    let one = match &page.draftable[..] {
        [] => return None,
        [one] => Some(one),
        _ => None,
    };
    let names = page.draftable.iter().map(|name| (name.clone(), name.clone())).collect();
    let unlisted =
        Field::new("unlisted", "Propose tables that the project does not list, too. They stay closed.", Control::Tick);
    let draft = Draft::default();
    let connection = match one {
        Some(name) => view! { <input type="hidden" name="connection" value=name.clone() /> }.html(),
        None => Field::new("connection", "Connection", Control::Choice(names)).draw(&draft),
    };
    let fields = view! { {connection}{unlisted.at_times().draw(&draft)} };
    let form = Form::new(format!("{}/draft", page.file), "Draft a model").quiet().draw(&draft, fields);
    Some(parts::part("Draft", TOLD, form))
}

fn model(at: usize, model: &Connection) -> Html {
    let told = "Arrows lead from a column to the table that it refers to. Rows are joined along them only in this direction.";
    let tables = model.tables.iter().enumerate().map(|(number, one)| table(&anchor(at, number), one));
    let metrics = (!model.metrics.is_empty())
        .then(|| parts::part("Metrics", "Numbers made of measures and other metrics.", numbers("Metrics", &model.metrics)));
    view! {
        {parts::part("Tables and joins", told, picture::draw(at, &model.name, &model.tables))}
        {metrics}
        {tables.collect_view()}
    }
    .html()
}

/// The fragment of a table's part of the page.
fn anchor(connection: usize, table: usize) -> String {
    format!("table-{connection}-{table}")
}

fn table(anchor: &str, table: &Table) -> Html {
    let listed = |names: &[String]| if names.is_empty() { parts::muted("None") } else { parts::code(names.join(", ")) };
    let joins: Vec<String> = table.references.iter().map(|(column, to)| format!("{column} → {to}")).collect();
    let mut facts = vec![
        ("Table", parts::code(table.name.clone())),
        ("Key", listed(&table.key)),
        ("Default time", table.time.clone().map_or_else(|| parts::muted("None"), parts::code)),
        ("Joins", listed(&joins)),
    ];
    if !table.dimensions.is_empty() {
        facts.push(("Dimensions", parts::names(&table.dimensions)));
    }
    if !table.columns.is_empty() {
        facts.push(("Columns", parts::names(&table.columns)));
    }
    let measures = if table.measures.is_empty() {
        parts::muted("No measures: other tables are grouped and filtered by this one.")
    } else {
        numbers(&format!("Measures of {}", table.shown()), &table.measures)
    };
    let notices = table.notices.iter().map(keys::notice).collect_view();
    let edit = table.edit.clone().map(|address| {
        view! { <div class="actions"><a class="button" href=address aria-label=format!("Edit {}", table.shown())>"Edit"</a></div> }
    });
    let body = view! { {notices}{parts::facts(facts)}{measures}{edit} };
    view! { <div id=anchor.to_owned()>{parts::part(table.shown(), "", body)}</div> }.html()
}

fn numbers(caption: &str, rows: &[NumberRow]) -> Html {
    let row = |row: &NumberRow| {
        let shown = row.label.as_deref().unwrap_or(&row.name);
        let name = row.label.is_some().then(|| view! { " "{parts::code(row.name.clone())} });
        let name = view! { {parts::link(row.address.clone(), shown)}{name} }.html();
        vec![name, parts::code(row.formula.clone()), numbers::amount(row.uses)]
    };
    parts::figures(caption, &["Number", "Computed as", "Uses"], &["Uses"], rows.iter().map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(page: &SemanticModel) -> String {
        let owner = Owner::new();
        let html = owner.with(|| draw(page).to_html());
        owner.cleanup();
        html
    }

    fn unchecked() -> Keys {
        Keys { address: "/keys".to_owned(), allowed: false, hour: 3, last: None, complete_at: None, may_change: true }
    }

    #[test]
    fn names_are_text() {
        let hostile = "<script>alert(1)</script>";
        let row = NumberRow {
            name: hostile.to_owned(),
            label: Some(hostile.to_owned()),
            formula: hostile.to_owned(),
            uses: 2,
            address: "/x".to_owned(),
        };
        let table = Table {
            name: hostile.to_owned(),
            references: vec![(hostile.to_owned(), hostile.to_owned())],
            dimensions: vec![hostile.to_owned()],
            measures: vec![row.clone()],
            notices: vec![KeyNotice {
                key: hostile.to_owned(),
                values: 2,
                counted_at: "2026-11-25T03:00:00.000Z".to_owned(),
                place: Place::Own(vec![hostile.to_owned()]),
            }],
            ..Table::default()
        };
        let connection = Connection { name: hostile.to_owned(), tables: vec![table], metrics: vec![row] };
        let html = drawn(&SemanticModel {
            file: "/file".to_owned(),
            others: Vec::new(),
            new_metric: None,
            draftable: Vec::new(),
            connections: vec![connection.clone(), connection],
            keys: unchecked(),
        });
        assert!(!html.contains("<script"), "{html}");
        assert!(html.contains("&lt;script&gt;"), "{html}");
    }

    #[test]
    fn a_project_without_a_model_says_how_to_begin() {
        let html = drawn(&SemanticModel {
            file: "/file".to_owned(),
            others: Vec::new(),
            new_metric: None,
            draftable: Vec::new(),
            connections: Vec::new(),
            keys: unchecked(),
        });
        assert!(html.contains("href=\"/file\"") && html.contains("href=\"/docs/model\""), "{html}");
        assert!(!html.contains("<form"), "who may not change the project drafts nothing: {html}");
        let html = drawn(&SemanticModel {
            file: "/file".to_owned(),
            others: Vec::new(),
            new_metric: None,
            draftable: vec!["w".to_owned()],
            connections: Vec::new(),
            keys: unchecked(),
        });
        assert!(html.contains("action=\"/file/draft\"") && html.contains("name=\"connection\" value=\"w\""), "{html}");
    }

    #[test]
    fn a_listed_table_leads_to_its_form() {
        let other = OtherTable {
            name: "<b>orders</b>".to_owned(),
            connection: "w".to_owned(),
            address: "/orders/model".to_owned(),
            closed: true,
        };
        let html = drawn(&SemanticModel {
            file: "/file".to_owned(),
            others: vec![other],
            new_metric: None,
            draftable: Vec::new(),
            connections: Vec::new(),
            keys: unchecked(),
        });
        assert!(
            html.contains("href=\"/orders/model\"") && html.contains("Choose a table below") && html.contains("Closed"),
            "{html}"
        );
        assert!(!html.contains("<b>orders"), "{html}");
    }
}
