//! Times of day, as the browser's user reads them.

use js_sys::Date;
use wasm_bindgen::JsValue;

/// The time now, as `14:05`.
#[must_use]
pub fn now() -> String {
    time_of_day(&Date::new_0())
}

/// A moment in RFC 3339: its time of day, and its date with the time.
#[must_use]
pub fn of(moment: &str) -> (String, String) {
    let date = Date::new(&JsValue::from_str(moment));
    (time_of_day(&date), date.to_locale_string("default", &JsValue::UNDEFINED).into())
}

fn time_of_day(date: &Date) -> String {
    format!("{:02}:{:02}", date.get_hours(), date.get_minutes())
}
