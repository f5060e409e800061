//! Money that no column holds: what a row costs is its price times its quantity.

use super::{FieldId, Kind, TableId, World};

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
