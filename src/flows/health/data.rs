//! Tables that nobody sees or everybody sees whole, and flaws of the semantic model.

use super::{
    Health, Level, Place,
    words::{count, one_or_several},
};
use crate::{
    concepts::catalog::CatalogTable,
    flows::{
        catalogues::Catalogues,
        model_checks::{Connected, Described, Flaw, flaws},
    },
};
use inlay_query::{RowAccess, Source};

/// How many flaws are listed.
const MOST_FLAWS: usize = 10;

/// The tables by their row rules.
pub(super) fn tables(catalogues: &Catalogues) -> Health {
    let mut health = Health::default();
    let mut ruled = 0;
    for (source, tables) in &catalogues.connections {
        let of = |is: fn(&RowAccess) -> bool| -> Vec<&CatalogTable> { tables.iter().filter(|table| is(&table.rows)).collect() };
        let (closed, open) = (of(|rows| *rows == RowAccess::Nothing), of(|rows| *rows == RowAccess::All));
        ruled += tables.len() - closed.len() - open.len();
        let (connection, closed_ones) = (&source.name, count(closed.len(), "table"));
        let closed_text = one_or_several(
            &names(&closed),
            |table| format!("Table {table} of {connection} has no row rule: users see none of its rows."),
            |all| format!("{closed_ones} of {connection} have no row rule: users see none of their rows. They are {all}."),
        );
        let open_ones = count(open.len(), "table");
        let open_text = one_or_several(
            &names(&open),
            |table| format!("Every user sees all rows of table {table} of {connection}."),
            |all| format!("Every user sees all rows of {open_ones} of {connection}: {all}."),
        );
        for (level, text, tables) in [(Level::Warning, closed_text, closed), (Level::Note, open_text, open)] {
            if let Some(place) = place(source, &tables) {
                health.find(level, text, None, place);
            }
        }
    }
    if ruled > 0 {
        health.fine(format!("{} with a row rule", count(ruled, "table")), None);
    }
    health
}

fn names<'t>(tables: &[&'t CatalogTable]) -> Vec<&'t str> {
    tables.iter().map(|table| table.name.as_str()).collect()
}

/// Where tables are changed: a table's own page, or that of the connection for several.
fn place(source: &Source, tables: &[&CatalogTable]) -> Option<Place> {
    match tables {
        [] => None,
        [only] => Some(Place::Table(source.id, only.id)),
        _ => Some(Place::Connection(source.id)),
    }
}

/// The flaws of the semantic model. `described` holds the columns of its tables, as far as they are known.
pub(super) fn model(catalogues: &Catalogues, described: &Described) -> Health {
    let mut health = Health::default();
    let connected: Vec<_> = catalogues
        .connections
        .iter()
        .map(|(source, tables)| Connected { name: &source.name, kind: source.kind, tables })
        .collect();
    let found = flaws(&connected, &catalogues.metrics, described);
    let is_declared = connected.iter().flat_map(|one| one.tables).any(|table| !table.model.is_empty());
    if found.is_empty() && is_declared {
        health.fine("No flaw of the semantic model", None);
    }
    // Without a join, what asks for it is refused. The rest of the model works.
    let level = |flaw: &Flaw| if flaw.at.ends_with(".references") { Level::Warning } else { Level::Broken };
    let mut found = found;
    found.sort_by_key(level);
    let rest = found.split_off(found.len().min(MOST_FLAWS));
    for flaw in found {
        health.find(level(&flaw), flawed(&flaw), None, Place::SemanticModel);
    }
    if let Some(worst) = rest.first() {
        let text = format!("The semantic model has {}.", count(rest.len(), "more flaw"));
        health.find(level(worst), text, None, Place::SemanticModel);
    }
    health
}

/// A flaw as a sentence.
pub(super) fn flawed(Flaw { table, at, why }: &Flaw) -> String {
    let place = table.as_ref().map_or_else(|| at.clone(), |(connection, table)| format!("{connection}.{table}, {at}"));
    format!("The semantic model is wrong at {place}: {}.", why.trim_end_matches('.'))
}
