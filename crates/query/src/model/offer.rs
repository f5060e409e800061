//! What a person can choose of a model, and what fits together.

use super::definition::Model;
use crate::source::SourceKind;
use inlay_contract::model::{Aggregate, Measure, OfferedNumber, OfferedWay, OfferedWords};

impl Model {
    /// The measures and metrics whose measures all belong to this model, by their names.
    #[must_use]
    pub fn offered_numbers(&self, kind: SourceKind) -> Vec<OfferedNumber> {
        self.numbers().into_iter().filter_map(|name| self.offered_number(kind, name)).collect()
    }

    fn offered_number(&self, kind: SourceKind, name: &str) -> Option<OfferedNumber> {
        if !self.holds(kind, name) {
            return None;
        }
        let parts = self.made_of(kind, [name.to_owned()]);
        let mut facts: Vec<String> =
            parts.iter().filter_map(|part| self.measure(part)).map(|(table, ..)| table.to_owned()).collect();
        facts.sort();
        facts.dedup();
        let measure = self.measure(name).map(|(.., measure)| measure);
        let (label, description, synonyms) = match (measure, self.metrics.get(name)) {
            (Some(measure), _) => (&measure.label, &measure.description, &measure.synonyms),
            (None, metric) => metric.map(|metric| (&metric.label, &metric.description, &metric.synonyms))?,
        };
        let words = OfferedWords { description: description.clone(), synonyms: synonyms.clone() };
        let counts_rows =
            |measure: &Measure| measure.aggregate == Aggregate::Count && measure.of.is_none() && measure.condition.is_none();
        // A metric of numbers alone has no rows.
        (!facts.is_empty()).then(|| OfferedNumber {
            name: name.to_owned(),
            label: label.clone().unwrap_or_else(|| name.to_owned()),
            facts,
            counts_rows: measure.is_some_and(counts_rows),
            adds_up: measure.is_some_and(|measure| measure.aggregate.adds_up() && measure.take.is_none()),
            words,
        })
    }

    /// The tables that a table's rows lead to, itself first. Where too many ways lead through the tables, none but itself.
    #[must_use]
    pub fn offered_ways(&self, table: &str) -> Vec<OfferedWay> {
        let (others, is_whole) = self.ways_from(table);
        let mut offered = vec![OfferedWay { table: table.to_owned(), via: String::new(), is_only: true }];
        for (to, mut ways) in others.into_iter().filter(|_| is_whole) {
            ways.sort();
            let is_only = ways.len() == 1;
            let way = |way: Vec<String>| OfferedWay { table: to.to_owned(), via: way.join("."), is_only };
            offered.extend(ways.into_iter().map(way));
        }
        offered
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ModelTable, Reference};
    use serde_json::json;
    use std::collections::BTreeMap;

    fn model() -> Model {
        let table = |model: serde_json::Value, references: &[(&str, &str)]| {
            let own = model["key"].as_str().map(|key| (key.to_owned(), None));
            let columns = references.iter().map(|(column, _)| ((*column).to_owned(), None)).chain(own).collect();
            let to = |to: &str| Reference { table: to.to_owned(), column: "id".to_owned() };
            let references = references.iter().map(|(column, table)| ((*column).to_owned(), to(table))).collect();
            ModelTable { columns, references, model: serde_json::from_value(model).expect("a table"), ..ModelTable::default() }
        };
        let measures = json!({"flights": {"aggregate": "count", "label": "Flights", "description": "Departures", "synonyms": ["trips"]}, "miles": {"aggregate": "sum", "of": "distance"}});
        let tables = BTreeMap::from([
            (
                "flights".to_owned(),
                table(
                    json!({ "measures": measures }),
                    &[("origin", "airports"), ("destination", "airports"), ("carrier", "carriers")],
                ),
            ),
            ("airports".to_owned(), table(json!({"key": "id"}), &[])),
            ("carriers".to_owned(), table(json!({"key": "id"}), &[("home", "airports")])),
            ("seats".to_owned(), table(json!({"measures": {"seats": {"aggregate": "count"}}}), &[])),
        ]);
        let metrics = json!({
            "seats_per_flight": {"ratio": ["seats", "flights"], "label": "Seats per flight", "synonyms": ["size"]},
            "elsewhere": {"ratio": ["trains", "flights"]},
            "seven": {"formula": "3 + 4"},
        });
        Model { tables, metrics: serde_json::from_value(metrics).expect("metrics") }
    }

    #[test]
    fn numbers_come_with_the_tables_that_they_are_made_of() {
        let offered = model().offered_numbers(SourceKind::Sqlite);
        let told: Vec<String> = offered
            .iter()
            .map(|one| format!("{} {} {} {} {}", one.name, one.label, one.facts.join("+"), one.counts_rows, one.adds_up))
            .collect();
        // Neither a metric of another connection's measures, nor one without rows.
        assert_eq!(
            told,
            [
                "flights Flights flights true true",
                "miles miles flights false true",
                "seats seats seats true true",
                "seats_per_flight Seats per flight flights+seats false false"
            ]
        );
    }

    #[test]
    fn numbers_come_with_their_descriptions_and_other_names() {
        let offered = model().offered_numbers(SourceKind::Sqlite);
        let told = |at: usize| (offered[at].words.description.as_deref(), offered[at].words.synonyms.join(" "));
        assert_eq!(
            [told(0), told(1), told(3)],
            [(Some("Departures"), "trips".into()), (None, "".into()), (None, "size".into())]
        );
    }

    #[test]
    fn a_way_is_the_only_one_or_one_of_several() {
        let ways = |table: &str| {
            let ways = model().offered_ways(table);
            let told = |way: &OfferedWay| format!("{} {}{}", way.table, way.via, if way.is_only { "!" } else { "" });
            ways.iter().map(told).collect::<Vec<_>>()
        };
        assert_eq!(
            ways("flights"),
            ["flights !", "airports carrier.home", "airports destination", "airports origin", "carriers carrier!"]
        );
        assert_eq!(ways("carriers"), ["carriers !", "airports home!"]);
        assert_eq!(ways("nothing"), ["nothing !"]);
    }
}
