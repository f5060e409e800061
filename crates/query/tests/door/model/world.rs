//! A company's data, as rows in memory and as SQL, and what its model declares.

use crate::databases::{rule, table};
use chrono::{Days, NaiveDate};
use inlay_contract::model::{Dimension, TableModel};
use inlay_query::{Catalog, Model, ModelTable, Reference, RowAccess};
use std::{collections::BTreeMap, fmt::Write};

/// A value of a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    Null,
    Int(i64),
    Text(String),
    Day(NaiveDate),
}

pub(super) type Row = BTreeMap<&'static str, Value>;

/// Random numbers with a seed (`SplitMix64`).
#[derive(Clone, Debug)]
pub(super) struct Dice(u64);

impl Dice {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % most as u64).expect("it is below")
    }

    pub(super) fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(super) fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }
}

/// The tables: name, columns with their types, and which column refers to what.
pub(super) const TABLES: [(&str, &[(&str, &str)]); 6] = [
    ("regions", &[("id", "integer"), ("name", "varchar(20)")]),
    ("customers", &[("id", "integer"), ("company_id", "varchar(20)"), ("region_id", "integer"), ("segment", "varchar(20)")]),
    ("products", &[("id", "integer"), ("category", "varchar(20)"), ("weight", "integer")]),
    (
        "orders",
        &[
            ("id", "integer"),
            ("company_id", "varchar(20)"),
            ("customer_id", "integer"),
            ("product_id", "integer"),
            ("placed", "date"),
            ("amount", "integer"),
            ("pieces", "integer"),
            ("status", "varchar(20)"),
        ],
    ),
    (
        "returns",
        &[
            ("id", "integer"),
            ("company_id", "varchar(20)"),
            ("customer_id", "integer"),
            ("product_id", "integer"),
            ("returned", "date"),
            ("amount", "integer"),
            ("pieces", "integer"),
            ("status", "varchar(20)"),
        ],
    ),
    (
        "balances",
        &[
            ("id", "integer"),
            ("company_id", "varchar(20)"),
            ("customer_id", "integer"),
            ("manager_id", "integer"),
            ("day", "date"),
            ("amount", "integer"),
            ("pieces", "integer"),
            ("status", "varchar(20)"),
        ],
    ),
];

pub(super) const REFERENCES: [(&str, &str, &str); 7] = [
    ("customers", "region_id", "regions"),
    ("orders", "customer_id", "customers"),
    ("orders", "product_id", "products"),
    ("returns", "customer_id", "customers"),
    ("returns", "product_id", "products"),
    ("balances", "customer_id", "customers"),
    ("balances", "manager_id", "customers"),
];

/// The tables that hold measures, each with its time.
pub(super) const FACTS: [(&str, &str); 3] = [("orders", "placed"), ("returns", "returned"), ("balances", "day")];

/// The dimension that facts declare: its SQL reads a column and has no null.
pub(super) const SIZE: &str = "case when amount >= 50 then 'large' else 'small' end";

/// The dimension that customers declare: it makes a value even of nulls.
pub(super) const TIER: &str = "coalesce(segment, 'none')";

/// The rows of all tables, those of other companies among them.
pub(super) struct World {
    pub tables: BTreeMap<&'static str, Vec<Row>>,
}

impl World {
    pub(super) fn of(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let mut tables = BTreeMap::new();
        for (name, columns) in TABLES {
            let rows = match name {
                "regions" => 4,
                "products" => 6,
                "customers" => 16,
                _ => 90,
            };
            tables.insert(name, (1..=rows).map(|id| row(&mut dice, id, columns)).collect());
        }
        Self { tables }
    }

    /// The rows that the viewer may see.
    pub(super) fn permitted(&self, table: &str) -> Vec<&Row> {
        let own = |row: &&Row| row.get("company_id").is_none_or(|company| *company == Value::Text("acme".to_owned()));
        self.tables[table].iter().filter(own).collect()
    }

    pub(super) fn script(&self) -> String {
        let mut script = String::new();
        for (name, columns) in TABLES {
            let listed: Vec<String> = columns.iter().map(|(column, kind)| format!("{column} {kind}")).collect();
            let _ = writeln!(script, "create table {name} ({});", listed.join(", "));
            let rows: Vec<String> = self.tables[name]
                .iter()
                .map(|row| {
                    let values: Vec<String> = columns.iter().map(|(column, _)| literal(&row[column])).collect();
                    format!("({})", values.join(", "))
                })
                .collect();
            let _ = writeln!(script, "insert into {name} values {};", rows.join(", "));
        }
        script
    }
}

fn literal(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Int(number) => number.to_string(),
        Value::Text(text) => format!("'{text}'"),
        Value::Day(day) => format!("'{day}'"),
    }
}

fn row(dice: &mut Dice, id: i64, columns: &[(&'static str, &str)]) -> Row {
    let text = |text: &str| Value::Text(text.to_owned());
    let int = |number: usize| Value::Int(i64::try_from(number).expect("small"));
    let foreign = dice.once_in(3);
    let value = |dice: &mut Dice, column: &str| match column {
        "id" => Value::Int(id),
        "company_id" if foreign => text(dice.pick(&["globex", "initech"])),
        "company_id" => text("acme"),
        _ if dice.once_in(9) => Value::Null,
        // Some keys lead nowhere.
        "region_id" => int(1 + dice.below(5)),
        "customer_id" | "manager_id" => int(1 + dice.below(18)),
        "product_id" => int(1 + dice.below(7)),
        "name" => text(dice.pick(&["north", "south", "west"])),
        "segment" => text(dice.pick(&["retail", "trade"])),
        "category" => text(dice.pick(&["books", "food", "toys"])),
        "status" => text(dice.pick(&["open", "paid", "void"])),
        "placed" | "returned" | "day" => {
            let first = NaiveDate::from_ymd_opt(2023, 1, 20).expect("a day");
            Value::Day(first + Days::new(dice.below(780) as u64))
        }
        // A foreign number would stand out.
        "amount" if foreign => int(1_000_000 + dice.below(100)),
        "amount" => int(dice.below(100)),
        _ => int(dice.below(8)),
    };
    columns.iter().map(|(column, _)| (*column, value(dice, column))).collect()
}

pub(super) fn catalog() -> Catalog {
    let rows = |columns: &[(&str, &str)]| match columns.iter().any(|(column, _)| *column == "company_id") {
        true => rule("company_id = {{organization.company}}"),
        false => RowAccess::All,
    };
    Catalog::new(TABLES.iter().map(|(name, columns)| table(name, rows(columns), &[])).collect())
}

/// The tables with their keys, times and references, without measures.
pub(super) fn model() -> Model {
    let mut tables = BTreeMap::new();
    for (name, columns) in TABLES {
        let time = FACTS.iter().find(|(fact, _)| *fact == name).map(|(_, time)| (*time).to_owned());
        let declared = match name {
            "customers" => Some(("tier", TIER)),
            _ => time.as_ref().map(|_| ("size", SIZE)),
        };
        let dimensions = declared
            .into_iter()
            .map(|(name, sql)| (name.to_owned(), Dimension { sql: sql.to_owned(), ..Dimension::default() }));
        let references = REFERENCES
            .iter()
            .filter(|(from, ..)| *from == name)
            .map(|(_, column, to)| ((*column).to_owned(), Reference { table: (*to).to_owned(), column: "id".to_owned() }));
        let one = ModelTable {
            label: None,
            columns: columns.iter().map(|(column, _)| ((*column).to_owned(), None)).collect(),
            references: references.collect(),
            model: TableModel { key: vec!["id".to_owned()], dimensions: dimensions.collect(), time, ..TableModel::default() },
        };
        tables.insert(name.to_owned(), one);
    }
    Model { tables, metrics: BTreeMap::new() }
}
