//! The `inlay` command.
fn main() {}
