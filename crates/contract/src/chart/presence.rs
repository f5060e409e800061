//! Whether rows have anything that a chart draws.

use super::{
    definition::{ChartDefinition, ChartType, Encoding, Names},
    frame::number,
};
use crate::data::ChartData;
use serde_json::Value;

/// Whether a chart draws a mark for any of the rows: measures that are all null make empty axes, and parts of a whole that are all
/// zero make nothing. A number and a gauge say by themselves that they have no value; tables show their rows as they are.
#[must_use]
pub fn has_marks(definition: &ChartDefinition, data: &ChartData) -> bool {
    let Encoding { x, y, value, size, latitude, longitude, region, date, .. } = &definition.encoding;
    let measures = y.as_ref().map_or(&[][..], Names::as_slice);
    let has = |row: &[Value], name: &str, holds: fn(&Value) -> bool| {
        data.position(name).and_then(|at| row.get(at)).is_some_and(holds)
    };
    let known =
        |row: &[Value], part: &Option<String>| part.as_deref().is_none_or(|name| has(row, name, |cell| !cell.is_null()));
    let counts = |row: &[Value], part: &Option<String>| {
        let is_part = |cell: &Value| number(cell).is_some_and(|part| part > 0.0);
        part.as_deref().is_none_or(|name| has(row, name, is_part))
    };
    let any = |row: &[Value]| measures.iter().any(|name| has(row, name, |cell| !cell.is_null()));
    let is_marked = |row: &Vec<Value>| match definition.kind {
        ChartType::Line | ChartType::Area | ChartType::Bar | ChartType::Combo | ChartType::Radar => any(row),
        ChartType::Boxplot | ChartType::Waterfall => any(row),
        ChartType::Scatter | ChartType::Bubble => known(row, x) && any(row) && known(row, size),
        ChartType::Histogram => known(row, x),
        ChartType::Heatmap => known(row, value),
        ChartType::Calendar => known(row, date) && known(row, value),
        ChartType::Map if region.is_some() => known(row, value),
        ChartType::Map => known(row, latitude) && known(row, longitude),
        ChartType::Pie | ChartType::Donut | ChartType::Funnel => counts(row, value),
        ChartType::Treemap | ChartType::Sunburst | ChartType::Sankey => counts(row, value),
        ChartType::Gauge | ChartType::Number | ChartType::Table | ChartType::Pivot | ChartType::Text => true,
    };
    data.rows.iter().any(is_marked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chart::tests_support::definition,
        data::{Column, ColumnType},
    };
    use serde_json::json;

    fn marked(kind: &str, encoding: Value, rows: Value) -> bool {
        let column = |name: &str, kind| Column { name: name.into(), kind };
        let columns = vec![column("name", ColumnType::Text), column("n", ColumnType::Number), column("m", ColumnType::Number)];
        let data = ChartData { columns, rows: serde_json::from_value(rows).expect("rows"), ..ChartData::default() };
        has_marks(&definition(json!({"title": "T", "type": kind, "encoding": encoding})), &data)
    }

    #[test]
    fn measures_that_are_all_null_draw_nothing() {
        let nulls = || json!([["a", null, null], ["b", null, null]]);
        for (kind, encoding) in [
            ("line", json!({"x": "name", "y": ["n", "m"]})),
            ("radar", json!({"x": "name", "y": "n"})),
            ("scatter", json!({"x": "n", "y": "m"})),
            ("histogram", json!({"x": "n"})),
            ("heatmap", json!({"x": "name", "y": "name", "value": "n"})),
            ("pie", json!({"label": "name", "value": "n"})),
            ("sankey", json!({"source": "name", "target": "name", "value": "n"})),
            ("boxplot", json!({"x": "name", "y": "n"})),
            ("map", json!({"region": "name", "value": "n"})),
            ("map", json!({"latitude": "n", "longitude": "m"})),
        ] {
            assert!(!marked(kind, encoding.clone(), nulls()), "{kind}");
            assert!(marked(kind, encoding, json!([["a", null, null], ["b", 3, 4]])), "{kind}");
        }
    }

    #[test]
    fn one_measure_of_several_is_enough_and_zero_is_a_value_but_no_part() {
        assert!(marked("bar", json!({"x": "name", "y": ["n", "m"]}), json!([["a", null, 0]])));
        assert!(!marked("donut", json!({"label": "name", "value": "n"}), json!([["a", 0, 1], ["b", -2, 1]])));
        assert!(!marked("scatter", json!({"x": "n", "y": "m"}), json!([["a", null, 1], ["b", 1, null]])));
    }

    #[test]
    fn numbers_gauges_and_tables_speak_for_themselves() {
        for kind in ["number", "gauge", "table", "pivot"] {
            assert!(marked(kind, json!({"value": "n"}), json!([["a", null, null]])), "{kind}");
        }
        assert!(!marked("bar", json!({"x": "name", "y": "n"}), json!([])));
    }
}
