//! A model, as queries of one connection see it.

use inlay_contract::model::{Assumed, Measure, Metric, TableModel};
use std::collections::{BTreeMap, BTreeSet};

/// The tables of one connection, and the project's metrics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// The tables that queries may name, by the catalogue's names.
    pub tables: BTreeMap<String, ModelTable>,
    /// Metrics, by name. Those whose measures belong to other connections have no meaning here.
    pub metrics: BTreeMap<String, Metric>,
}

/// A table of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelTable {
    /// Display name.
    pub label: Option<String>,
    /// The columns that queries may read, each with its display name. Hidden columns are not among them.
    pub columns: BTreeMap<String, Option<String>>,
    /// The columns that refer to other tables.
    pub references: BTreeMap<String, Reference>,
    /// Key, default time dimension, dimensions and measures.
    pub model: TableModel,
}

/// What a column refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The table, by the catalogue's name.
    pub table: String,
    /// Its column.
    pub column: String,
}

impl Reference {
    /// Reads `table.column`, where the table may be `schema.table`.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let (table, column) = text.rsplit_once('.')?;
        Some(Self { table: table.to_owned(), column: column.to_owned() })
    }
}

impl Model {
    /// A measure, behind the names of its table and its own.
    pub(super) fn measure(&self, name: &str) -> Option<(&str, &str, &Measure)> {
        self.tables.iter().find_map(|(table, one)| {
            let (name, measure) = one.model.measures.get_key_value(name)?;
            Some((table.as_str(), name.as_str(), measure))
        })
    }

    /// The model with what is assumed beside it. What the model says itself stays.
    #[must_use]
    pub fn assuming(&self, assumed: &Assumed) -> Self {
        let mut model = self.clone();
        for (name, also) in &assumed.tables {
            let table = model.tables.entry(name.clone()).or_default();
            for column in &also.columns {
                table.columns.entry(column.clone()).or_default();
            }
            if table.model.key.is_empty() {
                table.model.key.extend(also.key.clone());
            }
            table.model.time = table.model.time.take().or_else(|| also.time.clone());
            for (column, to) in &also.references {
                if let (false, Some(to)) = (table.references.contains_key(column), Reference::read(to)) {
                    table.references.insert(column.clone(), to);
                }
            }
        }
        model
    }

    /// The names of all measures and metrics.
    #[must_use]
    pub fn numbers(&self) -> BTreeSet<&str> {
        let measures = self.tables.values().flat_map(|table| table.model.measures.keys());
        measures.chain(self.metrics.keys()).map(String::as_str).collect()
    }
}

impl ModelTable {
    /// The names of its dimensions: those declared, and the columns.
    pub(super) fn dimensions(&self) -> BTreeSet<&str> {
        self.model.dimensions.keys().chain(self.columns.keys()).map(String::as_str).collect()
    }

    /// Whether a column is the whole key, so that no two rows share a value.
    pub(super) fn is_key(&self, column: &str) -> bool {
        self.model.key.len() == 1 && self.model.key[0] == column
    }
}

/// Names as a sentence lists them: `a, b and c`, the first few of many.
pub(super) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    let (shown, rest) = names.split_at(names.len().min(12));
    match (shown, rest.len()) {
        ([], _) => "none".to_owned(),
        ([one], 0) => (*one).to_owned(),
        ([first @ .., last], 0) => format!("{} and {last}", first.join(", ")),
        (shown, more) => format!("{} and {more} more", shown.join(", ")),
    }
}
