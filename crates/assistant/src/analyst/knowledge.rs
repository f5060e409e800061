//! What the analyst knows about the data before it reads a question: names, types, keys, values, and the days that times cover.

use super::{intent::ColumnRef, values::Values};
use crate::language::{
    cues::{Direction, Hint, Unit},
    words::{plural, spaced, stem},
};
use crate::scope::{ColumnModel, Comparison, Scope, TableModel, Term};
use chrono::NaiveDate;
use inlay_contract::data::ColumnType;
use std::collections::HashMap;

/// All knowledge about a scope.
#[derive(Clone, Debug)]
pub(super) struct Knowledge {
    pub tables: Vec<KnownTable>,
    /// The foreign keys.
    pub links: Vec<Link>,
    pub values: Values,
    /// The first and last day of each time column.
    pub extents: HashMap<ColumnRef, (NaiveDate, NaiveDate)>,
}

/// A foreign key and the key that it references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub from: ColumnRef,
    pub to: ColumnRef,
}

/// A table.
#[derive(Clone, Debug)]
pub(super) struct KnownTable {
    /// Its name in SQL.
    pub name: String,
    /// Its label, in the plural.
    pub label: String,
    /// Its other names, each word in the singular.
    pub names: Vec<String>,
    pub columns: Vec<KnownColumn>,
}

/// A column.
#[derive(Clone, Debug)]
pub(super) struct KnownColumn {
    /// Its name in SQL.
    pub name: String,
    /// Its label.
    pub label: String,
    /// Its other names.
    pub names: Vec<String>,
    pub description: String,
    pub kind: ColumnType,
    pub unit: Option<Unit>,
    pub terms: Vec<Term>,
    /// The direction of the key, if two keys lead to the same table.
    pub direction: Option<Direction>,
    /// The table and column that it references according to the catalogue.
    pub references: Option<String>,
}

/// Words that are grammar before they are column names.
const GRAMMAR: &[&str] = &[
    "from", "to", "by", "in", "at", "on", "of", "per", "and", "or", "not", "is", "as", "the", "a", "with", "for", "all", "no",
];

impl Knowledge {
    /// Builds the knowledge from the catalogue, before rows are read.
    pub(super) fn of(scope: &Scope) -> Self {
        let tables = scope.tables.iter().map(known_table).collect();
        Self { tables, links: Vec::new(), values: Values::default(), extents: HashMap::new() }
    }

    pub(super) fn column(&self, at: ColumnRef) -> &KnownColumn {
        &self.tables[at.table].columns[at.column]
    }

    /// All columns with their positions.
    pub(super) fn columns(&self) -> impl Iterator<Item = (ColumnRef, &KnownColumn)> {
        self.tables.iter().enumerate().flat_map(|(table, known)| {
            known.columns.iter().enumerate().map(move |(column, known)| (ColumnRef { table, column }, known))
        })
    }

    /// The columns of one table.
    pub(super) fn columns_of(&self, table: usize) -> impl Iterator<Item = (ColumnRef, &KnownColumn)> {
        self.columns().filter(move |(at, _)| at.table == table)
    }

    /// The time of a table's rows: its first date or time column.
    pub(super) fn time(&self, table: usize) -> Option<ColumnRef> {
        self.columns_of(table).find(|(_, column)| column.is_time()).map(|(at, _)| at)
    }

    /// The foreign keys of a table. Those with more than one value come first.
    pub(super) fn keys(&self, table: usize) -> Vec<Link> {
        let mut keys: Vec<Link> = self.links.iter().copied().filter(|link| link.from.table == table).collect();
        keys.sort_by_key(|link| (self.values.is_single(link.from), link.from));
        keys
    }

    pub(super) fn link_of(&self, key: ColumnRef) -> Option<Link> {
        self.links.iter().copied().find(|link| link.from == key)
    }

    /// The measures of a table: numbers that are neither keys nor coordinates.
    pub(super) fn measures(&self, table: usize) -> impl Iterator<Item = (ColumnRef, &KnownColumn)> {
        self.columns_of(table).filter(|(at, column)| column.is_measure() && self.link_of(*at).is_none())
    }

    /// The measure that a superlative means: "farthest" means a distance.
    pub(super) fn hinted(&self, table: usize, hint: Hint) -> Option<ColumnRef> {
        let words: &[&str] = match hint {
            Hint::Length => &["distance", "length", "duration", "mile", "kilomet", "hours", "minutes"],
            Hint::Price => &["price", "cost", "amount", "fee", "fare", "total", "revenue"],
            Hint::Size => &["weight", "size", "volume"],
            Hint::Speed => &["speed", "duration", "time"],
            Hint::Time => return self.time(table),
            Hint::Named | Hint::Count => return None,
        };
        words.iter().find_map(|word| self.measures(table).find(|(_, column)| column.is_called(word)).map(|(at, _)| at))
    }

    /// The measure of a table with this unit.
    pub(super) fn in_unit(&self, table: usize, unit: Unit) -> Option<ColumnRef> {
        let exact = self.measures(table).find(|(_, column)| column.unit == Some(unit));
        let found = exact
            .or_else(|| self.measures(table).find(|(_, column)| column.unit.is_some_and(|own| unit.in_unit(own).is_some())));
        found.map(|(at, _)| at)
    }
}

impl KnownColumn {
    pub(super) const fn is_time(&self) -> bool {
        matches!(self.kind, ColumnType::Date | ColumnType::Timestamp)
    }

    pub(super) const fn is_text(&self) -> bool {
        matches!(self.kind, ColumnType::Text)
    }

    /// Whether it is a measure: a number that is neither a key nor a coordinate.
    pub(super) fn is_measure(&self) -> bool {
        let name = self.name.to_lowercase();
        self.kind == ColumnType::Number
            && !self.is_coordinate()
            && name != "id"
            && !name.ends_with("_id")
            && !name.ends_with("_key")
    }

    pub(super) fn is_coordinate(&self) -> bool {
        self.is_latitude() || self.is_longitude()
    }

    pub(super) fn is_latitude(&self) -> bool {
        matches!(self.name.to_lowercase().as_str(), "latitude" | "lat")
    }

    pub(super) fn is_longitude(&self) -> bool {
        matches!(self.name.to_lowercase().as_str(), "longitude" | "lon" | "lng" | "long")
    }

    fn is_called(&self, word: &str) -> bool {
        self.names.iter().any(|name| name.contains(word)) || self.name.to_lowercase().contains(word)
    }

    /// Whether a sum of its values makes sense.
    pub(super) fn adds_up(&self) -> bool {
        [
            "revenue", "sale", "amount", "total", "quantity", "qty", "unit", "count", "cost", "spend", "profit", "tax",
            "number", "volume", "budget",
        ]
        .iter()
        .any(|word| self.is_called(word))
    }

    /// Whether lower values are better.
    pub(super) fn lower_is_better(&self) -> bool {
        [
            "delay",
            "late",
            "cost",
            "wait",
            "error",
            "complaint",
            "duration",
            "churn",
            "refund",
            "loss",
            "expense",
            "defect",
            "age",
            "price",
        ]
        .iter()
        .any(|word| self.is_called(word))
    }
}

fn known_table(table: &TableModel) -> KnownTable {
    let bare = table.name.rsplit('.').next().unwrap_or_default();
    let label = table.label.clone().unwrap_or_else(|| plural(&spaced(bare)));
    let mut names = vec![phrase(&label), phrase(&spaced(bare))];
    names.extend(table.synonyms.iter().map(|name| phrase(name)));
    names.dedup();
    let columns = table.columns.iter().map(known_column).collect();
    KnownTable { name: table.name.clone(), label: plural(&label), names, columns }
}

fn known_column(column: &ColumnModel) -> KnownColumn {
    let name = spaced(&column.name);
    let label = column.label.as_deref().map(|label| label.split('(').next().unwrap_or(label).trim());
    let label = label.filter(|label| !label.is_empty() && !GRAMMAR.contains(&label.to_lowercase().as_str()));
    let mut names: Vec<String> =
        label.into_iter().chain([name.as_str()]).chain(column.synonyms.iter().map(String::as_str)).map(phrase).collect();
    names.sort();
    names.dedup();
    names.retain(|name| !GRAMMAR.contains(&name.as_str()));
    let description = column.description.clone().unwrap_or_default().to_lowercase();
    let heading = column.label.clone().unwrap_or_default().to_lowercase();
    let terms = if column.terms.is_empty() { usual_terms(column) } else { column.terms.clone() };
    KnownColumn {
        name: column.name.clone(),
        label: label.map_or_else(|| capitalised(&name), str::to_owned),
        unit: unit(&format!("{heading} {name} {description}")),
        direction: direction(&format!("{heading} {name}")).or_else(|| direction(&description)),
        names,
        description,
        kind: column.kind,
        terms,
        references: column.references.clone(),
    }
}

/// A name with every word in the singular, as questions are searched for it.
pub(super) fn phrase(name: &str) -> String {
    crate::language::tokens::tokens(name).iter().map(|token| stem(&token.text)).collect::<Vec<_>>().join(" ")
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The default terms of a delay, if the catalogue has none: late and early.
fn usual_terms(column: &ColumnModel) -> Vec<Term> {
    let called = spaced(&column.name) + " " + &column.label.clone().unwrap_or_default().to_lowercase();
    if column.kind != ColumnType::Number || !["delay", "late"].iter().any(|word| called.contains(word)) {
        return Vec::new();
    }
    let term = |phrases: &[&str], rates: &[&str], comparison| {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Term { phrases: texts(phrases), rates: texts(rates), comparison, value: 0.0 }
    };
    vec![
        term(&["late", "delayed"], &[], Comparison::Above),
        term(&["on time", "punctual"], &["punctuality", "on-time performance", "on-time rate"], Comparison::AtMost),
        term(&["early"], &[], Comparison::Below),
    ]
}

fn unit(text: &str) -> Option<Unit> {
    let units = [
        ("second", Unit::Second),
        ("minute", Unit::Minute),
        ("hour", Unit::Hour),
        ("mile", Unit::Mile),
        ("kilomet", Unit::Kilometre),
        ("kg", Unit::Kilogram),
        ("kilogram", Unit::Kilogram),
        ("dollar", Unit::Dollar),
        ("usd", Unit::Dollar),
        ("euro", Unit::Euro),
    ];
    units
        .into_iter()
        .find(|(word, _)| text.split(|letter: char| !letter.is_alphanumeric()).any(|part| part.starts_with(word)))
        .map(|(_, unit)| unit)
}

fn direction(text: &str) -> Option<Direction> {
    let has = |words: &[&str]| text.split(|letter: char| !letter.is_alphanumeric()).any(|part| words.contains(&part));
    if has(&["destination", "dest", "to", "arrival", "arriving", "target", "recipient", "receiver", "receiving"]) {
        Some(Direction::Toward)
    } else if has(&["origin", "from", "departure", "source", "sender", "departing", "sending"]) {
        Some(Direction::Away)
    } else {
        None
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::analyst) fn column(name: &str, kind: ColumnType, label: &str, description: &str) -> ColumnModel {
        ColumnModel {
            name: name.into(),
            label: (!label.is_empty()).then(|| label.into()),
            description: Some(description.into()),
            synonyms: Vec::new(),
            kind,
            terms: Vec::new(),
            references: None,
        }
    }

    #[test]
    fn a_column_is_known_by_label_and_name_but_not_by_a_preposition() {
        let origin = known_column(&column("origin", ColumnType::Text, "From", "Code of the airport of departure"));
        assert_eq!((origin.label.as_str(), origin.names), ("Origin", vec!["origin".to_owned()]));
        assert_eq!(origin.direction, Some(Direction::Away));
        let delay = known_column(&column("arr_delay", ColumnType::Number, "Delay (minutes)", ""));
        assert_eq!((delay.label.as_str(), delay.unit), ("Delay", Some(Unit::Minute)));
        assert_eq!(delay.names, ["arr delay", "delay"]);
    }

    #[test]
    fn a_delay_is_late_from_its_first_minute_unless_somebody_says_otherwise() {
        let delay = known_column(&column("delay", ColumnType::Number, "", ""));
        assert_eq!((delay.terms[0].comparison, delay.terms[0].value), (Comparison::Above, 0.0));
        assert!(known_column(&column("delay_code", ColumnType::Text, "", "")).terms.is_empty());
    }
}
