//! The catalogue as a semantic model: which of its tables, columns and references queries by meaning may use.

use super::CatalogTable;
use inlay_contract::model::{Metric, TableModel};
use inlay_query::{Model, ModelTable, Reference};
use std::collections::{BTreeMap, BTreeSet};

/// The model of a connection's tables. A table is part of it when it declares something. Of its columns only those count that it
/// names, so that a column that nobody described is not offered to every user; hidden ones never do.
pub fn modelled<'t>(tables: impl IntoIterator<Item = &'t CatalogTable>, metrics: &BTreeMap<String, Metric>) -> Model {
    let part = tables.into_iter().filter(|table| !table.model.is_empty());
    Model { tables: part.map(|table| (table.name.clone(), one(table))).collect(), metrics: metrics.clone() }
}

fn one(table: &CatalogTable) -> ModelTable {
    let hidden: BTreeSet<&String> = table.columns.iter().filter(|(_, about)| about.hidden).map(|(name, _)| name).collect();
    let TableModel { key, time, drill, display, .. } = &table.model;
    let named = table.columns.keys().chain(key).chain(time).chain(drill).chain(display);
    let taken = table.model.measures.values().filter_map(|measure| measure.take.as_ref());
    let taken = taken.flat_map(|take| take.over.iter().chain(&take.per));
    let visible = named.chain(taken).filter(|name| !hidden.contains(name) && !table.model.dimensions.contains_key(*name));
    let label = |name: &String| table.columns.get(name).and_then(|about| about.label.clone());
    let references = table.columns.iter().filter_map(|(name, about)| {
        let reference = about.references.as_deref().and_then(Reference::read)?;
        (!about.hidden).then(|| (name.clone(), reference))
    });
    ModelTable {
        label: table.label.clone(),
        columns: visible.map(|name| (name.clone(), label(name))).collect(),
        references: references.collect(),
        model: table.model.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::ids::TableId;
    use inlay_query::RowAccess;
    use serde_json::json;

    fn table(name: &str, columns: serde_json::Value, model: serde_json::Value) -> CatalogTable {
        CatalogTable {
            id: TableId::generate(),
            name: name.to_owned(),
            label: None,
            description: None,
            synonyms: Vec::new(),
            rows: RowAccess::All,
            columns: serde_json::from_value(columns).expect("columns"),
            model: serde_json::from_value::<TableModel>(model).expect("a model"),
        }
    }

    #[test]
    fn a_table_that_declares_nothing_is_no_part() {
        let plain = table("notes", json!({"note": {"label": "Note"}}), json!({}));
        assert!(modelled([&plain], &BTreeMap::new()).tables.is_empty());
    }

    #[test]
    fn hidden_columns_do_not_exist() {
        let columns = json!({"day": {"label": "Day"}, "margin": {"hidden": true}, "secret_id": {"hidden": true, "references": "customers.id"},
            "customer_id": {"references": "sales.customers.id"}});
        let orders = table("orders", columns, json!({"key": "id", "time": "margin"}));
        let model = modelled([&orders], &BTreeMap::new());
        let orders = &model.tables["orders"];
        assert_eq!(orders.columns.keys().collect::<Vec<_>>(), ["customer_id", "day", "id"]);
        assert_eq!(orders.columns["day"].as_deref(), Some("Day"));
        let reference = Reference { table: "sales.customers".to_owned(), column: "id".to_owned() };
        assert_eq!(orders.references, BTreeMap::from([("customer_id".to_owned(), reference)]));
    }
}
