//! What was used, as members read it.

use super::{Band, store};
use crate::{
    concepts::{
        organizations::members::{Member, Reads},
        projects,
    },
    ground::{error::Result, state::App, store::Conn, time::Timestamp},
};
use chrono::{Days, NaiveDate, Utc};
use inlay_contract::ids::{ApplicationId, ChartId, CustomerId, DashboardId, ProjectId};

/// The most lines of each list.
const MOST: i64 = 50;

/// The days that are told about, today included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// How many.
    pub days: u64,
    today: NaiveDate,
}

impl Period {
    /// So many days up to today (UTC).
    #[must_use]
    pub fn of(days: u64) -> Self {
        Self { days: days.clamp(1, 366), today: Utc::now().date_naive() }
    }

    /// The first day, as the store writes it.
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

/// What something came to on a day.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Day {
    /// The day, UTC.
    pub day: String,
    /// What was counted.
    pub kind: String,
    /// How often.
    pub events: i64,
    /// How often in vain.
    pub failures: i64,
    /// How long it took together, in milliseconds, where that is measured.
    pub milliseconds: i64,
}

/// What a customer used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomerUse {
    /// The customer.
    pub id: CustomerId,
    /// Its name.
    pub name: String,
    /// How often its users were signed in.
    pub sign_ins: i64,
    /// How often they opened dashboards.
    pub views: i64,
    /// How often they were shown charts.
    pub charts: i64,
    /// How many queries failed for them.
    pub failures: i64,
    /// How long dashboards took in their browsers on average, in milliseconds.
    pub load: Option<i64>,
}

/// How often a dashboard was opened.
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
    /// Whether it is shared; the others are users' own.
    pub shared: bool,
    /// How often it was opened.
    pub views: i64,
    /// How long it took in viewers' browsers on average, in milliseconds.
    pub load: Option<i64>,
}

/// How a chart did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartUse {
    /// The chart.
    pub id: ChartId,
    /// Its name.
    pub name: String,
    /// How often it was asked for.
    pub asked: i64,
    /// How often its source was.
    pub ran: i64,
    /// How often in vain.
    pub failures: i64,
    /// How long its source takes on average, in milliseconds.
    pub mean: Option<i64>,
    /// The longest that it took.
    pub longest: i64,
    /// How it failed last, and when.
    pub failed: Option<(String, Timestamp)>,
    /// For whom it failed.
    pub failed_for: FailedFor,
    /// The dashboard that shows it; none for a chart of the library.
    pub place: Option<ChartPlace>,
}

/// For whom a chart failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FailedFor {
    /// For how many customers; above [`super::MOST_FAILED_FOR`] on one day they are not counted any more.
    pub count: i64,
    /// The first of them, those for which it failed most often first: id, name and how often.
    pub customers: Vec<(CustomerId, String, i64)>,
    /// How often it failed for callers without a customer.
    pub without: i64,
}

/// Where a chart stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartPlace {
    /// The dashboard's application.
    pub application: ApplicationId,
    /// The dashboard.
    pub dashboard: DashboardId,
    /// Its name.
    pub name: String,
    /// Whether it is the project's own, not a user's or tenant's.
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
    /// Nobody's: those of evaluations, which are the organization's own.
    Evaluations,
}

/// What answers took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct Spent {
    /// How many questions were asked.
    pub questions: i64,
    /// Tokens, read and written.
    pub tokens: i64,
    /// Millionths of the currency of the model's prices.
    pub millionths: i64,
}

impl Spent {
    /// With something more.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            questions: self.questions + other.questions,
            tokens: self.tokens + other.tokens,
            millionths: self.millionths + other.millionths,
        }
    }

    /// Without a part of it.
    #[must_use]
    pub const fn minus(self, part: Self) -> Self {
        self.plus(Self { questions: -part.questions, tokens: -part.tokens, millionths: -part.millionths })
    }
}

/// What answers took of each asker, and together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chat {
    /// Of each, the dearest customers first; together they are the whole.
    pub lines: Vec<(Asker, Spent)>,
    /// Of all.
    pub together: Spent,
}

/// All of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// By day and kind.
    pub days: Vec<Day>,
    /// By customer.
    pub customers: Vec<CustomerUse>,
    /// By dashboard.
    pub dashboards: Vec<DashboardUse>,
    /// By chart: those that fail, the most often failing first, then the slowest.
    pub charts: Vec<ChartUse>,
    /// How many embeds were drawn within each band of time.
    pub loads: [i64; Band::ENDS.len() + 1],
    /// The questions that the project's users and evaluations asked.
    pub chat: Chat,
    /// Whether anything of it was used before, as far as that is kept.
    pub was_used: bool,
}

/// What was used of a project in a period.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn report(app: &App, by: &Member<impl Reads>, project: ProjectId, period: Period) -> Result<Report> {
    projects::of_organization(app, by.organization, project).await?;
    // What was counted on this node until now is told, too.
    app.usage.write_down(app).await?;
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

/// What questions took, with so many customers told by name.
pub(super) async fn chat(conn: &mut Conn<'_>, project: ProjectId, period: Period, most: i64) -> Result<Chat> {
    let mut lines = store::chat(conn, project, period, most).await?;
    let of_users = store::chat_together(conn, project, period).await?;
    let evaluations = store::evaluations(conn, project, period).await?;
    let listed = lines.iter().fold(Spent::default(), |sum, (_, spent)| sum.plus(*spent));
    let more = [(Asker::Others, of_users.minus(listed)), (Asker::Evaluations, evaluations)];
    lines.extend(more.into_iter().filter(|(_, spent)| *spent != Spent::default()));
    Ok(Chat { lines, together: of_users.plus(evaluations) })
}

/// The time within which a part of all embeds were drawn (0.5: half of them), in milliseconds: the upper end of its band; none
/// above the last, or without any.
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
