//! Runs and their mails in the store.

mod tidy;

pub use tidy::TIDY;

use super::{Delivery, StoredPage, StoredRun};
use crate::{
    concepts::access::grant::Grant,
    ground::{
        error::Result,
        store::{
            Conn,
            rows::{self, columns, inserts, row, sql},
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::{
    ids::{ApiKeyId, ProjectUserId, ReportId, RunId},
    report::RunState,
};
use sqlx::FromRow;

row! {
    /// A run of a report. Its page and its mail are encrypted.
    pub(crate) struct RunRow in "report_runs" {
        id: RunId,
        report_id: ReportId,
        due_at: Timestamp,
        cause: String,
        state: String,
        problem: Option<String>,
        snapshot: Option<Vec<u8>>,
        expires_at: Option<Timestamp>,
        raised: Option<bool>,
        ended_at: Option<Timestamp>,
        key_id: Option<ApiKeyId>,
        authorized_at: Timestamp,
        letter: Option<Vec<u8>>,
    }
}

row! {
    /// A run without its page and its mail.
    struct FoundRun of RunRow {
        id: RunId,
        report_id: ReportId,
        due_at: Timestamp,
        cause: String,
        state: String,
        problem: Option<String>,
        raised: Option<bool>,
    }
}

row! {
    /// A mail of a run.
    pub(crate) struct DeliveryRow in "report_deliveries" {
        run_id: RunId,
        address: String,
        state: String,
        problem: Option<String>,
        link_hash: Vec<u8>,
        unsubscribe_hash: Vec<u8>,
    }
}

row! {
    struct FoundDelivery of DeliveryRow { address: String, state: String, problem: Option<String> }
}

row! {
    /// How many mails were sent for a user on a day.
    pub(crate) struct MailCountRow in "report_mails" { user_id: ProjectUserId, day: String, mails: i64 }
}

row! {
    /// An address that unsubscribed from a report.
    pub(crate) struct UnsubscribedRow in "report_unsubscribed" { report_id: ReportId, address: String, at: Timestamp }
}

#[derive(FromRow)]
struct Unsubscriber {
    report_id: ReportId,
    name: String,
    address: String,
}

impl From<FoundRun> for StoredRun {
    fn from(row: FoundRun) -> Self {
        Self {
            id: row.id,
            report: row.report_id,
            due_at: row.due_at,
            by_hand: row.cause == "now",
            state: RunState::named(&row.state),
            problem: row.problem,
            raised: row.raised,
        }
    }
}

/// Creates a run. `None` when this scheduled time already has one.
pub async fn insert(conn: &mut Conn<'_>, report: ReportId, due_at: Timestamp, by_hand: bool) -> Result<Option<RunId>> {
    const SQL: &str = sql!(inserts!(RunRow), " ON CONFLICT (report_id, due_at) DO NOTHING");
    let id = RunId::generate();
    let row = RunRow {
        id,
        report_id: report,
        due_at,
        cause: if by_hand { "now" } else { "schedule" }.to_owned(),
        state: "waiting".to_owned(),
        problem: None,
        snapshot: None,
        expires_at: None,
        raised: None,
        ended_at: None,
        key_id: None,
        authorized_at: Timestamp(0),
        letter: None,
    };
    let made = on!(conn, |c| rows::query(SQL, row).execute(c).await.map(|done| done.rows_affected()))?;
    Ok((made == 1).then_some(id))
}

/// A run.
pub async fn find(conn: &mut Conn<'_>, id: RunId) -> Result<Option<StoredRun>> {
    const SQL: &str = sql!("SELECT ", columns!(FoundRun), " FROM report_runs WHERE id = $1");
    Ok(on!(conn, |c| sqlx::query_as::<_, FoundRun>(SQL).bind(id).fetch_optional(c).await)?.map(StoredRun::from))
}

/// A report's newest runs.
pub async fn newest(conn: &mut Conn<'_>, report: ReportId, most: i64) -> Result<Vec<StoredRun>> {
    const SQL: &str =
        sql!("SELECT ", columns!(FoundRun), " FROM report_runs WHERE report_id = $1 ORDER BY due_at DESC, id DESC LIMIT $2");
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundRun>(SQL).bind(report).bind(most).fetch_all(c).await)?;
    Ok(rows.into_iter().map(StoredRun::from).collect())
}

/// Stores a run's mail, encrypted, and its alert's state, so that a later attempt sends the same.
pub async fn set_letter(conn: &mut Conn<'_>, id: RunId, sealed: &[u8], raised: Option<bool>) -> Result<()> {
    const SQL: &str = "UPDATE report_runs SET letter = $2, raised = $3 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(sealed).bind(raised).execute(c).await.map(drop))?;
    Ok(())
}

/// A run's mail, encrypted. `None` before it is written.
pub async fn letter(conn: &mut Conn<'_>, id: RunId) -> Result<Option<Vec<u8>>> {
    const SQL: &str = "SELECT letter FROM report_runs WHERE id = $1";
    type Found = Option<Vec<u8>>;
    Ok(on!(conn, |c| sqlx::query_scalar::<_, Found>(SQL).bind(id).fetch_optional(c).await)?.flatten())
}

/// Stores the page of a run's links, with the grant that it was created under.
pub async fn set_snapshot(conn: &mut Conn<'_>, id: RunId, sealed: &[u8], grant: &Grant, expires_at: Timestamp) -> Result<()> {
    const SQL: &str = "UPDATE report_runs SET snapshot = $2, expires_at = $3, key_id = $4, authorized_at = $5 WHERE id = $1";
    on!(conn, |c| {
        let update = sqlx::query(SQL).bind(id).bind(sealed).bind(expires_at).bind(grant.key).bind(grant.at);
        update.execute(c).await.map(drop)
    })?;
    Ok(())
}

/// Ends a run and deletes its mail. Returns `false` when it had already ended.
pub async fn end(conn: &mut Conn<'_>, id: RunId, state: RunState, problem: Option<&str>) -> Result<bool> {
    const SQL: &str = "UPDATE report_runs SET state = $2, problem = $3, ended_at = $4, letter = NULL \
        WHERE id = $1 AND state = 'waiting'";
    let now = Timestamp::now();
    let ended = on!(conn, |c| {
        let update = sqlx::query(SQL).bind(id).bind(state.name()).bind(problem).bind(now);
        update.execute(c).await.map(|done| done.rows_affected())
    })?;
    Ok(ended == 1)
}

/// Stores a problem of a run that continues.
pub async fn note(conn: &mut Conn<'_>, id: RunId, problem: &str) -> Result<()> {
    const SQL: &str = "UPDATE report_runs SET problem = $2 WHERE id = $1 AND state = 'waiting'";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(problem).execute(c).await.map(drop))?;
    Ok(())
}

/// Adds a mail to a run.
pub async fn add_delivery(conn: &mut Conn<'_>, run: RunId, address: &str, link: &[u8], unsubscribe: &[u8]) -> Result<()> {
    let row = DeliveryRow {
        run_id: run,
        address: address.to_owned(),
        state: "waiting".to_owned(),
        problem: None,
        link_hash: link.to_vec(),
        unsubscribe_hash: unsubscribe.to_vec(),
    };
    Ok(rows::insert(conn, row).await?)
}

/// Adds mails to a user's count of a day. Returns the new count.
pub async fn count_mails(conn: &mut Conn<'_>, user: ProjectUserId, day: &str, mails: i64) -> Result<i64> {
    const SQL: &str = sql!(
        inserts!(MailCountRow),
        " ON CONFLICT (user_id, day) DO UPDATE SET mails = report_mails.mails + excluded.mails RETURNING mails"
    );
    let row = MailCountRow { user_id: user, day: day.to_owned(), mails };
    Ok(on!(conn, |c| rows::query_scalar(SQL, row).fetch_one(c).await)?)
}

/// The mails of a run, by address.
pub async fn deliveries(conn: &mut Conn<'_>, run: RunId) -> Result<Vec<Delivery>> {
    const SQL: &str = sql!("SELECT ", columns!(FoundDelivery), " FROM report_deliveries WHERE run_id = $1 ORDER BY address");
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundDelivery>(SQL).bind(run).fetch_all(c).await)?;
    let delivery = |FoundDelivery { address, state, problem }: FoundDelivery| {
        let sent = match state.as_str() {
            "sent" => Some(true),
            "failed" => Some(false),
            _ => None,
        };
        Delivery { address, sent, problem }
    };
    Ok(rows.into_iter().map(delivery).collect())
}

/// Stores the result of a mail.
pub async fn set_delivery(conn: &mut Conn<'_>, run: RunId, address: &str, sent: bool, problem: Option<&str>) -> Result<()> {
    const SQL: &str =
        "UPDATE report_deliveries SET state = $3, problem = $4 WHERE run_id = $1 AND address = $2 AND state = 'waiting'";
    let state = if sent { "sent" } else { "failed" };
    on!(conn, |c| sqlx::query(SQL).bind(run).bind(address).bind(state).bind(problem).execute(c).await.map(drop))?;
    Ok(())
}

/// Fails the waiting mails of a run.
pub async fn fail_waiting(conn: &mut Conn<'_>, run: RunId, problem: &str) -> Result<()> {
    const SQL: &str = "UPDATE report_deliveries SET state = 'failed', problem = $2 WHERE run_id = $1 AND state = 'waiting'";
    on!(conn, |c| sqlx::query(SQL).bind(run).bind(problem).execute(c).await.map(drop))?;
    Ok(())
}

/// The page with this link's key, until it expires, with its owner's API key and the time of their grant.
pub async fn by_link(conn: &mut Conn<'_>, hash: &[u8], now: Timestamp) -> Result<Option<StoredPage>> {
    const SQL: &str = "SELECT r.id, r.report_id, r.snapshot, r.key_id, r.authorized_at FROM report_deliveries d JOIN report_runs r ON r.id = d.run_id \
        WHERE d.link_hash = $1 AND r.expires_at > $2 AND r.snapshot IS NOT NULL";
    Ok(on!(conn, |c| sqlx::query_as(SQL).bind(hash).bind(now).fetch_optional(c).await)?)
}

/// The report, its name and the recipient of an unsubscribe link.
pub async fn by_unsubscribe(conn: &mut Conn<'_>, hash: &[u8]) -> Result<Option<(ReportId, String, String)>> {
    const SQL: &str = "SELECT r.report_id, p.name, d.address FROM report_deliveries d JOIN report_runs r ON r.id = d.run_id \
        JOIN reports p ON p.id = r.report_id WHERE d.unsubscribe_hash = $1";
    let found = on!(conn, |c| sqlx::query_as::<_, Unsubscriber>(SQL).bind(hash).fetch_optional(c).await)?;
    Ok(found.map(|row| (row.report_id, row.name, row.address)))
}

/// Unsubscribes an address from a report.
pub async fn unsubscribe(conn: &mut Conn<'_>, report: ReportId, address: &str) -> Result<()> {
    const SQL: &str = sql!(inserts!(UnsubscribedRow), " ON CONFLICT (report_id, address) DO NOTHING");
    let row = UnsubscribedRow { report_id: report, address: address.to_owned(), at: Timestamp::now() };
    on!(conn, |c| rows::query(SQL, row).execute(c).await.map(drop))?;
    Ok(())
}
