//! A result that is shared by all who requested it.

use inlay_contract::data::ChartData;
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use std::{
    ops::Deref,
    sync::{Arc, OnceLock},
};

/// A shared result. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Answered(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    data: ChartData,
    /// Its JSON, serialized once.
    json: OnceLock<Option<Box<RawValue>>>,
}

impl Answered {
    /// A result from the source.
    #[must_use]
    pub fn new(data: ChartData) -> Self {
        Self(Arc::new(Shared { data, json: OnceLock::new() }))
    }

    /// A result from the cache, marked as such.
    pub(crate) fn remembered(data: ChartData) -> Self {
        Self::new(ChartData { cached: true, duration_ms: 0, ..data })
    }

    /// An owned copy of the rows.
    #[must_use]
    pub fn into_data(self) -> ChartData {
        Arc::try_unwrap(self.0).map_or_else(|shared| shared.data.clone(), |own| own.data)
    }
}

impl Deref for Answered {
    type Target = ChartData;

    fn deref(&self) -> &ChartData {
        &self.0.data
    }
}

impl PartialEq for Answered {
    fn eq(&self, other: &Self) -> bool {
        self.0.data == other.0.data
    }
}

impl Serialize for Answered {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.json.get_or_init(|| to_raw_value(&self.0.data).ok()) {
            Some(json) => json.serialize(serializer),
            None => self.0.data.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::data::{Column, ColumnType};
    use serde_json::json;

    fn json(value: &impl Serialize) -> String {
        serde_json::to_string(value).expect("JSON")
    }

    #[test]
    fn its_json_is_that_of_its_rows_each_time() {
        let columns = vec![Column { name: "a \"quoted\" é".to_owned(), kind: ColumnType::Json }];
        let rows = vec![vec![json!({ "b": [1, 2.5, null, "x\n"] })]];
        let data = ChartData { columns, rows, truncated: true, cached: false, duration_ms: 7 };
        let (fresh, kept) = (Answered::new(data.clone()), Answered::remembered(data.clone()));
        for _ in 0..2 {
            assert_eq!(json(&fresh), json(&data));
            assert_eq!(json(&kept), json(&ChartData { cached: true, duration_ms: 0, ..data.clone() }));
        }
        assert_eq!((fresh.clone().into_data(), fresh.into_data()), (data.clone(), data));
    }
}
