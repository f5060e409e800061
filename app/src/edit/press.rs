//! A press of the pointer that becomes a drag once the pointer moves away.

use leptos::ev;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// How far the pointer moves until a press is a drag, in CSS pixels.
const AWAY: f64 = 5.0;

/// A press of the pointer on something that can be dragged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Press {
    /// Where it began, in the window.
    from: (f64, f64),
    /// Where the pointer is now, in the window.
    pub pointer: (f64, f64),
    /// Whether it is a drag, and therefore no click.
    pub drags: bool,
}

impl Press {
    /// The pointer goes down on what the event's listener belongs to. `None` for a finger that is not on the handle: it scrolls.
    #[must_use]
    pub fn begin(event: &ev::PointerEvent) -> Option<Self> {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let is_on_grip = || target.and_then(|target| target.closest(".drag-grip").ok().flatten()).is_some();
        if event.button() != 0 || (event.pointer_type() != "mouse" && !is_on_grip()) {
            return None;
        }
        if let Some(element) = event.current_target().and_then(|target| target.dyn_into::<Element>().ok()) {
            let _ = element.set_pointer_capture(event.pointer_id());
        }
        let at = place_of(event);
        Some(Self { from: at, pointer: at, drags: false })
    }

    /// The pointer moves.
    pub fn follow(&mut self, event: &ev::PointerEvent) {
        self.pointer = place_of(event);
        self.drags |= (self.pointer.0 - self.from.0).hypot(self.pointer.1 - self.from.1) > AWAY;
    }
}

fn place_of(event: &ev::PointerEvent) -> (f64, f64) {
    (f64::from(event.client_x()), f64::from(event.client_y()))
}
