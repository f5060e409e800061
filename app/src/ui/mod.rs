//! Small parts that pages are made of.

pub mod dialog;
pub mod effect;
pub mod icons;
pub mod menu;
pub mod part;
