//! The tables of a database, for choosing which to list: columns, first rows, and whether they are listed.

use crate::ui::{
    form::csrf,
    html::{Html, IntoHtml},
    parts,
    sheet::Sheet,
};
use leptos::prelude::*;

/// A table of the database.
#[derive(Clone, Debug)]
pub struct TableChoice {
    /// Its name in the catalogue.
    pub name: String,
    /// Its columns: name and type.
    pub columns: Vec<(String, String)>,
    /// The id of its catalogue entry, if it is listed.
    pub listed: Option<String>,
    /// Whether its box is ticked.
    pub chosen: bool,
}

/// The first rows of a table.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The table.
    pub table: String,
    /// The rows.
    pub sheet: Sheet,
}

/// The page.
#[derive(Clone, Debug)]
pub struct TableChoices {
    /// The project.
    pub project: String,
    /// The connection's id.
    pub connection: String,
    /// The connection's name.
    pub connection_name: String,
    /// The database's tables, or why they could not be read.
    pub tables: Result<Vec<TableChoice>, String>,
    /// The requested sample.
    pub sample: Option<Result<Sample, String>>,
    /// Why the choice was refused.
    pub problem: Option<String>,
}

/// Draws it.
#[must_use]
pub fn show(page: &TableChoices) -> Html {
    let own = format!("/console/projects/{}/connections/{}", page.project, page.connection);
    let body = match &page.tables {
        Err(told) => parts::refused(told),
        Ok(tables) if tables.is_empty() => parts::empty(
            "The connection's user cannot read any table of this database. Grant it the right, then reload this page.",
            None,
        ),
        Ok(tables) => choice(&own, tables),
    };
    view! {
        {parts::head("Choose tables", Some((own, page.connection_name.as_str())), ())}
        <p class="muted">"Project users' queries may use the tables that you list. Each table is closed until you set which rows each user sees."</p>
        {page.problem.as_deref().map(parts::refused)}
        {page.sample.as_ref().map(sample)}
        {body}
    }
    .html()
}

fn sample(found: &Result<Sample, String>) -> Html {
    match found {
        Err(told) => parts::refused(told),
        Ok(Sample { table, sheet }) => {
            let told = if sheet.rows.is_empty() {
                "The table is empty."
            } else {
                "In the database's order. Only you see them: no rule filters these rows."
            };
            parts::part(&format!("First rows of {table}"), told, view! { <div data-result="">{sheet.draw("First rows")}</div> })
        }
    }
}

fn choice(own: &str, tables: &[TableChoice]) -> Html {
    let rows = tables.iter().map(|table| row(own, table)).collect();
    let fresh = tables.iter().filter(|table| table.listed.is_none()).count();
    let told = match (tables.len(), fresh) {
        (1, _) => "1 table".to_owned(),
        (all, 0) => format!("{all} tables, all listed"),
        (all, fresh) if fresh == all => format!("{all} tables"),
        (all, fresh) => format!("{all} tables, {fresh} of them not listed yet"),
    };
    let add = (fresh > 0).then(|| {
        view! {
            <div class="actions sticky">
                <button class="button primary">"Add chosen tables"</button>
                <a class="button" href=own.to_owned()>"Cancel"</a>
            </div>
        }
    });
    view! {
        <div class="search">
            <input type="search" aria-label="Search tables and columns" placeholder="Search tables and columns" data-search="" data-narrow="" autocomplete="off" />
            <span class="muted">{told}</span>
        </div>
        <form method="post" action=format!("{own}/tables") class="form" data-narrowed="">
            {csrf()}
            <input type="hidden" name="chosen" value="on" />
            {parts::table("Tables of the database", &["List", "Table", "Columns", ""], rows)}
            {add}
        </form>
    }
    .html()
}

fn row(own: &str, table: &TableChoice) -> Vec<Html> {
    let list = match &table.listed {
        Some(_) => parts::badge("good", "Listed"),
        None => view! {
            <input type="checkbox" name=format!("add.{}", table.name) value="on" checked=table.chosen aria-label=format!("List {}", table.name) />
        }
        .html(),
    };
    let name = match &table.listed {
        Some(id) => parts::link(format!("{own}/tables/{id}"), table.name.clone()),
        None => parts::code(table.name.clone()),
    };
    let columns = table.columns.iter().map(|(name, kind)| {
        view! { <li><code>{name.clone()}</code>" "<span class="muted">{kind.clone()}</span></li> }
    });
    let count = table.columns.len();
    let columns = view! {
        <details class="more">
            <summary>{if count == 1 { "1 column".to_owned() } else { format!("{count} columns") }}</summary>
            <ul class="plain">{columns.collect_view()}</ul>
        </details>
    };
    let sample = view! {
        <button class="button quiet" name="table" value=table.name.clone() formaction=format!("{own}/tables/sample")
            aria-label=format!("Show rows of {}", table.name)>"Show rows"</button>
    };
    vec![list, name, columns.html(), sample.html()]
}
