//! The catalogues of the databases, as the product reads them.

use inlay_assistant::{
    ColumnModel, Comparison, Dimension, Number, Scope, SemanticModel, SemanticTable, TableModel, Term, TermValue, Words,
};
use inlay_contract::{
    data::ColumnType,
    model::{Metric, TableModel as DeclaredTable},
    source::SourceKind,
};
use inlay_query::{Model, ModelTable, Reference};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Tables with their columns.
pub type Columns = BTreeMap<String, Vec<(String, ColumnType)>>;
/// The foreign keys that a database declares, by table and column, each with `table.column`.
pub type ForeignKeys = BTreeMap<(String, String), String>;

/// A catalogue as an operator writes it.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Catalogue {
    tables: Vec<CatalogueTable>,
    #[serde(default)]
    metrics: BTreeMap<String, Metric>,
    /// Other names of the values of columns, which the product takes as `terms`.
    #[serde(default)]
    value_names: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// Measures and metrics of which less is better.
    #[serde(default)]
    lower_is_better: Vec<String>,
}

impl Catalogue {
    /// The catalogue with a part of what its author wrote: the same seed leaves out the same things.
    pub fn thinned(mut self, seed: u64, share: u64) -> Self {
        let keeps = |name: &str| hash(seed, name) % 100 >= share;
        for table in &mut self.tables {
            let own = table.name.clone();
            table.synonyms.retain(|word| keeps(&format!("{own}/{word}")));
            if !keeps(&own) {
                table.label = None;
            }
            for column in &mut table.columns {
                let own = format!("{own}.{}", column.name);
                column.synonyms.retain(|word| keeps(&format!("{own}/{word}")));
                if !keeps(&own) {
                    column.label = None;
                }
            }
            for part in ["measures", "dimensions"] {
                let Some(all) = table.model.get_mut(part).and_then(serde_json::Value::as_object_mut) else { continue };
                all.retain(|name, one| {
                    let kept = keeps(&format!("{own}:{name}"));
                    if !kept {
                        self.metrics.retain(|_, metric| !serde_json::to_string(metric).expect("JSON").contains(name.as_str()));
                    }
                    let words = one.get_mut("synonyms").and_then(serde_json::Value::as_array_mut);
                    if let Some(words) = words {
                        words.retain(|word| keeps(&format!("{own}:{name}/{word}")));
                    }
                    kept
                });
            }
        }
        self.metrics.retain(|name, _| keeps(name));
        self
    }

    fn terms(&self, table: &str, column: &str) -> Vec<Term> {
        let named = self.value_names.get(&format!("{table}.{column}"));
        let term = |(value, phrases): (&String, &Vec<String>)| Term {
            phrases: phrases.clone(),
            rates: Vec::new(),
            comparison: Comparison::Equal,
            value: value.parse().map_or_else(|_| TermValue::Text(value.clone()), TermValue::Number),
        };
        named.into_iter().flatten().map(term).collect()
    }
}

/// A number that looks random, the same for the same seed and text (FNV-1a).
fn hash(seed: u64, text: &str) -> u64 {
    let begin = 0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let whole = text.bytes().fold(begin, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (whole ^ (whole >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 17
}

#[derive(Debug, Deserialize)]
struct CatalogueTable {
    name: String,
    #[serde(default)]
    label: Option<String>,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    synonyms: Vec<String>,
    columns: Vec<CatalogueColumn>,
    #[serde(flatten)]
    model: BTreeMap<String, serde_json::Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CatalogueColumn {
    name: String,
    #[serde(default)]
    label: Option<String>,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    synonyms: Vec<String>,
    #[serde(default)]
    references: Option<String>,
}

/// The scope of questions and the semantic model behind it.
pub fn described(name: &str, columns: &Columns, keys: &ForeignKeys, catalogue: &Catalogue) -> (Scope, Model) {
    let mut model = Model { metrics: catalogue.metrics.clone(), ..Model::default() };
    let mut tables = Vec::new();
    for (table, kinds) in columns {
        let about = catalogue.tables.iter().find(|known| known.name == *table);
        let column = |(name, kind): &(String, ColumnType)| {
            let about = about.and_then(|about| about.columns.iter().find(|column| column.name == *name));
            ColumnModel {
                name: name.clone(),
                label: about.and_then(|about| about.label.clone()),
                description: about.and_then(|about| about.description.clone()),
                synonyms: about.map(|about| about.synonyms.clone()).unwrap_or_default(),
                kind: *kind,
                terms: catalogue.terms(table, name),
                references: about
                    .and_then(|about| about.references.clone())
                    .or_else(|| keys.get(&(table.clone(), name.clone())).cloned()),
            }
        };
        tables.push(TableModel {
            name: table.clone(),
            label: about.and_then(|about| about.label.clone()),
            description: about.and_then(|about| about.description.clone()),
            synonyms: about.map(|about| about.synonyms.clone()).unwrap_or_default(),
            columns: kinds.iter().map(column).collect(),
        });
        let Some(about) = about else { continue };
        let declared: DeclaredTable = serde_json::from_value(serde_json::to_value(&about.model).expect("JSON"))
            .unwrap_or_else(|problem| panic!("{name}: {table}: {problem}"));
        let references = about
            .columns
            .iter()
            .filter_map(|column| Some((column.name.clone(), Reference::read(column.references.as_ref()?)?)));
        model.tables.insert(
            table.clone(),
            ModelTable {
                label: about.label.clone(),
                columns: kinds
                    .iter()
                    .map(|(name, _)| {
                        (
                            name.clone(),
                            about.columns.iter().find(|column| column.name == *name).and_then(|column| column.label.clone()),
                        )
                    })
                    .collect(),
                references: references.collect(),
                model: declared,
            },
        );
    }
    let semantic = semantic(&model, &catalogue.lower_is_better);
    let scope = Scope {
        workspace: name.to_owned(),
        dialect: SourceKind::Sqlite,
        tables,
        instructions: None,
        example_questions: Vec::new(),
        examples: Vec::new(),
        model: semantic,
        model_only: false,
        verified: Vec::new(),
    };
    (scope, model)
}

fn semantic(model: &Model, lower_is_better: &[String]) -> Option<SemanticModel> {
    let words = |label: &Option<String>, synonyms: &[String]| Words {
        label: label.clone(),
        description: None,
        synonyms: synonyms.to_vec(),
    };
    let mut numbers = Vec::new();
    for (table, one) in &model.tables {
        for (name, measure) in &one.model.measures {
            numbers.push(Number {
                name: name.clone(),
                words: words(&measure.label, &measure.synonyms),
                facts: vec![table.clone()],
                aggregate: Some(measure.aggregate),
                lower_is_better: lower_is_better.contains(name),
            });
        }
    }
    for offered in model.offered_numbers(SourceKind::Sqlite) {
        if let Some(metric) = model.metrics.get(&offered.name) {
            numbers.push(Number {
                words: words(&metric.label, &metric.synonyms),
                facts: offered.facts,
                aggregate: None,
                lower_is_better: lower_is_better.contains(&offered.name),
                name: offered.name,
            });
        }
    }
    let tables = model.tables.iter().map(|(name, table)| {
        let declared = table.model.dimensions.iter().map(|(dimension, about)| Dimension {
            name: format!("{name}.{dimension}"),
            words: words(&about.label, &about.synonyms),
        });
        SemanticTable {
            name: name.clone(),
            time: table.model.time.as_ref().map(|time| format!("{name}.{time}")),
            dimensions: declared.collect(),
            ways: Vec::new(),
        }
    });
    let tables: Vec<SemanticTable> = tables.collect();
    (!tables.is_empty()).then_some(SemanticModel { numbers, tables })
}
