//! The SQL editor of the chart builder. It is a bundle of its own, loaded when the editor is shown.

use serde_json::json;
use wasm_bindgen::{JsValue, closure::Closure, prelude::wasm_bindgen};
use web_sys::HtmlTextAreaElement;

use inlay_contract::edit::OfferedSource;

#[wasm_bindgen]
extern "C" {
    /// An SQL editor that is mounted on the page.
    pub type Field;

    /// Set by the page's boot script. Imports the bundle and replaces a text area with the editor.
    #[wasm_bindgen(js_name = inlayMountSql, catch)]
    async fn mount_sql(area: &HtmlTextAreaElement, offered: &str, changed: &JsValue) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method)]
    fn offer(this: &Field, offered: &str);

    /// Removes the editor from the page. The text area is shown again.
    #[wasm_bindgen(method)]
    pub fn dispose(this: &Field);
}

/// Replaces a text area with the editor. `changed` is called with its text.
///
/// # Errors
/// The bundle could not be loaded. The text area stays.
pub async fn mount(
    area: &HtmlTextAreaElement,
    source: Option<&OfferedSource>,
    changed: impl Fn(String) + 'static,
) -> Result<Field, JsValue> {
    let changed = Closure::<dyn Fn(String)>::new(changed).into_js_value();
    mount_sql(area, &offered(source), &changed).await.map(Into::into)
}

impl Field {
    /// Completes with the tables of another connection.
    pub fn of_source(&self, source: Option<&OfferedSource>) {
        self.offer(&offered(source));
    }
}

/// What the editor completes with: the dialect, tables and columns.
fn offered(source: Option<&OfferedSource>) -> String {
    let tables = source.map(|source| json!(source.tables)).unwrap_or_else(|| json!([]));
    json!({ "dialect": source.map(|source| source.dialect.as_str()), "tables": tables }).to_string()
}
