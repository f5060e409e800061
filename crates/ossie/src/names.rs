//! Names: those that SQL writes, those that a model allows, and those of datasets.

use crate::sql;
use sqlparser::{
    ast::{Expr, Ident},
    keywords::{ALL_KEYWORDS, ALL_KEYWORDS_INDEX, Keyword, RESERVED_FOR_COLUMN_ALIAS, RESERVED_FOR_TABLE_ALIAS},
};
use std::collections::{BTreeMap, BTreeSet};

/// The most letters of a measure's, metric's or dimension's name.
const LONGEST: usize = 50;

/// A name as an identifier: in quotes unless every database reads it alike without.
pub(crate) fn ident(name: &str) -> Ident {
    let begins = name.starts_with(|letter: char| letter.is_ascii_lowercase() || letter == '_');
    let plain = name.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_');
    if begins && plain && !is_reserved(name) { Ident::new(name) } else { Ident::with_quote('"', name) }
}

/// Whether SQL has a use of its own for a word.
fn is_reserved(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    let keyword = ALL_KEYWORDS.binary_search(&upper.as_str()).ok().and_then(|at| ALL_KEYWORDS_INDEX.get(at));
    let reserved =
        |keyword: &Keyword| RESERVED_FOR_COLUMN_ALIAS.contains(keyword) || RESERVED_FOR_TABLE_ALIAS.contains(keyword);
    keyword.is_some_and(reserved) || !matches!(sql::parse(name), Ok(Expr::Identifier(_)))
}

/// Whether a table's or column's name can be part of a catalogue.
pub(crate) fn is_listed(name: &str) -> bool {
    !name.is_empty() && !name.chars().any(|letter| matches!(letter, '"' | '`' | '\\') || letter.is_control())
}

/// Whether a measure, metric or dimension may have a name. The rules are those of `inlay apply`.
fn is_allowed(name: &str) -> bool {
    let plain = name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    let begins = name.starts_with(|letter: char| letter.is_ascii_alphabetic());
    let ours = name.to_ascii_lowercase().starts_with("inlay_");
    plain && begins && name.len() <= LONGEST && !name.ends_with("_previous") && !ours && name != "time"
}

/// A name that fits, made of any: the name itself if it does. `taken` are the names that are in use.
pub(crate) fn fit(name: &str, taken: &BTreeSet<String>) -> String {
    let mut made: String = name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
    if !is_allowed(name) || is_reserved(name) {
        let begins = made.starts_with(|letter: char| letter.is_ascii_alphabetic());
        if !begins || made == "time" || made.to_ascii_lowercase().starts_with("inlay_") || is_reserved(&made) {
            made.insert_str(0, "n_");
        }
        made.truncate(LONGEST);
        if made.ends_with("_previous") {
            made.truncate(LONGEST - 1);
            made.push('_');
        }
    }
    let mut free = made.clone();
    let mut number = 2;
    while taken.contains(&free) {
        let end = format!("_{number}");
        free = format!("{}{end}", &made[..made.len().min(LONGEST - end.len())]);
        number += 1;
    }
    free
}

/// The names of datasets by their tables: the tables' names without schemas where these differ, however they are written.
pub(crate) fn of_datasets<'t>(tables: impl Iterator<Item = &'t String> + Clone) -> BTreeMap<String, String> {
    let last = |table: &str| table.split_once('.').map_or(table, |(_, last)| last).to_owned();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for table in tables.clone() {
        *counts.entry(last(table).to_lowercase()).or_default() += 1;
    }
    let mut taken = BTreeSet::new();
    let mut names = BTreeMap::new();
    // Names that need no schema come first, so that a longer one makes way for them.
    let (short, long): (Vec<_>, Vec<_>) = tables.partition(|table| counts[&last(table).to_lowercase()] == 1);
    for (table, whole) in short
        .into_iter()
        .map(|table| (table, last(table)))
        .chain(long.into_iter().map(|table| (table, table.replace('.', "_"))))
    {
        let mut name = whole.clone();
        let mut number = 2;
        while !taken.insert(name.to_lowercase()) {
            name = format!("{whole}_{number}");
            number += 1;
        }
        names.insert(table.clone(), name);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_where_needed() {
        for (name, text) in [
            ("amount", "amount"),
            ("placed_on", "placed_on"),
            ("Amount", "\"Amount\""),
            ("order", "\"order\""),
            ("current_date", "\"current_date\""),
            ("2024", "\"2024\""),
            ("net amount", "\"net amount\""),
            ("größe", "\"größe\""),
        ] {
            assert_eq!(ident(name).to_string(), text);
        }
    }

    #[test]
    fn a_name_is_made_to_fit() {
        let taken = BTreeSet::from(["revenue".to_owned(), "revenue_2".to_owned()]);
        for (name, fits) in [
            ("orders", "orders"),
            ("Net Revenue", "Net_Revenue"),
            ("revenue", "revenue_3"),
            ("time", "n_time"),
            ("2024", "n_2024"),
            ("", "n_"),
            ("größe", "gr__e"),
            ("inlay_x", "n_inlay_x"),
            ("sales_previous", "sales_previous_"),
            ("select", "n_select"),
        ] {
            let made = fit(name, &taken);
            assert_eq!(made, fits, "{name}");
            assert!(is_allowed(&made) && !is_reserved(&made), "{made}");
        }
        let long = fit(&"x".repeat(80), &BTreeSet::new());
        assert_eq!(long, "x".repeat(50));
        assert_eq!(fit(&long, &BTreeSet::from([long.clone()])), format!("{}_2", "x".repeat(48)));
    }

    #[test]
    fn datasets_have_short_names_where_these_differ() {
        let tables = ["a.orders", "b.Orders", "a.customers", "a_orders"].map(str::to_owned);
        let names = of_datasets(tables.iter());
        let expected =
            [("a.customers", "customers"), ("a.orders", "a_orders_2"), ("a_orders", "a_orders"), ("b.Orders", "b_Orders")];
        assert_eq!(names, expected.map(|(table, name)| (table.to_owned(), name.to_owned())).into());
    }
}
