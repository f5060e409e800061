//! Usage reports for members.

use super::{Band, store};
use crate::{
    concepts::{
        organizations::members::{Member, Reads},
        projects,
        usage::Usage,
    },
    ground::{error::Result, state::App, store::Conn, time::Timestamp},
};
use chrono::{Days, NaiveDate, Utc};
use inlay_contract::ids::{ApplicationId, ChartId, CustomerId, DashboardId, ProjectId};
use std::time::Duration;

/// The maximum length of each list.
const MOST: i64 = 50;

/// The days of a report, today included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The number of days.
    pub days: u64,
    today: NaiveDate,
}

impl Period {
    /// This many days up to today (UTC).
    #[must_use]
    pub fn of(days: u64) -> Self {
        Self { days: days.clamp(1, 366), today: Utc::now().date_naive() }
    }

    /// The first day, in the store's format.
    pub fn first(self) -> String {
        self.today.checked_sub_days(Days::new(self.days - 1)).unwrap_or(self.today).to_string()
    }

    /// All its days, oldest first.
    #[must_use]
    pub fn all(self) -> Vec<String> {
        (0..self.days)
            .rev()
            .filter_map(|back| self.today.checked_sub_days(Days::new(back)))
            .map(|day| day.to_string())
            .collect()
    }
}

/// One kind of usage on a day.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Day {
    /// The day (UTC).
    pub day: String,
    /// The kind.
    pub kind: String,
    /// The number of events.
    pub events: i64,
    /// The number of failures.
    pub failures: i64,
    /// The total duration in milliseconds, if measured.
    pub milliseconds: i64,
}

/// A customer's usage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomerUse {
    /// The customer.
    pub id: CustomerId,
    /// Its name.
    pub name: String,
    /// The number of its users' sign-ins.
    pub sign_ins: i64,
    /// The number of dashboards that they opened.
    pub views: i64,
    /// The number of charts that they were shown.
    pub charts: i64,
    /// The number of their failed queries.
    pub failures: i64,
    /// The average load time of dashboards in their browsers, in milliseconds.
    pub load: Option<i64>,
}

/// A dashboard's usage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DashboardUse {
    /// The dashboard.
    pub id: DashboardId,
    /// Its name.
    pub name: String,
    /// Its application.
    pub application: ApplicationId,
    /// The application's name.
    pub application_name: String,
    /// Whether it is shared. Otherwise it is a user's own.
    pub shared: bool,
    /// How often it was opened.
    pub views: i64,
    /// The average load time in viewers' browsers, in milliseconds.
    pub load: Option<i64>,
}

/// A chart's usage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartUse {
    /// The chart.
    pub id: ChartId,
    /// Its name.
    pub name: String,
    /// How often it was requested.
    pub asked: i64,
    /// How often its query ran.
    pub ran: i64,
    /// How often its query failed.
    pub failures: i64,
    /// The average duration of its query, in milliseconds.
    pub mean: Option<i64>,
    /// The longest duration of its query, in milliseconds.
    pub longest: i64,
    /// The code and time of its last failure.
    pub failed: Option<(String, Timestamp)>,
    /// The customers for whom it failed.
    pub failed_for: FailedFor,
    /// The dashboard that shows it. `None` for a library chart.
    pub place: Option<ChartPlace>,
}

/// The customers for whom a chart failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FailedFor {
    /// The number of customers. Beyond [`super::MOST_FAILED_FOR`] on one day they are not counted.
    pub count: i64,
    /// The customers with the most failures: id, name and number of failures.
    pub customers: Vec<(CustomerId, String, i64)>,
    /// How often it failed for callers without a customer.
    pub without: i64,
}

/// The dashboard of a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartPlace {
    /// The dashboard's application.
    pub application: ApplicationId,
    /// The dashboard.
    pub dashboard: DashboardId,
    /// Its name.
    pub name: String,
    /// Whether it is shared, not a user's or tenant's own.
    pub shared: bool,
}

/// Whose questions were answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asker {
    /// The users of a customer, by its name.
    Customer(String),
    /// Users without a customer.
    NoCustomer,
    /// The users of all customers that are not listed.
    Others,
    /// Evaluations, which belong to no user.
    Evaluations,
}

/// The usage of answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct Spent {
    /// The number of questions.
    pub questions: i64,
    /// Tokens, input and output.
    pub tokens: i64,
    /// The cost, in millionths of the currency of the model's prices.
    pub millionths: i64,
}

impl Spent {
    /// Adds usage.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            questions: self.questions + other.questions,
            tokens: self.tokens + other.tokens,
            millionths: self.millionths + other.millionths,
        }
    }

    /// Subtracts usage.
    #[must_use]
    pub const fn minus(self, part: Self) -> Self {
        self.plus(Self { questions: -part.questions, tokens: -part.tokens, millionths: -part.millionths })
    }
}

/// The chat's usage by customer, and in total.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chat {
    /// By customer, highest cost first. The lines add up to the total.
    pub lines: Vec<(Asker, Spent)>,
    /// The total.
    pub together: Spent,
}

/// A usage report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// By day and kind.
    pub days: Vec<Day>,
    /// By customer.
    pub customers: Vec<CustomerUse>,
    /// By dashboard.
    pub dashboards: Vec<DashboardUse>,
    /// By chart: failing ones with the most failures first, then the slowest.
    pub charts: Vec<ChartUse>,
    /// How many dashboards loaded within each band of time.
    pub loads: [i64; Band::ENDS.len() + 1],
    /// The questions of the project's users and evaluations.
    pub chat: Chat,
    /// Whether the project was ever used, as far as counts are kept.
    pub was_used: bool,
}

/// The usage of a project in a period.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn report(app: &App, by: &Member<impl Reads>, project: ProjectId, period: Period) -> Result<Report> {
    projects::of_organization(app, by.organization, project).await?;
    // Store this node's counts first, so that they are included.
    app.part::<Usage>().write_down(app).await?;
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    Ok(Report {
        days: store::days(conn, project, period).await?,
        customers: store::customers(conn, project, period, MOST).await?,
        dashboards: store::dashboards(conn, project, period, MOST).await?,
        charts: store::charts(conn, project, period, MOST).await?,
        loads: store::loads(conn, project, period).await?,
        chat: chat(conn, project, period, MOST).await?,
        was_used: store::was_used(conn, project).await?,
    })
}

/// A chart whose query has failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailingChart {
    /// Its name.
    pub name: String,
    /// How often its query ran since yesterday (UTC). Cached results do not count.
    pub ran: i64,
    /// How often it failed meanwhile.
    pub failures: i64,
    /// When it last failed.
    pub failed_at: Timestamp,
}

/// How the charts of a project fared lately.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lately {
    /// The number of charts that were shown since yesterday (UTC).
    pub shown: i64,
    /// Those whose query has failed within 24 hours, the most failures first.
    pub failing: Vec<FailingChart>,
}

/// How the charts of a project fared lately, as far as nodes have stored it: they do so every ten seconds.
pub async fn lately(conn: &mut Conn<'_>, project: ProjectId, now: Timestamp) -> Result<Lately> {
    let (period, since) = (Period::of(2), now.minus(Duration::from_secs(24 * 3600)));
    let failing = store::failing(conn, project, period, since).await?;
    Ok(Lately { shown: store::shown(conn, project, period).await?, failing })
}

/// How a project's language model has answered since yesterday (UTC). Answers that asked no model do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModelAnswers {
    /// The number of answers that asked it.
    pub answers: i64,
    /// For how many it failed: it was not reachable, or stopped before the answer was complete.
    pub failures: i64,
    /// When it last failed, within 24 hours.
    pub failed_at: Option<Timestamp>,
}

/// How a project's language model has answered lately, as far as nodes have stored it.
pub async fn answers_of_models(conn: &mut Conn<'_>, project: ProjectId, now: Timestamp) -> Result<ModelAnswers> {
    let since = now.minus(Duration::from_secs(24 * 3600));
    let found = store::answers_of_models(conn, project, Period::of(2)).await?;
    Ok(ModelAnswers { failed_at: found.failed_at.filter(|at| *at >= since), ..found })
}

/// The usage of questions, with at most this many customers by name.
pub(super) async fn chat(conn: &mut Conn<'_>, project: ProjectId, period: Period, most: i64) -> Result<Chat> {
    let mut lines = store::chat(conn, project, period, most).await?;
    let of_users = store::chat_together(conn, project, period).await?;
    let evaluations = store::evaluations(conn, project, period).await?;
    let listed = lines.iter().fold(Spent::default(), |sum, (_, spent)| sum.plus(*spent));
    let more = [(Asker::Others, of_users.minus(listed)), (Asker::Evaluations, evaluations)];
    lines.extend(more.into_iter().filter(|(_, spent)| *spent != Spent::default()));
    Ok(Chat { lines, together: of_users.plus(evaluations) })
}

/// The time within which a share of all dashboards loaded (0.5: half of them), in milliseconds: the upper end of its band.
/// `None` above the last band, or without any load.
#[must_use]
pub fn within(loads: &[i64], part: f64) -> Option<u64> {
    let all: i64 = loads.iter().sum();
    let mut so_far = 0;
    for (count, end) in loads.iter().zip(Band::ENDS) {
        so_far += count;
        if all > 0 && so_far as f64 >= part * all as f64 {
            return Some(end);
        }
    }
    None
}
