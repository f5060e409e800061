//! Keeps the end of a conversation in view while an answer arrives, unless the reader has scrolled up.

use super::turn::Turn;
use crate::browser::observe;
use leptos::{html, prelude::*};

/// Within this many pixels of the end, the reader counts as being there.
const NEAR_END: i32 = 64;

/// The scroll state of a conversation.
#[derive(Clone, Copy)]
pub struct Follow {
    /// The element that scrolls.
    pub scroll: NodeRef<html::Div>,
    /// The element in it that grows.
    pub column: NodeRef<html::Div>,
    follows: StoredValue<bool>,
    /// The last scroll position in pixels. A lower one means that the reader has scrolled up.
    top: StoredValue<i32>,
}

impl Follow {
    /// Follows a conversation. Scrolls to the end when it has a new last turn: a question was asked, or another thread is open.
    #[must_use]
    pub fn new(turns: RwSignal<Vec<Turn>>) -> Self {
        let follow =
            Self { scroll: NodeRef::new(), column: NodeRef::new(), follows: StoredValue::new(true), top: StoredValue::new(0) };
        observe::size(follow.column, move || {
            if follow.follows.try_get_value() == Some(true) {
                follow.to_end();
            }
        });
        // Keys grow, so that a refused question that goes makes no new last turn.
        Effect::new(move |before: Option<Option<u32>>| {
            let last = turns.with(|turns| turns.last().map(|turn| turn.key));
            if before.is_some_and(|before| last > before) {
                follow.follows.set_value(true);
                request_animation_frame(move || follow.to_end());
            }
            last
        });
        follow
    }

    /// Handles a scroll event, whether the reader or new content caused it.
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

    /// Content is about to be added at the beginning: what the reader sees stays where it is.
    pub fn stay(self) {
        let Some(element) = self.scroll.get_untracked() else { return };
        self.follows.set_value(false);
        let to_end = element.scroll_height() - element.scroll_top();
        request_animation_frame(move || {
            if let Some(Some(element)) = self.scroll.try_get_untracked() {
                element.set_scroll_top(element.scroll_height() - to_end);
                self.top.set_value(element.scroll_top());
            }
        });
    }

    fn to_end(self) {
        if let Some(Some(element)) = self.scroll.try_get_untracked() {
            element.set_scroll_top(element.scroll_height());
        }
    }
}
