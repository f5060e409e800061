//! The console's cookies: the session, and the notice after an action.

use crate::{concepts::organizations::sign_in::device::KNOWN_FOR, ground::state::App};
use axum::http::{HeaderMap, HeaderValue, header::COOKIE};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use uuid::Uuid;

const NOTICE: &str = "inlay_notice";
/// How many providers a browser remembers.
const MOST_PROVIDERS: usize = 3;
/// How long a browser remembers them, in seconds: half a year since the last sign-in.
const REMEMBERED_FOR: u32 = 180 * 24 * 3600;

/// Whether browsers reach the service by https. Then cookies are only sent by https.
fn secure(app: &App) -> bool {
    app.base_url.starts_with("https://")
}

/// The session cookie's name. `__Host-` keeps neighbours on other subdomains from setting it.
fn session_name(app: &App) -> &'static str {
    if secure(app) { "__Host-inlay_session" } else { "inlay_session" }
}

/// The name of the cookie for people who are at their provider. Its prefix keeps other subdomains from setting it, which would
/// sign a person in as another.
fn departure_name(app: &App) -> &'static str {
    if secure(app) { "__Host-inlay_departure" } else { "inlay_departure" }
}

/// The name of the cookie with the providers that this browser signed in with.
fn providers_name(app: &App) -> &'static str {
    if secure(app) { "__Host-inlay_providers" } else { "inlay_providers" }
}

/// The name of the cookie with the browser's mark.
fn device_name(app: &App) -> &'static str {
    if secure(app) { "__Host-inlay_device" } else { "inlay_device" }
}

fn attributes(app: &App) -> &'static str {
    if secure(app) { "; Path=/; HttpOnly; SameSite=Lax; Secure" } else { "; Path=/; HttpOnly; SameSite=Lax" }
}

fn header(text: String) -> HeaderValue {
    // Names and values are built here and hold only plain letters.
    HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static(""))
}

/// Sets the session's secret.
pub fn session(app: &App, secret: &str) -> HeaderValue {
    let lasts = app.settings.console.longest().as_secs();
    header(format!("{}={secret}; Max-Age={lasts}{}", session_name(app), attributes(app)))
}

/// Removes the session's secret.
pub fn no_session(app: &App) -> HeaderValue {
    header(format!("{}=; Max-Age=0{}", session_name(app), attributes(app)))
}

/// Stores a notice for the next page.
pub fn notice(app: &App, text: &str) -> HeaderValue {
    header(format!("{NOTICE}={}; Max-Age=60{}", utf8_percent_encode(text, NON_ALPHANUMERIC), attributes(app)))
}

/// Removes the notice.
pub fn no_notice(app: &App) -> HeaderValue {
    header(format!("{NOTICE}=; Max-Age=0{}", attributes(app)))
}

/// Stores the state of a sign-in while the person is at their organization's provider.
pub fn departure(app: &App, kept: &str) -> HeaderValue {
    header(format!("{}={kept}; Max-Age=600{}", departure_name(app), attributes(app)))
}

/// Removes the state.
pub fn no_departure(app: &App) -> HeaderValue {
    header(format!("{}=; Max-Age=0{}", departure_name(app), attributes(app)))
}

/// The state in a request.
pub fn departure_of(app: &App, headers: &HeaderMap) -> Option<String> {
    find(headers, departure_name(app)).map(str::to_owned)
}

/// Stores the providers that this browser signed in with, most recent first. Their ids are not secret and give no access.
pub fn providers(app: &App, ids: &[Uuid]) -> HeaderValue {
    let ids = ids.iter().take(MOST_PROVIDERS).map(|id| id.simple().to_string()).collect::<Vec<_>>().join(".");
    header(format!("{}={ids}; Max-Age={REMEMBERED_FOR}{}", providers_name(app), attributes(app)))
}

/// Removes the providers.
pub fn no_providers(app: &App) -> HeaderValue {
    header(format!("{}=; Max-Age=0{}", providers_name(app), attributes(app)))
}

/// The providers in a request.
pub fn providers_of(app: &App, headers: &HeaderMap) -> Vec<Uuid> {
    let ids = find(headers, providers_name(app)).unwrap_or_default().split('.');
    ids.filter_map(|id| Uuid::try_parse(id).ok()).take(MOST_PROVIDERS).collect()
}

/// Marks the browser as one that an account signed in with.
pub fn device(app: &App, mark: &str) -> HeaderValue {
    header(format!("{}={mark}; Max-Age={}{}", device_name(app), KNOWN_FOR.as_secs(), attributes(app)))
}

/// The browser's mark in a request.
pub fn device_of<'h>(app: &App, headers: &'h HeaderMap) -> Option<&'h str> {
    find(headers, device_name(app))
}

/// The session's secret in a request.
pub fn session_of(app: &App, headers: &HeaderMap) -> Option<String> {
    find(headers, session_name(app)).filter(|secret| !secret.is_empty()).map(str::to_owned)
}

/// The notice in a request.
pub fn notice_of(headers: &HeaderMap) -> Option<String> {
    let text = find(headers, NOTICE).filter(|text| !text.is_empty())?;
    Some(percent_decode_str(text).decode_utf8_lossy().into_owned())
}

fn find<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let all = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(';'));
    all.filter_map(|pair| pair.trim().split_once('=')).find(|(known, _)| *known == name).map(|(_, value)| value)
}
