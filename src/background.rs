//! The background work of a node.

use crate::{jobs::Worker, reports, state::App, webhooks, workspaces::evaluation::Evaluating};
use std::sync::Arc;

/// The worker of a node, with a handler for each kind of job.
pub fn worker(app: App) -> Worker {
    Worker::new(
        app,
        vec![Arc::new(reports::Reporting::default()), Arc::new(webhooks::Delivering::default()), Arc::new(Evaluating)],
    )
}
