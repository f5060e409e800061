//! What is known of the data before a question is read: tables, fields, numbers, the keys between tables, and the names of all.

mod build;
mod columns;
mod kin;
mod kinds;
mod labels;
mod money;
mod names;
mod nations;
mod survey;
mod surveys;
#[cfg(test)]
pub(crate) mod testing;
mod thesaurus;
pub(crate) mod values;
mod ways;

pub(crate) use build::unit;
pub(crate) use kin::{are_kin, has_kin};
pub(crate) use kinds::Kind;
pub(crate) use money::Money;
pub(crate) use names::{Names, stems};
pub(crate) use survey::{look_up, number};
pub use surveys::Surveys;
pub(crate) use thesaurus::PHRASES;
pub(crate) use values::Values;
pub(crate) use ways::Way;

use crate::{data::Assumed, language::unit::Unit, scope::Term};
use chrono::NaiveDate;
use inlay_contract::data::ColumnType;
use std::{collections::HashMap, sync::Arc};

/// A table, by its place.
pub(crate) type TableId = usize;
/// A field, by its place.
pub(crate) type FieldId = usize;

/// A list of codes with their names has at most so many columns.
const LOOKUP: usize = 3;
/// It has at most so many rows.
const MOST_LOOKED_UP: f64 = 60.0;

/// About what a field takes, with its names, in bytes.
const FIELD_BYTES: usize = 2_048;

/// Everything that is known.
#[derive(Clone, Debug, Default)]
pub(crate) struct World {
    pub tables: Vec<Table>,
    pub fields: Vec<Field>,
    /// The measures and metrics that the semantic model declares.
    pub numbers: Vec<Declared>,
    /// Amounts of money that are made of two columns.
    pub money: Vec<Money>,
    /// The ways from each table to others, many rows to one. The empty way leads to the table itself.
    pub ways: HashMap<(TableId, TableId), Vec<Way>>,
    pub names: Names,
    /// Shared with the survey that is remembered, until more values are looked up.
    pub values: Arc<Values>,
    /// Whether values that are not listed have been looked up. Before that, no word counts as a typo of a listed one.
    pub looked_up: bool,
    /// The keys that queries may follow, beside those that the semantic model declares.
    pub assumed: Assumed,
}

/// A table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// Its name in queries.
    pub name: String,
    /// Its label, in the plural.
    pub label: String,
    pub key: Option<FieldId>,
    /// The fields that name a row to people.
    pub title: Vec<FieldId>,
    /// When its rows happened.
    pub time: Option<FieldId>,
    /// The year of its rows as a number, where there is no time.
    pub year: Option<FieldId>,
    pub rows: Option<f64>,
    /// Whether its rows are people.
    pub is_people: bool,
    /// Whether rows have the same name, so that it takes the key to tell them apart.
    pub has_namesakes: bool,
}

/// A column or declared dimension of a table.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub table: TableId,
    /// Its name in queries, without the table's.
    pub name: String,
    pub label: String,
    /// The words of its own names, in the singular.
    pub called: Vec<Vec<String>>,
    pub kind: Kind,
    pub column_type: Option<ColumnType>,
    /// Whether it is a column. Otherwise the semantic model declares it.
    pub is_column: bool,
    pub unit: Option<Unit>,
    pub terms: Vec<Term>,
    /// The number of different values, if it is known.
    pub distinct: Option<f64>,
    /// Whether some rows have no value.
    pub has_gaps: bool,
    /// The least and greatest number.
    pub range: Option<(f64, f64)>,
    /// The first and last day.
    pub days: Option<(NaiveDate, NaiveDate)>,
    /// The letters of its longest value, if they are known.
    pub longest: Option<usize>,
    /// The table that it refers to.
    pub refers: Option<TableId>,
}

/// A measure or metric of the semantic model.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub name: String,
    pub label: String,
    pub facts: Vec<TableId>,
    /// How rows become it. `None` for a metric.
    pub aggregate: Option<inlay_contract::model::Aggregate>,
    /// Whether the model says that less of it is better.
    pub lower_is_better: bool,
    /// The words of its names.
    pub called: Vec<Vec<String>>,
}

impl Declared {
    /// Whether it is how many rows of a table there are.
    pub fn counts_rows(&self) -> bool {
        use inlay_contract::model::Aggregate;
        matches!(self.aggregate, Some(Aggregate::Count | Aggregate::CountDistinct))
    }
}

/// Something that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Thing {
    Table(TableId),
    Field(FieldId),
    Declared(usize),
    Money(usize),
    /// A term of a field, by its place. The last tells whether it names the share of such rows.
    Term(FieldId, usize, bool),
}

impl World {
    /// The full name of a field in queries.
    pub fn full(&self, field: FieldId) -> String {
        let field = &self.fields[field];
        format!("{}.{}", self.tables[field.table].name, field.name)
    }

    /// The word of a value that a typo probably means. `None` if it is not unique.
    pub fn meant_value(&self, word: &str) -> Option<&str> {
        self.looked_up.then(|| self.values.meant(word)).flatten()
    }

    /// About how many bytes it takes.
    pub fn weight(&self) -> usize {
        self.values.weight() + self.fields.len() * FIELD_BYTES
    }

    /// The fields of a table.
    pub fn fields_of(&self, table: TableId) -> impl Iterator<Item = (FieldId, &Field)> {
        self.fields.iter().enumerate().filter(move |(_, field)| field.table == table)
    }

    /// The ways from one table to another.
    pub fn ways(&self, from: TableId, to: TableId) -> &[Way] {
        self.ways.get(&(from, to)).map_or(&[], Vec::as_slice)
    }

    /// Whether each row of a table belongs to at most one row of another.
    pub fn reaches(&self, from: TableId, to: TableId) -> bool {
        !self.ways(from, to).is_empty()
    }

    /// Whether the rows of a table have a name that people use.
    pub fn is_named(&self, table: TableId) -> bool {
        let known = &self.tables[table];
        known.title.iter().any(|title| Some(*title) != known.key)
    }

    /// Whether a table is a short list of codes with their names, and hardly anything else.
    pub fn is_lookup(&self, table: TableId) -> bool {
        let columns = self.fields_of(table).filter(|(_, field)| field.is_column);
        self.is_named(table) && columns.count() <= LOOKUP && self.tables[table].rows.is_none_or(|rows| rows <= MOST_LOOKED_UP)
    }

    /// Whether the rows of a table are events: they have a time, or refer to several other tables.
    pub fn is_event(&self, table: TableId) -> bool {
        let refers = self.fields_of(table).any(|(_, field)| field.refers.is_some());
        let time = self.tables[table].time.is_some() || self.tables[table].year.is_some();
        !self.is_named(table) && (time || refers)
    }

    /// The time of a table's rows, of its own or of the nearest table that they belong to.
    pub fn time_of(&self, table: TableId) -> Option<FieldId> {
        // When a manager was hired is no time of repairs, however they belong together.
        let refers = |to: TableId| self.fields_of(to).any(|(_, field)| field.refers.is_some());
        let happens = |to: TableId| to == table || !self.tables[to].is_people && (self.is_event(to) || refers(to));
        self.nearest(table, |to| self.tables[to].time.filter(|_| happens(to)))
    }

    /// The year of a table's rows as a number.
    pub fn year_of(&self, table: TableId) -> Option<FieldId> {
        self.nearest(table, |to| self.tables[to].year)
    }

    fn nearest(&self, table: TableId, of: impl Fn(TableId) -> Option<FieldId>) -> Option<FieldId> {
        let reached = (0..self.tables.len()).filter_map(|to| {
            let field = of(to)?;
            let way = self.ways(table, to).iter().map(|way| way.columns.len()).min()?;
            Some((way, field))
        });
        reached.min().map(|(_, field)| field)
    }
}
