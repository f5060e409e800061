//! What a node does without being asked.

use crate::{
    concepts::webhooks,
    flows::evaluation::Evaluating,
    ground::{jobs::Worker, state::App},
};
use std::sync::Arc;

/// The worker of a node, with everybody who does work.
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
