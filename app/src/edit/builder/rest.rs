//! Whether the groups beyond the largest are shown as one. Pure.

use super::built::{Built, Query};
use inlay_contract::{chart::question::Aggregate, model::OfferedModel};
use serde_json::json;

/// Changes a chart. If its numbers add up no longer, the rest is left out: it would be a wrong number. What its author set stays otherwise.
pub fn changed(built: &mut Built, model: Option<&OfferedModel>, change: impl FnOnce(&mut Built)) {
    let added = adds_up(&built.query, model);
    change(built);
    if added && built.options.contains_key("limit") && !adds_up(&built.query, model) {
        built.options.insert("others".to_owned(), json!(false));
    }
}

/// Whether the numbers of a query's groups add up to a number of all of them. Of SQL only its author knows.
pub fn adds_up(query: &Query, model: Option<&OfferedModel>) -> bool {
    match query {
        Query::Asked(question) => question.measures.iter().all(|measure| {
            matches!(measure.aggregate, Aggregate::Count | Aggregate::Sum) && measure.part.is_none() && measure.per.is_none()
        }),
        Query::Modelled(query) => {
            let of_model =
                |name: &String| model.is_some_and(|model| model.numbers.iter().any(|one| one.name == *name && one.adds_up));
            let of_query = |name: &String| query.aggregates.get(name).is_some_and(|one| one.aggregate.adds_up());
            query.compare.is_none() && query.measures.iter().all(|name| of_model(name) || of_query(name))
        }
        Query::Written(_) | Query::Kept => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::model::ModelQuery;
    use serde_json::Value;

    fn asked(measure: Value) -> bool {
        let question = serde_json::from_value(json!({"table": "orders", "measures": [{"aggregate": "count"}, measure]}));
        adds_up(&Query::Asked(question.expect("a question")), None)
    }

    #[test]
    fn sums_and_counts_of_a_question_add_up() {
        assert!(asked(json!({"aggregate": "sum", "column": "amount"})));
        for other in ["average", "median", "distinct", "least", "greatest"] {
            assert!(!asked(json!({"aggregate": other, "column": "amount"})), "{other}");
        }
        assert!(!asked(json!({"aggregate": "count", "part": "total"})), "shares of other wholes");
    }

    #[test]
    fn of_the_model_those_add_up_that_it_says_so_of() {
        let number = |name: &str, adds: bool| json!({"name": name, "label": name, "facts": ["orders"], "addsUp": adds});
        let model = json!({"numbers": [number("revenue", true), number("rate", false)], "tables": []});
        let model: OfferedModel = serde_json::from_value(model).expect("a model");
        let adds = |query: Value| {
            let query: ModelQuery = serde_json::from_value(query).expect("a query");
            adds_up(&Query::Modelled(query), Some(&model))
        };
        assert!(adds(json!({"measures": ["revenue"]})));
        assert!(!adds(json!({"measures": ["revenue", "rate"]})));
        assert!(!adds(json!({"measures": ["unknown"]})));
        let own = |aggregate: &str| json!({"n": {"table": "orders", "aggregate": aggregate, "of": "orders.amount"}});
        assert!(adds(json!({"measures": ["n"], "aggregates": own("sum")})));
        assert!(!adds(json!({"measures": ["n"], "aggregates": own("average")})));
        assert!(!adds(json!({"measures": ["revenue"], "compare": "previous"})));
    }

    #[test]
    fn a_query_whose_numbers_add_up_no_longer_leaves_the_rest_out() {
        let question = |aggregate: &str| {
            let question = json!({"table": "orders", "measures": [{"aggregate": aggregate, "column": "amount"}]});
            Query::Asked(serde_json::from_value(question).expect("a question"))
        };
        let others = |from: &str, to: &str, limit: Value| {
            let mut built = Built { query: question(from), ..Built::new() };
            if !limit.is_null() {
                built.options.insert("limit".to_owned(), limit);
            }
            changed(&mut built, None, |built| built.query = question(to));
            built.options.get("others").cloned()
        };
        assert_eq!(others("sum", "average", json!(3)), Some(json!(false)));
        assert_eq!(others("sum", "count", json!(3)), None);
        assert_eq!(others("average", "median", json!(3)), None, "as its author left it");
        assert_eq!(others("sum", "average", Value::Null), None);
    }

    #[test]
    fn of_sql_only_its_author_knows() {
        assert!(adds_up(&Query::Written("SELECT 1".to_owned()), None) && adds_up(&Query::Kept, None));
    }
}
