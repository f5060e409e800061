//! The chart library in the browser: a bundle of its own, loaded once when the first chart asks for it.

use wasm_bindgen::{JsValue, prelude::wasm_bindgen};
use web_sys::Element;

#[wasm_bindgen]
extern "C" {
    /// Set by the page's boot script: imports the bundle, which sets `inlayCharts`.
    #[wasm_bindgen(js_name = inlayLoadCharts, catch)]
    async fn load_charts() -> Result<JsValue, JsValue>;

    /// A chart that stands on the page.
    pub type Chart;

    #[wasm_bindgen(js_namespace = inlayCharts, js_name = mount, catch)]
    fn mount_chart(element: &Element, option: &str, settings: &JsValue) -> Result<Chart, JsValue>;

    /// Draws other rows.
    #[wasm_bindgen(method, catch)]
    pub fn update(this: &Chart, option: &str) -> Result<(), JsValue>;

    /// Fits the chart to its element.
    #[wasm_bindgen(method, catch)]
    pub fn resize(this: &Chart) -> Result<(), JsValue>;

    /// Takes the chart off the page.
    #[wasm_bindgen(method, catch)]
    pub fn dispose(this: &Chart) -> Result<(), JsValue>;

    /// The drawing as an SVG document.
    #[wasm_bindgen(method, catch)]
    pub fn svg(this: &Chart) -> Result<String, JsValue>;
}

/// Draws a chart in an element, in place of what the server drew there.
///
/// # Errors
/// The bundle could not be loaded, or the library refused the option.
pub async fn mount(element: &Element, option: &str, locale: &str) -> Result<Chart, JsValue> {
    load_charts().await?;
    let settings = js_sys::Object::new();
    js_sys::Reflect::set(&settings, &"locale".into(), &locale.into())?;
    mount_chart(element, option, &settings)
}
