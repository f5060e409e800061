//! The embeddable pages under `/share/`: parsing their address, collecting their data, rendering them, and answering their
//! server functions.

pub mod address;
mod answer_stream;
pub mod assets;
pub mod backend;
pub mod beacon;
pub mod calls;
mod choices;
pub mod dashboard_assistant;
mod drill;
pub mod editing;
mod filter_values;
pub mod frame;
pub mod headers;
mod offered;
pub mod page;
pub mod reasons;
mod reporting;
pub mod reports;
pub mod workspace;

#[cfg(test)]
mod calls_tests;
#[cfg(test)]
mod copies_tests;
#[cfg(test)]
mod dashboard_assistant_tests;
#[cfg(test)]
mod database_auth_tests;
#[cfg(test)]
mod drill_tests;
#[cfg(test)]
mod editing_tests;
#[cfg(test)]
mod export_tests;
#[cfg(test)]
mod filter_values_tests;
#[cfg(test)]
mod memory_tests;
#[cfg(test)]
mod opening_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tools_tests;
#[cfg(test)]
mod views_default_tests;
#[cfg(test)]
mod views_tests;
