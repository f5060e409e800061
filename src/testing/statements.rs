//! Records the SQL that a test and everything that it calls on its thread put to PostgreSQL, as the driver itself reports it: a
//! new query is noticed by itself. (SQLite's driver runs on threads of its own, which this does not hear. Both stores are asked
//! the same SQL.)

use super::subscriber;
use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex},
};
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
    subscriber::DefaultGuard,
};
use tracing_subscriber::{
    Layer,
    layer::{Context, SubscriberExt},
    registry,
};

/// What was asked: the statement, and how many rows it returned each time.
pub(crate) type Asked = BTreeMap<String, Vec<u64>>;

/// A recording that runs until it is dropped.
pub(crate) struct Statements {
    asked: Arc<Mutex<Asked>>,
    _guard: DefaultGuard,
}

impl Statements {
    /// Starts recording.
    pub(crate) fn recorded() -> Self {
        let asked = Arc::default();
        let recorder = Recorder { asked: Arc::clone(&asked) };
        Self { asked, _guard: subscriber::hear(registry().with(recorder)) }
    }

    /// Takes what was recorded so far.
    pub(crate) fn take(&self) -> Asked {
        std::mem::take(&mut *self.asked.lock().expect("no test died while it held the lock"))
    }
}

struct Recorder {
    asked: Arc<Mutex<Asked>>,
}

impl<S: Subscriber> Layer<S> for Recorder {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if event.metadata().target() != "sqlx::query" {
            return;
        }
        let mut told = Told::default();
        event.record(&mut told);
        // A short statement is its own summary.
        let sql = if told.statement.trim().is_empty() { told.summary } else { told.statement };
        // A connection that was opened meanwhile sets itself up.
        if sql.contains("set_config('tcp_user_timeout'") || sql.contains("SET idle_in_transaction_session_timeout") {
            return;
        }
        let mut asked = self.asked.lock().expect("no test died while it held the lock");
        asked.entry(sql.trim().to_owned()).or_default().push(told.rows);
    }
}

#[derive(Default)]
struct Told {
    summary: String,
    statement: String,
    rows: u64,
}

impl Visit for Told {
    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "rows_returned" {
            self.rows = value;
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "summary" => value.clone_into(&mut self.summary),
            "db.statement" => value.clone_into(&mut self.statement),
            _ => {}
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn fmt::Debug) {}
}
