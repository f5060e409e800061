//! Charts that ask the semantic model (docs/model.md): their SQL is made anew for each day, because periods such as the last 30 days move.

use crate::concepts::connections::OpenConnection;
use chrono::{NaiveDate, Utc};
use inlay_contract::model::ModelQuery;
use inlay_query::{NoMeaning, compile};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The most rows of a chart whose query does not say how many.
const MOST_ROWS: u32 = 50_000;

/// A chart's query of the semantic model.
#[derive(Debug)]
pub(super) struct ByMeaning {
    connection: Arc<OpenConnection>,
    query: ModelQuery,
    last: Mutex<(NaiveDate, Arc<str>)>,
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

    /// Its SQL on a day. The last day's is kept.
    ///
    /// # Errors
    /// The query has no meaning on that day.
    pub(super) fn sql(&self, day: NaiveDate) -> Result<Arc<str>, NoMeaning> {
        let mut last = self.last();
        if last.0 != day {
            *last = (day, compiled(&self.connection, &self.query, day)?);
        }
        Ok(Arc::clone(&last.1))
    }

    /// The SQL that was made last, with its day.
    pub(super) fn last(&self) -> MutexGuard<'_, (NaiveDate, Arc<str>)> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn compiled(connection: &OpenConnection, query: &ModelQuery, day: NaiveDate) -> Result<Arc<str>, NoMeaning> {
    Ok(compile(connection.source.kind, &connection.model, query, day)?.sql.into())
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
        let first = meant.sql(day(8)).expect("SQL");
        assert!(first.contains("2024-02-02") && first.contains("LIMIT 50000"), "{first}");
        assert!(Arc::ptr_eq(&first, &meant.sql(day(8)).expect("SQL")), "made once a day");
        assert!(meant.sql(day(9)).expect("SQL").contains("2024-02-03"));
    }
}
