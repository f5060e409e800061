//! An example host in Rust: its users sign in and see their own company's figures. Settings: see ../README.md.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program that speaks to its terminal")]

use axum::{
    Json, Router,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{Html, IntoResponse, Redirect, Response},
    routing::{get, post},
};
use inlay_client::{Customer, Inlay, SignIn, User};
use serde_json::json;
use std::{
    collections::HashMap,
    env,
    error::Error,
    sync::{Arc, Mutex, PoisonError},
};
use uuid::Uuid;

/// A user of the shop.
#[derive(Clone, Copy)]
struct Person {
    id: &'static str,
    name: &'static str,
    company: &'static str,
}

const USERS: [Person; 2] =
    [Person { id: "ann", name: "Ann", company: "acme" }, Person { id: "gus", name: "Gus", company: "globex" }];

#[derive(Clone)]
struct Host {
    inlay: Inlay,
    project: Uuid,
    page: Arc<str>,
    /// Session → user. A real host stores them.
    sessions: Arc<Mutex<HashMap<String, Person>>>,
}

impl Host {
    fn from_environment() -> Result<Self, Box<dyn Error>> {
        let url = env::var("INLAY_URL")?;
        let page = include_str!("../../page.html")
            .replace("<!-- embed-url -->", &url)
            .replace("<!-- application -->", &env::var("INLAY_APPLICATION_ID")?);
        Ok(Self {
            inlay: Inlay::new(&url, &env::var("INLAY_API_KEY")?)?,
            project: env::var("INLAY_PROJECT_ID")?.parse()?,
            page: page.into(),
            sessions: Arc::default(),
        })
    }

    fn user(&self, headers: &HeaderMap) -> Option<Person> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner).get(session(headers)?).copied()
    }
}

/// The session in a request's cookie.
fn session(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get(header::COOKIE)?.to_str().ok()?;
    cookies.split("; ").find_map(|cookie| cookie.strip_prefix("session="))
}

fn home(session: &str, age: u32) -> Response {
    let cookie = format!("session={session}; HttpOnly; SameSite=Lax; Path=/; Max-Age={age}");
    ([(header::SET_COOKIE, cookie)], Redirect::to("/")).into_response()
}

async fn index(State(host): State<Host>, headers: HeaderMap) -> impl IntoResponse {
    let page = match host.user(&headers) {
        Some(user) => host.page.replace("<!-- user -->", user.name),
        None => include_str!("../../sign-in.html").to_owned(),
    };
    ([(header::CACHE_CONTROL, "no-store")], Html(page))
}

/// The sign-in form.
async fn sign_in(State(host): State<Host>, form: String) -> Response {
    let Some(user) = USERS.iter().find(|user| form.strip_prefix("user=") == Some(user.id)) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let session = Uuid::new_v4().to_string();
    host.sessions.lock().unwrap_or_else(PoisonError::into_inner).insert(session.clone(), *user);
    home(&session, 86_400)
}

async fn sign_out(State(host): State<Host>, headers: HeaderMap) -> Response {
    if let Some(session) = session(&headers) {
        host.sessions.lock().unwrap_or_else(PoisonError::into_inner).remove(session);
    }
    home("", 0)
}

/// The only call to Inlay. User and company come from the session. The browser gets only the token.
async fn token(State(host): State<Host>, headers: HeaderMap) -> Response {
    let Some(Person { id, name, company }) = host.user(&headers) else { return StatusCode::UNAUTHORIZED.into_response() };
    let customer = Customer::new(company).property("company", company);
    match host.inlay.embed_token(host.project, &SignIn::new(customer, User::new(id).name(name))).await {
        Ok(signed_in) => {
            let body = json!({ "token": signed_in.token, "expiresAt": signed_in.expires_at });
            ([(header::CACHE_CONTROL, "no-store")], Json(body)).into_response()
        }
        Err(error) => {
            // Only for the log: Inlay's messages are for developers.
            eprintln!("Inlay gave no token: {error}");
            StatusCode::BAD_GATEWAY.into_response()
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let host = Host::from_environment()?;
    let routes = Router::new()
        .route("/", get(index))
        .route("/sign-in", post(sign_in))
        .route("/sign-out", post(sign_out))
        .route("/token", post(token))
        .with_state(host);
    let port = env::var("PORT").unwrap_or_else(|_| "4000".to_owned());
    let listener = tokio::net::TcpListener::bind(format!("localhost:{port}")).await?;
    println!("http://localhost:{port}");
    Ok(axum::serve(listener, routes).await?)
}
