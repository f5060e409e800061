//! Downloads of files that the page creates.

use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, CanvasRenderingContext2d, HtmlAnchorElement, HtmlCanvasElement, HtmlImageElement, Url};

/// Pixels of an image per CSS pixel of the chart.
const SCALE: f64 = 2.0;

/// Downloads a text file.
pub fn text(name: &str, media_type: &str, text: &str) {
    let options = BlobPropertyBag::new();
    options.set_type(media_type);
    let parts = js_sys::Array::of1(&JsValue::from_str(text));
    if let Ok(blob) = Blob::new_with_str_sequence_and_options(&parts, &options) {
        offer(name, &blob);
    }
}

/// Downloads a file from base64. Does nothing if the base64 is not valid.
pub fn bytes(name: &str, media_type: &str, base64: &str) {
    let Ok(binary) = window().atob(base64) else { return };
    // Each character of this text is one byte.
    let bytes: Vec<u8> = binary.chars().map(|letter| letter as u32 as u8).collect();
    let options = BlobPropertyBag::new();
    options.set_type(media_type);
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes.as_slice()));
    if let Ok(blob) = Blob::new_with_u8_array_sequence_and_options(&parts, &options) {
        offer(name, &blob);
    }
}

fn offer(name: &str, blob: &Blob) {
    if let Ok(address) = Url::create_object_url_with_blob(blob) {
        save(name, &address);
        let _ = Url::revoke_object_url(&address);
    }
}

/// Downloads an SVG drawing, which states its own size, as a PNG. If the browser cannot create one, downloads the SVG.
pub async fn picture(name: &str, svg: &str) {
    match png(svg).await {
        Ok(address) => save(&format!("{name}.png"), &address),
        Err(_) => text(&format!("{name}.svg"), "image/svg+xml", svg),
    }
}

async fn png(svg: &str) -> Result<String, JsValue> {
    let image = HtmlImageElement::new()?;
    image.set_src(&format!("data:image/svg+xml;charset=utf-8,{}", js_sys::encode_uri_component(svg)));
    JsFuture::from(image.decode()).await?;
    let (width, height) = (f64::from(image.natural_width()), f64::from(image.natural_height()));
    let canvas: HtmlCanvasElement = document().create_element("canvas")?.unchecked_into();
    canvas.set_width((width * SCALE) as u32);
    canvas.set_height((height * SCALE) as u32);
    let context: CanvasRenderingContext2d = canvas.get_context("2d")?.ok_or(JsValue::NULL)?.unchecked_into();
    context.set_fill_style_str(&ground());
    context.fill_rect(0.0, 0.0, width * SCALE, height * SCALE);
    context.draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, width * SCALE, height * SCALE)?;
    canvas.to_data_url_with_type("image/png")
}

/// The background colour of cards in the page's theme.
fn ground() -> String {
    let style = document().document_element().and_then(|html| window().get_computed_style(&html).ok().flatten());
    style.and_then(|style| style.get_property_value("--surface-raised").ok()).unwrap_or_default()
}

fn save(name: &str, address: &str) {
    let Ok(link) = document().create_element("a") else { return };
    let link: HtmlAnchorElement = link.unchecked_into();
    link.set_href(address);
    link.set_download(name);
    link.click();
}
