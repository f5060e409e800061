//! Words of business that mean about the same.

use crate::language::words::root;
use std::{collections::HashMap, sync::LazyLock};

/// Words in the singular. Each stands in one line only; the first of a line stands for all.
const ALIKE: &[&str] = &[
    "revenue sale turnover earning taking proceed spending spend spent revenu earned earn sold sell selling sells billed buy bought buying buys",
    "customer client buyer shopper consumer patron",
    "employee staff worker rep agent salesperson salesman personnel colleague seller",
    "product item article good merchandise sku",
    "order purchase ordered invoice bill receipt",
    "quantity qty unit piece volume",
    "country nation",
    "city town",
    "state province region",
    "price cost",
    "salary pay wage compensation paycheck paid earns",
    "department dept division",
    "company firm organisation organization business account",
    "supplier vendor manufacturer",
    "shipper carrier courier",
    "category kind type class genre group",
    "song track tune",
    "artist band musician singer performer",
    "album record lp",
    "film movie",
    "payment transaction",
    "team club squad franchise",
    "player athlete",
    "game match fixture",
    "goal score point",
    "population inhabitant people",
    "doctor physician clinician provider",
    "patient",
    "visit encounter admission appointment",
    "diagnosis condition disease illness",
    "temperature temp",
    "precipitation rain rainfall precip",
    "humidity humid moisture",
    "pressure pressur barometer",
    "visibility visib",
    "wind windy gust",
    "fertility birthrate",
    "expectancy lifespan longevity",
    "ward station",
    "medication drug prescription medicine",
    "procedure surgery operation treatment",
    "opportunity deal opp",
    "lead prospect",
    "stage phase",
    "seat licence license",
    "churn cancellation cancelled canceled",
    "industry sector trade",
    "gender sex",
    "age",
    "title job position role",
    "manager boss supervisor",
    "plan tier package",
    "subscription contract",
    "ticket case issue",
    "store shop branch outlet location",
    "stock inventory",
    "discount rebate reduction",
    "freight shipping",
    "ship shipped shipment delivered delivery deliver",
    "profit margin gain",
    "expense expenditure",
    "gdp",
    "delay lateness",
    "duration length runtime",
    "line",
    "weight heaviness",
    "height tall",
    "date day",
    "birth born birthday",
    "hire hired joined join",
    "death died die dead deceased",
    "email mail",
    "phone telephone",
    "language tongue",
    "director filmmaker",
    "actor actress cast",
    "user member",
    "vehicle car auto automobile",
    "horsepower hp power",
    "mpg mileage",
    "emission co2",
    "year",
    "continent",
    "name called",
    "review rating",
    "warehouse depot",
    "campaign promotion",
    "channel medium",
    "service",
    "reorder restock",
    "home",
];

/// Several words that are one.
pub(crate) const PHRASES: &[(&str, &str)] = &[
    ("sales rep", "employee"),
    ("sales reps", "employee"),
    ("sales representative", "employee"),
    ("sales representatives", "employee"),
    ("sales person", "employee"),
    ("sales people", "employee"),
    ("sales agent", "employee"),
    ("sales agents", "employee"),
    ("account manager", "employee"),
    ("account managers", "employee"),
    ("team member", "employee"),
    ("team members", "employee"),
    ("head count", "headcount"),
    ("units sold", "quantity"),
    ("items sold", "quantity"),
    ("pieces sold", "quantity"),
    ("quantity sold", "quantity"),
    ("playing time", "duration"),
    ("play time", "duration"),
    ("running time", "duration"),
    ("product group", "category"),
    ("product groups", "category"),
    ("product category", "category"),
    ("product categories", "category"),
    ("product type", "category"),
    ("product types", "category"),
];

static CONCEPTS: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let mut found = HashMap::new();
    for line in ALIKE {
        let mut words = line.split(' ');
        let Some(first) = words.next() else { continue };
        found.entry(first).or_insert(first);
        for word in words {
            found.entry(word).or_insert(first);
        }
    }
    found
});

/// The root of the word that stands for all that mean the same.
pub(crate) fn concept(stem: &str) -> String {
    root(CONCEPTS.get(stem).copied().unwrap_or(stem))
}

/// Whether the thesaurus has the word.
pub(super) fn knows(stem: &str) -> bool {
    CONCEPTS.contains_key(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_one_meaning() {
        let mut seen = std::collections::HashSet::new();
        for word in ALIKE.iter().flat_map(|line| line.split(' ')) {
            assert!(seen.insert(word), "{word} stands in two lines");
        }
        assert_eq!(concept("turnover"), concept("sale"));
        assert_eq!(concept("zebra"), "zebra");
    }
}
