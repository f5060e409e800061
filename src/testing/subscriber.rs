//! What hears the events and spans of one test: a subscriber of its thread alone.

use std::sync::Once;
use tracing::{Dispatch, Subscriber, subscriber::DefaultGuard, subscriber::NoSubscriber};

/// Two subscribers that hear nothing, for the rest of the process.
///
/// With only one subscriber alive, a place that emits events and is first reached on another thread asks that thread's subscriber, which
/// there is none, whether it is ever heard, and then stays silent on all threads. From two on, all are asked.
static OTHERS: Once = Once::new();

/// Lets a subscriber hear this thread until the guard is dropped. Other threads, such as the driver's for SQLite, are not heard.
pub(crate) fn hear(subscriber: impl Subscriber + Send + Sync + 'static) -> DefaultGuard {
    OTHERS.call_once(|| (0..2).for_each(|_| std::mem::forget(Dispatch::new(NoSubscriber::default()))));
    tracing::subscriber::set_default(subscriber)
}
