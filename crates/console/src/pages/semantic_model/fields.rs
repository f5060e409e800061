//! Parts that the forms of the model have in common.

use crate::ui::{
    draft::Draft,
    form::{Control, Field, Form},
    html::{Html, IntoHtml},
    parts,
};
use leptos::prelude::*;

/// A column of a table: its name and its type. The type is `None` if the database has no such column, or does not respond.
pub type NamedColumn = (String, Option<String>);

/// The removal of a measure or metric.
#[derive(Clone, Debug)]
pub struct Removal {
    /// The address that it is sent to.
    pub address: String,
    /// What is removed: `measure revenue`.
    pub what: String,
    /// What fails without it.
    pub breaks: Vec<String>,
}

/// A choice.
pub(in crate::pages) fn choice(name: &str, label: &str, options: &[(&str, &str)]) -> Field {
    let options = options.iter().map(|(value, shown)| ((*value).to_owned(), (*shown).to_owned())).collect();
    Field::new(name, label, Control::Choice(options))
}

/// What fails after the typed change. The form repeats it when it is sent again.
pub(super) fn losing(all: &[String]) -> Option<Html> {
    let repeated = view! { <input type="hidden" name="despiteUses" value=all.join("\n") /> };
    (!all.is_empty()).then(|| view! { {repeated}{listed(all)} }.html())
}

fn listed(all: &[String]) -> Html {
    let lines = all.iter().map(|one| view! { <li>{one.clone()}</li> }).collect_view();
    view! { <ul class="notes">{lines}</ul> }.html()
}

/// The part that removes a measure or metric. It asks first.
pub(super) fn removing(removal: &Removal) -> Html {
    let Removal { address, what, breaks } = removal;
    let told = if breaks.is_empty() {
        view! { <p>"No chart, metric or filter needs it. Hosts can no longer query it by the API. Nothing in the database changes."</p> }
            .html()
    } else {
        let told = "These objects fail without it. Nothing in the database changes.";
        view! { <p>{told}</p>{listed(breaks)} }.html()
    };
    let form = Form::new(address.clone(), &format!("Remove {}", what.split(' ').next().unwrap_or_default()));
    let form = form.hiding("despiteUses", &breaks.join("\n"));
    parts::part("Remove", "", form.asking("remove", &format!("Remove {what}?"), told))
}

/// Label, description and other names.
pub(super) fn texts(prefix: &str, of: &str, draft: &Draft) -> Html {
    let name = |part: &str| format!("{prefix}{part}");
    let label = |what: &str| format!("{what}{of}");
    view! {
        {Field::text(&name("label"), &label("Label")).optional().draw(draft)}
        {Field::new(&name("description"), &label("Description"), Control::Area(2)).optional().draw(draft)}
        {Field::text(&name("synonyms"), &label("Other names")).optional().hint("Separated by commas, for the chat.").draw(draft)}
    }
    .html()
}

/// How a number is written, and whether less of it is better.
pub(super) fn number_format(draft: &Draft) -> Html {
    const STYLES: [(&str, &str); 5] = [
        ("", "Default"),
        ("number", "Number: 1,234.5"),
        ("compact", "Compact: 12.3K"),
        ("percent", "Percent: 12.3% of 0.123"),
        ("currency", "Currency: €1,234.50"),
    ];
    view! {
        <fieldset class="group">
            <legend>"Number format"</legend>
            <div class="pair">
                {choice("format.style", "Style", &STYLES).optional().draw(draft)}
                {Field::text("format.currency", "Currency").optional().like("EUR").draw(draft)}
                {Field::new("format.decimals", "Decimals", Control::Input("number")).optional().draw(draft)}
                {Field::text("format.unit", "Unit").optional().like("min").draw(draft)}
            </div>
        </fieldset>
        {Field::new("lowerIsBetter", "Less of it is better", Control::Tick).hint("True of delays, costs and complaints. The chat’s “best” is then the least.").draw(draft)}
    }
    .html()
}

/// The columns of a table with their types, to look at while SQL is typed.
pub(super) fn columns(table: &str, columns: Option<&[NamedColumn]>) -> Html {
    let Some(columns) = columns else {
        return parts::warning(
            "The database does not respond, so columns cannot be shown. Columns in SQL are checked later, by each query.",
        );
    };
    let lines = columns.iter().map(|(name, kind)| {
        view! { <li><code>{name.clone()}</code>" "<span class="muted">{kind.clone()}</span></li> }
    });
    view! {
        <details class="more">
            <summary>{format!("Columns of {table}")}</summary>
            <ul class="plain columned">{lines.collect_view()}</ul>
        </details>
    }
    .html()
}

/// Suggestions for a field: values, each with a remark.
pub(in crate::pages) fn suggestions<'o>(id: &'static str, options: impl IntoIterator<Item = &'o NamedColumn>) -> Html {
    list(id, false, options)
}

/// Suggestions for a field that takes several names, separated by commas. Each such field has a list of its own.
pub(super) fn several<'o>(id: &'static str, options: impl IntoIterator<Item = &'o NamedColumn>) -> Html {
    list(id, true, options)
}

fn list<'o>(id: &'static str, several: bool, options: impl IntoIterator<Item = &'o NamedColumn>) -> Html {
    let option = |(value, told): &NamedColumn| view! { <option value=value.clone()>{told.clone()}</option> };
    let options = options.into_iter().map(option).collect_view();
    view! { <datalist id=id data-several=several.then_some("")>{options}</datalist> }.html()
}

/// Why the numbers of a table are not part of the model yet.
pub(super) fn closed() -> Html {
    parts::warning(
        "The table is closed: project users see none of its rows. Its numbers become part of the model once you set who sees which rows.",
    )
}
