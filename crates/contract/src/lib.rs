//! The shared types of server, pages and hosts: ids, wire types, permission flags, filters, chart definitions and their ECharts
//! options. Pure: no clock and no I/O. Compiles to wasm.

pub mod calendar;
pub mod chart;
pub mod code;
pub mod data;
pub mod edit;
pub mod envelope;
pub mod field;
pub mod filter;
pub mod format;
pub mod frame;
pub mod grid;
pub mod ids;
pub mod json;
pub mod lifetime;
pub mod model;
pub mod page;
pub mod permissions;
pub mod prose;
pub mod refresh;
pub mod report;
pub mod source;
pub mod theme;
pub mod workspace;
