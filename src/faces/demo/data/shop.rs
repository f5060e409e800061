//! The data of some online shops: orders, customers, products and visits of two years. All of it is made up by the program, the same
//! at every start of a day.

mod catalogue;
mod orders;
mod people;
mod random;
#[cfg(test)]
mod tests;
mod visits;
mod year;

use super::{LoadError, Source};
use catalogue::SHOPS;
use chrono::NaiveDate;
use orders::Sold;
use random::Random;
use serde::Serialize;
use sqlx::AssertSqlSafe;
use sqlx_sqlite::SqliteConnection;
use std::path::{Path, PathBuf};
use visits::Visits;

/// Where chance begins.
const SEED: u64 = 2_026;
/// Rows of one INSERT.
const BATCH: usize = 2_000;

/// The database. Times are text, as is usual in SQLite: `YYYY-MM-DD HH:MM:SS`. Amounts are dollars. Every customer's query reads the
/// rows of one shop, mostly by date.
const SOURCE: Source = Source {
    file: "shops.db",
    tables: "
        CREATE TABLE products (
            id INTEGER PRIMARY KEY, shop TEXT NOT NULL, name TEXT NOT NULL, category TEXT NOT NULL, price REAL NOT NULL,
            stock INTEGER NOT NULL, reorder_at INTEGER NOT NULL
        );
        CREATE TABLE customers (
            id INTEGER PRIMARY KEY, shop TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, country TEXT NOT NULL,
            first_ordered_on TEXT NOT NULL
        );
        CREATE TABLE orders (
            id INTEGER PRIMARY KEY, shop TEXT NOT NULL, customer_id INTEGER NOT NULL REFERENCES customers,
            product_id INTEGER NOT NULL REFERENCES products, placed_at TEXT NOT NULL, channel TEXT NOT NULL, quantity INTEGER NOT NULL,
            list_amount REAL NOT NULL, discount REAL NOT NULL, amount REAL NOT NULL, cost REAL NOT NULL, refund REAL NOT NULL,
            returned_on TEXT, first_order INTEGER NOT NULL, days_to_next INTEGER, days_ago INTEGER NOT NULL
        );
        CREATE TABLE visits (
            day TEXT NOT NULL, shop TEXT NOT NULL, channel TEXT NOT NULL, visits INTEGER NOT NULL, carts INTEGER NOT NULL,
            checkouts INTEGER NOT NULL, purchases INTEGER NOT NULL
        );",
    indexes: "
        CREATE INDEX products_by_shop ON products (shop);
        CREATE INDEX customers_by_shop ON customers (shop);
        CREATE INDEX orders_by_shop ON orders (shop, placed_at);
        CREATE INDEX visits_by_shop ON visits (shop, day);
        ANALYZE;",
};

/// Creates the database in `folder`, with `newest` as its last day, and returns its path. It takes about a second unless the database
/// is there with that day.
///
/// # Errors
/// The file cannot be written.
pub async fn load(folder: &Path, newest: NaiveDate) -> Result<PathBuf, LoadError> {
    super::fill_once(&SOURCE, folder, newest, async |connection| {
        let (sold, visits) = generate(newest);
        let of_orders = "id shop customer_id product_id placed_at channel quantity list_amount discount amount cost refund \
                         returned_on first_order days_to_next days_ago";
        insert(connection, "products", "id shop name category price stock reorder_at", &sold.products).await?;
        insert(connection, "customers", "id shop name kind country first_ordered_on", &sold.customers).await?;
        insert(connection, "orders", of_orders, &sold.orders).await?;
        insert(connection, "visits", "day shop channel visits carts checkouts purchases", &visits).await
    })
    .await
}

/// All rows, up to the newest day.
fn generate(newest: NaiveDate) -> (Sold, Vec<Visits>) {
    let (mut sold, mut all) = (Sold::default(), Vec::new());
    for (seed, shop) in (SEED..).zip(&SHOPS) {
        let mut random = Random::new(seed);
        orders::sell(shop, newest, &mut random, &mut sold);
        all.extend(visits::visit(shop, &sold.orders, newest, &mut random));
    }
    (sold, all)
}

/// Inserts rows whose fields are the table's columns. Each batch is one parameter, which takes a fraction of the time of a parameter
/// for each value.
async fn insert(
    connection: &mut SqliteConnection,
    table: &str,
    columns: &str,
    rows: &[impl Serialize],
) -> Result<(), LoadError> {
    let names: Vec<&str> = columns.split(' ').collect();
    let values: Vec<String> = names.iter().map(|name| format!("value ->> '{name}'")).collect();
    let statement = format!("INSERT INTO {table} ({}) SELECT {} FROM json_each($1)", names.join(", "), values.join(", "));
    for batch in rows.chunks(BATCH) {
        let batch = serde_json::to_string(batch)?;
        sqlx::query(AssertSqlSafe(statement.clone())).bind(batch).execute(&mut *connection).await?;
    }
    Ok(())
}
