//! The form for a measure in the list of open questions.

use crate::{
    pages::semantic_model::{AGGREGATES, NamedColumn, choice, suggestions},
    ui::{
        draft::Draft,
        form::{Control, Field, Form},
        html::{Html, IntoHtml},
        parts,
    },
};
use leptos::prelude::*;

/// The id of the list of columns.
const COLUMNS: &str = "measured-columns";

/// The form for a measure.
#[derive(Clone, Debug, Default)]
pub struct Measuring {
    /// Its values.
    pub draft: Draft,
    /// The question that it was opened for. Empty if it was opened for none.
    pub question: String,
    /// Whether it is open.
    pub is_open: bool,
    /// The tables that a measure can be computed of: the value that the form sends, and what is shown.
    pub tables: Vec<(String, String)>,
    /// The columns of these tables, each with the names of its tables.
    pub columns: Vec<NamedColumn>,
}

impl Measuring {
    /// Draws it.
    pub(super) fn draw(&self, own: &str) -> Html {
        let Self { draft, question, is_open, tables, columns } = self;
        let asked = (!question.is_empty()).then(|| view! { <p>"The question: "<strong>{question.clone()}</strong></p> });
        let name = Field::text("name", "Name")
            .like("net_revenue")
            .hint("Letters, digits and _. Charts and queries refer to it, so it cannot change later. The label can.");
        let of = Field::text("of", "Of").named("measured").at_times().like("amount - discount").among(COLUMNS);
        let of = of.hint("A column, or SQL over columns of one row, without table names. Only a count works without it, and then counts rows.");
        let condition = Field::text("where", "Where").optional().like("status <> 'void'");
        let fields = view! {
            {asked}
            <input type="hidden" name="for" value=draft.value("for").to_owned() />
            {suggestions(COLUMNS, columns)}
            {Field::new("table", "Table", Control::Choice(tables.clone())).draw(draft)}
            {name.draw(draft)}
            {Field::text("label", "Label").like("Net revenue").hint("The name that your users read.").draw(draft)}
            {choice("aggregate", "Computed as", &AGGREGATES).draw(draft)}
            {of.draw(draft)}
            {condition.hint("A condition over columns of the table: which rows count.").draw(draft)}
            {Field::text("fraction", "Fraction").at_times().like("0.9").hint("Of a percentile only.").draw(draft)}
            {Field::text("synonyms", "Other names").optional().hint("Other words of your users for it, separated by commas.").draw(draft)}
            {Field::new("lowerIsBetter", "Less of it is better", Control::Tick).draw(draft)}
        };
        let form = Form::new(format!("{own}/measure"), "Save measure").or(own.to_owned()).draw(draft, fields);
        let is_open = *is_open || draft.is_refused();
        view! { <div id="measure">{parts::adding("Add measure", false, is_open, form)}</div> }.html()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_offers_tables_and_their_columns() {
        let owner = Owner::new();
        let mut draft = Draft::of([("table", "orders"), ("of", "amont")]);
        draft.refuse("of", "names no column");
        let form = Measuring {
            draft,
            question: "What is the net revenue?".to_owned(),
            is_open: false,
            tables: vec![("orders".to_owned(), "Orders (orders)".to_owned()), ("visits".to_owned(), "visits".to_owned())],
            columns: vec![("amount".to_owned(), Some("orders".to_owned()))],
        };
        let html = owner.with(|| form.draw("/answers").to_html());
        owner.cleanup();
        for part in [
            "<details open",
            "What is the net revenue?",
            "names no column",
            "action=\"/answers/measure\"",
            "<option value=\"amount\">orders</option>",
            ">Orders (orders)</option>",
            "id=\"field-measured\"",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
    }
}
