//! The building blocks of pages.

pub mod agent;
pub mod cell;
pub mod draft;
pub mod form;
pub mod html;
pub mod icons;
pub mod numbers;
pub mod parts;
pub mod sheet;
