//! Maps a clicked mark to the row of the result that it shows.

use super::{
    definition::{ChartDefinition, Encoding, Names},
    frame::{moment, text},
};
use crate::data::ChartData;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A mark as the chart library reports it, or a row of the table of the same data.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Mark {
    /// The row, if the table was clicked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<usize>,
    /// The mark's name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The name of its series.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub series: String,
    /// Its position on a time axis, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moment: Option<i64>,
}

/// The columns that identify the marks of a definition.
fn dimensions(encoding: &Encoding) -> impl Iterator<Item = &str> {
    let single = [&encoding.x, &encoding.series, &encoding.date, &encoding.source, &encoding.target, &encoding.region];
    let several =
        [&encoding.label, &encoding.rows, &encoding.columns, &encoding.y].into_iter().flatten().flat_map(Names::as_slice);
    single.into_iter().flatten().chain(several).map(String::as_str)
}

/// The columns that identify a mark, with their values. Empty if nothing identifies it.
#[must_use]
pub fn says(definition: &ChartDefinition, data: &ChartData, mark: &Mark) -> Vec<(String, Value)> {
    if let Some(row) = mark.row {
        let cells = data.rows.get(row).map(Vec::as_slice).unwrap_or_default();
        return data.columns.iter().map(|column| column.name.clone()).zip(cells.iter().cloned()).collect();
    }
    let columns: Vec<usize> = dimensions(&definition.encoding).filter_map(|name| data.position(name)).collect();
    let told = |cell: &Value| {
        let is_moment = || mark.moment.is_some() && moment(cell) == mark.moment;
        let name = text(cell);
        !cell.is_null() && (name == mark.name || name == mark.series || is_moment())
    };
    let agreeing =
        |row: &Vec<Value>| columns.iter().copied().filter(|at| row.get(*at).is_some_and(told)).collect::<Vec<usize>>();
    let best = data.rows.iter().map(|row| (agreeing(row), row)).max_by_key(|(agreed, _)| agreed.len());
    let Some((agreed, row)) = best else { return Vec::new() };
    agreed.into_iter().map(|at| (data.columns[at].name.clone(), row[at].clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::tests_support::definition;
    use crate::data::{Column, ColumnType};
    use serde_json::json;

    fn data() -> ChartData {
        let column = |name: &str, kind| Column { name: name.into(), kind };
        let columns =
            vec![column("month", ColumnType::Date), column("region", ColumnType::Text), column("sum", ColumnType::Number)];
        let rows = [("2024-01-01", "north", 1), ("2024-01-01", "south", 2), ("2024-02-01", "south", 3)];
        let rows = rows.map(|(month, region, sum)| vec![json!(month), json!(region), json!(sum)]).to_vec();
        ChartData { columns, rows, truncated: false, cached: false, duration_ms: 0, as_of: None }
    }

    #[test]
    fn a_mark_is_found_by_its_names_and_its_moment() {
        let bars =
            definition(json!({"title": "T", "type": "bar", "encoding": {"x": "month", "y": ["sum"], "series": "region"}}));
        let mark = Mark { series: "south".into(), moment: Some(1_706_745_600_000), ..Mark::default() };
        assert_eq!(says(&bars, &data(), &mark), [("month".into(), json!("2024-02-01")), ("region".into(), json!("south"))]);
        let round = definition(json!({"title": "T", "type": "pie", "encoding": {"label": "region", "value": "sum"}}));
        let mark = Mark { name: "north".into(), ..Mark::default() };
        assert_eq!(says(&round, &data(), &mark), [("region".into(), json!("north"))]);
        assert!(says(&round, &data(), &Mark { name: "Other".into(), ..Mark::default() }).is_empty());
    }

    #[test]
    fn a_row_says_all_of_itself() {
        let table = definition(json!({"title": "T", "type": "table"}));
        let told = says(&table, &data(), &Mark { row: Some(1), ..Mark::default() });
        assert_eq!(told, [("month".into(), json!("2024-01-01")), ("region".into(), json!("south")), ("sum".into(), json!(2))]);
        assert!(says(&table, &data(), &Mark { row: Some(9), ..Mark::default() }).is_empty());
    }
}
