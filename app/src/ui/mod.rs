//! Small components that pages share.

pub mod dialog;
pub mod effect;
pub mod icons;
pub mod menu;
pub mod part;
