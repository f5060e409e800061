//! Writes a model as an Ossie document.

use crate::{
    Column, SemanticModel, Table,
    document::{Dataset, DimensionRole, Document, Expression, Field, Metric, Model, Relationship, VERSION, context_of},
    expression::{self, Expressions, of_measure},
    extension::{OfDataset, OfField, OfMetric, OfModel, write},
    names, sql,
};
use inlay_contract::model::{Dimension, Measure};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Writes a model as an Ossie document, in YAML.
///
/// The document is valid by Ossie's schema if the model has a table: Ossie knows no model without datasets. Measures with
/// `take`, metrics that go along a time, and SQL that is no standard SQL have no expression in Ossie. They are kept in
/// extensions, so that other tools do not compute another number by the same name.
#[must_use]
pub fn export(model: &SemanticModel) -> String {
    let document = Document { version: VERSION.to_owned(), semantic_model: vec![sql::on_deep_stack(|| of_model(model))] };
    let value = serde_json::to_value(&document).unwrap_or(Value::Null);
    // JSON is YAML, too.
    serde_saphyr::to_string(&value).unwrap_or_else(|_| value.to_string())
}

fn of_model(model: &SemanticModel) -> Model {
    let datasets = names::of_datasets(model.tables.keys());
    let mut writer = Writer { model, sole: datasets.len() == 1, datasets, relationships: Vec::new(), metrics: Vec::new() };
    let written = model.tables.iter().map(|(name, table)| writer.dataset(name, table)).collect();
    let kept = writer.metrics();
    Model {
        name: model.name.clone(),
        description: model.description.clone(),
        ai_context: None,
        datasets: written,
        relationships: writer.relationships,
        metrics: writer.metrics,
        custom_extensions: write(&kept),
    }
}

struct Writer<'m> {
    model: &'m SemanticModel,
    /// The datasets' names, by their tables.
    datasets: BTreeMap<String, String>,
    sole: bool,
    relationships: Vec<Relationship>,
    metrics: Vec<Metric>,
}

impl Writer<'_> {
    fn dataset(&mut self, name: &str, table: &Table) -> Dataset {
        let dataset = self.datasets.get(name).cloned().unwrap_or_default();
        let mut kept = OfDataset {
            label: table.label.clone(),
            time: table.model.time.clone(),
            fiscal_year_start: table.model.fiscal_year_start,
            drill: table.model.drill.clone(),
            display: table.model.display.clone(),
            ..OfDataset::default()
        };
        let mut fields = BTreeMap::new();
        for (column, settings) in &table.columns {
            let field = self.column(&dataset, column, settings);
            fields.insert(column.clone(), field);
        }
        let mut implied: BTreeSet<String> = expression::known(table).into_iter().map(str::to_owned).collect();
        for (dimension, declared) in &table.model.dimensions {
            // A name is a field once, and the columns have it first.
            let is_free = !fields.contains_key(dimension) && !implied.contains(dimension);
            match of_dimension(dimension, declared, table).filter(|_| is_free) {
                Some(field) => {
                    fields.insert(dimension.clone(), field);
                }
                None => {
                    kept.dimensions.insert(dimension.clone(), declared.clone());
                }
            }
        }
        for (measure, declared) in &table.model.measures {
            if self.measure(name, &dataset, table, measure, declared, &mut implied).is_none() {
                kept.measures.insert(measure.clone(), declared.clone());
            }
        }
        for column in implied {
            if !fields.contains_key(&column) {
                let custom_extensions = write(&OfField { implied: true, ..OfField::default() });
                fields.insert(column.clone(), Field { custom_extensions, ..plain(&column) });
            }
        }
        if let Some(field) = table.model.time.as_ref().and_then(|time| fields.get_mut(time)) {
            field.dimension = Some(DimensionRole { is_time: Some(true) });
        }
        Dataset {
            name: dataset,
            source: source(name),
            primary_key: table.model.key.clone(),
            unique_keys: Vec::new(),
            description: table.description.clone(),
            ai_context: context_of(&table.synonyms),
            fields: fields.into_values().collect(),
            custom_extensions: write(&kept),
        }
    }

    fn column(&mut self, dataset: &str, name: &str, settings: &Column) -> Field {
        let references = settings.references.as_ref().filter(|references| !self.relationship(dataset, name, references));
        Field {
            label: settings.label.clone(),
            description: settings.description.clone(),
            ai_context: context_of(&settings.synonyms),
            custom_extensions: write(&OfField { references: references.cloned(), ..OfField::default() }),
            ..plain(name)
        }
    }

    /// Writes a reference as a relationship, if it leads to the key of a table of the model.
    fn relationship(&mut self, dataset: &str, column: &str, references: &str) -> bool {
        let Some((to_table, to_column)) = references.rsplit_once('.') else { return false };
        let Some(to) = self.model.tables.get(to_table).filter(|to| to.model.key.iter().eq([to_column])) else { return false };
        let Some(to_dataset) = self.datasets.get(to_table) else { return false };
        if to.model.dimensions.contains_key(to_column) {
            return false;
        }
        let whole = format!("{dataset}_{column}_to_{to_dataset}");
        let (mut name, mut number) = (whole.clone(), 2);
        while self.relationships.iter().any(|one| one.name == name) {
            name = format!("{whole}_{number}");
            number += 1;
        }
        self.relationships.push(Relationship {
            name,
            from: dataset.to_owned(),
            to: to_dataset.clone(),
            from_columns: vec![column.to_owned()],
            to_columns: vec![to_column.to_owned()],
            ai_context: None,
            custom_extensions: Vec::new(),
        });
        true
    }

    /// Writes a measure as a metric, if it can be said.
    fn measure(
        &mut self,
        table_name: &str,
        dataset: &str,
        table: &Table,
        name: &str,
        measure: &Measure,
        implied: &mut BTreeSet<String>,
    ) -> Option<()> {
        let said = of_measure(dataset, self.sole, table, measure)?;
        if self.metrics.iter().any(|one| one.name == name) {
            return None;
        }
        for column in said.columns {
            // Without quotes, `Amount` is the column `amount`.
            let is_it = |name: &String| match column.quote_style {
                Some(_) => *name == column.value,
                None => name.eq_ignore_ascii_case(&column.value),
            };
            if !table.columns.keys().chain(implied.iter()).any(is_it) {
                implied.insert(column.value);
            }
        }
        let exact = Measure { description: None, synonyms: Vec::new(), ..measure.clone() };
        self.metrics.push(Metric {
            name: name.to_owned(),
            expression: Expression::ansi(said.text),
            description: measure.description.clone(),
            ai_context: context_of(&measure.synonyms),
            custom_extensions: write(&OfMetric { table: Some(table_name.to_owned()), measure: Some(exact), metric: None }),
        });
        Some(())
    }

    /// Writes the metrics that can be said, and returns the others.
    fn metrics(&mut self) -> OfModel {
        let mut expressions = Expressions::of(self.model, &self.datasets, self.sole);
        let mut kept = OfModel::default();
        for (name, metric) in &self.model.metrics {
            let said = expressions.metric(name).filter(|_| !self.metrics.iter().any(|one| one.name == *name));
            let Some(text) = said else {
                kept.metrics.insert(name.clone(), metric.clone());
                continue;
            };
            let exact = inlay_contract::model::Metric { description: None, synonyms: Vec::new(), ..metric.clone() };
            self.metrics.push(Metric {
                name: name.clone(),
                expression: Expression::ansi(text),
                description: metric.description.clone(),
                ai_context: context_of(&metric.synonyms),
                custom_extensions: write(&OfMetric { metric: Some(exact), ..OfMetric::default() }),
            });
        }
        kept
    }
}

/// A table's name as a source: `orders`, `sales.orders`, `"flights-3m"`.
fn source(table: &str) -> String {
    let parts = table.split_once('.').map_or_else(|| vec![table], |(schema, table)| vec![schema, table]);
    parts.into_iter().map(|part| names::ident(part).to_string()).collect::<Vec<_>>().join(".")
}

/// The field of a column without texts.
fn plain(column: &str) -> Field {
    Field {
        name: column.to_owned(),
        expression: Expression::ansi(names::ident(column).to_string()),
        dimension: None,
        label: None,
        description: None,
        datatype: None,
        ai_context: None,
        custom_extensions: Vec::new(),
    }
}

fn of_dimension(name: &str, declared: &Dimension, table: &Table) -> Option<Field> {
    let expression = sql::own(&declared.sql, &expression::known(table))?;
    Some(Field {
        expression: Expression::ansi(expression.to_string()),
        label: declared.label.clone(),
        description: declared.description.clone(),
        ai_context: context_of(&declared.synonyms),
        custom_extensions: write(&OfField {
            sql: Some(declared.sql.clone()),
            order: declared.order.clone(),
            ..OfField::default()
        }),
        ..plain(name)
    })
}
