//! Opens the browser's modal dialogs.

use leptos::prelude::{document, window};
use wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlElement};

/// Opens a dialog over the page. In a frame that is as high as its content, the frame's centre may be out of view, so the
/// dialog opens where the focus was.
pub fn open(dialog: &HtmlDialogElement) {
    let html = document().document_element();
    if html.is_some_and(|html| html.has_attribute("data-auto-height")) {
        let focused = document().active_element().map_or(0.0, |element| element.get_bounding_client_rect().top());
        let top = (focused + window().scroll_y().unwrap_or_default()).max(16.0);
        // Whole pixels: formatting fractions would add code to the wasm.
        let top = top as i32;
        if let Some(element) = dialog.dyn_ref::<HtmlElement>() {
            let _ = element.style().set_property("--dialog-top", &format!("{top}px"));
        }
    }
    // This fails only if the dialog is open already or no longer on the page.
    let _ = dialog.show_modal();
}
