use reqwest::{Client, Method, RequestBuilder, redirect::Policy};
use serde_json::Value;

/// A caller with a credential.
#[derive(Clone, Debug)]
pub struct Api {
    http: Client,
    url: String,
    credential: String,
}

impl Api {
    /// A caller of a server, given by its origin, with a token, a key or an empty credential. Follows no redirects.
    pub fn new(url: &str, credential: &str) -> Self {
        let http = Client::builder().redirect(Policy::none()).build().expect("a client");
        Self { http, url: url.to_owned(), credential: credential.to_owned() }
    }

    /// The same caller with another credential.
    #[must_use]
    pub fn with(&self, credential: &str) -> Self {
        Self { credential: credential.to_owned(), ..self.clone() }
    }

    /// The token or key.
    pub fn credential(&self) -> &str {
        &self.credential
    }

    /// The server's origin.
    pub fn origin(&self) -> &str {
        &self.url
    }

    /// A request to a path, without a credential.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.url))
    }

    /// Calls a path with the credential.
    pub async fn call(&self, method: Method, path: &str, body: Option<&Value>) -> Reply {
        let mut request = self.request(method.clone(), path);
        if !self.credential.is_empty() {
            request = request.bearer_auth(&self.credential);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        Reply::of(request, format!("{method} {path} {}", body.map(Value::to_string).unwrap_or_default())).await
    }

    /// Asks for a path.
    pub async fn get(&self, path: &str) -> Reply {
        self.call(Method::GET, path, None).await
    }

    /// Sends JSON to a path.
    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.call(Method::POST, path, Some(body)).await
    }

    /// Replaces what is at a path.
    pub async fn put(&self, path: &str, body: &Value) -> Reply {
        self.call(Method::PUT, path, Some(body)).await
    }

    /// Deletes what is at a path.
    pub async fn delete(&self, path: &str) -> Reply {
        self.call(Method::DELETE, path, None).await
    }
}

/// A response.
#[derive(Debug)]
pub struct Reply {
    /// Its status.
    pub status: u16,
    /// Its text.
    pub text: String,
    /// The target of a redirect.
    pub location: Option<String>,
    /// The cookies that it sets, without their attributes.
    pub cookies: Vec<String>,
    asked: String,
}

impl Reply {
    /// The response to a request, which `asked` describes for failures.
    pub async fn of(request: RequestBuilder, asked: String) -> Self {
        let response = request.send().await.unwrap_or_else(|problem| panic!("{asked}: {problem:?}"));
        let header = |name: &str| {
            let all = response.headers().get_all(name).iter().filter_map(|value| value.to_str().ok().map(str::to_owned));
            all.collect::<Vec<String>>()
        };
        let first = |cookie: String| cookie.split(';').next().unwrap_or_default().to_owned();
        let cookies = header("set-cookie").into_iter().map(first).collect();
        let (status, location) = (response.status().as_u16(), header("location").pop());
        Self { status, location, cookies, text: response.text().await.expect("a body"), asked }
    }

    /// Its JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|problem| panic!("{}: {problem}: {}", self.asked, self.text))
    }

    /// The data of a success.
    #[track_caller]
    pub fn data(&self) -> Value {
        assert_eq!(self.status, 200, "{}: {}", self.asked, self.text);
        self.json()["data"].clone()
    }

    /// The error of a refusal with exactly this status and code.
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.status, status, "{}: {}", self.asked, self.text);
        let error = self.json()["error"].clone();
        assert_eq!(error["code"], code, "{}: {}", self.asked, self.text);
        error
    }
}

/// A text of an answer.
#[track_caller]
pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

/// The texts of a list.
#[track_caller]
pub fn texts(value: &Value) -> Vec<String> {
    list(value).iter().map(text).collect()
}

/// A list of an answer.
#[track_caller]
pub fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list"))
}
