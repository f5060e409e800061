//! What a query and a metric name among the numbers of a model.

use super::definition::Model;
use crate::{source::SourceKind, sql::parse_expression};
use inlay_contract::model::{Metric, ModelQuery};
use inlay_sql_walk::expressions;
use sqlparser::ast::Expr;
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
};

impl Model {
    /// The measures and metrics that a query asks for, with those that these are made of.
    #[must_use]
    pub fn numbers_of(&self, kind: SourceKind, query: &ModelQuery) -> BTreeSet<String> {
        let compared = query.having.iter().map(|having| &having.measure);
        let named = self.expanded(kind, &query.metrics, query.measures.iter().chain(compared).cloned());
        let is_own = |name: &String| query.metrics.contains_key(name) || query.aggregates.contains_key(name);
        named.into_iter().filter(|name| !is_own(name)).collect()
    }

    /// Measures and metrics, with those that they are made of. A name that the model lacks stays as it is.
    #[must_use]
    pub fn made_of(&self, kind: SourceKind, numbers: impl IntoIterator<Item = String>) -> BTreeSet<String> {
        self.expanded(kind, &BTreeMap::new(), numbers)
    }

    fn expanded(
        &self,
        kind: SourceKind,
        own: &BTreeMap<String, Metric>,
        numbers: impl IntoIterator<Item = String>,
    ) -> BTreeSet<String> {
        let (mut all, mut left) = (BTreeSet::new(), Vec::from_iter(numbers));
        while let Some(number) = left.pop() {
            if all.contains(&number) {
                continue;
            }
            if let Some(metric) = self.metrics.get(&number).or_else(|| own.get(&number)) {
                left.extend(parts(kind, metric));
            }
            all.insert(number);
        }
        all
    }

    /// Whether all measures of a number belong to this model, and not to another connection's.
    #[must_use]
    pub fn holds(&self, kind: SourceKind, number: &str) -> bool {
        let known = self.numbers();
        self.made_of(kind, [number.to_owned()]).iter().all(|part| known.contains(part.as_str()))
    }
}

/// The names in a metric.
fn parts(kind: SourceKind, metric: &Metric) -> BTreeSet<String> {
    let Metric { ratio, formula, running, to_date, moving, total, share, only, .. } = metric;
    let to_date = to_date.as_ref().map(|to_date| &to_date.of);
    let moving = moving.as_ref().map(|moving| &moving.of);
    let whole = total.iter().chain(share).map(|whole| &whole.of);
    let only = only.as_ref().map(|only| &only.of);
    let mut names: BTreeSet<String> =
        ratio.iter().flatten().chain(running).chain(to_date).chain(moving).chain(whole).chain(only).cloned().collect();
    if let Some(Ok(formula)) = formula.as_ref().map(|formula| parse_expression(kind, formula)) {
        let _ = expressions(&formula, |part| {
            if let Expr::Identifier(name) = part {
                names.insert(name.value.clone());
            }
            ControlFlow::<()>::Continue(())
        });
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelTable;
    use serde_json::json;

    fn model() -> Model {
        let orders = json!({"key": "id", "measures": {"orders": {"aggregate": "count"}, "revenue": {"aggregate": "sum", "of": "amount"}}});
        let table = ModelTable { model: serde_json::from_value(orders).expect("a table"), ..ModelTable::default() };
        let metrics = json!({
            "per_order": {"ratio": ["revenue", "orders"]},
            "scaled": {"formula": "coalesce(per_order, 0) * 100 - far"},
            "so_far": {"running": "revenue"},
            "circle": {"formula": "circle + orders"},
        });
        let tables = BTreeMap::from([("orders".to_owned(), table)]);
        Model { tables, metrics: serde_json::from_value(metrics).expect("metrics") }
    }

    #[test]
    fn a_number_is_made_of_those_that_it_names_and_theirs() {
        let made_of = |number: &str| {
            let parts = model().made_of(SourceKind::Sqlite, [number.to_owned()]);
            parts.into_iter().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(made_of("revenue"), "revenue");
        assert_eq!(made_of("scaled"), "far orders per_order revenue scaled");
        assert_eq!(made_of("so_far"), "revenue so_far");
        assert_eq!(made_of("circle"), "circle orders");
        assert_eq!(made_of("nothing"), "nothing");
    }

    #[test]
    fn a_query_names_what_it_asks_for_and_compares() {
        let query = json!({"measures": ["so_far"], "having": [{"measure": "orders", "comparison": ">=", "than": 1.0}]});
        let query: ModelQuery = serde_json::from_value(query).expect("a query");
        let named = model().numbers_of(SourceKind::Sqlite, &query);
        assert_eq!(named.into_iter().collect::<Vec<_>>(), ["orders", "revenue", "so_far"]);
    }

    #[test]
    fn a_querys_own_metrics_stand_for_what_they_are_made_of() {
        let query =
            json!({"measures": ["part"], "metrics": {"part": {"share": {"of": "per_order"}}, "unused": {"running": "far"}}});
        let query: ModelQuery = serde_json::from_value(query).expect("a query");
        let named = model().numbers_of(SourceKind::Sqlite, &query);
        assert_eq!(named.into_iter().collect::<Vec<_>>(), ["orders", "per_order", "revenue"]);
    }

    #[test]
    fn a_number_of_another_connection_is_not_held() {
        let (model, kind) = (model(), SourceKind::Sqlite);
        assert!(model.holds(kind, "per_order") && !model.holds(kind, "scaled") && !model.holds(kind, "nothing"));
    }
}
