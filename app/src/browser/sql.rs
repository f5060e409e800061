//! The field for SQL by hand: a bundle of its own, loaded when the chart builder shows the field.

use serde_json::json;
use wasm_bindgen::{JsValue, closure::Closure, prelude::wasm_bindgen};
use web_sys::HtmlTextAreaElement;

use inlay_contract::edit::OfferedSource;

#[wasm_bindgen]
extern "C" {
    /// A field that stands on the page.
    pub type Field;

    /// Set by the page's boot script: imports the bundle and puts the field in the place of a plain one.
    #[wasm_bindgen(js_name = inlayMountSql, catch)]
    async fn mount_sql(area: &HtmlTextAreaElement, offered: &str, changed: &JsValue) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method)]
    fn offer(this: &Field, offered: &str);

    /// Takes the field off the page; the plain one is back.
    #[wasm_bindgen(method)]
    pub fn dispose(this: &Field);
}

/// Puts the field in the place of a plain one. `changed` hears of its text.
///
/// # Errors
/// The bundle could not be loaded: the plain field stays.
pub async fn mount(
    area: &HtmlTextAreaElement,
    source: Option<&OfferedSource>,
    changed: impl Fn(String) + 'static,
) -> Result<Field, JsValue> {
    let changed = Closure::<dyn Fn(String)>::new(changed).into_js_value();
    mount_sql(area, &offered(source), &changed).await.map(Into::into)
}

impl Field {
    /// Offers the tables of another connection.
    pub fn of_source(&self, source: Option<&OfferedSource>) {
        self.offer(&offered(source));
    }
}

/// What the field offers: the dialect, tables and columns.
fn offered(source: Option<&OfferedSource>) -> String {
    let tables = source.map(|source| json!(source.tables)).unwrap_or_else(|| json!([]));
    json!({ "dialect": source.map(|source| source.dialect.as_str()), "tables": tables }).to_string()
}
