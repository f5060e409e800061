//! The background work of a node: what each concept and flow contributes, in three lists.

use crate::{
    concepts::{access::rate_limit, organizations, tokens, usage, webhooks},
    faces::operations,
    flows::{evaluation::Evaluating, reporting::running::Reporting, v1_migration},
    ground::{
        jobs::Worker,
        periodic::Periodic,
        state::{App, Configured},
    },
};
use std::sync::Arc;

/// The worker of a node, with a handler for each kind of job.
pub fn worker(app: App) -> Worker {
    Worker::new(app, vec![Arc::new(Reporting::default()), Arc::new(webhooks::Delivering::default()), Arc::new(Evaluating)])
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
        organizations::keys::PERIODIC,
        v1_migration::calls::PERIODIC,
        organizations::sign_in::PERIODIC,
    ]
}
