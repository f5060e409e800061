//! A chart on a dashboard: a figure with a title, a menu, and a picture, table or state.

pub mod board;
pub mod figure;
pub mod html;
pub mod look;
pub mod menu;
pub mod model;
pub mod plot;
pub mod rows;
pub mod states;
pub mod table;

pub use figure::Figure;
pub use menu::Offers;
