//! What pages are made of.

pub mod draft;
pub mod form;
pub mod icons;
pub mod parts;
