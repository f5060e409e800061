//! Inlay's server: embedded analytics for the customers of a host product. Four floors, each of which uses the floors below it alone:
//! [`faces`] answer whoever asks, [`flows`] join several concepts, [`concepts`] are what the service is about, [`ground`] is what all
//! stand on. docs/architecture.md shows them.

// How deep the compiler looks into the futures of handlers, through a sign-in to the store's driver.
#![recursion_limit = "256"]

pub mod concepts;
pub mod faces;
pub mod flows;
pub mod ground;

#[cfg(test)]
mod architecture_tests;
#[cfg(test)]
mod metrics_tests;
#[cfg(test)]
mod packaging_tests;
#[cfg(test)]
mod statements_tests;
#[cfg(test)]
mod testing;
