//! Measures: how many rows a table has, and sums and averages of numbers whose names say that they are amounts or levels.

use super::{
    Draft, DraftInput, names_column, spelled,
    words::{label, many_of, one_of, words},
};
use crate::{engine::SourceTable, model::check::name_of_number};
use inlay_contract::{
    data::ColumnType,
    model::{Aggregate, Measure},
};
use std::collections::{BTreeMap, BTreeSet};

/// What adds up.
const AMOUNTS: [&str; 44] = [
    "amount",
    "amounts",
    "total",
    "totals",
    "subtotal",
    "revenue",
    "revenues",
    "cost",
    "costs",
    "quantity",
    "quantities",
    "qty",
    "sale",
    "sales",
    "fee",
    "fees",
    "tax",
    "taxes",
    "vat",
    "discount",
    "discounts",
    "refund",
    "refunds",
    "profit",
    "income",
    "expense",
    "expenses",
    "spend",
    "payment",
    "minutes",
    "seconds",
    "hours",
    "duration",
    "weight",
    "distance",
    "count",
    "counts",
    "points",
    "units",
    "pieces",
    "clicks",
    "views",
    "impressions",
    "visits",
];
/// What has a mean, and no sum.
const LEVELS: [&str; 17] = [
    "rate",
    "ratio",
    "percent",
    "percentage",
    "pct",
    "score",
    "rating",
    "age",
    "temperature",
    "temp",
    "delay",
    "price",
    "prices",
    "average",
    "avg",
    "mean",
    "speed",
];
/// What is neither, though it is a number.
const OTHERS: [&str; 38] = [
    "id",
    "ids",
    "key",
    "uuid",
    "guid",
    "sk",
    "code",
    "codes",
    "year",
    "month",
    "day",
    "days",
    "week",
    "quarter",
    "hour",
    "minute",
    "second",
    "zip",
    "postcode",
    "postal",
    "phone",
    "fax",
    "mobile",
    "lat",
    "latitude",
    "lon",
    "lng",
    "longitude",
    "number",
    "no",
    "num",
    "nr",
    "version",
    "status",
    "flag",
    "flags",
    "type",
    "sequence",
];
/// Words anywhere in a name with which it is neither.
const NEITHER: [&str; 12] =
    ["is", "has", "min", "max", "minimum", "maximum", "limit", "target", "previous", "cumulative", "running", "threshold"];

/// A measure, before its name is known.
struct Proposal {
    table: String,
    /// The words of its name, and of the one that also names its table.
    names: [Vec<String>; 2],
    aggregate: Aggregate,
    of: Option<String>,
}

/// Proposes measures.
pub(super) fn add(input: &DraftInput<'_>, draft: &mut Draft) {
    let all: Vec<Proposal> = input.tables.iter().flat_map(|table| of_table(input, draft, table)).collect();
    let mut wished: BTreeMap<String, usize> = BTreeMap::new();
    for proposal in &all {
        *wished.entry(proposal.names[0].join("_")).or_default() += 1;
    }
    let mut taken: BTreeSet<String> = input.taken.iter().map(|name| name.to_lowercase()).collect();
    // Rows are counted by the tables' own names, so these are given first.
    let (counts, others): (Vec<Proposal>, Vec<Proposal>) = all.into_iter().partition(|proposal| proposal.of.is_none());
    for proposal in counts.into_iter().chain(others) {
        let is_wished_once = wished.get(&proposal.names[0].join("_")) == Some(&1);
        let Some((name, words)) = named(input, &proposal, is_wished_once, &taken) else { continue };
        taken.insert(name.to_lowercase());
        let Proposal { table, aggregate, of, .. } = proposal;
        let measure = Measure { label: label(&words), ..Measure::new(aggregate, of) };
        if let Some(own) = draft.tables.get_mut(&table) {
            own.measures.insert(name, measure);
        }
    }
}

/// The measures of a table that the project does not have yet.
fn of_table(input: &DraftInput<'_>, draft: &Draft, table: &SourceTable) -> Vec<Proposal> {
    let known = input.known.get(&table.name).map(|known| &known.model.measures);
    let counts =
        known.is_some_and(|known| known.values().any(|measure| measure.aggregate == Aggregate::Count && measure.of.is_none()));
    let (one, many) = (one_of(&table.name), many_of(&table.name));
    let mut found = Vec::new();
    if !counts {
        let counted = [many.clone(), [many, vec!["count".to_owned()]].concat()];
        found.push(Proposal { table: table.name.clone(), names: counted, aggregate: Aggregate::Count, of: None });
    }
    for column in table.columns.iter().filter(|column| matches!(column.kind, ColumnType::Number)) {
        let own = words(&column.name);
        let Some(aggregate) = aggregate(&own).filter(|_| !is_key(input, draft, table, &column.name)) else { continue };
        let same = |of: &String| names_column(input.kind, of, &column.name);
        let is_known = |measure: &Measure| measure.aggregate == aggregate && measure.of.as_ref().is_some_and(same);
        let (false, Some(of)) = (known.is_some_and(|known| known.values().any(is_known)), spelled(input.kind, &column.name))
        else {
            continue;
        };
        let before = if aggregate == Aggregate::Average && !own.iter().any(|word| word == "average") {
            vec!["average".to_owned()]
        } else {
            Vec::new()
        };
        let names = [[before.clone(), own.clone()].concat(), [before, one.clone(), own].concat()];
        found.push(Proposal { table: table.name.clone(), names, aggregate, of: Some(of) });
    }
    found
}

/// Whether a column is part of a key of its table, or leads to another table.
fn is_key(input: &DraftInput<'_>, draft: &Draft, table: &SourceTable, column: &str) -> bool {
    let refers = input.known.get(&table.name).is_some_and(|known| known.references.contains_key(column))
        || draft.tables.get(&table.name).is_some_and(|own| own.references.contains_key(column));
    let named = |columns: &[String]| columns.iter().any(|name| name.eq_ignore_ascii_case(column));
    let keys = input.keys.keys.iter().filter(|key| key.table == table.name).map(|key| &key.columns);
    let foreign = input.keys.references.iter().filter(|key| key.table == table.name).map(|key| &key.columns);
    refers || named(draft.key_of(input, &table.name)) || keys.chain(foreign).any(|columns| named(columns))
}

/// What the words of a number's name say about it. The last word that says something decides.
fn aggregate(words: &[String]) -> Option<Aggregate> {
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    if has(&NEITHER) {
        return None;
    }
    let is = |known: &[&str], word: &String| known.contains(&word.as_str());
    let telling = words.iter().rev().find(|word| is(&OTHERS, word) || is(&LEVELS, word) || is(&AMOUNTS, word))?;
    let is_of_one = has(&["per", "avg", "average", "mean"]) || (has(&["unit"]) && !telling.starts_with("count"));
    let is_whole = has(&["total", "subtotal", "line", "extended", "gross", "net"]) && telling.starts_with("price");
    match () {
        () if is(&OTHERS, telling) => None,
        () if is_whole => Some(Aggregate::Sum),
        () if is(&LEVELS, telling) || is_of_one => Some(Aggregate::Average),
        () => Some(Aggregate::Sum),
    }
}

/// A name that formulas can hold and nothing else has, with its words. `is_wished_once`: no other proposal is called the same.
fn named(
    input: &DraftInput<'_>,
    proposal: &Proposal,
    is_wished_once: bool,
    taken: &BTreeSet<String>,
) -> Option<(String, Vec<String>)> {
    const LONGEST: usize = 40;
    const MOST: usize = 10_000;
    let [short, long] = &proposal.names;
    let own = is_wished_once.then(|| (text(short, LONGEST), short.clone()));
    let with_table = (text(long, LONGEST), long.clone());
    let anew = (2..MOST).map(|number| {
        let base = text(long, LONGEST);
        let base = if name_of_number(input.kind, &base).is_ok() { base } else { "measure".to_owned() };
        (format!("{base}_{number}"), long.clone())
    });
    let mut names = own.into_iter().chain([with_table]).chain(anew);
    names.find(|(name, _)| !taken.contains(&name.to_lowercase()) && name_of_number(input.kind, name).is_ok())
}

/// Words as a name: letters and digits of ASCII, and `_` between them.
fn text(words: &[String], longest: usize) -> String {
    let ascii = |word: &String| word.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    let parts: Vec<String> = words.iter().map(ascii).filter(|word| !word.is_empty()).collect();
    let name: String = parts.join("_").chars().take(longest).collect();
    name.trim_matches('_').to_owned()
}
