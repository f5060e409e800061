//! A chart on a dashboard: a figure with its title, its menu, and its picture, table or state.

pub mod board;
mod figure;
mod html;
pub mod look;
mod markdown;
pub mod model;
mod plot;
mod states;
mod table;

pub use figure::{Figure, Offers};
