//! The form for a table's part of the model: key, times, dimensions, and what its columns refer to.

use super::fields::{NamedColumn, closed, losing, several, suggestions, texts};
use crate::ui::{
    cell::Cell,
    draft::Draft,
    form::{Control, Field, Form},
    html::{Html, IntoHtml},
    parts,
};
use leptos::prelude::*;

/// What a column is to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InModel {
    /// Nothing: users cannot see it.
    Hidden,
    /// Part of it, by its settings or as key, time or column to list.
    Always,
    /// Part of it if its box is ticked.
    IfTicked,
}

/// A column.
#[derive(Clone, Debug)]
pub struct ModelColumn {
    /// Its name.
    pub name: String,
    /// Its type. `None` if the database has no such column, or does not respond.
    pub kind: Option<String>,
    /// What it is to the model.
    pub part: InModel,
}

/// A link to a measure's form.
#[derive(Clone, Debug)]
pub struct MeasureLink {
    /// Its name.
    pub name: String,
    /// How it is computed.
    pub formula: String,
    /// The address of its form.
    pub address: String,
}

/// The page.
#[derive(Clone, Debug)]
pub struct TableForm {
    /// The address that the form is sent to.
    pub address: String,
    /// The address of the table's own page.
    pub table: String,
    /// The table's name.
    pub name: String,
    /// Its columns: those of the database, or those that the settings name.
    pub columns: Vec<ModelColumn>,
    /// Whether the database responded.
    pub responds: bool,
    /// What columns can refer to: `customers.id`.
    pub keys: Vec<String>,
    /// What the default time can be, dates first, with types.
    pub times: Vec<NamedColumn>,
    /// The number of dimensions in the form, with an empty one at the end.
    pub dimensions: usize,
    /// How many of them are saved.
    pub saved: usize,
    /// Its measures.
    pub measures: Vec<MeasureLink>,
    /// The address of the form for a new measure.
    pub new_measure: String,
    /// Whether project users see none of its rows.
    pub closed: bool,
    /// What would break by the typed changes.
    pub losing: Vec<String>,
}

/// The months in which a year can begin.
const MONTHS: [&str; 12] =
    ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];

/// The number of empty rows for columns while the database does not respond.
pub const ADDED_COLUMNS: usize = 2;

/// Draws it.
#[must_use]
pub fn table_form(page: &TableForm, draft: &Draft) -> Html {
    let told = "The model says how rows of this table are counted and joined. Hidden columns are never part of it.";
    let form = Form::new(page.address.clone(), "Save").or(page.table.clone()).draw(draft, fields(page, draft));
    view! {
        {parts::head(&format!("Model of {}", page.name), Some((page.table.clone(), page.name.as_str())), ())}
        {page.closed.then(closed)}
        {parts::part("Keys, times and dimensions", told, form)}
        {measures(page)}
    }
    .html()
}

fn fields(page: &TableForm, draft: &Draft) -> Html {
    let months = MONTHS.iter().enumerate().map(|(at, month)| ((at + 1).to_string(), (*month).to_owned())).collect();
    let visible = page.columns.iter().filter(|column| column.part != InModel::Hidden);
    let columns: Vec<NamedColumn> = visible.map(|column| (column.name.clone(), column.kind.clone())).collect();
    let is_dimension = |(_, kind): &&NamedColumn| kind.as_deref() == Some("dimension");
    let displays: Vec<NamedColumn> = columns.iter().chain(page.times.iter().filter(is_dimension)).cloned().collect();
    let keys: Vec<NamedColumn> = page.keys.iter().map(|key| (key.clone(), None)).collect();
    view! {
        {losing(&page.losing)}
        {several("key-columns", &columns)}
        {several("drill-columns", &columns)}
        {suggestions("model-displays", &displays)}
        {suggestions("model-times", &page.times)}
        {suggestions("model-keys", &keys)}
        {Field::text("keyColumns", "Key").optional().among("key-columns").like("id")
            .hint("The column whose values no two rows share, or several separated by commas. Other tables can only refer to a key of one column.").draw(draft)}
        {Field::text("time", "Default time").optional().among("model-times")
            .hint("The date by which numbers of this table run and are compared.").draw(draft)}
        {Field::new("fiscalYearStart", "Years begin in", Control::Choice(months)).draw(draft)}
        {Field::text("drill", "Columns of the rows behind a number").optional().among("drill-columns").like("placed_on, customer_id, amount")
            .hint("In order, separated by commas. Default: every column that users may see.").draw(draft)}
        {Field::text("display", "Shown instead of the key").optional().among("model-displays").like("name")
            .hint("The column or dimension that a filter on the key lists, such as a customer's name.").draw(draft)}
        {columns_part(page, draft)}
        {dimensions(page, draft)}
    }
    .html()
}

fn columns_part(page: &TableForm, draft: &Draft) -> Html {
    let warning = (!page.responds).then(|| {
        parts::warning("The database does not respond, so only columns with settings are listed. The settings are kept, and you can name other columns.")
    });
    let refers = |field: String, of: &str| {
        Cell::text(field, format!("Column that {of} refers to")).of("model-keys").like("customers.id").draw(draft)
    };
    let row = |column: &ModelColumn| {
        let kind = match &column.kind {
            Some(kind) => parts::muted(kind.clone()),
            None if page.responds => parts::badge("bad", "Gone"),
            None => ().html(),
        };
        let part = named(column, draft);
        vec![parts::code(column.name.clone()), kind, part, refers(format!("column.{}.references", column.name), &column.name)]
    };
    let more = (0..if page.responds { 0 } else { ADDED_COLUMNS }).map(|number| {
        let label = format!("Name of column {}", number + 1);
        let name = Cell::text(format!("added.{number}.name"), label).draw(draft);
        vec![
            name,
            ().html(),
            parts::muted("Yes"),
            refers(format!("added.{number}.references"), &format!("column {}", number + 1)),
        ]
    });
    let rows = page.columns.iter().map(row).chain(more).collect();
    view! {
        <h3>"Columns"</h3>
        <p class="muted">"Queries can group and filter by the columns that are part of the model. A column can refer to the key of another table: rows are joined along it."</p>
        {warning}
        {parts::table("Columns", &["Column", "Type", "In the model", "Refers to"], rows)}
    }
    .html()
}

/// Whether a column is part of the model. A column that is so anyway stays named if it was.
fn named(column: &ModelColumn, draft: &Draft) -> Html {
    let name = format!("column.{}.named", column.name);
    let ticked = draft.ticked(&name);
    match column.part {
        InModel::IfTicked => view! {
            <input type="checkbox" name=name value="on" checked=ticked aria-label=format!("{} is part of the model", column.name) />
        }
        .html(),
        InModel::Hidden | InModel::Always => {
            let kept = ticked.then(|| view! { <input type="hidden" name=name value="on" /> });
            let told = if column.part == InModel::Hidden { "Hidden" } else { "Yes" };
            view! { {kept}{parts::muted(told)} }.html()
        }
    }
}

fn dimensions(page: &TableForm, draft: &Draft) -> Html {
    let one = |number: usize| {
        let field = |part: &str| format!("dimension.{number}.{part}");
        let of = format!(" of dimension {}", number + 1);
        let is_saved = number < page.saved;
        let parts = ["name", "sql"].map(field);
        let wrong = parts.iter().any(|name| draft.problem(name).is_some());
        let open = wrong || (!is_saved && parts.iter().any(|name| !draft.value(name).is_empty()));
        let summary = if is_saved { draft.value(&field("name")).to_owned() } else { "Add a dimension".to_owned() };
        let remove = is_saved
            .then(|| Field::new(&field("remove"), &format!("Remove dimension {}", number + 1), Control::Tick).draw(draft));
        view! {
            <details class="more" open=open>
                <summary>{summary}</summary>
                {Field::text(&field("name"), &format!("Name{of}")).at_times().like("size").draw(draft)}
                {Field::new(&field("sql"), &format!("SQL{of}"), Control::Code(2)).at_times()
                    .like("case when amount >= 100 then 'large' else 'small' end")
                    .hint("An expression over columns of this table, without table names, aggregates and subqueries.").draw(draft)}
                {Field::text(&field("order"), &format!("Order of values{of}")).optional().at_times().like("small, medium, large")
                    .hint("Separated by commas, where it is not alphabetical. Other values come after these.").draw(draft)}
                {texts(&format!("dimension.{number}."), &of, draft)}
                {remove}
            </details>
        }
    };
    view! {
        <h3>"Dimensions"</h3>
        <p class="muted">"Expressions that queries can group and filter by, beside the columns."</p>
        {(0..page.dimensions).map(one).collect_view()}
    }
    .html()
}

fn measures(page: &TableForm) -> Html {
    let row = |one: &MeasureLink| vec![parts::link(one.address.clone(), one.name.clone()), parts::code(one.formula.clone())];
    let list = if page.measures.is_empty() {
        parts::muted("No measures yet.")
    } else {
        parts::table("Measures", &["Measure", "Computed as"], page.measures.iter().map(row).collect())
    };
    let add = view! { <div class="actions"><a class="button" href=page.new_measure.clone()>"Add measure"</a></div> };
    parts::part("Measures", "Numbers of the rows of this table.", view! { {list}{add} })
}
