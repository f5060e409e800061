//! The background work of a node.

use crate::{
    concepts::webhooks,
    flows::evaluation::Evaluating,
    ground::{jobs::Worker, state::App},
};
use std::sync::Arc;

/// The worker of a node, with a handler for each kind of job.
pub fn worker(app: App) -> Worker {
    Worker::new(
        app,
        vec![
            Arc::new(crate::flows::reporting::running::Reporting::default()),
            Arc::new(webhooks::Delivering::default()),
            Arc::new(Evaluating),
        ],
    )
}
