//! What is taken for granted beside a semantic model.

use std::collections::BTreeMap;

/// What a query may rely on beside the semantic model. All of it is checked against the data before it is assumed, and all rows still
/// pass the viewer's rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assumed {
    /// By the tables' names.
    pub tables: BTreeMap<String, AssumedTable>,
}

/// What is assumed of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AssumedTable {
    /// The columns that queries may name.
    pub columns: Vec<String>,
    /// The column whose values no two rows share.
    pub key: Option<String>,
    /// The default time.
    pub time: Option<String>,
    /// The columns that refer to keys, each as `table.column`.
    pub references: BTreeMap<String, String>,
}
