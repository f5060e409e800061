//! Observes an element's size.

use crate::ui::effect::effect;
use leptos::{html, prelude::*};
use send_wrapper::SendWrapper;
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::ResizeObserver;

/// Calls `changed` whenever the element's size changes, while the component is mounted.
pub fn size(node: NodeRef<html::Div>, changed: impl Fn() + Clone + 'static) {
    effect(move || {
        let Some(element) = node.get() else { return };
        let changed = changed.clone();
        let callback = Closure::<dyn FnMut()>::new(changed);
        let Ok(observer) = ResizeObserver::new(callback.as_ref().unchecked_ref()) else { return };
        observer.observe(&element);
        let kept = SendWrapper::new((observer, callback));
        on_cleanup(move || kept.0.disconnect());
    });
}

/// Calls `changed` with the height of the page's content, at once and after each change, while the page is open.
pub fn content_height(changed: impl Fn(u32) + 'static) {
    let Some(content) = document().get_element_by_id("inlay") else { return };
    let measured = content.clone();
    let callback = Closure::<dyn FnMut()>::new(move || {
        changed(measured.get_bounding_client_rect().height().ceil() as u32);
    });
    if let Ok(observer) = ResizeObserver::new(callback.as_ref().unchecked_ref()) {
        observer.observe(&content);
        callback.forget();
    }
}
