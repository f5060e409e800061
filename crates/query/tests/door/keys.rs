//! The keys that databases declare.

use crate::databases::{Database, engine, in_mysql};
use inlay_contract::ids::ConnectionId;
use inlay_query::{DeclaredKeys, Limits, Source, SourceKind};
use std::collections::BTreeSet;

/// Keys of every form that all databases know.
const SHOP: &str = "
    create table customers (id integer primary key, code text not null unique, email text);
    create table orders (id integer primary key, customer_id integer, customer_code text,
        foreign key (customer_id) references customers (id), foreign key (customer_code) references customers (code));
    create table items (order_id integer not null, place integer not null, sku text, primary key (place, order_id), unique (sku, place),
        foreign key (order_id) references orders (id));
    create table notes (place integer, item_order integer, note text, foreign key (place, item_order) references items (place, order_id));
    create view shown as select id from orders;";

const SHOP_KEYS: [&str; 8] = [
    "customers(code) unique",
    "customers(id)",
    "items(order_id) > orders(id)",
    "items(place, order_id)",
    "notes(place, item_order) > items(place, order_id)",
    "orders(customer_code) > customers(code)",
    "orders(customer_id) > customers(id)",
    "orders(id)",
];

/// Keys in one line each, in order.
fn told(keys: &DeclaredKeys) -> Vec<String> {
    let unique = |is_primary: bool| if is_primary { "" } else { " unique" };
    let own = keys.keys.iter().map(|key| format!("{}({}){}", key.table, key.columns.join(", "), unique(key.is_primary)));
    let references = keys
        .references
        .iter()
        .map(|key| format!("{}({}) > {}({})", key.table, key.columns.join(", "), key.to, key.to_columns.join(", ")));
    let all: BTreeSet<String> = own.chain(references).collect();
    all.into_iter().collect()
}

impl Database {
    async fn keys_of(&self, source: &Source) -> Vec<String> {
        let found = self.engine.declared_keys(source).await;
        told(&found.unwrap_or_else(|problem| panic!("{}: {}", source.kind, problem.detail())))
    }

    async fn keys(&self) -> Vec<String> {
        self.keys_of(&self.source).await
    }

    /// The same database as another user with the password `reader`.
    fn read_by(&self, user: &str) -> Source {
        let mut url: url::Url = self.source.url.parse().expect("an address");
        url.set_username(user).and_then(|()| url.set_password(Some("reader"))).expect("a user");
        Source { url: url.to_string(), id: ConnectionId::generate(), ..self.source.clone() }
    }
}

#[tokio::test]
async fn primary_unique_and_foreign_keys_are_read() {
    Database::each(SHOP, Limits::default(), async |database| {
        assert_eq!(database.keys().await, SHOP_KEYS, "{}", database.source.kind);
        let tables = database.engine.tables(&database.source).await.expect("tables");
        let names: BTreeSet<&str> = tables.iter().map(|table| table.name.as_str()).collect();
        assert!(["customers", "orders", "items", "notes", "shown"].iter().all(|name| names.contains(name)), "the same names");
    })
    .await;
}

#[tokio::test]
async fn sqlite_declares_keys_in_its_own_ways() {
    let script = r#"
        create table Customers (Id integer primary key, code text, email text);
        create unique index whole on customers (code);
        create unique index some on customers (email) where email <> '';
        create unique index lower on customers (lower(email));
        create table orders (id text primary key, customer references customers, other integer references customers (ID),
            away integer references nowhere (id), lost integer references nowhere);
        create table pairs (a integer, b integer, primary key (b, a)) without rowid;
        create table of_pairs (x integer, y integer, foreign key (x, y) references pairs, foreign key (x) references pairs);
        create table "odd name; --" ("the id" integer primary key, "quo""ted" integer unique);
        create table plain (id integer);"#;
    let database = Database::sqlite(script, Limits::default()).await;
    assert_eq!(
        database.keys().await,
        [
            "Customers(Id)",
            "Customers(code) unique",
            "odd name; --(the id)",
            "of_pairs(x, y) > pairs(b, a)",
            "orders(away) > nowhere(id)",
            "orders(customer) > customers(Id)",
            "orders(id)",
            "orders(other) > customers(ID)",
            "pairs(b, a)",
        ]
    );
    database.remove().await;
}

/// Two schemas, partitions, tables that a role does not own, and one that it cannot read.
const GRANTED: &str = "
    create schema sales; create schema closed;
    create table customers (id int primary key, code text) partition by range (id);
    create table customers_1 partition of customers for values from (0) to (9);
    create table sales.orders (id int primary key, customer int references customers, kept int);
    create table sales.lines (line int, order_id int references sales.orders deferrable, primary key (order_id, line));
    create table closed.secrets (id int primary key, order_id int references sales.orders);
    create table secrets (id int primary key);
    do $$ begin
        if not exists (select from pg_roles where rolname = 'inlay_reader') then create role inlay_reader login password 'reader'; end if;
    exception when unique_violation or duplicate_object then null; end $$;
    grant usage on schema sales to inlay_reader;
    grant select on all tables in schema sales to inlay_reader;
    grant select on customers to inlay_reader;";

#[tokio::test]
async fn postgres_tells_them_to_readers_too() {
    let database = Database::postgres(GRANTED, Limits::default()).await;
    let readable = [
        "customers(id)",
        "sales.lines(order_id) > sales.orders(id)",
        "sales.lines(order_id, line)",
        "sales.orders(customer) > customers(id)",
        "sales.orders(id)",
    ];
    assert_eq!(database.keys_of(&database.read_by("inlay_reader")).await, readable);
    let all = database.keys().await;
    for own in ["closed.secrets(id)", "closed.secrets(order_id) > sales.orders(id)", "customers_1(id)", "secrets(id)"] {
        assert!(all.contains(&own.to_owned()), "{all:?}");
    }
    assert!(!all.iter().any(|key| key.contains("> customers_1")), "{all:?}");
    database.remove().await;
}

#[tokio::test]
async fn mysql_tells_them_to_readers_too() {
    let database = Database::mysql(&in_mysql(SHOP), Limits::default()).await;
    let name = database.source.url.rsplit('/').next().expect("a name").to_owned();
    let grant = format!(
        "create user if not exists inlay_keys identified by 'reader'; grant select on {name}.* to inlay_keys; flush privileges;"
    );
    database.execute(&grant).await;
    assert_eq!(database.keys_of(&database.read_by("inlay_keys")).await, SHOP_KEYS);
    database.remove().await;
}

#[cfg(feature = "duckdb")]
#[tokio::test]
async fn duckdb_declares_them() {
    let script = SHOP.replace(
        "create view shown as select id from orders;",
        "create schema lake; create table lake.days (day date primary key);",
    );
    let database = Database::duckdb(&script, Limits::default());
    let mut expected = SHOP_KEYS.map(str::to_owned).to_vec();
    expected.push("lake.days(day)".to_owned());
    expected.sort();
    assert_eq!(database.keys().await, expected);
    database.remove().await;
}

#[tokio::test]
async fn a_source_that_is_away_is_an_error() {
    let source = Source::new(ConnectionId::generate(), "gone", SourceKind::Sqlite, "sqlite:/nowhere/at/all.db");
    let engine = engine(Limits::default());
    assert_eq!(engine.declared_keys(&source).await.expect_err("away").code().as_str(), "SOURCE_UNAVAILABLE");
}
