//! The server.

pub mod demo;
