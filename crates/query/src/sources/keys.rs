//! The keys that databases declare: primary, unique and foreign ones.

#[cfg(feature = "duckdb")]
use super::duckdb;
use super::{Pool, mysql, postgres, sqlite, within};
use crate::{
    error::QueryError,
    limits::Limits,
    name::{TableKey, is_plain},
};

/// The most columns of keys that are read.
pub(super) const MOST_KEY_COLUMNS: i64 = 100_000;

/// What a key says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyRole {
    /// No two rows share its values, and each row has them.
    Primary,
    /// No two rows share its values. A row may have none.
    Unique,
    /// Its values are those of a key of another table.
    Foreign,
}

/// A key of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundKey {
    pub role: KeyRole,
    pub table: TableKey,
    pub columns: Vec<String>,
    /// The table and columns that a foreign key refers to.
    pub to: Option<(TableKey, Vec<String>)>,
}

/// One column of a key, as a database lists it: `p`, `u` or `f`; schema and table; what tells the keys of a table apart; column;
/// schema, table and column that a foreign key refers to.
pub(super) type KeyColumn = (String, String, String, String, Option<String>, Option<String>, Option<String>, Option<String>);

impl Pool {
    /// The keys of the tables that the source's user can read. `ClickHouse` and Trino have none: the primary key of `ClickHouse` says
    /// how rows are sorted, and several may share it.
    pub(crate) async fn keys(&self, limits: &Limits) -> Result<Vec<FoundKey>, QueryError> {
        within(limits, async {
            match self {
                Self::Sqlite(pool) => sqlite::keys::list(pool, limits).await,
                Self::Postgres(server) => postgres::keys::list(server).await,
                Self::Mysql(server) => mysql::keys::list(server).await,
                Self::Clickhouse(_) | Self::Trino(_) => Ok(Vec::new()),
                #[cfg(feature = "duckdb")]
                Self::Duckdb(server) => duckdb::keys::list(server).await,
            }
        })
        .await
        .map(whole)
    }
}

/// The keys of which these are the columns, in order. A key that a list cut at its limit may have lost columns of is left out, and
/// so is one over an expression.
pub(super) fn gathered(columns: &[KeyColumn]) -> Vec<FoundKey> {
    let same = |one: &KeyColumn, next: &KeyColumn| (&one.0, &one.1, &one.2, &one.3) == (&next.0, &next.1, &next.2, &next.3);
    let mut parts: Vec<&[KeyColumn]> = columns.chunk_by(same).collect();
    if i64::try_from(columns.len()).is_ok_and(|read| read >= MOST_KEY_COLUMNS) {
        parts.pop();
    }
    parts.into_iter().filter_map(key).collect()
}

fn key(columns: &[KeyColumn]) -> Option<FoundKey> {
    let (kind, schema, table, ..) = columns.first()?;
    let role = match kind.as_str() {
        "p" => KeyRole::Primary,
        "u" => KeyRole::Unique,
        "f" => KeyRole::Foreign,
        _ => return None,
    };
    let own = columns.iter().map(|column| column.4.clone()).collect::<Option<Vec<_>>>()?;
    let target = |(.., schema, table, _): &KeyColumn| Some(TableKey { schema: schema.clone()?, table: table.clone()? });
    // A database that does not say the columns of the target means its primary key.
    let named = columns.iter().map(|column| column.7.clone()).collect::<Option<Vec<_>>>().unwrap_or_default();
    let to = columns.first().and_then(target).map(|table| (table, named));
    let table = TableKey { schema: schema.clone(), table: table.clone() };
    (to.is_some() == (role == KeyRole::Foreign)).then_some(FoundKey { role, table, columns: own, to })
}

/// Keys all of whose columns have names that can be written, with the columns of each target.
fn whole(found: Vec<FoundKey>) -> Vec<FoundKey> {
    let primary: Vec<FoundKey> = found.iter().filter(|key| key.role == KeyRole::Primary).cloned().collect();
    let plain = |columns: &[String]| columns.iter().all(|column| is_plain(column));
    let complete = |mut key: FoundKey| {
        if let Some((table, columns)) = key.to.as_mut().filter(|(_, columns)| columns.is_empty()) {
            let same = |one: &&FoundKey| one.table.schema == table.schema && one.table.table.eq_ignore_ascii_case(&table.table);
            columns.clone_from(&primary.iter().find(same)?.columns);
        }
        let fits = key.to.as_ref().is_none_or(|(_, columns)| columns.len() == key.columns.len() && plain(columns));
        (fits && !key.columns.is_empty() && plain(&key.columns)).then_some(key)
    };
    found.into_iter().filter_map(complete).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(kind: &str, table: &str, key: &str, column: Option<&str>, to: Option<(&str, Option<&str>)>) -> KeyColumn {
        let text = |text: &str| text.to_owned();
        let (schema, target, at) = (to.map(|_| text("main")), to.map(|(table, _)| text(table)), to.and_then(|(_, at)| at));
        (text(kind), text("main"), text(table), text(key), column.map(text), schema, target, at.map(text))
    }

    fn told(columns: &[KeyColumn]) -> Vec<String> {
        let one = |key: FoundKey| {
            let to = key.to.map(|(table, columns)| format!(" → {}({})", table.table, columns.join(", "))).unwrap_or_default();
            format!("{:?} {}({}){to}", key.role, key.table.table, key.columns.join(", "))
        };
        whole(gathered(columns)).into_iter().map(one).collect()
    }

    #[test]
    fn columns_become_keys() {
        let columns = [
            column("p", "lines", "1", Some("order_id"), None),
            column("p", "lines", "1", Some("line"), None),
            column("f", "lines", "0", Some("order_id"), Some(("Orders", None))),
            column("f", "lines", "1", Some("product"), Some(("products", Some("sku")))),
            column("p", "orders", "", Some("id"), None),
            column("u", "orders", "code", Some("code"), None),
        ];
        assert_eq!(
            told(&columns),
            [
                "Primary lines(order_id, line)",
                "Foreign lines(order_id) → Orders(id)",
                "Foreign lines(product) → products(sku)",
                "Primary orders(id)",
                "Unique orders(code)"
            ]
        );
    }

    #[test]
    fn a_key_with_a_part_that_cannot_be_named_is_none_at_all() {
        let columns = [
            column("u", "a", "1", Some("x"), None),
            column("u", "a", "1", None, None),
            column("p", "b", "1", Some("x"), None),
            column("p", "b", "1", Some("y\"z"), None),
            column("f", "c", "1", Some("x"), Some(("nowhere", None))),
            column("f", "c", "2", Some("x"), None),
            column("c", "d", "1", Some("x"), None),
        ];
        assert!(told(&columns).is_empty(), "{:?}", told(&columns));
    }

    #[test]
    fn the_last_key_of_a_list_that_is_cut_is_left_out() {
        let many = usize::try_from(MOST_KEY_COLUMNS).expect("a number") - 1;
        let mut columns = vec![column("p", "wide", "1", Some("x"), None); many];
        columns.push(column("p", "cut", "1", Some("x"), None));
        assert_eq!(gathered(&columns).len(), 1);
    }
}
