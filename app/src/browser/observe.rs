//! Watching an element's size.

use leptos::{html, prelude::*};
use send_wrapper::SendWrapper;
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::ResizeObserver;

/// Calls back whenever the element's size changes, as long as its component stands.
pub fn size(node: NodeRef<html::Div>, changed: impl Fn() + Clone + 'static) {
    Effect::new(move |_| {
        let Some(element) = node.get() else { return };
        let changed = changed.clone();
        let callback = Closure::<dyn FnMut()>::new(move || changed());
        let Ok(observer) = ResizeObserver::new(callback.as_ref().unchecked_ref()) else { return };
        observer.observe(&element);
        let kept = SendWrapper::new((observer, callback));
        on_cleanup(move || kept.0.disconnect());
    });
}
