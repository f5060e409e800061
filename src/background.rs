//! What a node does without being asked.

use crate::{jobs::Worker, reports, state::App, webhooks, workspaces::evaluation::Evaluating};
use std::sync::Arc;

/// The worker of a node, with everybody who does work.
pub fn worker(app: App) -> Worker {
    Worker::new(
        app,
        vec![Arc::new(reports::Reporting::default()), Arc::new(webhooks::Delivering::default()), Arc::new(Evaluating)],
    )
}
