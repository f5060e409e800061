//! What the server, the pages and the hosts agree on: ids, wire types, the permission flags and their rules, filters, chart
//! definitions and the ECharts option they become. Pure: no clock, no I/O; compiles to wasm.

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
pub mod lifetime;
pub mod page;
pub mod permissions;
pub mod prose;
pub mod report;
pub mod source;
pub mod theme;
pub mod workspace;
