//! `GET /share/report` and `GET|POST /share/report/unsubscribe`: what the links in a report's mail open. The key in the address is all
//! that it takes; it is random to everybody but this service, and no query is logged.

use crate::{
    concepts::{
        access::grant::Grant,
        organizations::secret::hash,
        reports::{
            self, StoredReport,
            runs::{self, StoredPage},
            sealed,
            standing::{self, Hindrance},
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

/// What the address holds.
#[derive(Deserialize)]
pub struct Key {
    #[serde(default)]
    key: String,
}

/// `GET /share/report`: the page as it was. It opens while its link lives, and while its owner has not been cut off.
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
    match standing::sight(&app, &StoredReport { grant, ..report }).await {
        Ok(_) => {}
        Err(Hindrance::Over(_)) => return over(&app),
        Err(Hindrance::Passing(problem)) => return Err(problem),
    }
    let page: Snapshot = sealed::open(&app.sealer, run, &sealed)?;
    answer(StatusCode::OK, &app, page.document(&assets::base(&app.embed_url)))
}

fn over(app: &App) -> Result<Response> {
    let text = "This link opens nothing any more. Ask whoever sent it for a newer one.";
    told(StatusCode::NOT_FOUND, app, "Report", text, None)
}

/// `GET /share/report/unsubscribe`: asks before anything is done, as programs open links in mails to look at them.
pub async fn ask(State(app): State<App>, Query(Key { key }): Query<Key>) -> Result<Response> {
    let found = runs::by_unsubscribe(&mut app.db.read().await?.conn(), &hash(&key)).await?;
    let Some((_, name, address)) = found else { return unknown(&app) };
    let text = format!("No more mail of “{name}” to {address}?");
    told(StatusCode::OK, &app, "Unsubscribe", &text, Some("Unsubscribe"))
}

/// `POST /share/report/unsubscribe`: by the page's button, or by a mail program (RFC 8058).
pub async fn unsubscribe(State(app): State<App>, Query(Key { key }): Query<Key>) -> Result<Response> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let found = runs::by_unsubscribe(conn, &hash(&key)).await?;
    let Some((report, name, address)) = found else { return unknown(&app) };
    runs::unsubscribe(conn, report, &address).await?;
    tx.commit().await?;
    told(StatusCode::OK, &app, "Unsubscribed", &format!("{address} gets no more mail of “{name}”."), None)
}

fn unknown(app: &App) -> Result<Response> {
    told(
        StatusCode::NOT_FOUND,
        app,
        "Unsubscribe",
        "This link is no longer valid. A newer mail of the report has one that is.",
        None,
    )
}

fn told(status: StatusCode, app: &App, title: &str, text: &str, button: Option<&str>) -> Result<Response> {
    answer(status, app, snapshot::message(&assets::base(&app.embed_url), title, text, button))
}

/// A page without scripts that no other page may frame. Its address is a key: nobody is told of it.
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
