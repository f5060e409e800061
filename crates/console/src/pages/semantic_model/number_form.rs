//! The form for a measure or metric, with a test as a user.

use super::{
    fields::{NamedColumn, Removal, choice, closed, columns, losing, number_format, removing, several, suggestions, texts},
    metric_fields::{self, MetricFields},
    trial::{Trial, testing},
};
use crate::ui::{
    draft::Draft,
    form::{Control, Field, Form},
    html::{Html, IntoHtml},
    parts,
};
use leptos::prelude::*;

/// What the form defines.
#[derive(Clone, Debug)]
pub enum Defines {
    /// A number of the rows of a table.
    Measure {
        /// The table.
        table: String,
        /// Its columns that users may see. `None` if the database does not respond.
        columns: Option<Vec<NamedColumn>>,
        /// Whether project users see none of its rows.
        closed: bool,
    },
    /// A number made of others.
    Metric(MetricFields),
}

/// The page.
#[derive(Clone, Debug)]
pub struct NumberForm {
    /// The address that the form is sent to.
    pub address: String,
    /// The address of the page before, and its name.
    pub back: (String, String),
    /// Its name. `None` for a new one.
    pub name: Option<String>,
    /// What it defines.
    pub defines: Defines,
    /// The users to test as: id and name.
    pub users: Vec<(String, String)>,
    /// The result of a test.
    pub trial: Option<Result<Trial, String>>,
    /// What would break by the typed changes.
    pub losing: Vec<String>,
    /// How it is removed, if it exists.
    pub removal: Option<Removal>,
}

impl NumberForm {
    /// The title of the page.
    #[must_use]
    pub fn title(&self) -> String {
        let what = match &self.defines {
            Defines::Measure { .. } => "measure",
            Defines::Metric(_) => "metric",
        };
        self.name.as_ref().map_or_else(|| format!("New {what}"), |name| format!("Edit {name}"))
    }
}

/// Draws it.
#[must_use]
pub fn number_form(page: &NumberForm, draft: &Draft) -> Html {
    let (address, name) = &page.back;
    let submit = match (&page.name, &page.defines) {
        (Some(_), _) => "Save",
        (None, Defines::Measure { .. }) => "Add measure",
        (None, Defines::Metric(_)) => "Add metric",
    };
    let form = Form::new(page.address.clone(), submit).or(address.clone()).draw(draft, fields(page, draft));
    let (warning, others) = match &page.defines {
        Defines::Measure { closed: is_closed, .. } => (is_closed.then(closed), None),
        Defines::Metric(metric) => (None, metric_fields::others(metric)),
    };
    view! {
        {parts::head(&page.title(), Some((address.clone(), name.as_str())), ())}
        {warning}
        {others}
        {parts::part("Definition", "", form)}
        {page.removal.as_ref().map(removing)}
    }
    .html()
}

fn fields(page: &NumberForm, draft: &Draft) -> Html {
    let name = match &page.name {
        Some(name) => parts::facts(vec![("Name", parts::code(name.clone()))]),
        None => Field::text("name", "Name")
            .like("revenue")
            .hint("Letters, digits and _. Charts and queries refer to it, so it cannot change later. The label can.")
            .draw(draft),
    };
    let definition = match &page.defines {
        Defines::Measure { table, columns, .. } => measure(table, columns.as_deref(), draft),
        Defines::Metric(metric) => metric_fields::fields(metric, draft),
    };
    view! {
        {losing(&page.losing)}
        {name}
        {definition}
        {testing(&page.users, page.trial.as_ref(), draft)}
        {texts("", "", draft)}
        {number_format(draft)}
    }
    .html()
}

/// The aggregates of a measure: the name in the project file, and what is shown.
pub(in crate::pages) const AGGREGATES: [(&str, &str); 8] = [
    ("count", "Count: number of rows, or of rows with a value"),
    ("countDistinct", "Number of different values"),
    ("sum", "Sum"),
    ("average", "Average"),
    ("min", "Minimum"),
    ("max", "Maximum"),
    ("median", "Median"),
    ("percentile", "Percentile"),
];

fn measure(table: &str, known: Option<&[NamedColumn]>, draft: &Draft) -> Html {
    let edges = [("", "All rows"), ("last", "The rows at the last moment"), ("first", "The rows at the first moment")];
    let open = ["take.edge", "take.over", "take.per"]
        .iter()
        .any(|name| draft.problem(name).is_some() || !draft.value(name).is_empty());
    view! {
        {suggestions("moment-columns", known.unwrap_or_default())}
        {several("per-columns", known.unwrap_or_default())}
        {choice("aggregate", "Computed as", &AGGREGATES).draw(draft)}
        {Field::new("of", "Of", Control::Code(1)).at_times().like("amount")
            .hint("A column, or SQL over columns of one row, without table names. Only a count works without it, and then counts rows.").draw(draft)}
        {Field::new("where", "Where", Control::Code(1)).optional().like("status <> 'void'").hint("A condition over columns of the table: which rows count.").draw(draft)}
        {columns(table, known)}
        {Field::text("fraction", "Fraction").at_times().like("0.9").hint("Of a percentile only: 0.9 is the value that nine tenths do not exceed.").draw(draft)}
        <details class="more" open=open>
            <summary>"For stocks and balances: rows of one moment"</summary>
            <p class="muted">"A stock does not add up over time. Only the rows at the first or last moment of each group then count."</p>
            {choice("take.edge", "Rows that count", &edges).optional().draw(draft)}
            {Field::text("take.over", "Moments").optional().among("moment-columns").hint("The column of the moments. Default: the table’s default time.").draw(draft)}
            {Field::text("take.per", "For each").optional().among("per-columns").like("warehouse, product_id")
                .hint("Columns for each of which the moment is found, such as the account. Separated by commas.").draw(draft)}
        </details>
    }
    .html()
}
