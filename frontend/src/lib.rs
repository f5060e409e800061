//! The wasm entry point.
