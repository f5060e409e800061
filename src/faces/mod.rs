//! Who asks: the HTTP API, the embeds, the console, the command line. A face reads a request, knows its caller, calls a flow or a
//! concept, and writes the answer.

pub mod api;
pub mod background;
pub mod cli;
pub mod console;
pub mod demo;
pub mod docs;
pub mod embeds;
pub mod measures;
pub mod operations;
pub mod router;
pub mod server;

#[cfg(test)]
mod growth_tests;
