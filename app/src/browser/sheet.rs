//! The style sheet of conversations. Dashboard pages load it when the viewer opens one.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Element, js_sys::Promise};

/// The style sheet of every page, and the one for conversations beside it.
const OWN: &str = "/inlay.css";
const CONVERSATION: &str = "/workspace.css";

/// Loads the sheet if the page does not have it. If it cannot be loaded, the conversation is shown without styles.
pub async fn conversation() {
    let Some(link) = missing() else { return };
    let loaded = Promise::new(&mut |done, _| {
        let target: &web_sys::EventTarget = &link;
        let _ = target.add_event_listener_with_callback("load", &done);
        let _ = target.add_event_listener_with_callback("error", &done);
        if let Some(head) = document().head() {
            let _ = head.append_child(&link);
        }
    });
    let _ = JsFuture::from(loaded).await;
}

/// A link to the sheet, if the page has none yet.
fn missing() -> Option<Element> {
    let document = document();
    let find = |name: &str| document.query_selector(&format!("link[href$='{name}']")).ok().flatten();
    if find(CONVERSATION).is_some() {
        return None;
    }
    let own = find(OWN)?;
    let link: Element = own.clone_node().ok()?.unchecked_into();
    let address = own.get_attribute("href")?;
    link.set_attribute("href", &format!("{}{CONVERSATION}", address.strip_suffix(OWN)?)).ok()?;
    Some(link)
}
