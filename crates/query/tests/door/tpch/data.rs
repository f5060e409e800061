//! Small, deterministic data in the schema of TPC-H: two tenants with the same keys and other values, so that their rows would
//! join if a rule were missing.

use std::fmt::Write as _;

/// The tables, each with its tenant column.
pub(super) const SCHEMA: &str = include_str!("schema.sql");

/// Their names.
pub(super) const TABLES: [&str; 8] = ["region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem"];

const REGIONS: [&str; 5] = ["AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST"];
const NATIONS: [(&str, usize); 10] = [
    ("BRAZIL", 1),
    ("CANADA", 1),
    ("CHINA", 2),
    ("EGYPT", 0),
    ("FRANCE", 3),
    ("GERMANY", 3),
    ("INDIA", 2),
    ("KENYA", 0),
    ("SAUDI ARABIA", 4),
    ("UNITED STATES", 1),
];
const SUPPLIERS: u64 = 20;
const CUSTOMERS: u64 = 60;
const PARTS: u64 = 50;
const ORDERS: u64 = 160;

/// Random numbers that are the same everywhere (`SplitMix64`).
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn from(&mut self, least: u64, most: u64) -> u64 {
        least + self.roll() % (most - least + 1)
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        let at = self.from(0, list.len() as u64 - 1);
        list[usize::try_from(at).expect("a small number")]
    }
}

/// A date some days after 1 January 1992.
fn day(number: u64) -> String {
    let first = chrono::NaiveDate::from_ymd_opt(1992, 1, 1).expect("a day");
    (first + chrono::Days::new(number)).to_string()
}

/// The statements that fill the tables for a tenant.
pub(super) fn rows(tenant: &str, seed: u64) -> String {
    let mut rows = Rows { tenant, dice: Dice(seed), script: String::new() };
    rows.places();
    rows.partners();
    rows.parts();
    rows.orders();
    rows.script
}

struct Rows<'a> {
    tenant: &'a str,
    dice: Dice,
    script: String,
}

impl Rows<'_> {
    fn insert(&mut self, table: &str, values: &str) {
        writeln!(self.script, "insert into {table} values ('{}', {values});", self.tenant).expect("written");
    }

    fn places(&mut self) {
        for (key, name) in REGIONS.iter().enumerate() {
            self.insert("region", &format!("{key}, '{name}'"));
        }
        for (key, (name, region)) in NATIONS.iter().enumerate() {
            self.insert("nation", &format!("{key}, '{name}', {region}"));
        }
    }

    fn partners(&mut self) {
        for key in 1..=SUPPLIERS {
            let (nation, balance) = (key % 10, self.dice.from(0, 9_999));
            let comment = self.dice.of(&["quick", "Customer and other Complaints", "slow", "kind"]);
            let phone = nation + 10;
            self.insert(
                "supplier",
                &format!(
                    "{key}, 'Supplier {key}', '{} Road {key}', {nation}, '{phone}-555', {balance}, '{comment}'",
                    self.tenant
                ),
            );
        }
        for key in 1..=CUSTOMERS {
            let (nation, balance) = (self.dice.from(0, 9), self.dice.from(0, 9_999));
            let segment = self.dice.of(&["BUILDING", "AUTOMOBILE", "MACHINERY"]);
            let phone = self.dice.of(&["13", "31", "23", "29", "30", "18", "17", "10", "25"]);
            self.insert(
                "customer",
                &format!(
                    "{key}, 'Customer {key}', '{} Lane {key}', {nation}, '{phone}-777', {balance}, '{segment}', 'none'",
                    self.tenant
                ),
            );
        }
    }

    fn parts(&mut self) {
        for key in 1..=PARTS {
            let name = self.dice.of(&["forest green", "forest red", "lime green", "blue"]);
            let brand = self.dice.of(&["Brand#12", "Brand#23", "Brand#34", "Brand#45"]);
            let kind = self.dice.of(&[
                "ECONOMY ANODIZED STEEL",
                "PROMO PLATED BRASS",
                "MEDIUM POLISHED TIN",
                "STANDARD BURNISHED BRASS",
            ]);
            let container = self.dice.of(&["SM CASE", "MED BOX", "LG BOX", "MED BAG"]);
            let size = self.dice.of(&[3, 9, 14, 19, 23, 36, 45, 49]);
            self.insert("part", &format!("{key}, '{name}', 'Manufacturer#1', '{brand}', '{kind}', {size}, '{container}'"));
            for supplier in self.suppliers_of(key) {
                let (available, cost) = (self.dice.from(1, 9_999), self.dice.from(1, 1_000));
                self.insert("partsupp", &format!("{key}, {supplier}, {available}, {cost}"));
            }
        }
    }

    /// Each part comes from three suppliers.
    const fn suppliers_of(&self, part: u64) -> [u64; 3] {
        [part % SUPPLIERS + 1, (part * 3 + 7) % SUPPLIERS + 1, (part * 7 + 3) % SUPPLIERS + 1]
    }

    fn orders(&mut self) {
        for key in 1..=ORDERS {
            // A third of the customers have no orders.
            let customer = self.dice.from(1, CUSTOMERS / 3) * 3 - self.dice.from(0, 1);
            let date = self.dice.from(0, 2_400);
            let priority = self.dice.of(&["1-URGENT", "2-HIGH", "3-MEDIUM", "5-LOW"]);
            let comment = self.dice.of(&["none", "special packages requests", "fast"]);
            let (status, price) = (self.dice.of(&["F", "O"]), self.dice.from(1_000, 400_000));
            self.insert(
                "orders",
                &format!("{key}, {customer}, '{status}', {price}, '{}', '{priority}', 0, '{comment}'", day(date)),
            );
            for line in 1..=self.dice.from(1, 5) {
                self.line(key, line, date);
            }
        }
    }

    fn line(&mut self, order: u64, line: u64, ordered: u64) {
        let part = self.dice.from(1, PARTS);
        let supplier = self.dice.of(&self.suppliers_of(part));
        let (quantity, price) = (self.dice.from(1, 50), self.dice.from(900, 100_000));
        let (discount, tax) = (self.dice.from(0, 10), self.dice.from(0, 8));
        let shipped = ordered + self.dice.from(1, 60);
        let (committed, received) = (ordered + self.dice.from(30, 90), shipped + self.dice.from(1, 30));
        let (flag, status) = (self.dice.of(&["R", "A", "N"]), self.dice.of(&["F", "O"]));
        let instruction = self.dice.of(&["DELIVER IN PERSON", "COLLECT COD"]);
        let mode = self.dice.of(&["AIR", "AIR REG", "MAIL", "SHIP"]);
        self.insert(
            "lineitem",
            &format!(
                "{order}, {part}, {supplier}, {line}, {quantity}, {price}, 0.{discount:02}, 0.{tax:02}, '{flag}', '{status}', '{}', '{}', '{}', '{instruction}', '{mode}'",
                day(shipped),
                day(committed),
                day(received)
            ),
        );
    }
}
