//! The threads that draw, their queue, and the cache of pictures.

use crate::{
    engine::{Engine, THREAD_STACK},
    error::RenderError,
    line::{Line, Next, Refused},
    measures::{self, Waiting},
    picture,
};
use moka::future::Cache;
use serde_json::Value;
use std::{
    any::Any,
    future::Future,
    hash::{DefaultHasher, Hash, Hasher},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};
use tokio::sync::oneshot;

/// The longest side of a picture, in CSS pixels.
const LONGEST_SIDE: u32 = 8192;

/// How long an engine stays that has nothing to draw, but for the one that is always ready.
const REST: Duration = Duration::from_secs(60);

/// The limits of drawing.
#[derive(Clone, Copy, Debug)]
pub struct RendererSettings {
    /// The most engines. Each has its own thread and uses about 12 MiB when it draws nothing. All but one start when they are
    /// needed and end after a minute's rest.
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
    queue: Arc<Queue>,
    pictures: Cache<(u64, u64), Arc<str>>,
}

/// The line of charts, which closes with the last renderer.
#[derive(Debug)]
struct Queue {
    line: Arc<Line<Job>>,
    engines: Arc<AtomicUsize>,
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.line.close();
    }
}

/// A chart to draw, with the channel for its picture.
#[derive(Debug)]
struct Job {
    json: String,
    width: u32,
    height: u32,
    reply: oneshot::Sender<Result<String, RenderError>>,
    /// Free again when the chart was drawn, also when nobody waits for it any more.
    _place: Box<dyn Any + Send>,
}

impl Renderer {
    /// Starts with the default settings. The first engine loads on its own thread; the first chart waits for it.
    #[must_use]
    pub fn start() -> Self {
        Self::with_settings(RendererSettings::default())
    }

    /// Starts with settings.
    #[must_use]
    pub fn with_settings(settings: RendererSettings) -> Self {
        let (line, engines) = (Arc::new(Line::new(settings.queue)), Arc::new(AtomicUsize::new(0)));
        for number in 0..settings.threads.max(1) {
            let (line, engines) = (Arc::clone(&line), Arc::clone(&engines));
            let thread = thread::Builder::new().name(format!("charts-{number}")).stack_size(THREAD_STACK);
            if let Err(error) = thread.spawn(move || work(&line, &engines, settings, number > 0)) {
                tracing::error!(%error, "a chart thread does not start");
            }
        }
        let weight = |_: &(u64, u64), picture: &Arc<str>| u32::try_from(picture.len()).unwrap_or(u32::MAX);
        let queue = Arc::new(Queue { line, engines });
        Self { queue, pictures: Cache::builder().weigher(weight).max_capacity(settings.cache).build() }
    }

    /// The picture of an option of `inlay_contract::chart::option`, with a size in CSS pixels. The `svg` element scales with
    /// its box, has unique ids, is hidden from screen readers, and contains nothing that runs or loads.
    ///
    /// # Errors
    /// The size is out of range, too many charts wait, the option cannot be drawn or takes too long.
    pub async fn svg(&self, option: &Value, width: u32, height: u32) -> Result<String, RenderError> {
        self.svg_of(&option.to_string(), width, height, async { Ok(()) }).await
    }

    /// The same of an option as JSON, in turn with others: a chart that is not remembered waits for its turn first, and holds
    /// the place that it gets until it was drawn.
    ///
    /// # Errors
    /// As [`Self::svg`], and the turn's own.
    pub async fn svg_of<P: Send + 'static>(
        &self,
        json: &str,
        width: u32,
        height: u32,
        turn: impl Future<Output = Result<P, RenderError>>,
    ) -> Result<String, RenderError> {
        if !(1..=LONGEST_SIDE).contains(&width) || !(1..=LONGEST_SIDE).contains(&height) {
            return Err(RenderError::Size { width, height });
        }
        let key = fingerprint(json, width, height);
        let kept = self.pictures.get(&key).await;
        measures::asked(kept.is_some());
        if let Some(kept) = kept {
            return Ok(kept.to_string());
        }
        // Of callers who need the same picture at once, one has it drawn. When they leave, the next one does.
        let draw = async {
            let (reply, drawn) = oneshot::channel();
            let _waiting = Waiting::begin();
            let queue = async {
                let job = Job { json: json.to_owned(), width, height, reply, _place: Box::new(turn.await?) };
                self.queue.line.push(job).map_err(|refused| match refused {
                    Refused::Full => RenderError::Busy,
                    Refused::Closed => RenderError::Stopped,
                })
            };
            queue.await.inspect_err(measures::refused)?;
            let raw = drawn.await.map_err(|_| RenderError::Stopped)??;
            Ok(picture::finish(&raw, key.0)?.into())
        };
        let picture: Arc<str> = self.pictures.try_get_with(key, draw).await.map_err(Arc::unwrap_or_clone)?;
        Ok(picture.to_string())
    }
}

impl Renderer {
    /// Sets the gauges of the queue and of the cache.
    pub fn measure(&self) {
        let engines = self.queue.engines.load(Ordering::Relaxed);
        measures::tell(self.pictures.entry_count(), self.pictures.weighted_size(), engines);
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

/// Draws until the line is closed. Who `rests` has an engine only while there is more to draw than others take.
fn work(line: &Line<Job>, engines: &AtomicUsize, settings: RendererSettings, rests: bool) {
    while !rests || line.rest() {
        engines.fetch_add(1, Ordering::Relaxed);
        let end = draw(line, settings, rests.then_some(REST));
        engines.fetch_sub(1, Ordering::Relaxed);
        if end {
            return;
        }
    }
}

/// Draws with an engine until there was nothing to draw for a while. Returns whether the line is closed. After a failure the engine
/// is restarted, since its state may be inconsistent.
fn draw(line: &Line<Job>, settings: RendererSettings, patience: Option<Duration>) -> bool {
    let mut engine = Engine::start(settings.memory);
    loop {
        let job = match line.next(patience) {
            Next::Job(job) => job,
            Next::Rest => return false,
            Next::End => return true,
        };
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

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::{chart, data::ChartData, theme::ChartTheme};
    use serde_json::{from_value, json};

    fn option() -> Value {
        let definition = json!({"title": "T", "type": "bar", "encoding": {"x": "day", "y": ["n"]}});
        let data = ChartData {
            columns: from_value(json!([{"name": "day", "type": "text"}, {"name": "n", "type": "number"}])).expect("columns"),
            rows: (0..9).map(|day| vec![json!(format!("day {day}")), json!(day + 1)]).collect(),
            ..ChartData::default()
        };
        let definition = from_value(definition).expect("a definition");
        chart::option(&definition, &data, &ChartTheme::default(), "en").expect("an option")
    }

    #[tokio::test]
    async fn many_who_need_the_same_picture_at_once_have_it_drawn_once() {
        let renderer = Renderer::with_settings(RendererSettings { threads: 1, queue: 1, ..RendererSettings::default() });
        let option = option();
        let many: Vec<_> = (0..40)
            .map(|_| {
                let (renderer, option) = (renderer.clone(), option.clone());
                tokio::spawn(async move { renderer.svg(&option, 300, 200).await })
            })
            .collect();
        let mut pictures = Vec::new();
        for drawn in many {
            pictures.push(drawn.await.expect("no panic").expect("a picture: the line has room for one"));
        }
        assert!(pictures.iter().all(|picture| *picture == pictures[0]));
    }

    #[tokio::test]
    async fn a_picture_whose_caller_leaves_is_drawn_for_the_next() {
        let renderer = Renderer::with_settings(RendererSettings { threads: 1, ..RendererSettings::default() });
        let option = option().to_string();
        let never = std::future::pending::<Result<(), RenderError>>();
        let (first, second) = (renderer.clone(), renderer.clone());
        let (of_first, of_second) = (option.clone(), option);
        let left = tokio::spawn(async move { first.svg_of(&of_first, 300, 200, never).await });
        tokio::task::yield_now().await;
        let stays = tokio::spawn(async move { second.svg_of(&of_second, 300, 200, async { Ok(()) }).await });
        tokio::task::yield_now().await;
        left.abort();
        stays.await.expect("no panic").expect("a picture");
    }

    #[tokio::test]
    async fn one_engine_is_ready_and_more_come_for_more_charts() {
        let renderer = Renderer::with_settings(RendererSettings { threads: 3, ..RendererSettings::default() });
        let option = option();
        while renderer.queue.line.ready() == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        renderer.svg(&option, 300, 200).await.expect("a picture");
        assert_eq!(renderer.queue.engines.load(Ordering::Relaxed), 1);
        let many: Vec<_> = (0..40)
            .map(|more| {
                let (renderer, option) = (renderer.clone(), option.clone());
                tokio::spawn(async move { renderer.svg(&option, 301 + more, 200).await })
            })
            .collect();
        for drawn in many {
            drawn.await.expect("no panic").expect("a picture");
        }
        assert!(renderer.queue.engines.load(Ordering::Relaxed) > 1);
    }
}
