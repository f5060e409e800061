//! Tests the connections, all at once and for a short time.

use super::{Health, Level, Moment, Place, words::count};
use crate::{
    concepts::catalog::CatalogTable,
    flows::{catalogues::Catalogues, management::connections::connect, model_checks::Described},
    ground::state::App,
};
use futures::{FutureExt as _, StreamExt as _, stream};
use inlay_query::{QueryError, Source};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// How long all connections together may take.
const LIMIT: Duration = Duration::from_secs(3);

/// How many are tested at once.
const AT_ONCE: usize = 8;

/// How a connection answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Response {
    /// It works.
    Works,
    /// It does not, for this reason, which is a sentence.
    Refused(String),
    /// Nothing came within the time.
    Silent,
    /// The time was over before its turn.
    NotAsked,
}

/// A tested connection.
#[derive(Default)]
struct Tested {
    /// The columns of the tables of the semantic model that it described in time.
    described: Described,
    /// The tables of the semantic model that it does not have.
    missing: Vec<(Place, String)>,
}

/// Tests the connections of a project. A connection that was not heard in time counts as broken. Returns the columns of the
/// tables of the semantic model, as far as they were described in time.
pub(super) async fn test(app: &App, catalogues: &Catalogues) -> (Health, Described) {
    let deadline = Instant::now() + LIMIT;
    // Boxed: the compiler cannot follow the lifetimes of futures that a closure makes.
    let tests: Vec<_> = catalogues
        .connections
        .iter()
        .enumerate()
        .map(|(at, (source, tables))| async move { (at, one(app, source, tables, deadline).await) }.boxed())
        .collect();
    // A silent one must not keep the others from their turns.
    let mut all: Vec<(usize, (Response, Tested))> = stream::iter(tests).buffer_unordered(AT_ONCE).collect().await;
    all.sort_by_key(|(at, _)| *at);
    let (mut health, mut described, mut missing) = (Health::default(), Described::new(), Vec::new());
    let mut working = 0;
    for ((source, _), (_, (response, tested))) in catalogues.connections.iter().zip(all) {
        working += usize::from(response == Response::Works);
        if let Some((level, text)) = told(&source.name, response) {
            let moment = if level == Level::Broken { since(app, source) } else { None };
            health.find(level, text, moment, Place::Connection(source.id));
        }
        described.extend(tested.described);
        missing.extend(tested.missing);
    }
    for (place, text) in missing {
        health.find(Level::Broken, text, None, place);
    }
    if working > 0 {
        health.fine(format!("{} {}", count(working, "connection"), if working == 1 { "responds" } else { "respond" }), None);
    }
    (health, described)
}

/// Since when a connection fails, as far as this node saw it.
fn since(app: &App, source: &Source) -> Option<Moment> {
    app.engine.failing_for(source).map(|long| ("Failing since", app.now().minus(long)))
}

/// What a connection's response means. `None` when it works.
pub(super) fn told(name: &str, response: Response) -> Option<(Level, String)> {
    let seconds = LIMIT.as_secs();
    match response {
        Response::Works => None,
        Response::Refused(why) => Some((Level::Broken, format!("Connection {name} does not work. {why}"))),
        Response::Silent => Some((Level::Broken, format!("Connection {name} did not respond within {seconds} s."))),
        Response::NotAsked => {
            Some((Level::Warning, format!("Connection {name} was not tested, because others took {seconds} s. Check again.")))
        }
    }
}

async fn one(app: &App, source: &Source, tables: &[CatalogTable], deadline: Instant) -> (Response, Tested) {
    if Instant::now() >= deadline {
        return (Response::NotAsked, Tested::default());
    }
    match timeout_at(deadline, connect(app, source)).await {
        Ok(Ok(())) => (Response::Works, describe(app, source, tables, deadline).await),
        Ok(Err(refused)) => (Response::Refused(refused.message), Tested::default()),
        Err(_) => {
            app.engine.gave_up(source);
            (Response::Silent, Tested::default())
        }
    }
}

/// Reads the columns of the tables of the semantic model, as far as the time allows. The engine remembers them for a while.
async fn describe(app: &App, source: &Source, tables: &[CatalogTable], deadline: Instant) -> Tested {
    let mut tested = Tested::default();
    for table in tables.iter().filter(|table| !table.model.is_empty()) {
        match timeout_at(deadline, app.engine.describe(source, &table.name)).await {
            Ok(Ok(columns)) => {
                let name = (source.name.clone(), table.name.clone());
                tested.described.insert(name, columns.into_iter().map(|column| column.name).collect());
            }
            Ok(Err(
                QueryError::SourceUnavailable(_) | QueryError::Refused(_) | QueryError::Timeout(_) | QueryError::Busy(_),
            ))
            | Err(_) => break,
            Ok(Err(_)) => {
                let text =
                    format!("Table {} of {} is not in the database, or its user may not read it.", table.name, source.name);
                tested.missing.push((Place::Table(source.id, table.id), text));
            }
        }
    }
    tested
}
