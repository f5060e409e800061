//! How the rows of an answer were worked out, in words for viewers: no SQL and no names of columns.

use crate::{
    conversation::{Defined, Proof},
    language::words::capitalised,
    scope::Scope,
};
use inlay_contract::model::ModelQuery;
use serde_json::Value;
use std::collections::BTreeSet;

/// What stands under rows of SQL that a language model wrote.
const WRITTEN: &str = "A language model wrote this query itself. Its numbers are not those that the semantic model defines.";
/// What stands under rows of SQL that a person verified.
const VERIFIED: &str = "A query that was written by hand for this question.";

/// The proof of a query of the semantic model. `sentence` is what the compiler says of it.
pub(crate) fn of_query(query: &ModelQuery, sentence: &str, scope: &Scope) -> Proof {
    let named = names(query);
    let numbers = scope.model.iter().flat_map(|model| &model.numbers).filter(|number| named.contains(&number.name));
    let defined = numbers.filter_map(|number| {
        let label = number.words.label.clone().unwrap_or_else(|| number.name.clone());
        Some(Defined { label, definition: number.words.description.clone()? })
    });
    Proof { sentence: capitalised(sentence), measures: defined.collect(), verified_by: None }
}

/// The proof of SQL that a language model wrote.
pub(crate) fn of_written_sql() -> Proof {
    Proof { sentence: WRITTEN.to_owned(), ..Proof::default() }
}

/// The proof of SQL that a person verified.
pub(crate) fn of_verified_sql() -> Proof {
    Proof { sentence: VERIFIED.to_owned(), ..Proof::default() }
}

/// The names that a query may have taken from the semantic model.
fn names(query: &ModelQuery) -> BTreeSet<String> {
    let metrics = serde_json::to_value(&query.metrics).unwrap_or_default();
    let mut found: BTreeSet<String> = query.measures.iter().cloned().collect();
    texts(&metrics, &mut found);
    found
}

fn texts(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            // A formula names several.
            let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            found.extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
        }
        Value::Array(all) => all.iter().for_each(|one| texts(one, found)),
        Value::Object(all) => all.values().for_each(|one| texts(one, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scope::{Number, SemanticModel, Words};
    use serde_json::json;

    fn scope() -> Scope {
        let number = |name: &str, description: Option<&str>| Number {
            name: name.to_owned(),
            words: Words { label: None, description: description.map(str::to_owned), synonyms: Vec::new() },
            facts: Vec::new(),
            aggregate: None,
            lower_is_better: false,
        };
        let numbers = vec![
            number("revenue", Some("Paid orders, in euros")),
            number("orders", Some("Orders that were paid")),
            number("refunds", Some("Money that went back")),
            number("visits", None),
        ];
        Scope { model: Some(SemanticModel { numbers, tables: Vec::new() }), ..crate::world::testing::scope() }
    }

    fn defined(query: Value) -> Vec<String> {
        let query = serde_json::from_value(query).expect("a query");
        of_query(&query, "Said.", &scope()).measures.into_iter().map(|one| one.definition).collect()
    }

    #[test]
    fn measures_are_defined_where_a_description_is_known() {
        assert_eq!(defined(json!({"measures": ["revenue", "visits"]})), ["Paid orders, in euros"]);
        assert_eq!(of_query(&ModelQuery::default(), "orders by region.", &scope()).sentence, "Orders by region.");
    }

    #[test]
    fn measures_within_formulas_are_defined_too() {
        let ratio = json!({"measures": ["each"], "metrics": {"each": {"ratio": ["revenue", "orders"]}}});
        assert_eq!(defined(ratio), ["Paid orders, in euros", "Orders that were paid"]);
        let formula = json!({"measures": ["net"], "metrics": {"net": {"formula": "revenue - refunds"}}});
        assert_eq!(defined(formula), ["Paid orders, in euros", "Money that went back"]);
    }
}
