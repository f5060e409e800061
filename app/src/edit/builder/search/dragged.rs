//! An item that the pointer drags.

use super::{
    items::Item,
    slots::{self, Slot},
};
use crate::edit::press::Press;
use inlay_contract::model::ModelQuery;

/// A pressed pointer on an item.
#[derive(Clone, Debug)]
pub struct Drag {
    /// The item.
    pub item: Item,
    /// The press.
    pub press: Press,
    /// The part of the query below the pointer, if it takes the item.
    pub over: Option<Slot>,
}

impl Drag {
    /// Whether a slot takes the item that is dragged.
    pub fn takes(&self, query: &ModelQuery, slot: Slot) -> bool {
        self.press.drags && slots::takes(query, &self.item, slot)
    }
}
