//! `GET /share/report` and `GET|POST /share/report/unsubscribe`: the links in a report's mail. The key in the URL is the only
//! credential; it cannot be guessed, and queries are not logged.

use crate::{
    concepts::{
        access::grant::Grant,
        organizations::secret::hash,
        reports::{
            self, StoredReport,
            eligibility::{self, RunBlocked},
            runs::{self, StoredPage},
            sealed,
        },
    },
    faces::embeds::{assets, headers},
    ground::{
        error::{Error, Result},
        state::App,
        time::Timestamp,
    },
};
use axum::{
    extract::{Query, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use inlay_app::snapshot::{self, Snapshot};
use serde::Deserialize;

/// The query of the links.
#[derive(Deserialize)]
pub struct Key {
    #[serde(default)]
    key: String,
}

/// `GET /share/report`: the page of a run. It works until the link expires or the owner's access is revoked.
pub async fn show(State(app): State<App>, Query(Key { key }): Query<Key>) -> Result<Response> {
    let found = {
        let mut lease = app.db.read().await?;
        let conn = &mut lease.conn();
        match runs::by_link(conn, &hash(&key), Timestamp::now()).await? {
            Some(page) => reports::find(conn, page.report).await?.map(|report| (page, report)),
            None => None,
        }
    };
    let Some((StoredPage { run, sealed, key, authorized_at, .. }, report)) = found else { return over(&app) };
    let grant = Grant { key, at: authorized_at, ..report.grant };
    match eligibility::owner_view(&app, &StoredReport { grant, ..report }).await {
        Ok(_) => {}
        Err(RunBlocked::Permanent(_)) => return over(&app),
        Err(RunBlocked::Transient(problem)) => return Err(problem),
    }
    let page: Snapshot = sealed::open(&app.sealer, run, &sealed)?;
    answer(StatusCode::OK, &app, page.document(&assets::base(&app.embed_url)))
}

fn over(app: &App) -> Result<Response> {
    let text = "This link has expired. Ask the sender for a newer one.";
    told(StatusCode::NOT_FOUND, app, "Report", text, None)
}

/// `GET /share/report/unsubscribe`: asks for confirmation, because mail programs open links to scan them.
pub async fn ask(State(app): State<App>, Query(Key { key }): Query<Key>) -> Result<Response> {
    let found = runs::by_unsubscribe(&mut app.db.read().await?.conn(), &hash(&key)).await?;
    let Some((_, name, address)) = found else { return unknown(&app) };
    let text = format!("Stop sending “{name}” to {address}?");
    told(StatusCode::OK, &app, "Unsubscribe", &text, Some("Unsubscribe"))
}

/// `POST /share/report/unsubscribe`: from the page's button, or from a mail program (RFC 8058).
pub async fn unsubscribe(State(app): State<App>, Query(Key { key }): Query<Key>) -> Result<Response> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let found = runs::by_unsubscribe(conn, &hash(&key)).await?;
    let Some((report, name, address)) = found else { return unknown(&app) };
    runs::unsubscribe(conn, report, &address).await?;
    tx.commit().await?;
    told(StatusCode::OK, &app, "Unsubscribed", &format!("{address} no longer receives “{name}”."), None)
}

fn unknown(app: &App) -> Result<Response> {
    told(
        StatusCode::NOT_FOUND,
        app,
        "Unsubscribe",
        "This link is no longer valid. Use the link in a newer mail of this report.",
        None,
    )
}

fn told(status: StatusCode, app: &App, title: &str, text: &str, button: Option<&str>) -> Result<Response> {
    answer(status, app, snapshot::message(&assets::base(&app.embed_url), title, text, button))
}

/// A page without scripts that no other page may frame. Its URL holds a key, so it is never sent as a referrer.
fn answer(status: StatusCode, app: &App, html: String) -> Result<Response> {
    let mut headers: HeaderMap = headers::of_page(&headers::nonce()?, &app.embed_url, &[])?;
    let own = &app.embed_url;
    let policy = format!(
        "default-src 'none'; style-src 'self' {own}; style-src-attr 'unsafe-inline'; font-src 'self' {own}; img-src 'self' {own} data:; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    );
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_str(&policy).map_err(Error::internal)?);
    headers.insert("x-robots-tag", HeaderValue::from_static("noindex"));
    Ok((status, headers, html).into_response())
}
