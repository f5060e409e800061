//! Database rows as the console shows them.

use inlay_console::ui::sheet::Sheet;
use inlay_contract::data::{ChartData, ColumnType};
use serde_json::Value;

/// The first `most` rows.
pub fn of(data: &ChartData, most: usize) -> Sheet {
    Sheet {
        columns: data.columns.iter().map(|column| (column.name.clone(), column.kind == ColumnType::Number)).collect(),
        rows: data.rows.iter().take(most).map(|row| row.iter().map(cell).collect()).collect(),
    }
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => "—".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
