//! Why a number changed: which rows it changed in, and whether their own number moved or how many of them there were. It names no
//! cause: data shows where a change happened, not why.
//!
//! [`explain`] is pure. Each part (the rows with one value of a dimension) is compared with what happened to all parts alike, in units
//! of how far the parts of its dimension usually differ: the surprise of [Adtributor](https://www.usenix.org/conference/nsdi14) in a
//! form that averages have too. Parts that stand out and matter are told; none, if the change is spread evenly.

mod explain;
mod moves;
mod parts;
mod plan;
mod question;
mod reading;
mod scale;
#[cfg(test)]
mod tests;
mod trend;
mod words;

pub use explain::{Explained, Finding, MOST, SHOWN, explain};
pub(crate) use moves::{Moved, Moves, Toward, moved, moves};
pub use parts::{Cell, Cut, Kind, Pair};
pub(crate) use question::{Change, Unclear, change, shown};
pub(crate) use reading::{Compared, Split, compare};
pub(crate) use words::asks;
