//! The host page around this frame.

use crate::frame::throttle::{MessageThrottle, REST};
use gloo_timers::callback::Timeout;
use inlay_contract::frame::message::In;
use leptos::prelude::*;
use std::{cell::RefCell, rc::Rc};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{MessageEvent, Window};

/// The window around this frame. `None` if the page is not framed.
fn parent() -> Option<Window> {
    let own = window();
    own.parent().ok().flatten().filter(|parent| JsValue::from(parent) != JsValue::from(&own))
}

/// Posts a message to the host. Only a page of this origin receives it.
pub fn post(origin: &str, message: &str) {
    if let (Some(parent), Ok(message)) = (parent(), js_sys::JSON::parse(message)) {
        // This fails only for an invalid origin, which the server rejects before.
        let _ = parent.post_message(&message, origin);
    }
}

/// Listens to messages that this frame's parent sends from that origin, while the page is open. Of several filters that arrive
/// at once, only the last are handled.
pub fn listen(origin: String, received: impl Fn(In) + 'static) {
    let hearing = Rc::new(Hearing { throttle: RefCell::default(), received: Box::new(received) });
    let listener = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let from_parent = event.source().is_some_and(|source| parent().is_some_and(|parent| *source == JsValue::from(parent)));
        if from_parent
            && event.origin() == origin
            && let Some(message) = message(&event.data())
        {
            let heard = hearing.throttle.borrow_mut().came(message);
            hear(&hearing, heard);
        }
    });
    if window().add_event_listener_with_callback("message", listener.as_ref().unchecked_ref()).is_ok() {
        listener.forget();
    }
}

/// The listener, and the messages that wait.
struct Hearing {
    throttle: RefCell<MessageThrottle>,
    received: Box<dyn Fn(In)>,
}

/// Handles a message, and after the rest period the next one that arrived during it.
fn hear(hearing: &Rc<Hearing>, message: Option<In>) {
    let Some(message) = message else { return };
    (hearing.received)(message.clone());
    let hearing = Rc::clone(hearing);
    let next = move || {
        let next = hearing.throttle.borrow_mut().rested(&message);
        hear(&hearing, next);
    };
    Timeout::new(REST, next).forget();
}

/// Parses a posted message.
fn message(data: &JsValue) -> Option<In> {
    if !data.is_object() {
        return None;
    }
    let field = |name: &str| js_sys::Reflect::get(data, &name.into()).ok();
    let version = field("v").and_then(|value| value.as_f64());
    In::read(version, |name| field(name).and_then(|value| value.as_string()))
}

/// Milliseconds since this page began to load.
pub fn now() -> f64 {
    window().performance().map(|performance| performance.now()).unwrap_or_default()
}
