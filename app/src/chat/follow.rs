//! Keeps the newest words of a conversation in view while they come, unless their reader has scrolled up.

use crate::browser::observe;
use leptos::{html, prelude::*};

/// Pixels from the end at which a reader still sees it.
const NEAR_END: i32 = 64;

/// Where a conversation scrolls.
#[derive(Clone, Copy)]
pub struct Follow {
    /// What scrolls.
    pub scroll: NodeRef<html::Div>,
    /// What grows in it.
    pub column: NodeRef<html::Div>,
    follows: StoredValue<bool>,
    /// How far it was scrolled, in pixels: only who goes up wants to stay.
    top: StoredValue<i32>,
}

impl Follow {
    /// Follows a conversation of so many turns; whoever asks wants to see the answer.
    #[must_use]
    pub fn new(turns: impl Fn() -> usize + 'static) -> Self {
        let follow =
            Self { scroll: NodeRef::new(), column: NodeRef::new(), follows: StoredValue::new(true), top: StoredValue::new(0) };
        observe::size(follow.column, move || {
            if follow.follows.try_get_value() == Some(true) {
                follow.to_end();
            }
        });
        Effect::new(move |before: Option<usize>| {
            let count = turns();
            if before.is_some_and(|before| count > before) {
                follow.follows.set_value(true);
                request_animation_frame(move || follow.to_end());
            }
            count
        });
        follow
    }

    /// The view was scrolled, by its reader or by what comes.
    pub fn scrolled(self) {
        let Some(element) = self.scroll.get_untracked() else { return };
        let (top, before) = (element.scroll_top(), self.top.get_value());
        self.top.set_value(top);
        if element.scroll_height() - top - element.client_height() < NEAR_END {
            self.follows.set_value(true);
        } else if top < before {
            self.follows.set_value(false);
        }
    }

    fn to_end(self) {
        if let Some(Some(element)) = self.scroll.try_get_untracked() {
            element.set_scroll_top(element.scroll_height());
        }
    }
}
