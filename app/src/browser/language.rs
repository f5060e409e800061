//! Formats numbers in the viewer's language and lowers letters, with the browser's own tables.

use wasm_bindgen::{JsCast, JsValue};

/// Groups a number's digits. Returns `None` if the browser does not know the language.
pub fn number(value: f64, locale: &str) -> Option<String> {
    let number = JsValue::from_f64(value);
    let method = js_sys::Reflect::get(&js_sys::Object::from(js_sys::Number::from(value)), &"toLocaleString".into()).ok()?;
    let options = js_sys::Object::new();
    js_sys::Reflect::set(&options, &"maximumFractionDigits".into(), &6.into()).ok()?;
    method.dyn_into::<js_sys::Function>().ok()?.call2(&number, &locale.into(), &options).ok()?.as_string()
}

/// A text in lower case. The browser's tables of letters need not be part of the wasm.
#[cfg(target_arch = "wasm32")]
#[must_use]
pub fn lower_case(text: &str) -> String {
    js_sys::JsString::from(text).to_lower_case().into()
}

/// A text in lower case.
#[cfg(not(target_arch = "wasm32"))]
#[must_use]
pub fn lower_case(text: &str) -> String {
    text.to_lowercase()
}
