//! The JSON Schema of a query of the semantic model, with the names that the model in scope has.

use crate::scope::SemanticModel;
use inlay_contract::chart::question::Grain;
use serde_json::{Value, json};

/// A schema lists at most this many names. Of more, the model reads them in the catalogue alone.
const MOST_NAMES: usize = 300;

/// The parts of weeks and days.
const CYCLES: [&str; 3] = ["weekday", "hour", "partOfWeek"];

/// How rows become a number.
const AGGREGATES: [&str; 8] = ["count", "countDistinct", "sum", "average", "min", "max", "median", "percentile"];

/// The schema of a query.
pub(super) fn query(model: &SemanticModel) -> Value {
    let known = name(model.numbers.iter().map(|number| number.name.as_str()), "A measure or metric of the semantic model");
    let measure = json!({"anyOf": [known, {"type": "string", "description": "The name of one of `metrics` or `aggregates`"}]});
    let dimensions = model.tables.iter().flat_map(|table| &table.dimensions).map(|dimension| dimension.name.as_str());
    let dimension = name(
        std::iter::once("time").chain(dimensions),
        "`table.dimension`, or `time` for the default time of the measures' own tables",
    );
    let via = json!({"type": "string", "description": "The way to the dimension's table, where the catalogue lists several"});
    let grains = Grain::ALL.map(Grain::name);
    let group = json!({"name": dimension, "via": via,
        "grain": {"type": "string", "enum": grains, "description": "Gathers days into periods"},
        "cycle": {"type": "string", "enum": CYCLES, "description": "Gathers moments by their part of a week or day, instead of grain"},
        "as": {"type": "string", "description": "The name of its column. Default: the dimension's name without its table, with _<grain> or _<cycle> behind it"}});
    let value = json!({"description": "One value; a list (any of them); {\"from\": …, \"to\": …} for days or numbers from … up to, without, …; \
        or {\"relative\": \"last_7_days\"}: today, yesterday, last_N_days|weeks|months, this_|previous_week|month|quarter|year"});
    let filter = json!({"dimension": dimension, "via": via, "value": value,
        "cycle": {"type": "string", "enum": CYCLES, "description": "Compares the part of a week (Mon to Sun, Weekday, Weekend) or the hour (0 to 23)"},
        "newest": {"type": "boolean", "description": "Counts a relative period from the newest row instead of today, for data that ended long ago"},
        "not": {"type": "boolean", "description": "Keeps all other rows instead"}});
    let number = json!({"type": "string", "description": "A measure of this query, or <measure>_previous"});
    let comparison = json!({"type": "string", "enum": ["<", "<=", "=", "<>", ">=", ">"]});
    let having = json!({"measure": number, "comparison": comparison, "than": {"type": "number"}});
    let by = json!({"type": "string", "description": "A column of the answer"});
    let order = json!({"by": by, "descending": {"type": "boolean"}});
    let per = json!({"type": "array", "items": {"type": "string"}, "description": "Dimension columns of the answer whose values form a group"});
    let top = json!({"rows": {"type": "integer", "minimum": 1, "maximum": 1000}, "per": per});
    let filters = list(&of_measure(&filter), &["dimension", "value"]);
    let aggregate = aggregate(model, &dimension, &via, &filters);
    let properties = json!({
        "measures": {"type": "array", "items": measure, "description": "Without any, the query lists the different values of its dimensions"},
        "metrics": {"type": "object", "additionalProperties": metric(&filters), "description": "Metrics of this query alone, by a name of your own: \
            letters, digits and _. `measures` must name them"},
        "aggregates": {"type": "object", "additionalProperties": aggregate, "description": "Measures of this query alone, by a name of \
            your own, for numbers that no measure or metric says. `measures` must name them"},
        "dimensions": list(&group, &["name"]),
        "filters": list(&filter, &["dimension", "value"]),
        "having": list(&having, &["measure", "comparison", "than"]),
        "sort": list(&order, &["by"]),
        "top": object("Keeps the first rows of each group of rows, in the order of `sort`, before `limit`", &top, &["rows", "per"]),
        "limit": {"type": "integer", "minimum": 1, "maximum": 5000},
        "compare": {"type": "string", "enum": ["previous", "year"],
            "description": "Adds each measure of the period before, or of the year before, as <measure>_previous. Needs a filter on time"},
    });
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

/// A measure of a query's own.
fn aggregate(model: &SemanticModel, dimension: &Value, via: &Value, filters: &Value) -> Value {
    let tables = model.tables.iter().map(|table| table.name.as_str());
    let of = json!({"type": "array", "items": dimension, "maxItems": 8,
        "description": "What is aggregated, of the table or of one that it leads to; several are multiplied. Only count works without, and counts rows"});
    let properties = json!({
        "table": name(tables, "The table whose rows are aggregated"),
        "aggregate": {"type": "string", "enum": AGGREGATES},
        "of": of,
        "via": via,
        "fraction": {"type": "number", "description": "Of percentile: 0.9 for the value that nine tenths do not exceed"},
        "filters": filters,
        "label": {"type": "string", "description": "What people read"},
    });
    object("An aggregate of a table's rows; `filters` apply to it alone", &properties, &["table", "aggregate"])
}

/// The fields of a filter that may hold for one measure alone.
fn of_measure(filter: &Value) -> Value {
    let fields = filter.as_object().into_iter().flatten().filter(|(field, _)| *field != "newest");
    fields.map(|(field, schema)| (field.clone(), schema.clone())).collect()
}

/// A metric of a query's own.
fn metric(filters: &Value) -> Value {
    let number = |description: &str| json!({"type": "string", "description": description});
    let whole = |description: &str| {
        let properties = json!({"of": number("A measure or metric"),
            "within": {"type": "array", "items": {"type": "string"}, "description": "Columns of the answer within each of whose values it is taken"}});
        json!({"type": "object", "description": description, "properties": properties, "required": ["of"], "additionalProperties": false})
    };
    let only = json!({"of": number("A measure or metric"), "filters": filters});
    let only = object("The number of some of its rows: the revenue from Germany", &only, &["of", "filters"]);
    let properties = json!({
        "ratio": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2, "description": "The first divided by the second"},
        "formula": number("Names of measures, numbers, + - * / and parentheses"),
        "running": number("The measure whose sum up to each period it is"),
        "share": whole("Its part of all groups together; for sums and counts"),
        "total": whole("All groups together; for sums and counts"),
        "only": only,
        "label": number("What people read"),
    });
    json!({"type": "object", "description": "Exactly one of ratio, formula, running, share, total, only", "properties": properties,
        "additionalProperties": false})
}

/// A text that is one of some names.
fn name<'a>(names: impl Iterator<Item = &'a str>, description: &str) -> Value {
    let names: Vec<&str> = names.take(MOST_NAMES + 1).collect();
    let mut schema = json!({"type": "string", "description": description});
    if names.len() <= MOST_NAMES {
        schema["enum"] = json!(names);
    }
    schema
}

fn object(description: &str, properties: &Value, required: &[&str]) -> Value {
    json!({"type": "object", "description": description, "properties": properties, "required": required, "additionalProperties": false})
}

fn list(properties: &Value, required: &[&str]) -> Value {
    let item = json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
    json!({"type": "array", "items": item})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scope::{Dimension, Number, SemanticTable, Words};
    use inlay_contract::{
        filter::FilterValue,
        model::{Aggregate, ModelQuery},
    };
    use std::collections::BTreeSet;

    fn model(numbers: usize) -> SemanticModel {
        let number = |at: usize| Number {
            name: format!("number_{at}"),
            words: Words::default(),
            facts: vec!["orders".to_owned()],
            aggregate: None,
            lower_is_better: false,
        };
        let day = Dimension { name: "orders.day".to_owned(), words: Words::default() };
        let orders = SemanticTable {
            name: "orders".to_owned(),
            time: Some("orders.day".to_owned()),
            dimensions: vec![day],
            ways: Vec::new(),
        };
        SemanticModel { numbers: (0..numbers).map(number).collect(), tables: vec![orders] }
    }

    /// The fields of an object. Whether a map keeps their order depends on what else is built.
    fn fields(object: &Value) -> BTreeSet<&str> {
        object.as_object().expect("fields").keys().map(String::as_str).collect()
    }

    /// Whether a schema describes all fields of an object, and no others.
    fn describes(schema: &Value, object: &Value) {
        assert_eq!(fields(&schema["properties"]), fields(object));
    }

    #[test]
    fn a_query_with_every_field_of_the_schema_is_read() {
        let full = json!({"measures": ["number_0"], "dimensions": [{"name": "time", "via": "day", "grain": "month", "cycle": "hour", "as": "m"}],
            "metrics": {"part": {"share": {"of": "number_0", "within": ["m"]}, "ratio": ["a", "b"], "formula": "a", "running": "a",
                "total": {"of": "a"}, "label": "Part",
                "only": {"of": "number_0", "filters": [{"dimension": "orders.day", "via": "day", "value": "late", "cycle": "hour", "not": true}]}}},
            "filters": [{"dimension": "orders.day", "via": "day", "value": {"relative": "last_7_days"}, "cycle": "hour", "newest": true,
                "not": true}],
            "aggregates": {"late": {"table": "orders", "aggregate": "sum", "of": ["orders.day"], "via": "day", "fraction": 0.5, "label": "Late",
                "filters": [{"dimension": "orders.day", "via": "day", "value": "late", "cycle": "hour", "not": true}]}},
            "having": [{"measure": "number_0", "comparison": "<>", "than": 5}], "sort": [{"by": "m", "descending": true}],
            "top": {"rows": 3, "per": ["m"]}, "limit": 5, "compare": "year"});
        let schema = query(&model(2));
        describes(&schema, &full);
        let schema_of = |field: &str| &schema["properties"][field];
        for list in ["dimensions", "filters", "having", "sort"] {
            describes(&schema_of(list)["items"], &full[list][0]);
        }
        describes(schema_of("top"), &full["top"]);
        describes(&schema_of("metrics")["additionalProperties"], &full["metrics"]["part"]);
        let (aggregate, late) = (&schema_of("aggregates")["additionalProperties"], &full["aggregates"]["late"]);
        describes(aggregate, late);
        describes(&aggregate["properties"]["filters"]["items"], &late["filters"][0]);
        assert_eq!(aggregate["properties"]["table"]["enum"], json!(["orders"]));
        for one in AGGREGATES {
            serde_json::from_value::<Aggregate>(json!(one)).expect("an aggregate");
        }
        serde_json::from_value::<ModelQuery>(full).expect("a query");
        assert_eq!(schema["properties"]["measures"]["items"]["anyOf"][0]["enum"], json!(["number_0", "number_1"]));
        let group = &schema["properties"]["dimensions"]["items"]["properties"];
        assert_eq!(group["name"]["enum"], json!(["time", "orders.day"]));
        for grain in group["grain"]["enum"].as_array().expect("grains") {
            serde_json::from_value::<Grain>(grain.clone()).expect("a grain");
        }
    }

    #[test]
    fn the_values_that_the_schema_describes_are_values() {
        for value in [
            json!("a"),
            json!(["a", 5]),
            json!({"from": "2024-01-01", "to": "2024-02-01"}),
            json!({"relative": "previous_quarter"}),
        ] {
            assert!(FilterValue::from_json(value.clone()).is_ok(), "{value}");
        }
    }

    #[test]
    fn too_many_names_are_not_listed() {
        let listed = |numbers| query(&model(numbers))["properties"]["measures"]["items"]["anyOf"][0]["enum"].is_array();
        assert_eq!((listed(MOST_NAMES), listed(MOST_NAMES + 1)), (true, false));
    }
}
