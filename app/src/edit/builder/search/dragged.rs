//! An item that the pointer drags.

use super::{
    items::Item,
    slots::{self, Slot},
};
use inlay_contract::model::ModelQuery;

/// A pressed pointer on an item.
#[derive(Clone, Debug)]
pub struct Drag {
    /// The item.
    pub item: Item,
    /// Where it started, in the window.
    pub from: (f64, f64),
    /// Where the pointer is now, in the window.
    pub pointer: (f64, f64),
    /// Whether the pointer has moved away, so that it is no click.
    pub moves: bool,
    /// The part of the query below the pointer, if it takes the item.
    pub over: Option<Slot>,
}

impl Drag {
    /// Whether a slot takes the item that is dragged.
    pub fn takes(&self, query: &ModelQuery, slot: Slot) -> bool {
        self.moves && slots::takes(query, &self.item, slot)
    }
}
