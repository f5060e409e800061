//! Money that no column holds: what a row costs is its price times its quantity.

use super::{FieldId, Kind, TableId, World, stems};

/// Names of such an amount.
pub(super) const NAMES: &[&str] = &[
    "revenue",
    "sales",
    "turnover",
    "sales amount",
    "sales value",
    "total sales",
    "spending",
    "sales revenue",
    "income",
    "earnings",
    "spend",
];
/// Names of what is in stock, at its price.
pub(super) const STOCK_NAMES: &[&str] = &["inventory value", "stock value", "value of stock", "value of inventory"];

/// An amount of money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Money {
    pub table: TableId,
    pub price: FieldId,
    pub quantity: FieldId,
    /// The part of the price that is taken off, from 0 to 1.
    pub discount: Option<FieldId>,
    /// Of what is in stock, and not of what was sold.
    pub is_stock: bool,
}

/// The column that holds what is paid, if nothing has a name of revenue: the total of orders.
pub(super) fn paid(world: &World) -> Option<FieldId> {
    const WHOLE: &[&str] = &["total", "amount", "subtotal", "value"];
    let named = |called: &[Vec<String>]| called.iter().any(|words| NAMES.iter().any(|name| stems(name) == *words));
    let is_known = world.fields.iter().any(|field| named(&field.called))
        || world.numbers.iter().any(|number| named(&number.called))
        || world.money.iter().any(|money| !money.is_stock);
    let rank = |field: &super::Field| {
        let is_part =
            field.called.iter().flatten().any(|word| matches!(word.as_str(), "tax" | "fee" | "discount" | "tip" | "due"));
        let last = |words: &Vec<String>| WHOLE.iter().position(|word| words.last().is_some_and(|last| last == word));
        if is_part { None } else { field.called.iter().filter_map(last).min() }
    };
    let fields = world.fields.iter().enumerate().filter(|(_, field)| {
        field.is_column
            && field.kind == Kind::Amount
            && world.tables[field.table].time.is_some()
            && !world.is_named(field.table)
    });
    fields.filter(|_| !is_known).filter_map(|(at, field)| Some((rank(field)?, at))).min().map(|(_, at)| at)
}

/// The amounts that a table's columns make, if none of its columns or measures is one.
pub(super) fn of_table(world: &World, table: TableId) -> Option<Money> {
    let called =
        |field: &super::Field, words: &[&str]| field.called.iter().flatten().any(|word| words.contains(&word.as_str()));
    let number = |words: &'static [&'static str]| {
        world.fields_of(table).find(move |(_, field)| {
            field.is_column && (field.kind.is_measure() || field.kind == Kind::Flag) && called(field, words)
        })
    };
    let (price, _) = number(&["price"])?;
    let Some((quantity, _)) = number(&["quantity", "qty", "piece"]) else {
        let (quantity, _) = number(&["stock"])?;
        return Some(Money { table, price, quantity, discount: None, is_stock: true });
    };
    let whole = |field: &super::Field| {
        field.kind == Kind::Amount && called(field, &["amount", "total", "subtotal", "revenue", "sale", "turnover"])
    };
    if world.fields_of(table).any(|(_, field)| whole(field)) {
        return None;
    }
    let discount =
        number(&["discount"]).filter(|(_, field)| field.range.is_some_and(|(least, most)| least >= 0.0 && most <= 1.0));
    Some(Money { table, price, quantity, discount: discount.map(|(field, _)| field), is_stock: false })
}
