//! Small components that pages share.

pub mod dialog;
pub mod icons;
pub mod menu;
pub mod part;
