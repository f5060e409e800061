//! Every response in a test must match the API description (path, method, status, code and shape), and every accepted request
//! body must be allowed by it.

use super::Reply;
use crate::faces::docs::DOCUMENT;
use axum::http::Method;
use jsonschema::{Validator, options};
use serde_json::Value;
use std::{
    collections::HashMap,
    sync::{LazyLock, Mutex},
};

/// Validators by their path in the document.
static VALIDATORS: LazyLock<Mutex<HashMap<String, &'static Validator>>> = LazyLock::new(Mutex::default);

/// Fails the test when a response of `/v1/api` or `/v2/api` is not described. Unknown paths and methods have no description.
#[track_caller]
pub(crate) fn check(method: &Method, path: &str, sent: Option<&Value>, reply: &Reply) {
    let path = path.split('?').next().unwrap_or_default();
    if !(path.starts_with("/v1/api/") || path.starts_with("/v2/api/")) {
        return;
    }
    let method = method.as_str().to_lowercase();
    let paths = DOCUMENT["paths"].as_object().expect("paths");
    let operation = paths.iter().find(|(template, item)| matches(template, path) && item.get(&method).is_some());
    let Some((template, _)) = operation else {
        assert!(matches!(reply.status.as_u16(), 404 | 405), "{method} {path} is served and not described");
        return;
    };
    let place = |rest: &str| format!("/paths/{}/{method}/{rest}", template.replace('~', "~0").replace('/', "~1"));
    let events = place(&format!("responses/{}/content/text~1event-stream/schema", reply.status.as_u16()));
    if DOCUMENT.pointer(&events).is_some() {
        reply.events().iter().for_each(|event| validate(&events, event));
        return;
    }
    let answer = place(&format!("responses/{}/content/application~1json/schema", reply.status.as_u16()));
    assert!(DOCUMENT.pointer(&answer).is_some(), "{method} {path} answers {} undescribed: {}", reply.status, reply.text);
    validate(&answer, &reply.json());
    if let Some(sent) = sent.filter(|_| reply.status == 200) {
        validate(&place("requestBody/content/application~1json/schema"), sent);
    }
}

fn matches(template: &str, path: &str) -> bool {
    let (mut expected, mut found) = (template.split('/'), path.split('/'));
    loop {
        match (expected.next(), found.next()) {
            (None, None) => return true,
            (Some(expected), Some(found)) if expected.starts_with('{') || expected == found => {}
            _ => return false,
        }
    }
}

#[track_caller]
fn validate(place: &str, value: &Value) {
    let mut validators = VALIDATORS.lock().expect("no test died while it held the lock");
    let validator = *validators.entry(place.to_owned()).or_insert_with(|| {
        let mut schema = DOCUMENT.pointer(place).expect("a schema").clone();
        schema["components"] = DOCUMENT["components"].clone();
        let made = options().should_validate_formats(true).build(&schema).expect("a schema");
        Box::leak(Box::new(made))
    });
    drop(validators);
    if let Err(problem) = validator.validate(value) {
        panic!("{value} at {place}: {problem} ({})", problem.instance_path());
    }
}
