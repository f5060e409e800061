//! The calls.

use crate::{
    error::{Error, Refusal},
    list::List,
    types::{Application, ChartData, Dashboard, ModelAnswer, Role, SignIn, SignedIn},
};
use reqwest::{
    Method, RequestBuilder, Response, StatusCode,
    header::{AUTHORIZATION, HeaderMap, HeaderValue, RETRY_AFTER},
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::time::Duration;
use uuid::Uuid;

/// The timeout of each attempt.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The number of retries.
const RETRIES: u32 = 2;
/// The wait before the first retry. Each further wait is twice as long.
const FIRST_WAIT: Duration = Duration::from_millis(200);
/// The longest wait within a call. For longer waits, the error is returned.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// A client for a host's server. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Inlay {
    client: reqwest::Client,
    base: String,
    organization: Option<Uuid>,
}

#[derive(Deserialize)]
struct Envelope<T> {
    data: T,
}

/// Whether a call can be repeated safely.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Twice {
    May,
    MustNot,
}

impl Inlay {
    /// A client for the service at `{base_url}`. Keep the key on the server: in no page, no log, no repository.
    ///
    /// # Errors
    /// The key contains characters that are not allowed in a header, or no HTTP client can be created.
    pub fn new(base_url: &str, api_key: &str) -> Result<Self, Error> {
        let mut authorization = HeaderValue::try_from(format!("Bearer {api_key}")).map_err(|_| Error::Key)?;
        authorization.set_sensitive(true);
        let headers = HeaderMap::from_iter([(AUTHORIZATION, authorization)]);
        let client = reqwest::Client::builder().timeout(TIMEOUT).default_headers(headers).build()?;
        Ok(Self { client, base: base_url.trim_end_matches('/').to_owned(), organization: None })
    }

    /// The id of the operator-side organization. Required with a user-scoped key.
    #[must_use]
    pub fn organization(mut self, id: Uuid) -> Self {
        self.organization = Some(id);
        self
    }

    /// Signs a user in: creates or updates customer and user, and returns a token. Take both from your own session.
    ///
    /// # Errors
    /// The service refuses the call or is not reachable. The same holds for every other call.
    pub async fn embed_token(&self, project: Uuid, sign_in: &SignIn) -> Result<SignedIn, Error> {
        let mut body = self.body(json!(sign_in));
        body["projectId"] = json!(project);
        // Repeating it has no further effect.
        self.ask(self.request(Method::POST, "v1/api/projects/embed-token").json(&body), Twice::May).await
    }

    /// The project's roles.
    ///
    /// # Errors
    /// See [`Self::embed_token`].
    pub async fn roles(&self, project: Uuid) -> Result<Vec<Role>, Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Roles {
            user_roles: Vec<Role>,
        }
        let roles: Roles = self.ask(self.get(&format!("v1/api/projects/{project}/user-roles")), Twice::May).await?;
        Ok(roles.user_roles)
    }

    /// Sets or removes a user's role.
    ///
    /// # Errors
    /// See [`Self::embed_token`].
    pub async fn change_role(&self, project: Uuid, project_user: Uuid, role: Option<Uuid>) -> Result<(), Error> {
        let request = self.request(Method::PUT, &format!("v1/api/projects/{project}/users/{project_user}"));
        self.ask::<Value>(request.json(&self.body(json!({ "userRoleId": role }))), Twice::May).await.map(drop)
    }

    /// All applications.
    ///
    /// # Errors
    /// See [`Self::embed_token`].
    pub async fn applications(&self) -> Result<Vec<Application>, Error> {
        self.list("v2/api/applications", "applications").all().await
    }

    /// The shared dashboards of an application.
    ///
    /// # Errors
    /// See [`Self::embed_token`].
    pub async fn dashboards(&self, application: Uuid) -> Result<Vec<Dashboard>, Error> {
        self.each_dashboard(application).all().await
    }

    /// The shared dashboards of an application, one after another.
    #[must_use]
    pub fn each_dashboard(&self, application: Uuid) -> List<'_, Dashboard> {
        self.list(&format!("v2/api/applications/{application}/dashboards"), "dashboards")
    }

    /// The entries of any other list, by its path and the field of the answer that holds them. `?limit=` in the path sets the
    /// size of the parts.
    #[must_use]
    pub fn list<T: DeserializeOwned>(&self, path: &str, field: &str) -> List<'_, T> {
        List::new(self, path, field)
    }

    /// A chart's rows without a page. Only for tables without row rules, since a key is not a user. `filters` has the page's
    /// keys.
    ///
    /// # Errors
    /// See [`Self::embed_token`].
    pub async fn chart_data(
        &self,
        application: Uuid,
        dashboard: Uuid,
        chart: Uuid,
        filters: &Value,
    ) -> Result<ChartData, Error> {
        let path = format!("v2/api/applications/{application}/dashboards/{dashboard}/charts/{chart}/data");
        self.ask(self.request(Method::POST, &path).json(&self.body(json!({ "filters": filters }))), Twice::May).await
    }

    /// The answer to a query of the project's semantic model: an object with `measures`, `dimensions`, `filters` and so on. A key
    /// sees tables without row rules alone; for a user's own rows make a client with the user's token in place of the key.
    ///
    /// # Errors
    /// See [`Self::embed_token`].
    pub async fn query_model(&self, project: Uuid, query: &Value) -> Result<ModelAnswer, Error> {
        let path = format!("v2/api/projects/{project}/query");
        self.ask(self.request(Method::POST, &path).json(&self.body(query.clone())), Twice::May).await
    }

    /// Calls any other endpoint, by method and path. `body` is sent except for `GET` and `DELETE`.
    ///
    /// # Errors
    /// See [`Self::embed_token`].
    pub async fn call<T: DeserializeOwned>(&self, method: Method, path: &str, body: Value) -> Result<T, Error> {
        let path = path.trim_start_matches('/');
        match method {
            Method::GET => self.ask(self.get(path), Twice::May).await,
            Method::DELETE => self.ask(self.request(method, &self.with_organization(path)), Twice::May).await,
            method => self.ask(self.request(method, path).json(&self.body(body)), Twice::MustNot).await,
        }
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}/{path}", self.base))
    }

    fn get(&self, path: &str) -> RequestBuilder {
        self.request(Method::GET, &self.with_organization(path))
    }

    fn with_organization(&self, path: &str) -> String {
        let sign = if path.contains('?') { '&' } else { '?' };
        self.organization.map_or_else(|| path.to_owned(), |id| format!("{path}{sign}organizationId={id}"))
    }

    fn body(&self, mut body: Value) -> Value {
        if let (Some(id), Some(fields)) = (self.organization, body.as_object_mut()) {
            fields.entry("organizationId").or_insert_with(|| json!(id));
        }
        body
    }

    async fn ask<T: DeserializeOwned>(&self, request: RequestBuilder, twice: Twice) -> Result<T, Error> {
        let mut tried = 0;
        loop {
            let Some(attempt) = request.try_clone() else { return read(request.send().await).await };
            let answer = attempt.send().await;
            let Some(pause) = wait(&answer, twice, tried) else { return read(answer).await };
            tokio::time::sleep(pause).await;
            tried += 1;
        }
    }
}

async fn read<T: DeserializeOwned>(answer: reqwest::Result<Response>) -> Result<T, Error> {
    let answer = answer?;
    if !answer.status().is_success() {
        return Err(Box::new(Refusal::read(answer).await).into());
    }
    Ok(answer.json::<Envelope<T>>().await?.data)
}

/// The wait before the next attempt. `None` if the response is final.
fn wait(answer: &reqwest::Result<Response>, twice: Twice, tried: u32) -> Option<Duration> {
    let again = match answer {
        Ok(answer) => match answer.status() {
            StatusCode::TOO_MANY_REQUESTS => true,
            StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT => twice == Twice::May,
            _ => false,
        },
        Err(error) => twice == Twice::May && (error.is_connect() || error.is_timeout() || error.is_request()),
    };
    let asked = answer.as_ref().ok().and_then(|answer| answer.headers().get(RETRY_AFTER)?.to_str().ok()?.parse().ok());
    let pause = asked.map_or(FIRST_WAIT * 2u32.pow(tried), Duration::from_secs);
    (again && tried < RETRIES && pause <= LONGEST_WAIT).then_some(pause)
}
