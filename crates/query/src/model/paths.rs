//! The ways from one table to another along declared keys, many rows to one. No other join is made.

use super::{
    Made, NoMeaning,
    definition::{Model, ModelTable, Reference, listed},
};
use std::collections::{BTreeMap, BTreeSet};

/// The most joins of a way.
const LONGEST: usize = 8;
/// The most steps of a search. Tables that all refer to each other have ways without number.
const MOST_STEPS: usize = 5_000;

/// A search for the ways from one table to another, or to all.
struct Search<'a> {
    model: &'a Model,
    to: Option<&'a str>,
    seen: Vec<&'a str>,
    way: Vec<String>,
    found: Vec<(&'a str, Vec<String>)>,
    steps: usize,
}

impl<'a> Search<'a> {
    /// The ways, and whether the search came to its end.
    fn ways(model: &'a Model, from: &'a str, to: Option<&'a str>) -> (Vec<(&'a str, Vec<String>)>, bool) {
        let mut search = Self { model, to, seen: vec![from], way: Vec::new(), found: Vec::new(), steps: 0 };
        search.go_on(from);
        (search.found, search.steps <= MOST_STEPS)
    }

    fn go_on(&mut self, from: &'a str) {
        let Some(table) = self.model.tables.get(from) else { return };
        for (column, reference) in &table.references {
            self.steps += 1;
            if self.steps > MOST_STEPS || self.way.len() >= LONGEST {
                return;
            }
            if self.seen.contains(&reference.table.as_str()) || !self.model.is_usable(from, column) {
                continue;
            }
            self.way.push(column.clone());
            let is_wanted = self.to.is_none_or(|to| to == reference.table);
            if is_wanted {
                self.found.push((&reference.table, self.way.clone()));
            }
            if self.to.is_none() || !is_wanted {
                self.seen.push(&reference.table);
                self.go_on(&reference.table);
                self.seen.pop();
            }
            self.way.pop();
        }
    }
}

impl Model {
    pub(super) fn table(&self, at: &str, name: &str) -> Made<&ModelTable> {
        self.tables.get(name).ok_or_else(|| {
            let known = listed(self.tables.keys().map(String::as_str));
            NoMeaning::new(at, format!("there is no table `{name}`; the tables are {known}"))
        })
    }

    /// The columns that lead from a table to another; none to itself.
    pub(super) fn way(&self, at: &str, from: &str, to: &str, via: Option<&str>) -> Made<Vec<String>> {
        if let Some(via) = via {
            return self.way_along(at, from, to, via);
        }
        if from == to {
            return Ok(Vec::new());
        }
        let (mut found, whole) = Search::ways(self, from, Some(to));
        if !whole {
            let why = format!("too many ways lead from {from} through the tables; say which by `via`");
            return Err(NoMeaning::new(at, why));
        }
        match found.len() {
            1 => Ok(found.remove(0).1),
            0 => Err(NoMeaning::new(at, self.no_way(from, to))),
            _ => {
                let mut ways: Vec<String> = found.iter().map(|(_, way)| way.join(".")).collect();
                ways.sort();
                let ways = listed(ways.iter().map(String::as_str));
                Err(NoMeaning::new(at, format!("several ways lead from {from} to {to}; say which by `via`: {ways}")))
            }
        }
    }

    /// The tables to which exactly one way leads from a table. None if there are too many ways to look at.
    pub(super) fn reached_by_one_way<'a>(&'a self, from: &'a str) -> BTreeSet<&'a str> {
        let (found, whole) = Search::ways(self, from, None);
        let mut ways: BTreeMap<&str, usize> = BTreeMap::new();
        found.iter().for_each(|(table, _)| *ways.entry(table).or_default() += 1);
        ways.into_iter().filter(|(_, ways)| whole && *ways == 1).map(|(table, _)| table).collect()
    }

    /// The ways from a table to each other, and whether these are all: there may be too many to look at.
    pub(super) fn ways_from<'a>(&'a self, from: &'a str) -> (BTreeMap<&'a str, Vec<Vec<String>>>, bool) {
        let mut ways: BTreeMap<&str, Vec<Vec<String>>> = BTreeMap::new();
        let (found, is_whole) = Search::ways(self, from, None);
        found.into_iter().for_each(|(to, way)| ways.entry(to).or_default().push(way));
        (ways, is_whole)
    }

    /// What the last column of a way refers to.
    pub(super) fn reference(&self, from: &str, way: &[String]) -> Option<&Reference> {
        let mut table = from;
        let mut last = None;
        for column in way {
            let reference = self.tables.get(table)?.references.get(column)?;
            table = &reference.table;
            last = Some(reference);
        }
        last
    }

    /// Whether a reference leads to at most one row: to a declared key, by a column that may be read.
    fn is_usable(&self, table: &str, column: &str) -> bool {
        let Some(from) = self.tables.get(table).filter(|table| table.columns.contains_key(column)) else { return false };
        from.references.get(column).is_some_and(|reference| {
            self.tables
                .get(&reference.table)
                .is_some_and(|to| to.is_key(&reference.column) && to.columns.contains_key(&reference.column))
        })
    }

    fn way_along(&self, at: &str, from: &str, to: &str, via: &str) -> Made<Vec<String>> {
        let mut table = from.to_owned();
        let mut way = Vec::new();
        for column in via.split('.') {
            if way.len() >= LONGEST || !self.is_usable(&table, column) {
                return Err(NoMeaning::new(at, format!("`via` cannot follow `{column}`: {}", self.why_not(&table, column))));
            }
            table.clone_from(&self.tables[&table].references[column].table);
            way.push(column.to_owned());
        }
        if table == to {
            Ok(way)
        } else {
            Err(NoMeaning::new(at, format!("`via` {via} leads from {from} to {table}, not to {to}")))
        }
    }

    fn why_not(&self, table: &str, column: &str) -> String {
        let reference = self.tables.get(table).filter(|from| from.columns.contains_key(column));
        let Some(reference) = reference.and_then(|from| from.references.get(column)) else {
            return format!("{table}.{column} refers to no table");
        };
        let (to, key) = (&reference.table, &reference.column);
        match self.tables.get(to) {
            Some(known) if known.is_key(key) => format!("{table}.{column} refers to {to}, whose key is hidden"),
            _ => format!(
                "{table}.{column} refers to {to}.{key}, but {to} does not declare it as its key; write `key: {key}` there"
            ),
        }
    }

    fn no_way(&self, from: &str, to: &str) -> String {
        let unusable: Vec<String> = self
            .tables
            .iter()
            .flat_map(|(name, table)| table.references.iter().map(move |(column, reference)| (name, column, reference)))
            .filter(|(name, column, reference)| reference.table == to && !self.is_usable(name, column))
            .map(|(name, column, _)| self.why_not(name, column))
            .collect();
        let (back, _) = Search::ways(self, to, Some(from));
        let mut why = format!("no key leads from {from} to {to}");
        if !back.is_empty() {
            why += &format!(
                ", only from {to} to {from}: each row of {from} belongs to several of {to}, so its rows would be counted several times. \
                 Take a measure of {to}"
            );
        }
        for one in unusable {
            why += &format!("; {one}");
        }
        why
    }
}
