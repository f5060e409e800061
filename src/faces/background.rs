//! The background work of a node: what each concept and flow contributes, in four lists.

use crate::{
    concepts::{
        access::rate_limit,
        charts,
        chat::{self, slots},
        connections::answers,
        isolation, language_models,
        organizations::{self, links, sessions, sign_in},
        reports::runs,
        tokens, usage, webhooks,
    },
    faces::operations,
    flows::{
        evaluation::{self, Evaluating},
        isolation::{self as isolation_checks, Checking},
        key_checks::{self, Counting},
        reporting::running::Reporting,
        v1_migration,
        verified_answers::Verifying,
    },
    ground::{
        audit,
        jobs::{Handler, Worker},
        periodic::Periodic,
        state::{App, Configured},
        tidy::{self, Rule},
    },
};
use std::sync::Arc;

/// The worker of a node, with a handler for each kind of job.
pub fn worker(app: App) -> Worker {
    let delivering = Arc::new(webhooks::Delivering::default());
    let checks: [Arc<dyn Handler>; 3] = [Arc::new(Checking), Arc::new(Counting), Arc::new(Verifying)];
    let others: [Arc<dyn Handler>; 3] = [Arc::new(Reporting), delivering, Arc::new(Evaluating)];
    Worker::new(app, others.into_iter().chain(checks).collect())
}

/// What is read whole when the configuration changes.
pub fn configured() -> Vec<Arc<dyn Configured>> {
    vec![Arc::new(tokens::Reading)]
}

/// What a node repeats.
pub fn periodic() -> Vec<Periodic> {
    vec![
        usage::PERIODIC,
        operations::PERIODIC,
        rate_limit::PERIODIC,
        rate_limit::EXCHANGE,
        organizations::keys::PERIODIC,
        v1_migration::calls::PERIODIC,
        isolation_checks::MEASURING,
        key_checks::MEASURING,
        TIDYING,
    ]
}

/// Deletes what is too old, one node at a time.
const TIDYING: Periodic = Periodic {
    failure: "old rows could not be deleted",
    every: tidy::LOOK_EVERY,
    at_stop: false,
    run: |app| Box::pin(async move { tidy::tidy(&app, &tidying()).await }),
};

/// How long the rows of tables that grow are kept.
pub fn tidying() -> Vec<Rule> {
    let mut rules = vec![
        audit::store::tidy::TIDY,
        charts::TIDY_CHARTS,
        charts::TIDY_VERSIONS,
        chat::TIDY,
        chat::TIDY_QUESTIONS,
        slots::TIDY,
        evaluation::TIDY,
        isolation::TIDY,
        links::TIDY,
        sessions::TIDY,
        sign_in::TIDY,
        webhooks::TIDY,
    ];
    rules.extend(answers::TIDY);
    rules.extend(language_models::TIDY);
    rules.extend(runs::TIDY);
    rules.extend(tokens::TIDY);
    rules.extend(usage::TIDY);
    rules
}

#[cfg(test)]
mod tests;
