//! Columns that a change of the model names and that queries cannot read: hidden ones, and those that the database does not have.

use super::change::{Change, ColumnPart, To};
use crate::{
    flows::{catalogues::Catalogues, model_checks::Described},
    ground::problems::Problems,
};
use inlay_query::ColumnNames;

/// Notes changed expressions over columns that queries cannot read.
pub(super) fn unreadable(
    change: &Change,
    before: &Catalogues,
    after: &Catalogues,
    described: &Described,
    problems: &mut Problems,
) {
    let Some((source, table)) = change.table(after) else { return };
    let columns = described.values().next();
    for (field, expression) in expressions(change, before) {
        // What cannot be read at all is told by the check of the model.
        let Ok(named) = ColumnNames::of_expression(source.kind, expression) else { continue };
        let hidden = table.columns.iter().filter(|(_, about)| about.hidden).map(|(name, _)| name);
        for column in hidden.filter(|column| named.contains(column)) {
            problems.add(&field, format!("the column `{column}` is hidden; show it, or take another column"));
        }
        let missing = columns.map(|columns| named.missing_from(columns.iter().map(String::as_str)));
        for column in missing.into_iter().flatten() {
            problems.add(&field, format!("the table has no column `{column}`"));
        }
    }
}

/// The expressions of a change, each with its field. Dimensions that stay as they were are left out.
fn expressions<'c>(change: &'c Change, before: &Catalogues) -> Vec<(String, &'c String)> {
    match change {
        Change::Table(_, _, part) => {
            let known = change.table(before).map(|(_, table)| &table.model.dimensions);
            let is_known =
                |name: &String, sql: &String| known.and_then(|known| known.get(name)).is_some_and(|known| known.sql == *sql);
            let changed = part.dimensions.iter().filter(|(name, one)| !is_known(name, &one.sql));
            changed.map(|(name, one)| (format!("dimensions.{name}.sql"), &one.sql)).collect()
        }
        Change::Measure(_, _, _, To::New(measure) | To::Changed(measure)) => {
            let of = measure.of.iter().map(|of| ("of".to_owned(), of));
            of.chain(measure.condition.iter().map(|condition| ("where".to_owned(), condition))).collect()
        }
        Change::Measure(..) | Change::Metric(..) => Vec::new(),
    }
}

/// Notes columns that the change names and that the database does not have: those that become part of the model, and those of a
/// measure's moments.
pub(super) fn unknown(change: &Change, before: &Catalogues, described: &Described, problems: &mut Problems) {
    let (Some((_, table)), Some(columns)) = (change.table(before), described.values().next()) else { return };
    let mut note = |field: &str, name: &String| {
        if !columns.contains(name) {
            problems.add(field, format!("the table has no column `{name}`"));
        }
    };
    match change {
        Change::Table(_, _, part) => {
            let is_new = |name: &String| !table.columns.contains_key(name);
            let named = part.columns.iter().filter(|(name, column)| is_new(name) && **column != ColumnPart::default());
            named.for_each(|(name, _)| note(&format!("columns.{name}.references"), name));
        }
        Change::Measure(_, _, _, To::New(measure) | To::Changed(measure)) => {
            if let Some(take) = &measure.take {
                take.over.iter().for_each(|name| note("take.over", name));
                take.per.iter().for_each(|name| note("take.per", name));
            }
        }
        Change::Measure(..) | Change::Metric(..) => {}
    }
}
