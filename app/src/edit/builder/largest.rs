//! How many of a chart's groups are shown, the largest first, and whether the rest is shown as one.

use super::{
    Builder,
    built::{Built, Query},
    field::{settled, switch},
    look::set,
};
use crate::ui::part::{IntoPart, Part};
use inlay_contract::{
    chart::{definition::ChartType, question::Aggregate},
    model::OfferedModel,
};
use leptos::prelude::*;
use serde_json::json;

/// Whether a type has the option.
pub fn is_for(kind: ChartType) -> bool {
    matches!(kind, ChartType::Bar | ChartType::Line | ChartType::Area | ChartType::Combo | ChartType::Pie | ChartType::Donut)
}

/// The number of groups, and the switch for the rest.
pub fn field(builder: Builder) -> Part {
    let limit = |built: &Built| built.options.get("limit").and_then(serde_json::Value::as_u64);
    let is_limited = Memo::new(move |_| builder.built.with(|built| limit(built).is_some()));
    let adds = Memo::new(move |_| {
        let model = builder.model();
        builder.built.with(|built| adds_up(&built.query, model.as_ref()))
    });
    let change = move |text: String| match text.trim().parse().ok().filter(|limit: &u64| *limit > 0) {
        Some(limit) => {
            set(builder, "limit", Some(json!(limit)));
            if !adds.get_untracked() {
                set(builder, "others", Some(json!(false)));
            }
        }
        None => {
            set(builder, "limit", None);
            set(builder, "others", None);
        }
    };
    let rest = move || {
        is_limited.get().then(|| {
            if adds.get() {
                let shown = builder.built.with_untracked(|built| built.options.get("others") != Some(&json!(false)));
                switch("The rest as Other", shown, move |on| set(builder, "others", (!on).then(|| json!(false))))
            } else {
                view! { <p class="field-note">"The rest is left out: its numbers cannot be added up."</p> }.part()
            }
        })
    };
    view! {
        <label class="field">
            <span class="filter-label">"Show the largest"</span>
            <input
                class="control"
                type="number"
                min="1"
                placeholder="All"
                value=builder.built.with_untracked(limit).map(|limit| limit.to_string()).unwrap_or_default()
                on:change=settled(change)
            />
        </label>
        {rest}
    }
    .part()
}

/// Changes a chart. If its numbers add up no longer, the rest is left out: it would be a wrong number. What its author set stays otherwise.
pub fn changed(built: &mut Built, model: Option<&OfferedModel>, change: impl FnOnce(&mut Built)) {
    let added = adds_up(&built.query, model);
    change(built);
    if added && built.options.contains_key("limit") && !adds_up(&built.query, model) {
        built.options.insert("others".to_owned(), json!(false));
    }
}

/// Whether the numbers of a query's groups add up to a number of all of them. Of SQL only its author knows.
fn adds_up(query: &Query, model: Option<&OfferedModel>) -> bool {
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
