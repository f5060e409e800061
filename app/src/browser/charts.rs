//! The chart library in the browser. It is a bundle of its own, loaded when the first chart needs it.

use inlay_contract::chart::mark::Mark;
use js_sys::Promise;
use wasm_bindgen::{JsValue, closure::Closure, prelude::wasm_bindgen};
use wasm_bindgen_futures::future_to_promise;
use web_sys::Element;

#[wasm_bindgen]
extern "C" {
    /// Set by the page's boot script. Imports the bundle, which sets `inlayCharts`.
    #[wasm_bindgen(js_name = inlayLoadCharts, catch)]
    async fn load_charts() -> Result<JsValue, JsValue>;

    /// A chart that is mounted on the page.
    pub type Chart;

    #[wasm_bindgen(js_namespace = inlayCharts, js_name = mount, catch)]
    fn mount_chart(element: &Element, option: &str, settings: &JsValue) -> Result<Chart, JsValue>;

    /// Draws new rows.
    #[wasm_bindgen(method, catch)]
    pub fn update(this: &Chart, option: &str) -> Result<(), JsValue>;

    /// Fits the chart to its element.
    #[wasm_bindgen(method, catch)]
    pub fn resize(this: &Chart) -> Result<(), JsValue>;

    /// Removes the chart from the page.
    #[wasm_bindgen(method, catch)]
    pub fn dispose(this: &Chart) -> Result<(), JsValue>;

    /// Returns the drawing as an SVG document.
    #[wasm_bindgen(method, catch)]
    pub fn svg(this: &Chart) -> Result<String, JsValue>;
}

/// Draws a chart without a click handler. See [`mount_followed`].
pub async fn mount<F>(element: &Element, option: &str, redraw: impl Fn(u32, u32) -> F + 'static) -> Result<Chart, JsValue>
where
    F: Future<Output = Option<String>> + 'static,
{
    mount_followed(element, option, redraw, None::<fn(Mark)>).await
}

/// Draws a chart in an element, in place of the server's drawing. `redraw` asks the server for a picture of another size; it is
/// used for charts whose part of the library loads only when the viewer comes near. `clicked` is called with each mark that is
/// clicked.
///
/// # Errors
/// The bundle could not be loaded, or the library refused the option.
pub async fn mount_followed<F>(
    element: &Element,
    option: &str,
    redraw: impl Fn(u32, u32) -> F + 'static,
    clicked: Option<impl Fn(Mark) + 'static>,
) -> Result<Chart, JsValue>
where
    F: Future<Output = Option<String>> + 'static,
{
    load_charts().await?;
    let redraw = Closure::<dyn Fn(u32, u32) -> Promise>::new(move |width, height| {
        let picture = redraw(width, height);
        future_to_promise(async move { Ok(picture.await.into()) })
    });
    let settings = js_sys::Object::new();
    js_sys::Reflect::set(&settings, &"redraw".into(), &redraw.into_js_value())?;
    if let Some(clicked) = clicked {
        let clicked = Closure::<dyn Fn(JsValue)>::new(move |mark| clicked(read(&mark)));
        js_sys::Reflect::set(&settings, &"onClick".into(), &clicked.into_js_value())?;
    }
    mount_chart(element, option, &settings)
}

fn read(mark: &JsValue) -> Mark {
    let field = |name: &str| js_sys::Reflect::get(mark, &name.into()).ok();
    let text = |name: &str| field(name).and_then(|value| value.as_string()).unwrap_or_default();
    let moment = field("moment").and_then(|at| at.as_f64()).map(|at| at as i64);
    Mark { row: None, name: text("name"), series: text("series"), moment }
}
