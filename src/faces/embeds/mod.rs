//! The embeddable pages under `/share/`: parsing their address, collecting their data, rendering them, and answering their server functions.

pub mod beacon;
pub mod reports;

pub mod address;
pub mod assets;
pub mod assistant;
pub mod backend;
pub mod calls;
mod drill;
pub mod editing;
pub mod frame;
pub mod headers;
pub mod page;
pub mod reasons;
mod reporting;
mod telling;
pub mod workspace;

#[cfg(test)]
mod assistant_tests;
#[cfg(test)]
mod calls_tests;
#[cfg(test)]
mod drill_tests;
#[cfg(test)]
mod editing_tests;
#[cfg(test)]
mod export_tests;
#[cfg(test)]
mod tests;
