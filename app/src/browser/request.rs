//! Requests to the page's own server.

use leptos::prelude::window;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, Headers, RequestInit, Response};

/// Posts JSON with a token.
///
/// # Errors
/// The server did not respond.
pub async fn post(path: &str, token: Option<&str>, body: &str, signal: Option<&AbortSignal>) -> Result<Response, JsValue> {
    let headers = Headers::new()?;
    headers.set("content-type", "application/json")?;
    if let Some(token) = token {
        headers.set("authorization", &format!("Bearer {token}"))?;
    }
    let request = RequestInit::new();
    request.set_method("POST");
    request.set_headers(&headers);
    request.set_body(&body.into());
    if signal.is_some() {
        request.set_signal(signal);
    }
    JsFuture::from(window().fetch_with_str_and_init(path, &request)).await?.dyn_into()
}

/// The text of a response. `None` if the connection was lost.
pub async fn text(response: &Response) -> Option<String> {
    JsFuture::from(response.text().ok()?).await.ok()?.as_string()
}
