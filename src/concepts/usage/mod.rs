//! What is used, how often and how fast: counters of a day, kept in memory and written in batches, so that no request waits for
//! them. They are for the operator's eyes and decide nothing. A member who looks over a viewer's shoulder is not counted.

pub mod manage;
mod store;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use store::UsageDayRow;

use crate::{
    concepts::access::{HostOrViewer, Viewer},
    ground::{
        error::{Code, Result},
        state::App,
        time::Timestamp,
    },
};
use chrono::{Days, NaiveDate, Utc};
use inlay_contract::{
    data::ChartData,
    ids::{ChartId, CustomerId, DashboardId, ProjectId, ProjectUserId},
};
use std::{
    collections::{BTreeMap, HashMap},
    sync::{Mutex, MutexGuard, PoisonError},
};
use uuid::Uuid;

/// The most counters between two writes; what comes beyond them is not counted.
const MOST_COUNTERS: usize = 20_000;
/// The most users whose visits are noted between two writes.
const MOST_VISITS: usize = 50_000;
/// For how many customers of a day it is told that a chart failed, so that a database that is away makes no counter for every
/// customer and chart.
pub const MOST_FAILED_FOR: usize = 100;
/// How many days are kept of what was used.
const DAYS_KEPT: u64 = 400;
/// The same of who used it.
const DAYS_OF_CUSTOMERS: u64 = 100;
/// The longest time that counts as one, in milliseconds.
pub const LONGEST: u64 = 600_000;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A host signed a user in.
    SignIn,
    /// A dashboard was opened.
    View,
    /// A chart came to somebody, with its rows or with the reason why it has none: on a dashboard that was opened, filtered or
    /// refreshed, through the API, in a file.
    Chart,
    /// A chart's source was asked, with the time that it took, or did not answer: for the above, for the marks of a chart, for
    /// the assistant. A remembered answer is none.
    Query,
    /// A chart's source was asked in vain: the one kind that is counted under the chart and its customer together.
    FailedFor,
    /// A dashboard was drawn in its viewer's browser within the time of a [`Band`].
    Load(Band),
}

/// Times within which embeds are drawn, as counters tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Band(usize);

impl Band {
    /// The upper ends in milliseconds; above the last is one more band.
    pub const ENDS: [u64; 6] = [250, 500, 1_000, 2_000, 4_000, 8_000];
    const NAMES: [&'static str; 7] = ["load250", "load500", "load1000", "load2000", "load4000", "load8000", "loadSlower"];

    /// The band of a time.
    #[must_use]
    pub fn of(milliseconds: u64) -> Self {
        Self(Self::ENDS.iter().position(|end| milliseconds <= *end).unwrap_or(Self::ENDS.len()))
    }
}

impl Kind {
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
        }
    }
}

/// Who is counted: a viewer under their customer, a host with its key under none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Audience {
    project: ProjectId,
    customer: Option<CustomerId>,
}

impl Audience {
    /// A viewer; none for a member who looks over their shoulder.
    #[must_use]
    pub fn of(viewer: &Viewer) -> Option<Self> {
        viewer.member.is_none().then_some(Self { project: viewer.project, customer: viewer.customer })
    }

    /// A viewer, or a host that asks for a project's charts with its key.
    #[must_use]
    pub fn of_caller(caller: &HostOrViewer, project: ProjectId) -> Option<Self> {
        match caller {
            HostOrViewer::Viewer(viewer) => Self::of(viewer),
            HostOrViewer::Host(_) => Some(Self { project, customer: None }),
        }
    }
}

/// How rows that are read count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    audience: Option<Audience>,
    chart: bool,
}

impl Counted {
    /// Not at all: what a report reads, and what a member looks at.
    pub const NOBODY: Self = Self { audience: None, chart: false };

    /// As a chart that somebody gets, and as the question that is put to its source for it.
    pub const fn chart(audience: Option<Audience>) -> Self {
        Self { audience, chart: true }
    }

    /// As a question to a chart's source alone: for its marks, its picture, the assistant.
    pub const fn query(audience: Option<Audience>) -> Self {
        Self { audience, chart: false }
    }

    /// Who is counted.
    pub const fn audience(self) -> Option<Audience> {
        self.audience
    }

    /// Whether somebody gets the chart.
    pub const fn is_chart(self) -> bool {
        self.chart
    }
}

/// A chart's rows, or the code of the refusal in their place.
pub type Answer<'a> = std::result::Result<&'a ChartData, Code>;

/// One counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Counter {
    /// The project.
    pub project: ProjectId,
    /// The day, UTC.
    pub day: NaiveDate,
    /// What is counted.
    pub kind: Kind,
    /// What was used; nil where it is counted under who used it.
    pub subject: Uuid,
    /// Who used it; nil where it is counted under what was used, and for callers without a customer.
    pub customer: Uuid,
}

/// What a counter holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How often.
    pub events: i64,
    /// How often in vain.
    pub failures: i64,
    /// All times together.
    pub milliseconds: i64,
    /// The longest.
    pub longest: i64,
    /// How it failed last, and when.
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

/// What this node has counted and not yet written.
#[derive(Debug, Default)]
pub struct Usage {
    noted: Mutex<Noted>,
    cleaned: Mutex<Option<NaiveDate>>,
}

#[derive(Debug, Default)]
struct Noted {
    counts: HashMap<Counter, Count>,
    /// For how many customers each chart failed.
    failed_for: HashMap<ChartId, usize>,
    visits: HashMap<ProjectUserId, Timestamp>,
}

impl Noted {
    fn add(&mut self, counter: Counter, count: Count) {
        if self.counts.len() < MOST_COUNTERS || self.counts.contains_key(&counter) {
            self.counts.entry(counter).or_default().add(count);
        }
    }
}

impl Usage {
    fn noted(&self) -> MutexGuard<'_, Noted> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts something under what was used, and once more under who used it: not under both together, which would be as many
    /// counters as there are customers times charts.
    fn note(&self, project: ProjectId, customer: Option<CustomerId>, kind: Kind, subject: Uuid, count: Count) {
        let day = Utc::now().date_naive();
        let of_subject = Counter { project, day, kind, subject, customer: Uuid::nil() };
        let of_customer = customer.map(|customer| Counter { project, day, kind, subject: Uuid::nil(), customer: customer.0 });
        let mut noted = self.noted();
        for counter in std::iter::once(of_subject).chain(of_customer) {
            noted.add(counter, count.clone());
        }
    }

    /// A host signed a user in.
    pub fn signed_in(&self, project: ProjectId, customer: CustomerId) {
        self.note(project, Some(customer), Kind::SignIn, Uuid::nil(), Count::once());
    }

    /// A viewer opened a dashboard.
    pub fn viewed(&self, viewer: &Viewer, dashboard: DashboardId) {
        let Some(Audience { project, customer }) = Audience::of(viewer) else { return };
        self.note(project, customer, Kind::View, dashboard.0, Count::once());
        let mut noted = self.noted();
        if noted.visits.len() < MOST_VISITS {
            noted.visits.insert(viewer.user, Timestamp::now());
        }
    }

    /// Somebody got a chart, with rows or with a refusal of this code.
    pub fn came(&self, audience: Option<Audience>, chart: ChartId, answer: Answer<'_>) {
        self.shown(audience, chart);
        self.asked(audience, chart, answer);
    }

    /// Somebody got a chart.
    pub fn shown(&self, audience: Option<Audience>, chart: ChartId) {
        if let Some(Audience { project, customer }) = audience {
            self.note(project, customer, Kind::Chart, chart.0, Count::once());
        }
    }

    /// A chart's source was asked for somebody, unless its answer was remembered.
    pub fn asked(&self, audience: Option<Audience>, chart: ChartId, answer: Answer<'_>) {
        let Some(Audience { project, customer }) = audience else { return };
        let count = match answer {
            // A text asks no source; rows always have columns.
            Ok(data) if data.cached || data.columns.is_empty() => return,
            Ok(data) => Count::timed(data.duration_ms),
            Err(code) => {
                self.failed_for(project, customer, chart, code);
                Count::failed(code)
            }
        };
        self.note(project, customer, Kind::Query, chart.0, count);
    }

    /// Notes for whom a chart's source was asked in vain.
    fn failed_for(&self, project: ProjectId, customer: Option<CustomerId>, chart: ChartId, code: Code) {
        let customer = customer.map_or(Uuid::nil(), |customer| customer.0);
        let counter = Counter { project, day: Utc::now().date_naive(), kind: Kind::FailedFor, subject: chart.0, customer };
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

    /// A viewer's browser drew a dashboard.
    pub fn loaded(&self, viewer: &Viewer, dashboard: DashboardId, milliseconds: u64) {
        if let Some(Audience { project, customer }) = Audience::of(viewer) {
            self.note(project, customer, Kind::Load(Band::of(milliseconds)), dashboard.0, Count::timed(milliseconds));
        }
    }

    /// Writes down what was noted, and lets old days go.
    ///
    /// # Errors
    /// The store is away; what was noted is lost, which costs a few moments of statistics.
    pub async fn write_down(&self, app: &App) -> Result<()> {
        let Noted { counts, visits, .. } = std::mem::take(&mut *self.noted());
        let today = Utc::now().date_naive();
        let clean = self.cleaned.lock().unwrap_or_else(PoisonError::into_inner).replace(today) != Some(today);
        if counts.is_empty() && visits.is_empty() && !clean {
            return Ok(());
        }
        let mut tx = app.db.write().await?;
        let conn = &mut tx.conn();
        // In one order on every node, so that none waits for another that waits for it.
        for (counter, count) in counts.into_iter().collect::<BTreeMap<_, _>>() {
            if counter.kind == Kind::FailedFor {
                store::add_failed_for(conn, &counter, &count).await?;
            } else {
                store::add(conn, &counter, &count).await?;
            }
        }
        for (user, at) in visits.into_iter().collect::<BTreeMap<_, _>>() {
            store::visited(conn, user, at).await?;
        }
        let ago = |days| today.checked_sub_days(Days::new(days)).unwrap_or(today);
        if clean {
            store::forget_before(conn, ago(DAYS_KEPT), ago(DAYS_OF_CUSTOMERS)).await?;
        }
        tx.commit().await
    }
}
