//! Whether the page is visible.

use leptos::prelude::*;
use std::{cell::RefCell, rc::Rc};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{IntersectionObserver, IntersectionObserverEntry, js_sys::Array};

/// Calls `seen` once, when the page's content becomes visible. In a frame that is hidden or scrolled out of view it waits.
pub fn when_seen(seen: impl FnOnce() + 'static) {
    let Some(content) = document().get_element_by_id("inlay") else { return };
    let seen = RefCell::new(Some(seen));
    let own = Rc::new(RefCell::new(None::<IntersectionObserver>));
    let observer = Rc::clone(&own);
    let callback = Closure::<dyn FnMut(Array)>::new(move |entries: Array| {
        let visible = |entry| JsCast::unchecked_into::<IntersectionObserverEntry>(entry).is_intersecting();
        if entries.iter().any(visible)
            && let Some(seen) = seen.take()
        {
            if let Some(observer) = observer.borrow().as_ref() {
                observer.disconnect();
            }
            seen();
        }
    });
    if let Ok(observer) = IntersectionObserver::new(callback.as_ref().unchecked_ref()) {
        observer.observe(&content);
        *own.borrow_mut() = Some(observer);
        callback.forget();
    }
}
