//! Counters in the store.

mod charts;
mod tidy;

pub use charts::{charts, failing, shown};
pub use tidy::TIDY;

use super::{
    Band, Count, Counter, CounterKind, MOST_FAILED_FOR,
    manage::{Asker, CustomerUse, DashboardUse, Day, ModelAnswers, Period, Spent},
};
use crate::{
    ground::{
        error::Result,
        store::{
            Conn,
            rows::{self, columns, row, sql, values},
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::ids::{ApplicationId, CustomerId, DashboardId, ProjectId, ProjectUserId};
use sqlx::{Database, Encode, FromRow, QueryBuilder, Type};
use uuid::Uuid;

row! {
    /// A counter of a day.
    pub(crate) struct UsageDayRow in "usage_days" {
        project_id: ProjectId,
        day: String,
        kind: String,
        subject_id: Uuid,
        customer_id: Uuid,
        events: i64,
        failures: i64,
        milliseconds: i64,
        longest: i64,
        last_code: Option<String>,
        last_failed_at: Option<Timestamp>,
    }
}

impl UsageDayRow {
    /// The row of a counter's first event.
    fn of(counter: &Counter, count: &Count) -> Self {
        let (last_code, last_failed_at) = count.failed.map(|(code, at)| (code.as_str().to_owned(), at)).unzip();
        Self {
            project_id: counter.project,
            day: counter.day.to_string(),
            kind: counter.kind.name().to_owned(),
            subject_id: counter.subject,
            customer_id: counter.customer,
            events: count.events,
            failures: count.failures,
            milliseconds: count.milliseconds,
            longest: count.longest,
            last_code,
            last_failed_at,
        }
    }
}

/// A value that a statement of several rows binds.
trait Bound<DB: Database>: for<'q> Encode<'q, DB> + Type<DB> + Send + 'static {}

impl<DB: Database, T: for<'q> Encode<'q, DB> + Type<DB> + Send + 'static> Bound<DB> for T {}

/// Adds to counters, unless their project is deleted.
pub async fn add(conn: &mut Conn<'_>, counts: &[(Counter, Count)]) -> Result<()> {
    let (failed_for, counts): (Vec<_>, Vec<_>) = counts.iter().partition(|(counter, _)| counter.kind == CounterKind::FailedFor);
    if !counts.is_empty() {
        on!(&mut *conn, |c| add_all(&counts).build().execute(c).await.map(drop))?;
    }
    for (counter, count) in failed_for {
        add_failed_for(conn, counter, count).await?;
    }
    Ok(())
}

/// One statement for several counters. In the order of their key, so that two nodes lock rows in the same order.
fn add_all<DB>(counts: &[&(Counter, Count)]) -> QueryBuilder<DB>
where
    DB: Database,
    ProjectId: Bound<DB>,
    String: Bound<DB>,
    Uuid: Bound<DB>,
    i64: Bound<DB>,
    Option<String>: Bound<DB>,
    Option<Timestamp>: Bound<DB>,
{
    const INTO: &str = sql!("INSERT INTO usage_days (", columns!(UsageDayRow), ") WITH v (", columns!(UsageDayRow), ") AS (");
    const FROM: &str = sql!(
        ") SELECT ",
        columns!(UsageDayRow as v),
        " FROM v WHERE EXISTS (SELECT 1 FROM projects p WHERE p.id = v.project_id) \
        ORDER BY v.project_id, v.day, v.kind, v.subject_id, v.customer_id \
        ON CONFLICT (project_id, day, kind, subject_id, customer_id) DO UPDATE SET events = usage_days.events + excluded.events, \
        failures = usage_days.failures + excluded.failures, milliseconds = usage_days.milliseconds + excluded.milliseconds, \
        longest = CASE WHEN excluded.longest > usage_days.longest THEN excluded.longest ELSE usage_days.longest END, \
        last_code = COALESCE(excluded.last_code, usage_days.last_code), \
        last_failed_at = COALESCE(excluded.last_failed_at, usage_days.last_failed_at)"
    );
    let mut query = QueryBuilder::new(INTO);
    query.push_values(counts, |mut values, (counter, count)| {
        let row = UsageDayRow::of(counter, count);
        values.push_bind(row.project_id).push_bind(row.day).push_bind(row.kind).push_bind(row.subject_id);
        values.push_bind(row.customer_id).push_bind(row.events).push_bind(row.failures).push_bind(row.milliseconds);
        values.push_bind(row.longest).push_bind(row.last_code).push_bind(row.last_failed_at);
    });
    query.push(FROM);
    query
}

/// Adds to a counter of a chart's failures for a customer, unless the chart has too many on that day or its project is deleted.
async fn add_failed_for(conn: &mut Conn<'_>, counter: &Counter, count: &Count) -> Result<()> {
    const SQL: &str = sql!(
        "INSERT INTO usage_days (",
        columns!(UsageDayRow),
        ") SELECT ",
        values!(UsageDayRow),
        " WHERE EXISTS (SELECT 1 FROM projects WHERE id = $1) \
        AND (SELECT COUNT(*) FROM usage_days o WHERE o.project_id = $1 AND o.day = $2 AND o.kind = $3 AND o.subject_id = $4 \
            AND o.customer_id <> $5) < $12 \
        ON CONFLICT (project_id, day, kind, subject_id, customer_id) DO UPDATE SET events = usage_days.events + excluded.events, \
        failures = usage_days.failures + excluded.failures, last_code = excluded.last_code, \
        last_failed_at = excluded.last_failed_at"
    );
    let most = i64::try_from(MOST_FAILED_FOR).unwrap_or(i64::MAX);
    let row = UsageDayRow { milliseconds: 0, longest: 0, ..UsageDayRow::of(counter, count) };
    on!(conn, |c| rows::query(SQL, row).bind(most).execute(c).await.map(drop))?;
    Ok(())
}

/// Updates users' last visits.
pub async fn visited(conn: &mut Conn<'_>, visits: &[(ProjectUserId, Timestamp)]) -> Result<()> {
    on!(conn, |c| visited_all(visits).build().execute(c).await.map(drop))?;
    Ok(())
}

fn visited_all<DB>(visits: &[(ProjectUserId, Timestamp)]) -> QueryBuilder<DB>
where
    DB: Database,
    ProjectUserId: Bound<DB>,
    Timestamp: Bound<DB>,
{
    let mut query = QueryBuilder::new("WITH v (id, at) AS (");
    query.push_values(visits, |mut values, (user, at)| {
        values.push_bind(*user).push_bind(*at);
    });
    query.push(
        ") UPDATE project_users SET seen_at = v.at FROM v WHERE project_users.id = v.id \
        AND (project_users.seen_at IS NULL OR project_users.seen_at < v.at)",
    );
    query
}

/// Whether a project was ever used, as far as counts are kept.
pub async fn was_used(conn: &mut Conn<'_>, project: ProjectId) -> Result<bool> {
    const SQL: &str = "SELECT kind FROM usage_days WHERE project_id = $1 LIMIT 1";
    let found: Option<String> = on!(conn, |c| sqlx::query_scalar(SQL).bind(project).fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// The counts of a kind on each day of a period that has any.
pub async fn days(conn: &mut Conn<'_>, project: ProjectId, period: Period) -> Result<Vec<Day>> {
    const SQL: &str = "SELECT day, kind, CAST(SUM(events) AS BIGINT) AS events, CAST(SUM(failures) AS BIGINT) AS failures, \
        CAST(SUM(milliseconds) AS BIGINT) AS milliseconds FROM usage_days WHERE project_id = $1 AND day >= $2 \
        AND customer_id = $3 AND kind <> 'failedFor' GROUP BY day, kind ORDER BY day, kind";
    Ok(on!(conn, |c| sqlx::query_as(SQL).bind(project).bind(period.first()).bind(Uuid::nil()).fetch_all(c).await)?)
}

#[derive(FromRow)]
struct FoundCustomerUse {
    id: CustomerId,
    name: String,
    sign_ins: i64,
    views: i64,
    charts: i64,
    failures: i64,
    loads: i64,
    milliseconds: i64,
}

/// Each customer's usage, busiest first.
pub async fn customers(conn: &mut Conn<'_>, project: ProjectId, period: Period, most: i64) -> Result<Vec<CustomerUse>> {
    const SQL: &str = "SELECT c.id, c.name, \
        CAST(SUM(CASE WHEN u.kind = 'signIn' THEN u.events ELSE 0 END) AS BIGINT) AS sign_ins, \
        CAST(SUM(CASE WHEN u.kind = 'view' THEN u.events ELSE 0 END) AS BIGINT) AS views, \
        CAST(SUM(CASE WHEN u.kind = 'chart' THEN u.events ELSE 0 END) AS BIGINT) AS charts, \
        CAST(SUM(CASE WHEN u.kind = 'query' THEN u.failures ELSE 0 END) AS BIGINT) AS failures, \
        CAST(SUM(CASE WHEN u.kind LIKE 'load%' THEN u.events ELSE 0 END) AS BIGINT) AS loads, \
        CAST(SUM(CASE WHEN u.kind LIKE 'load%' THEN u.milliseconds ELSE 0 END) AS BIGINT) AS milliseconds \
        FROM usage_days u JOIN customers c ON c.id = u.customer_id WHERE u.project_id = $1 AND u.day >= $2 \
        GROUP BY c.id, c.name ORDER BY views DESC, sign_ins DESC, c.name LIMIT $3";
    let rows = on!(conn, |c| {
        sqlx::query_as::<_, FoundCustomerUse>(SQL).bind(project).bind(period.first()).bind(most).fetch_all(c).await
    })?;
    let used = |row: FoundCustomerUse| {
        let FoundCustomerUse { id, name, sign_ins, views, charts, failures, loads, milliseconds } = row;
        CustomerUse { id, name, sign_ins, views, charts, failures, load: mean(milliseconds, loads) }
    };
    Ok(rows.into_iter().map(used).collect())
}

#[derive(FromRow)]
struct FoundDashboardUse {
    id: DashboardId,
    name: String,
    application: ApplicationId,
    application_name: String,
    shared: i32,
    views: i64,
    loads: i64,
    milliseconds: i64,
}

/// How often each dashboard was opened, busiest first. Users' copies are listed separately.
pub async fn dashboards(conn: &mut Conn<'_>, project: ProjectId, period: Period, most: i64) -> Result<Vec<DashboardUse>> {
    const SQL: &str = "SELECT d.id, d.name, a.id AS application, a.name AS application_name, \
        CASE WHEN d.owner_id IS NULL AND d.tenant_id IS NULL THEN 1 ELSE 0 END AS shared, \
        CAST(SUM(CASE WHEN u.kind = 'view' THEN u.events ELSE 0 END) AS BIGINT) AS views, \
        CAST(SUM(CASE WHEN u.kind LIKE 'load%' THEN u.events ELSE 0 END) AS BIGINT) AS loads, \
        CAST(SUM(CASE WHEN u.kind LIKE 'load%' THEN u.milliseconds ELSE 0 END) AS BIGINT) AS milliseconds \
        FROM usage_days u JOIN dashboards d ON d.id = u.subject_id JOIN applications a ON a.id = d.application_id \
        WHERE u.project_id = $1 AND a.project_id = $1 AND u.day >= $2 AND (u.kind = 'view' OR u.kind LIKE 'load%') \
        GROUP BY d.id, d.name, a.id, a.name, 5 ORDER BY views DESC, d.name LIMIT $3";
    let rows = on!(conn, |c| {
        sqlx::query_as::<_, FoundDashboardUse>(SQL).bind(project).bind(period.first()).bind(most).fetch_all(c).await
    })?;
    let used = |row: FoundDashboardUse| {
        let FoundDashboardUse { id, name, application, application_name, shared, views, loads, milliseconds } = row;
        let load = mean(milliseconds, loads);
        DashboardUse { id, name, application, application_name, shared: shared == 1, views, load }
    };
    Ok(rows.into_iter().map(used).collect())
}

/// The mean duration. `None` without events.
fn mean(milliseconds: i64, times: i64) -> Option<i64> {
    milliseconds.checked_div(times)
}

#[derive(FromRow)]
struct KindCount {
    kind: String,
    events: i64,
}

/// How many dashboards loaded within each band of time.
pub async fn loads(conn: &mut Conn<'_>, project: ProjectId, period: Period) -> Result<[i64; Band::NAMES.len()]> {
    const SQL: &str = "SELECT kind, CAST(SUM(events) AS BIGINT) AS events FROM usage_days WHERE project_id = $1 AND day >= $2 \
        AND customer_id = $3 AND kind LIKE 'load%' GROUP BY kind";
    let rows = on!(conn, |c| {
        sqlx::query_as::<_, KindCount>(SQL).bind(project).bind(period.first()).bind(Uuid::nil()).fetch_all(c).await
    })?;
    let count = |number: usize| {
        let name = CounterKind::Load(Band(number)).name();
        rows.iter().find(|row| row.kind == name).map_or(0, |row| row.events)
    };
    Ok(std::array::from_fn(count))
}

#[derive(FromRow)]
struct FoundAnswers {
    answers: i64,
    failures: i64,
    failed_at: Option<Timestamp>,
}

/// The answers that asked a project's language model.
pub async fn answers_of_models(conn: &mut Conn<'_>, project: ProjectId, period: Period) -> Result<ModelAnswers> {
    const SQL: &str = "SELECT CAST(COALESCE(SUM(events), 0) AS BIGINT) AS answers, \
        CAST(COALESCE(SUM(failures), 0) AS BIGINT) AS failures, MAX(last_failed_at) AS failed_at \
        FROM usage_days WHERE project_id = $1 AND day >= $2 AND kind = 'modelAnswer'";
    let found = on!(conn, |c| sqlx::query_as(SQL).bind(project).bind(period.first()).fetch_one(c).await)?;
    let FoundAnswers { answers, failures, failed_at } = found;
    Ok(ModelAnswers { answers, failures, failed_at })
}

#[derive(FromRow)]
struct FoundSpent {
    name: Option<String>,
    #[sqlx(flatten)]
    spent: Spent,
}

/// The chat usage of a project's users, by customer, highest cost first.
pub async fn chat(conn: &mut Conn<'_>, project: ProjectId, period: Period, most: i64) -> Result<Vec<(Asker, Spent)>> {
    const SQL: &str = "SELECT c.name, CAST(SUM(q.questions) AS BIGINT) AS questions, \
        CAST(SUM(q.input_tokens + q.output_tokens) AS BIGINT) AS tokens, CAST(SUM(q.cost) AS BIGINT) AS millionths FROM chat_usage q JOIN project_users p ON p.id = q.user_id \
        LEFT JOIN customers c ON c.id = p.customer_id \
        WHERE p.project_id = $1 AND q.day >= $2 GROUP BY c.id, c.name ORDER BY 4 DESC, 3 DESC, 1 LIMIT $3";
    let rows = on!(conn, |c| {
        sqlx::query_as::<_, FoundSpent>(SQL).bind(project).bind(period.first()).bind(most).fetch_all(c).await
    })?;
    let line = |FoundSpent { name, spent }: FoundSpent| (name.map_or(Asker::NoCustomer, Asker::Customer), spent);
    Ok(rows.into_iter().map(line).collect())
}

/// The chat usage of all of a project's users.
pub async fn chat_together(conn: &mut Conn<'_>, project: ProjectId, period: Period) -> Result<Spent> {
    const SQL: &str = "SELECT CAST(COALESCE(SUM(q.questions), 0) AS BIGINT) AS questions, \
        CAST(COALESCE(SUM(q.input_tokens + q.output_tokens), 0) AS BIGINT) AS tokens, \
        CAST(COALESCE(SUM(q.cost), 0) AS BIGINT) AS millionths \
        FROM chat_usage q JOIN project_users p ON p.id = q.user_id WHERE p.project_id = $1 AND q.day >= $2";
    spent(conn, SQL, project, period).await
}

/// The usage of a project's evaluations.
pub async fn evaluations(conn: &mut Conn<'_>, project: ProjectId, period: Period) -> Result<Spent> {
    const SQL: &str = "SELECT CAST(COALESCE(SUM(questions), 0) AS BIGINT) AS questions, \
        CAST(COALESCE(SUM(input_tokens + output_tokens), 0) AS BIGINT) AS tokens, \
        CAST(COALESCE(SUM(cost), 0) AS BIGINT) AS millionths \
        FROM project_evaluation_usage WHERE project_id = $1 AND day >= $2";
    spent(conn, SQL, project, period).await
}

async fn spent(conn: &mut Conn<'_>, sql: &'static str, project: ProjectId, period: Period) -> Result<Spent> {
    Ok(on!(conn, |c| sqlx::query_as(sql).bind(project).bind(period.first()).fetch_one(c).await)?)
}
