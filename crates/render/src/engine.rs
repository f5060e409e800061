//! A QuickJS engine with the chart runtime. It has no files, no network, and no clock except `Date`. Options are passed to it
//! as JSON text.

use crate::error::RenderError;
use rquickjs::{CatchResultExt, CaughtError, Context, Function, Object, Runtime};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

const BUNDLE: &str = include_str!(env!("INLAY_CHARTS_BUNDLE"));
/// The stack that JavaScript may use, in bytes; the thread has more.
const STACK: usize = 2 * 1024 * 1024;
/// The stack that the engine's thread needs, in bytes.
pub(crate) const THREAD_STACK: usize = 8 * 1024 * 1024;

/// An engine. It stays on one thread.
pub(crate) struct Engine {
    context: Context,
    clock: Arc<Clock>,
}

/// The deadline of the interpreter, which checks it every few thousand steps.
struct Clock {
    start: Instant,
    /// Milliseconds after `start`.
    deadline: AtomicU64,
    struck: AtomicBool,
}

impl Clock {
    fn allow(&self, time: Duration) {
        self.struck.store(false, Ordering::Relaxed);
        let deadline = (self.start.elapsed() + time).as_millis();
        self.deadline.store(u64::try_from(deadline).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    fn is_over(&self) -> bool {
        let over = self.start.elapsed().as_millis() > u128::from(self.deadline.load(Ordering::Relaxed));
        if over {
            self.struck.store(true, Ordering::Relaxed);
        }
        over
    }
}

impl Engine {
    /// Starts an engine and loads the chart runtime (less than 0.1 s).
    pub(crate) fn start(memory: usize) -> Result<Self, RenderError> {
        let runtime = Runtime::new().map_err(|_| RenderError::Stopped)?;
        runtime.set_memory_limit(memory);
        runtime.set_max_stack_size(STACK);
        let clock =
            Arc::new(Clock { start: Instant::now(), deadline: AtomicU64::new(u64::MAX), struck: AtomicBool::new(false) });
        let asked = Arc::clone(&clock);
        runtime.set_interrupt_handler(Some(Box::new(move || asked.is_over())));
        let context = Context::full(&runtime).map_err(|_| RenderError::Stopped)?;
        clock.allow(Duration::from_secs(30));
        context.with(|ctx| ctx.eval::<(), _>(BUNDLE).catch(&ctx).map_err(|caught| failure(&caught, &clock)))?;
        Ok(Self { context, clock })
    }

    /// The SVG of an option at a size, as ECharts draws it.
    pub(crate) fn draw(&self, json: &str, width: u32, height: u32, time: Duration) -> Result<String, RenderError> {
        self.clock.allow(time);
        self.call("svg", (json, width, height))
    }

    /// Formats a value with the runtime's formatter.
    #[cfg(test)]
    pub(crate) fn formatted(&self, json: &str) -> Result<String, RenderError> {
        self.clock.allow(Duration::from_secs(5));
        self.call("formatted", (json,))
    }

    fn call<A: for<'js> rquickjs::function::IntoArgs<'js>>(&self, name: &str, arguments: A) -> Result<String, RenderError> {
        self.context.with(|ctx| {
            let drawn = ctx
                .globals()
                .get::<_, Object<'_>>("inlayCharts")
                .and_then(|charts| charts.get::<_, Function<'_>>(name))
                .and_then(|function| function.call::<_, String>(arguments));
            drawn.catch(&ctx).map_err(|caught| failure(&caught, &self.clock))
        })
    }
}

/// The library's message says which part failed. It contains no names from data, but is cut anyway.
fn failure(caught: &CaughtError<'_>, clock: &Clock) -> RenderError {
    if clock.struck.load(Ordering::Relaxed) {
        return RenderError::Exhausted;
    }
    let message = match caught {
        CaughtError::Exception(exception) => exception.message().unwrap_or_default(),
        CaughtError::Value(_) | CaughtError::Error(_) => String::new(),
    };
    // Without memory, there is no message.
    if message.is_empty() || message.contains("out of memory") || message.contains("stack") {
        return RenderError::Exhausted;
    }
    RenderError::Library(message.chars().take(120).collect())
}

#[cfg(test)]
#[path = "engine_tests.rs"]
mod tests;
