//! What the values of a table's columns show: how many there are, and their ends.

use super::{
    Field, FieldId, World,
    survey::{day, number},
};
use crate::data::Data;
use chrono::NaiveDate;
use inlay_contract::{
    chart::question::{Aggregate, Measure, Question},
    data::ColumnType,
};

/// The most columns of a table of which numbers are read.
const MOST_COLUMNS: usize = 60;

/// Numbers of a column.
#[derive(Default)]
pub(super) struct ColumnNumbers {
    pub has_gaps: bool,
    pub distinct: Option<f64>,
    pub range: Option<(f64, f64)>,
    pub days: Option<(NaiveDate, NaiveDate)>,
}

/// Numbers of a table.
#[derive(Default)]
pub(super) struct TableNumbers {
    pub rows: Option<f64>,
    pub columns: Vec<(FieldId, ColumnNumbers)>,
}

/// How many rows a table has, how many values each column, and its ends, all in one query.
pub(super) async fn numbers(world: &World, data: &dyn Data, table: usize) -> TableNumbers {
    let columns: Vec<(FieldId, &Field)> =
        world.fields_of(table).filter(|(_, field)| field.is_column).take(MOST_COLUMNS).collect();
    let mut measures = vec![Measure { name: Some("rows_found".to_owned()), ..Measure::count() }];
    for (at, field) in &columns {
        let named =
            |how: Aggregate, name: &str| Measure { name: Some(format!("{name}{at}")), ..Measure::of(how, &*field.name) };
        measures.extend([named(Aggregate::Distinct, "d"), named(Aggregate::Count, "c")]);
        if field.column_type != Some(ColumnType::Text) && field.column_type != Some(ColumnType::Boolean) {
            measures.extend([named(Aggregate::Least, "l"), named(Aggregate::Greatest, "g")]);
        }
    }
    let question = Question { table: world.tables[table].name.clone(), measures, ..Question::default() };
    let Ok(answer) = data.ask(&question).await else { return TableNumbers::default() };
    let cell = |name: &str| answer.rows.position(name).and_then(|place| answer.rows.rows.first()?.get(place));
    let rows = cell("rows_found").and_then(number);
    let of = |at: FieldId| {
        let (least, greatest) = (cell(&format!("l{at}")), cell(&format!("g{at}")));
        ColumnNumbers {
            distinct: cell(&format!("d{at}")).and_then(number),
            has_gaps: cell(&format!("c{at}")).and_then(number).zip(rows).is_some_and(|(count, rows)| count + 0.5 < rows),
            range: least.and_then(number).zip(greatest.and_then(number)),
            days: least.and_then(day).zip(greatest.and_then(day)),
        }
    };
    TableNumbers { rows, columns: columns.iter().map(|(at, _)| (*at, of(*at))).collect() }
}
