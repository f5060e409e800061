//! A small browser: it keeps cookies, follows redirects and sends forms with their hidden fields.

use crate::{
    concepts::organizations::{self, MemberRole, password},
    testing::{Reply, World},
};
use axum::{
    body::Body,
    http::{Method, Request},
};
use std::collections::BTreeMap;
use url::form_urlencoded;

/// A valid password.
pub(in crate::faces::console) const PASSWORD: &str = "correct horse battery";

/// A browser.
pub(in crate::faces::console) struct Browser<'w> {
    pub(in crate::faces::console) world: &'w World,
    cookies: BTreeMap<String, String>,
    /// The value of its `Origin` header.
    pub(in crate::faces::console) origin: String,
}

impl<'w> Browser<'w> {
    /// A browser without cookies.
    pub(in crate::faces::console) fn new(world: &'w World) -> Self {
        Self { world, cookies: BTreeMap::new(), origin: world.app.base_url.clone() }
    }

    /// A browser with a signed-in member of this role.
    pub(in crate::faces::console) async fn signed_in(world: &'w World, role: MemberRole) -> Self {
        let email = format!("{}-{}@example.test", role.name(), uuid::Uuid::now_v7().simple());
        member(world, &email, role).await;
        let mut browser = Self::new(world);
        let reply = browser.post("/console/sign-in", &[("email", &email), ("password", PASSWORD)]).await;
        assert_eq!(reply.status, 303, "{}", reply.text);
        browser
    }

    /// A browser with a signed-in owner of another organization.
    pub(in crate::faces::console) async fn stranger(world: &'w World) -> Self {
        let email = format!("stranger-{}@example.test", uuid::Uuid::now_v7().simple());
        let hash = password::hash(PASSWORD).expect("hashed");
        let mut tx = world.app.db.write().await.expect("a transaction");
        let elsewhere = organizations::create(&mut tx.conn(), "Elsewhere").await.expect("an organization");
        organizations::put_member(&mut tx.conn(), elsewhere, &email, MemberRole::Owner, Some(&hash)).await.expect("a member");
        tx.commit().await.expect("committed");
        let mut browser = Self::new(world);
        browser.post("/console/sign-in", &[("email", &email), ("password", PASSWORD)]).await;
        browser
    }

    /// Opens a page.
    pub(in crate::faces::console) async fn get(&mut self, path: &str) -> Reply {
        let request = Request::builder().uri(path).header("cookie", self.cookie());
        self.exchange(request.body(Body::empty()).expect("a request")).await
    }

    /// Opens a page with a referrer.
    pub(in crate::faces::console) async fn get_from(&mut self, path: &str, referer: &str) -> Reply {
        let request = Request::builder().uri(path).header("cookie", self.cookie()).header("referer", referer);
        self.exchange(request.body(Body::empty()).expect("a request")).await
    }

    /// Sends a form.
    pub(in crate::faces::console) async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let request = Request::builder().method(Method::POST).uri(path).header("cookie", self.cookie());
        let request = request.header("content-type", "application/x-www-form-urlencoded").header("origin", &self.origin);
        self.exchange(request.body(Body::from(body)).expect("a request")).await
    }

    /// Sends a form with this session's CSRF token.
    pub(in crate::faces::console) async fn submit(&mut self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let token = self.token().await;
        let mut all = vec![("csrf", token.as_str())];
        all.extend_from_slice(fields);
        self.post(path, &all).await
    }

    /// Sends a form as its page renders it, with some fields changed.
    pub(in crate::faces::console) async fn save(&mut self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let page = self.get(path).await.text;
        let seen = page.split_once("name=\"seen\" value=\"").and_then(|(_, rest)| rest.split('"').next()).unwrap_or_default();
        let mut all = vec![("seen", seen)];
        all.extend_from_slice(fields);
        self.submit(path, &all).await
    }

    /// Sends a form with a file. It adds the session's CSRF token unless the fields have one.
    pub(in crate::faces::console) async fn upload(
        &mut self,
        path: &str,
        fields: &[(&str, &str)],
        file: (&str, &[u8]),
    ) -> Reply {
        let token = self.token().await;
        let mut all = BTreeMap::from([("csrf", token.as_str())]);
        all.extend(fields.iter().copied());
        let mut body = Vec::new();
        let mut part = |head: String, value: &[u8]| {
            body.extend(format!("--part\r\ncontent-disposition: form-data; {head}\r\n\r\n").into_bytes());
            body.extend([value, b"\r\n"].concat());
        };
        for (name, value) in all {
            part(format!("name=\"{name}\""), value.as_bytes());
        }
        part(format!("name=\"{}\"; filename=\"a file\"", file.0), file.1);
        body.extend(b"--part--\r\n");
        let request = Request::builder().method(Method::POST).uri(path).header("cookie", self.cookie());
        let request = request.header("content-type", "multipart/form-data; boundary=part").header("origin", &self.origin);
        self.exchange(request.body(Body::from(body)).expect("a request")).await
    }

    /// The CSRF token of this session.
    pub(in crate::faces::console) async fn token(&mut self) -> String {
        let page = self.get("/console/account").await;
        let (_, rest) = page.text.split_once("name=\"csrf\" value=\"").expect("a form");
        rest.split('"').next().expect("a value").to_owned()
    }

    /// The session's secret.
    pub(in crate::faces::console) fn session(&self) -> Option<&String> {
        self.cookies.get("inlay_session")
    }

    fn cookie(&self) -> String {
        self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
    }

    async fn exchange(&mut self, request: Request<Body>) -> Reply {
        let reply = self.world.send(request).await;
        for cookie in reply.headers.get_all("set-cookie") {
            let text = cookie.to_str().expect("text");
            let (name, rest) = text.split_once('=').expect("a pair");
            let value = rest.split(';').next().unwrap_or_default();
            if text.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        reply
    }
}

/// Creates a member with [`PASSWORD`].
pub(in crate::faces::console) async fn member(world: &World, email: &str, role: MemberRole) {
    let hash = password::hash(PASSWORD).expect("hashed");
    let mut tx = world.app.db.write().await.expect("a transaction");
    organizations::put_member(&mut tx.conn(), world.organization, email, role, Some(&hash)).await.expect("a member");
    tx.commit().await.expect("committed");
    world.app.refresh().await.expect("refreshed");
}

/// The target of a redirect.
pub(in crate::faces::console) fn target(reply: &Reply) -> &str {
    assert_eq!(reply.status, 303, "{}", reply.text);
    reply.headers.get("location").and_then(|target| target.to_str().ok()).expect("a target")
}
