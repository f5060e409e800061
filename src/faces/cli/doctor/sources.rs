//! Customers' databases: each connection of each project.

use super::{Finding, within};
use crate::{
    concepts::{connections, projects},
    ground::{error::Error, state::App},
};
use futures::{StreamExt, stream};
use inlay_contract::ids::ConnectionId;
use std::time::{Duration, Instant};

/// How many are asked at a time.
const AT_ONCE: usize = 8;

/// A source that takes longer for nothing makes pages wait.
const SLOW: Duration = Duration::from_secs(1);

pub(super) async fn check(app: &App, limit: Duration) -> Vec<Finding> {
    let listed = async {
        let mut lease = app.db.read().await?;
        connections::every(&mut lease.conn()).await
    };
    match listed.await {
        Ok(all) => stream::iter(all).map(|id| one(app, id, limit)).buffered(AT_ONCE).collect().await,
        Err(problem) => vec![Finding::problem("source", told(problem), "See the store's checks.")],
    }
}

fn told(problem: Error) -> String {
    problem.context.unwrap_or(problem.message)
}

async fn one(app: &App, id: ConnectionId, limit: Duration) -> Finding {
    let open = match connections::open(app, id).await {
        Ok(open) => open,
        Err(problem) => {
            let advice =
                "Its address cannot be read. Set INLAY_SECRET_KEY to the key that sealed it, or apply the project file again.";
            return Finding::problem("source", told(problem), advice).about(id.to_string());
        }
    };
    let project = projects::by_id(app, open.project).await.ok().flatten();
    let project = project.map_or_else(|| open.project.to_string(), |project| project.name.clone());
    within(limit, "source", ask(app, &open)).await.about(format!("{project} / {}", open.source.name))
}

async fn ask(app: &App, open: &connections::OpenConnection) -> Finding {
    let asked = Instant::now();
    if let Err(problem) = app.engine.check(&open.source).await {
        let advice = "Check the connection's address, its user and password, and that this machine may reach it (INLAY_ALLOW_PRIVATE_SOURCES, firewalls).";
        return Finding::problem("source", problem.detail(), advice);
    }
    let took = asked.elapsed();
    let limits = &app.settings.limits;
    let told =
        format!("answers in {:.0} ms; queries end after {} s", took.as_secs_f64() * 1000.0, limits.query_timeout_seconds);
    let warnings = app.engine.audit(&open.source, &open.catalog).await.unwrap_or_default();
    if !warnings.is_empty() {
        let one = |warning: &inlay_query::Warning| match &warning.table {
            Some(table) => format!("{table}: {}", warning.message),
            None => warning.message.clone(),
        };
        let found = warnings.iter().map(one).collect::<Vec<_>>().join("; ");
        return Finding::warning("source", found, "Inlay only reads, whatever the role may do; give it no more than it needs.");
    }
    if took > SLOW {
        return Finding::warning("source", told, "Look at the load of the database and at the network between.");
    }
    Finding::ok("source", told)
}
