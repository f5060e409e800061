//! Usage counts: what is used, how often and how fast. Counts are per day, kept in memory and stored in batches, so that no
//! request waits for them. They inform members and decide nothing. Previews by members are not counted.

pub mod manage;
mod store;

#[cfg(test)]
mod tests;

pub use store::TIDY;
#[cfg(test)]
pub(crate) use store::UsageDayRow;

use crate::{
    concepts::access::{HostOrViewer, Viewer},
    ground::{
        config::Settings,
        error::{Code, Result},
        periodic::Periodic,
        state::{App, Part},
        time::Timestamp,
    },
};
use chrono::{NaiveDate, Utc};
use inlay_contract::ids::{ChartId, CustomerId, DashboardId, ProjectId, ProjectUserId};
use inlay_query::Answered;
use std::time::Duration;
use std::{
    cmp::Reverse,
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};
use uuid::Uuid;

/// The maximum number of counters between two stores. Further ones are not counted.
const MOST_COUNTERS: usize = 20_000;
/// The maximum number of users whose visits are recorded between two stores.
const MOST_VISITS: usize = 50_000;
/// For how many customers per day a chart's failures are counted, so that an unavailable database does not create a counter for
/// every customer and chart.
pub const MOST_FAILED_FOR: usize = 100;
/// How many counters or visits a transaction stores, so that none holds the store for long.
const CHUNK: usize = 500;
/// The maximum load time, in milliseconds. A longer one counts as this.
pub const LONGEST: u64 = 600_000;

/// The kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CounterKind {
    /// A host signed a user in.
    SignIn,
    /// A dashboard was opened.
    View,
    /// A chart was delivered, with its rows or with an error: on a dashboard that was opened, filtered or refreshed, through
    /// the API, or in a file.
    Chart,
    /// A chart's query ran on its source, or failed, with its duration: for a delivered chart, its drill-down, or the
    /// assistant. A cached result does not count.
    Query,
    /// A chart's query failed. The only kind that is counted by chart and customer together.
    FailedFor,
    /// A dashboard loaded in its viewer's browser within the time of a [`Band`].
    Load(Band),
    /// A language model was asked for an answer. Counted by project alone.
    ModelAnswer,
}

/// The bands of load times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Band(usize);

impl Band {
    /// The upper ends in milliseconds. There is one more band above the last.
    pub const ENDS: [u64; 6] = [250, 500, 1_000, 2_000, 4_000, 8_000];
    const NAMES: [&'static str; 7] = ["load250", "load500", "load1000", "load2000", "load4000", "load8000", "loadSlower"];

    /// The band of a load time.
    #[must_use]
    pub fn of(milliseconds: u64) -> Self {
        Self(Self::ENDS.iter().position(|end| milliseconds <= *end).unwrap_or(Self::ENDS.len()))
    }
}

impl CounterKind {
    /// Its name in the store.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SignIn => "signIn",
            Self::View => "view",
            Self::Chart => "chart",
            Self::Query => "query",
            Self::FailedFor => "failedFor",
            Self::Load(Band(number)) => Band::NAMES[number],
            Self::ModelAnswer => "modelAnswer",
        }
    }
}

/// The caller of an event: a viewer with their customer, or a host's API key without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Audience {
    project: ProjectId,
    customer: Option<CustomerId>,
}

impl Audience {
    /// A viewer. `None` for a member who previews.
    #[must_use]
    pub fn of(viewer: &Viewer) -> Option<Self> {
        viewer.member.is_none().then_some(Self { project: viewer.project, customer: viewer.customer })
    }

    /// A viewer, or a host that requests a project's charts with its key.
    #[must_use]
    pub fn of_caller(caller: &HostOrViewer, project: ProjectId) -> Option<Self> {
        match caller {
            HostOrViewer::Viewer(viewer) => Self::of(viewer),
            HostOrViewer::Host(_) => Some(Self { project, customer: None }),
        }
    }
}

/// How reading rows is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    audience: Option<Audience>,
    chart: bool,
}

impl Counted {
    /// Not counted: reports and previews.
    pub const NOBODY: Self = Self { audience: None, chart: false };

    /// As a delivered chart, and as its query.
    pub const fn chart(audience: Option<Audience>) -> Self {
        Self { audience, chart: true }
    }

    /// Only as a query: for drill-down, pictures, the assistant.
    pub const fn query(audience: Option<Audience>) -> Self {
        Self { audience, chart: false }
    }

    /// The caller.
    pub const fn audience(self) -> Option<Audience> {
        self.audience
    }

    /// Whether a chart is delivered.
    pub const fn is_chart(self) -> bool {
        self.chart
    }
}

/// A chart's rows, or the code of its error.
pub type Answer<'a> = std::result::Result<&'a Answered, Code>;

/// One counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Counter {
    /// The project.
    pub project: ProjectId,
    /// The day (UTC).
    pub day: NaiveDate,
    /// The kind of event.
    pub kind: CounterKind,
    /// The object that was used. Nil for counts by customer.
    pub subject: Uuid,
    /// The customer. Nil for counts by object, and for callers without a customer.
    pub customer: Uuid,
}

/// The value of a counter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// The number of events.
    pub events: i64,
    /// The number of failures.
    pub failures: i64,
    /// The total duration in milliseconds.
    pub milliseconds: i64,
    /// The longest duration in milliseconds.
    pub longest: i64,
    /// The code and time of the last failure.
    pub failed: Option<(Code, Timestamp)>,
}

impl Count {
    const fn once() -> Self {
        Self { events: 1, failures: 0, milliseconds: 0, longest: 0, failed: None }
    }

    fn timed(milliseconds: u64) -> Self {
        let milliseconds = i64::try_from(milliseconds.min(LONGEST)).unwrap_or_default();
        Self { milliseconds, longest: milliseconds, ..Self::once() }
    }

    fn failed(code: Code) -> Self {
        Self { failures: 1, failed: Some((code, Timestamp::now())), ..Self::once() }
    }

    fn add(&mut self, other: Self) {
        self.events += other.events;
        self.failures += other.failures;
        self.milliseconds += other.milliseconds;
        self.longest = self.longest.max(other.longest);
        self.failed = other.failed.or(self.failed.take());
    }
}

/// This node's counts since the last store.
#[derive(Debug, Default)]
pub struct Usage {
    noted: Mutex<Noted>,
}

#[derive(Debug, Default)]
struct Noted {
    counts: HashMap<Counter, Count>,
    /// The number of customers for whom each chart failed.
    failed_for: HashMap<ChartId, usize>,
    visits: HashMap<ProjectUserId, Timestamp>,
}

impl Noted {
    fn add(&mut self, counter: Counter, count: Count) {
        if self.counts.len() < MOST_COUNTERS || self.counts.contains_key(&counter) {
            self.counts.entry(counter).or_default().add(count);
        } else {
            metrics::counter!("inlay_usage_dropped_total", "what" => "count").increment(1);
        }
    }

    fn visit(&mut self, user: ProjectUserId, at: Timestamp) {
        if self.visits.len() < MOST_VISITS || self.visits.contains_key(&user) {
            self.visits.insert(user, at);
        } else {
            metrics::counter!("inlay_usage_dropped_total", "what" => "visit").increment(1);
        }
    }
}

impl Usage {
    fn noted(&self) -> MutexGuard<'_, Noted> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts an event by object, and once more by customer: not by both together, which would need a counter for each pair of
    /// customer and chart.
    fn note(&self, project: ProjectId, customer: Option<CustomerId>, kind: CounterKind, subject: Uuid, count: Count) {
        let day = Utc::now().date_naive();
        let of_subject = Counter { project, day, kind, subject, customer: Uuid::nil() };
        let of_customer = customer.map(|customer| Counter { project, day, kind, subject: Uuid::nil(), customer: customer.0 });
        let mut noted = self.noted();
        for counter in std::iter::once(of_subject).chain(of_customer) {
            noted.add(counter, count.clone());
        }
    }

    /// Counts a sign-in by a host.
    pub fn signed_in(&self, project: ProjectId, customer: CustomerId) {
        self.note(project, Some(customer), CounterKind::SignIn, Uuid::nil(), Count::once());
    }

    /// Counts a dashboard that a viewer opened.
    pub fn viewed(&self, viewer: &Viewer, dashboard: DashboardId) {
        let Some(Audience { project, customer }) = Audience::of(viewer) else { return };
        self.note(project, customer, CounterKind::View, dashboard.0, Count::once());
        self.noted().visit(viewer.user, Timestamp::now());
    }

    /// Counts a delivered chart, with its rows or with an error.
    pub fn came(&self, audience: Option<Audience>, chart: ChartId, answer: Answer<'_>) {
        self.shown(audience, chart);
        self.asked(audience, chart, answer);
    }

    /// Counts a delivered chart.
    pub fn shown(&self, audience: Option<Audience>, chart: ChartId) {
        if let Some(Audience { project, customer }) = audience {
            self.note(project, customer, CounterKind::Chart, chart.0, Count::once());
        }
    }

    /// Counts a chart's query, unless its result was cached.
    pub fn asked(&self, audience: Option<Audience>, chart: ChartId, answer: Answer<'_>) {
        let Some(Audience { project, customer }) = audience else { return };
        let count = match answer {
            // A text chart runs no query. Rows always have columns.
            Ok(answer) if answer.cached() || answer.table().columns.is_empty() => return,
            Ok(answer) => Count::timed(answer.duration_ms()),
            Err(code) => {
                self.failed_for(project, customer, chart, code);
                Count::failed(code)
            }
        };
        self.note(project, customer, CounterKind::Query, chart.0, count);
    }

    /// Counts the customer for whom a chart's query failed.
    fn failed_for(&self, project: ProjectId, customer: Option<CustomerId>, chart: ChartId, code: Code) {
        let customer = customer.map_or(Uuid::nil(), |customer| customer.0);
        let counter =
            Counter { project, day: Utc::now().date_naive(), kind: CounterKind::FailedFor, subject: chart.0, customer };
        let mut noted = self.noted();
        if !noted.counts.contains_key(&counter) {
            let others = noted.failed_for.entry(chart).or_default();
            if *others >= MOST_FAILED_FOR {
                return;
            }
            *others += 1;
        }
        noted.add(counter, Count::failed(code));
    }

    /// Counts the load time of a dashboard in a viewer's browser.
    pub fn loaded(&self, viewer: &Viewer, dashboard: DashboardId, milliseconds: u64) {
        if let Some(Audience { project, customer }) = Audience::of(viewer) {
            self.note(project, customer, CounterKind::Load(Band::of(milliseconds)), dashboard.0, Count::timed(milliseconds));
        }
    }

    /// Counts an answer that a language model was asked for, and whether the model failed.
    pub fn asked_model(&self, viewer: &Viewer, has_failed: bool) {
        let count = if has_failed { Count::failed(Code::ModelFailed) } else { Count::once() };
        if let Some(Audience { project, .. }) = Audience::of(viewer) {
            self.note(project, None, CounterKind::ModelAnswer, Uuid::nil(), count);
        }
    }

    /// Stores the counts, in transactions of a few hundred.
    ///
    /// # Errors
    /// The store is away; what is not stored yet counts again the next time.
    pub async fn write_down(&self, app: &App) -> Result<()> {
        let Noted { counts, visits, .. } = std::mem::take(&mut *self.noted());
        let mut counts: Vec<(Counter, Count)> = counts.into_iter().collect();
        let mut visits: Vec<(ProjectUserId, Timestamp)> = visits.into_iter().collect();
        // Every node writes in the same order, so that no two nodes deadlock.
        counts.sort_unstable_by_key(|(counter, _)| Reverse(*counter));
        visits.sort_unstable_by_key(|(user, _)| Reverse(*user));
        let written = write_all(app, &mut counts, &mut visits).await;
        if written.is_err() {
            let mut noted = self.noted();
            counts.into_iter().for_each(|(counter, count)| noted.add(counter, count));
            for (user, at) in visits {
                let later = noted.visits.get(&user).map_or(at, |known| at.max(*known));
                noted.visit(user, later);
            }
        }
        written
    }
}

/// Stores counts and visits from their ends, and takes away what is stored.
async fn write_all(app: &App, counts: &mut Vec<(Counter, Count)>, visits: &mut Vec<(ProjectUserId, Timestamp)>) -> Result<()> {
    while !counts.is_empty() {
        let from = counts.len().saturating_sub(CHUNK);
        let mut tx = app.db.write().await?;
        store::add(&mut tx.conn(), &counts[from..]).await?;
        tx.commit().await?;
        counts.truncate(from);
    }
    while !visits.is_empty() {
        let from = visits.len().saturating_sub(CHUNK);
        let mut tx = app.db.write().await?;
        store::visited(&mut tx.conn(), &visits[from..]).await?;
        tx.commit().await?;
        visits.truncate(from);
    }
    Ok(())
}

impl Part for Usage {
    fn new(_: &Settings) -> Self {
        Self::default()
    }
}

/// Writes the counts down every ten seconds.
pub const PERIODIC: Periodic = Periodic {
    failure: "usage could not be stored",
    every: Duration::from_secs(10),
    at_stop: true,
    run: |app| Box::pin(async move { app.part::<Usage>().write_down(&app).await }),
};
