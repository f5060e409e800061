//! The demo: two data sources, a project over each, and two host products that embed them: real flights for an airport operator's
//! portal, and made-up orders for a platform of online shops.

pub mod data;
pub mod host;

#[cfg(test)]
mod project_tests;
