//! Keeps the keyboard's focus and the mouse's clicks where they are while the form's lists are drawn anew after each change.

use crate::browser::focus;
use gloo_timers::callback::Timeout;
use leptos::{ev, html, prelude::*};
use std::cell::{Cell, RefCell};
use wasm_bindgen::JsCast;
use web_sys::{Element, FocusEvent, KeyboardEvent, Node};

/// Milliseconds between two looks at whether the mouse is up again.
const EVERY: u32 = 20;
/// A click that takes longer than a second is none.
const MOST_LOOKS: u32 = 50;
const CONTROLS: &str = "input, select, textarea, button";

thread_local! {
    /// Whether a button of the mouse is down.
    static IS_DOWN: Cell<bool> = const { Cell::new(false) };
    /// The changes that wait for the end of a click.
    static WAITING: RefCell<Vec<Box<dyn FnOnce()>>> = const { RefCell::new(Vec::new()) };
}

/// The focus within a form, by the place of its control among all.
#[derive(Clone, Copy)]
pub struct Steady {
    form: NodeRef<html::Div>,
    at: StoredValue<Option<usize>>,
    /// Where the tab key leads: one control on, or one back.
    towards: StoredValue<isize>,
}

impl Steady {
    /// Watches a form.
    #[must_use]
    pub fn of(form: NodeRef<html::Div>) -> Self {
        let up = |_: ev::PointerEvent| {
            Timeout::new(0, || IS_DOWN.set(false)).forget();
        };
        for released in [window_event_listener(ev::pointerup, up), window_event_listener(ev::pointercancel, up)] {
            on_cleanup(move || released.remove());
        }
        on_cleanup(|| IS_DOWN.set(false));
        Self { form, at: StoredValue::new(None), towards: StoredValue::new(0) }
    }

    fn controls(self) -> Vec<Element> {
        let found = focus::element(self.form).and_then(|form| form.query_selector_all(CONTROLS).ok());
        let all = |found: web_sys::NodeList| (0..found.length()).filter_map(move |at| found.item(at)?.dyn_into().ok());
        found.into_iter().flat_map(all).collect()
    }

    /// The focus came to a control.
    pub fn came(self, event: &FocusEvent) {
        let control = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        self.at.set_value(self.controls().into_iter().position(|one| Some(one) == control));
    }

    /// The focus left a control: by hand, unless the control is no longer there.
    pub fn left(self, event: &FocusEvent) {
        let is_there = event.target().and_then(|target| target.dyn_into::<Node>().ok()).is_some_and(|node| node.is_connected());
        if is_there && event.related_target().is_none() && IS_DOWN.get() {
            self.at.set_value(None);
        }
    }

    /// A key goes down.
    pub fn pressed(self, event: &KeyboardEvent) {
        self.towards.set_value(match (event.key().as_str(), event.shift_key()) {
            ("Tab", false) => 1,
            ("Tab", true) => -1,
            _ => 0,
        });
    }

    /// Gives the focus back to the control at its place, once the lists are drawn.
    pub fn restore(self) {
        let back = move || {
            let (Some(Some(at)), Some(towards)) = (self.at.try_get_value(), self.towards.try_get_value()) else { return };
            let controls = self.controls();
            let last = controls.len().saturating_sub(1);
            let to = at.checked_add_signed(towards).unwrap_or_default().min(last);
            if let Some(control) = controls.get(to)
                && focus::is_lost()
            {
                focus::give(control);
            }
            let _ = self.towards.try_set_value(0);
        };
        Timeout::new(0, back).forget();
    }
}

/// A button of the mouse goes down.
pub fn mouse_down() {
    IS_DOWN.set(true);
}

/// Makes a change of what was typed, but not between the two halves of the click that ended the typing: the form that is drawn anew
/// would swallow it. What the click itself changes comes after it.
pub fn after_click(change: impl FnOnce() + 'static) {
    if !IS_DOWN.get() {
        return change();
    }
    WAITING.with_borrow_mut(|waiting| waiting.push(Box::new(change)));
    look_again(MOST_LOOKS);
}

fn look_again(left: u32) {
    let look = move || if IS_DOWN.get() && left > 0 { look_again(left - 1) } else { flush() };
    Timeout::new(EVERY, look).forget();
}

/// Makes the changes that wait.
pub fn flush() {
    for change in WAITING.take() {
        change();
    }
}
