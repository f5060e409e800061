//! The threads that draw, their queue, and the cache of pictures.

use crate::{
    engine::{Engine, THREAD_STACK},
    error::RenderError,
    picture,
};
use moka::future::Cache;
use serde_json::Value;
use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, SyncSender},
    },
    thread,
    time::Duration,
};
use tokio::sync::oneshot;

/// The longest side of a picture, in CSS pixels.
const LONGEST_SIDE: u32 = 8192;

/// The limits of drawing.
#[derive(Clone, Copy, Debug)]
pub struct RendererSettings {
    /// The number of engines. Each has its own thread and uses about 20 MiB when idle.
    pub threads: usize,
    /// The memory of one engine, in bytes.
    pub memory: usize,
    /// The time limit of a chart.
    pub time: Duration,
    /// The length of the queue.
    pub queue: usize,
    /// The size of the cache of pictures, in bytes.
    pub cache: u64,
}

impl Default for RendererSettings {
    fn default() -> Self {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        Self { threads: processors.min(4), memory: 256 << 20, time: Duration::from_secs(3), queue: 512, cache: 32 << 20 }
    }
}

/// Draws charts. Cheap to clone; the threads end with the last clone.
#[derive(Clone, Debug)]
pub struct Renderer {
    queue: SyncSender<Job>,
    pictures: Cache<(u64, u64), Arc<str>>,
}

/// A chart to draw, with the channel for its picture.
#[derive(Debug)]
struct Job {
    json: String,
    width: u32,
    height: u32,
    reply: oneshot::Sender<Result<String, RenderError>>,
}

impl Renderer {
    /// Starts with the default settings. The engines load on their own threads; the first chart waits for one.
    #[must_use]
    pub fn start() -> Self {
        Self::with_settings(RendererSettings::default())
    }

    /// Starts with settings.
    #[must_use]
    pub fn with_settings(settings: RendererSettings) -> Self {
        let (queue, jobs) = mpsc::sync_channel(settings.queue.max(1));
        let jobs = Arc::new(Mutex::new(jobs));
        for number in 0..settings.threads.max(1) {
            let jobs = Arc::clone(&jobs);
            let thread = thread::Builder::new().name(format!("charts-{number}")).stack_size(THREAD_STACK);
            if let Err(error) = thread.spawn(move || work(&jobs, settings)) {
                tracing::error!(%error, "a chart thread does not start");
            }
        }
        let weight = |_: &(u64, u64), picture: &Arc<str>| u32::try_from(picture.len()).unwrap_or(u32::MAX);
        Self { queue, pictures: Cache::builder().weigher(weight).max_capacity(settings.cache).build() }
    }

    /// The picture of an option of `inlay_contract::chart::option`, with a size in CSS pixels. The `svg` element scales with
    /// its box, has unique ids, is hidden from screen readers, and contains nothing that runs or loads.
    ///
    /// # Errors
    /// The size is out of range, too many charts wait, the option cannot be drawn or takes too long.
    pub async fn svg(&self, option: &Value, width: u32, height: u32) -> Result<String, RenderError> {
        self.svg_of(option.to_string(), width, height).await
    }

    /// The same of an option as JSON.
    ///
    /// # Errors
    /// As [`Self::svg`].
    pub async fn svg_of(&self, json: String, width: u32, height: u32) -> Result<String, RenderError> {
        if !(1..=LONGEST_SIDE).contains(&width) || !(1..=LONGEST_SIDE).contains(&height) {
            return Err(RenderError::Size { width, height });
        }
        let key = fingerprint(&json, width, height);
        if let Some(kept) = self.pictures.get(&key).await {
            return Ok(kept.to_string());
        }
        let (reply, drawn) = oneshot::channel();
        self.queue.try_send(Job { json, width, height, reply }).map_err(|error| match error {
            mpsc::TrySendError::Full(_) => RenderError::Busy,
            mpsc::TrySendError::Disconnected(_) => RenderError::Stopped,
        })?;
        let raw = drawn.await.map_err(|_| RenderError::Stopped)??;
        let picture = picture::finish(&raw, key.0)?;
        self.pictures.insert(key, picture.as_str().into()).await;
        Ok(picture)
    }
}

/// Two hashes of the option and size. One is the seed of the picture's ids; both together are its key in the cache.
fn fingerprint(json: &str, width: u32, height: u32) -> (u64, u64) {
    let hash = |seed: u64| {
        let mut hasher = DefaultHasher::new();
        (seed, json, width, height).hash(&mut hasher);
        hasher.finish()
    };
    (hash(0), hash(1))
}

/// Draws until all senders are gone. After a failure the engine is restarted, since its state may be inconsistent.
fn work(jobs: &Mutex<Receiver<Job>>, settings: RendererSettings) {
    let mut engine = Engine::start(settings.memory);
    loop {
        let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        if job.reply.is_closed() {
            continue;
        }
        let result = match &engine {
            Ok(engine) => engine.draw(&job.json, job.width, job.height, settings.time),
            Err(error) => Err(error.clone()),
        };
        if let Err(error) = &result {
            tracing::warn!(%error, "a chart was not drawn");
            engine = Engine::start(settings.memory);
        }
        // If the receiver is gone, the picture is not needed.
        drop(job.reply.send(result));
    }
}
