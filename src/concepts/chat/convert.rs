//! Draws the same rows as another chart type: the encoding follows from the roles that the columns have now.

use super::message::LONGEST_TITLE;
use crate::ground::error::{Code, Error, Result};
use inlay_contract::chart::definition::{ChartDefinition, ChartType, Encoding, Names};

/// A chart with another title, drawn as another type.
///
/// # Errors
/// 400 for an empty or too long title, 422 when the columns do not fit the chart type.
pub fn convert_chart(chart: ChartDefinition, title: &str, kind: ChartType) -> Result<ChartDefinition> {
    let title = title.trim();
    if title.is_empty() || title.chars().count() > LONGEST_TITLE {
        return Err(Error::invalid("title", format!("must have 1 to {LONGEST_TITLE} characters")));
    }
    let encoding =
        if kind == chart.kind { chart.encoding.clone() } else { encoding(&chart.encoding, kind).ok_or_else(unfit)? };
    Ok(ChartDefinition { title: title.to_owned(), kind, encoding, ..chart })
}

/// 422 for a chart type that does not fit the rows.
pub fn unfit() -> Error {
    Error::new(Code::ChartUnfit, "The rows of this chart do not fit this chart type.")
}

fn encoding(old: &Encoding, kind: ChartType) -> Option<Encoding> {
    let of_label = old.label.as_ref().and_then(|label| label.as_slice().first());
    let dimension = old.x.as_ref().or(of_label).or(old.date.as_ref()).or(old.region.as_ref()).cloned();
    let measures: Vec<String> = match (&old.y, &old.value) {
        (Some(y), _) => y.as_slice().to_vec(),
        (None, Some(value)) => vec![value.clone()],
        (None, None) => Vec::new(),
    };
    let first = measures.first().cloned();
    Some(match kind {
        ChartType::Table => Encoding::default(),
        ChartType::Number => Encoding { value: Some(first?), ..Encoding::default() },
        ChartType::Bar | ChartType::Line | ChartType::Area => {
            first?;
            Encoding { x: Some(dimension?), y: Some(Names::Many(measures)), series: old.series.clone(), ..Encoding::default() }
        }
        ChartType::Pie | ChartType::Donut | ChartType::Treemap | ChartType::Funnel => {
            Encoding { label: Some(Names::One(dimension?)), value: Some(first?), ..Encoding::default() }
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn chart(json: serde_json::Value) -> ChartDefinition {
        serde_json::from_value(json).expect("a definition")
    }

    #[test]
    fn parts_follow_from_parts() {
        let bars =
            chart(json!({"title": "T", "type": "bar", "sqlOverride": "select 1", "encoding": {"x": "day", "y": ["n", "m"]}}));
        let pie = convert_chart(bars.clone(), " Shares ", ChartType::Pie).expect("a pie");
        assert_eq!(serde_json::to_value(&pie.encoding).expect("JSON"), json!({"label": "day", "value": "n"}));
        assert_eq!((pie.title.as_str(), pie.sql_override.as_deref()), ("Shares", Some("select 1")));
        let line = convert_chart(pie, "T", ChartType::Line).expect("a line");
        assert_eq!(serde_json::to_value(&line.encoding).expect("JSON"), json!({"x": "day", "y": ["n"]}));
        assert_eq!(convert_chart(bars.clone(), "T", ChartType::Bar).expect("itself"), bars);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let number = chart(json!({"title": "T", "type": "number", "encoding": {"value": "n"}}));
        assert_eq!(convert_chart(number.clone(), "T", ChartType::Line).expect_err("no dimension").code, Code::ChartUnfit);
        assert_eq!(convert_chart(number.clone(), "T", ChartType::Sankey).expect_err("too many parts").code, Code::ChartUnfit);
        assert_eq!(convert_chart(number.clone(), "  ", ChartType::Number).expect_err("no title").code, Code::ValidationFailed);
        assert!(convert_chart(number, "T", ChartType::Table).is_ok());
    }
}
