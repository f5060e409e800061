//! Charts: their definition (the specification's `chartConfig`).

pub mod definition;
