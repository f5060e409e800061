//! Moving the keyboard's focus.

use leptos::{ev, html::ElementType, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, Node, ScrollIntoViewOptions, ScrollLogicalPosition};

/// A direction within a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// The first item.
    First,
    /// The last item.
    Last,
    /// The next item; after the last comes the first.
    Next,
    /// The previous item; before the first comes the last.
    Previous,
}

impl Move {
    /// The move of a key in a vertical list.
    #[must_use]
    pub fn of_key(key: &str) -> Option<Self> {
        match key {
            "Home" => Some(Self::First),
            "End" => Some(Self::Last),
            "ArrowDown" => Some(Self::Next),
            "ArrowUp" => Some(Self::Previous),
            _ => None,
        }
    }

    /// The move of a key in a row of tabs. `mirrored`: the row runs from right to left.
    #[must_use]
    pub fn of_key_in_row(key: &str, mirrored: bool) -> Option<Self> {
        match key {
            "ArrowRight" | "ArrowLeft" => Some(if (key == "ArrowRight") == mirrored { Self::Previous } else { Self::Next }),
            "Home" | "End" => Self::of_key(key),
            _ => None,
        }
    }

    /// The new position among `count` items, starting at `current`.
    #[must_use]
    pub fn from(self, current: Option<usize>, count: usize) -> Option<usize> {
        let last = count.checked_sub(1)?;
        Some(match (self, current) {
            (Self::First, _) | (Self::Next, None) => 0,
            (Self::Last, _) | (Self::Previous, None | Some(0)) => last,
            (Self::Next, Some(current)) => {
                if current >= last {
                    0
                } else {
                    current + 1
                }
            }
            (Self::Previous, Some(current)) => current.min(count) - 1,
        })
    }
}

/// Focuses an element.
pub fn on<E>(node: NodeRef<E>)
where
    E: ElementType,
    E::Output: JsCast + Clone + 'static,
{
    if let Some(element) = element(node) {
        give(&element);
    }
}

/// Focuses the element inside another that matches a selector, if nothing has the focus: the element that had it was drawn
/// again.
pub fn back_to<E>(inside: NodeRef<E>, selector: &'static str)
where
    E: ElementType,
    E::Output: JsCast + Clone + 'static,
{
    let found = element(inside).and_then(|inside| inside.query_selector(selector).ok().flatten());
    if let Some(found) = found.filter(|_| is_lost()) {
        give(&found);
    }
}

/// Whether nothing has the focus: the element that had it is gone. An open dialog then has it.
#[must_use]
pub fn is_lost() -> bool {
    let is_none = |active: Element| active.tag_name() == "BODY" || active.tag_name() == "DIALOG";
    document().active_element().is_none_or(is_none)
}

/// Whether an element that matches a selector has the focus, or a part of it.
#[must_use]
pub fn is_within(selector: &str) -> bool {
    document().active_element().and_then(|active| active.closest(selector).ok().flatten()).is_some()
}

/// Focuses an element.
pub fn give(element: &Element) {
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        let _ = element.focus();
    }
}

/// The element of a reference, if it is on the page.
pub fn element<E>(node: NodeRef<E>) -> Option<Element>
where
    E: ElementType,
    E::Output: JsCast + Clone + 'static,
{
    node.get_untracked().map(|element| element.unchecked_into())
}

/// Moves the focus among the visible elements of a list that match a selector. It happens at once, so that the next key finds the
/// focus there, however long the browser takes to draw.
pub fn in_list<E>(list: NodeRef<E>, selector: &'static str, towards: Move)
where
    E: ElementType,
    E::Output: JsCast + Clone + 'static,
{
    let Some(found) = element(list).and_then(|list| list.query_selector_all(selector).ok()) else { return };
    let items = (0..found.length()).filter_map(|at| found.item(at)?.dyn_into::<HtmlElement>().ok());
    let items: Vec<HtmlElement> = items.filter(|item| item.offset_parent().is_some()).collect();
    let focused = document().active_element();
    let current = items.iter().position(|item| Some(&**item) == focused.as_ref());
    if let Some(target) = towards.from(current, items.len()) {
        give(&items[target]);
    }
}

/// Calls `left` when the focus leaves an element and everything in it.
pub fn when_left<E>(inside: NodeRef<E>, event: &ev::FocusEvent, left: impl FnOnce())
where
    E: ElementType,
    E::Output: JsCast + Clone + 'static,
{
    // Removing a focused element also moves the focus. Its component and the state that `left` uses are gone by then.
    let Some(inside) = inside.try_get_untracked() else { return };
    let inside: Option<Element> = inside.map(|element| element.unchecked_into());
    let to = event.related_target().and_then(|target| target.dyn_into::<Node>().ok());
    if !inside.is_some_and(|inside| inside.contains(to.as_ref())) {
        left();
    }
}

/// Scrolls a list so that the element with this id is visible.
pub fn scroll_to(id: &str) {
    if let Some(element) = document().get_element_by_id(id) {
        let options = ScrollIntoViewOptions::new();
        options.set_block(ScrollLogicalPosition::Nearest);
        element.scroll_into_view_with_scroll_into_view_options(&options);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_follow_the_way_the_page_is_written() {
        assert_eq!(Move::of_key_in_row("ArrowRight", false), Some(Move::Next));
        assert_eq!(Move::of_key_in_row("ArrowLeft", false), Some(Move::Previous));
        assert_eq!(Move::of_key_in_row("ArrowLeft", true), Some(Move::Next));
        assert_eq!(Move::of_key_in_row("End", true), Some(Move::Last));
    }

    #[test]
    fn moves_wrap_around() {
        assert_eq!(Move::Next.from(Some(2), 3), Some(0));
        assert_eq!(Move::Previous.from(Some(0), 3), Some(2));
        assert_eq!(Move::Next.from(None, 3), Some(0));
        assert_eq!(Move::Previous.from(Some(2), 3), Some(1));
        assert_eq!(Move::Last.from(None, 3), Some(2));
        assert_eq!(Move::Next.from(None, 0), None);
    }
}
