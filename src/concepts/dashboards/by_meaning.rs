//! Charts that ask the semantic model (docs/model.md): their SQL is made anew for each day, because periods such as the last 30 days move.

use crate::concepts::connections::OpenConnection;
use chrono::{NaiveDate, Utc};
use inlay_contract::model::ModelQuery;
use inlay_query::{NoMeaning, Shape, compile, shape};
use std::sync::{Arc, Mutex, PoisonError};

/// The most rows of a chart whose query does not say how many.
const MOST_ROWS: u32 = 50_000;

/// A chart's query of the semantic model.
#[derive(Debug)]
pub(super) struct ByMeaning {
    connection: Arc<OpenConnection>,
    query: ModelQuery,
    last: Mutex<(NaiveDate, OfDay)>,
}

/// The query on a day.
#[derive(Clone, Debug)]
pub(super) struct OfDay {
    /// Its SQL.
    pub sql: Arc<str>,
    /// The rows behind its marks, if one table has them.
    pub shape: Option<Arc<Shape>>,
}

impl ByMeaning {
    /// A query of a connection's model. A chart shows no totals, so none are asked for.
    ///
    /// # Errors
    /// The query has no meaning in the model.
    pub(super) fn of(connection: &Arc<OpenConnection>, query: ModelQuery) -> Result<Self, NoMeaning> {
        let query = ModelQuery { limit: query.limit.or(Some(MOST_ROWS)), totals: false, ..query };
        let day = Utc::now().date_naive();
        let last = Mutex::new((day, compiled(connection, &query, day)?));
        Ok(Self { connection: Arc::clone(connection), query, last })
    }

    /// The query on a day. The last day's is kept.
    ///
    /// # Errors
    /// The query has no meaning on that day.
    pub(super) fn on(&self, day: NaiveDate) -> Result<OfDay, NoMeaning> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.0 != day {
            *last = (day, compiled(&self.connection, &self.query, day)?);
        }
        Ok(last.1.clone())
    }

    /// The SQL that was made last.
    pub(super) fn last(&self) -> Arc<str> {
        Arc::clone(&self.last.lock().unwrap_or_else(PoisonError::into_inner).1.sql)
    }
}

fn compiled(connection: &OpenConnection, query: &ModelQuery, day: NaiveDate) -> Result<OfDay, NoMeaning> {
    let kind = connection.source.kind;
    let compiled = compile(kind, &connection.model, query, day)?;
    let behind = compiled.behind.and_then(|sql| shape(kind, &sql, &connection.catalog).ok().flatten());
    Ok(OfDay { sql: compiled.sql.into(), shape: behind.map(Arc::new) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        concepts::connections,
        testing::{StoreKind, World},
    };
    use serde_json::json;

    #[tokio::test]
    async fn periods_move_with_the_day() {
        let world = World::new(StoreKind::Sqlite).await;
        let connection = connections::open(&world.app, world.applied.connections["warehouse"]).await.expect("a connection");
        let query = json!({"measures": ["revenue"], "totals": true,
            "filters": [{"dimension": "orders.day", "value": {"relative": "last_7_days"}}]});
        let meant = ByMeaning::of(&connection, serde_json::from_value(query).expect("a query")).expect("a meaning");
        let day = |number| NaiveDate::from_ymd_opt(2024, 2, number).expect("a day");
        let first = meant.on(day(8)).expect("SQL").sql;
        assert!(first.contains("2024-02-02") && first.contains("LIMIT 50000"), "{first}");
        assert!(Arc::ptr_eq(&first, &meant.on(day(8)).expect("SQL").sql), "made once a day");
        assert!(meant.on(day(9)).expect("SQL").sql.contains("2024-02-03"));
    }
}
