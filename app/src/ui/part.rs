//! A piece of a page without its type.
//!
//! Leptos' own `AnyView` keeps, for every type that it erases, the code to change it in place and to hydrate it step by step.
//! These pages need neither: a piece that changes is replaced, and hydration is one step. Without that code the wasm is a fifth
//! smaller. `crate::leptos_internals` holds what takes its place.

pub use crate::leptos_internals::Part;
use leptos::tachys::view::{Render, RenderHtml};

/// Makes parts of views.
pub trait IntoPart: RenderHtml + Sized + 'static {
    /// The view without its type.
    fn part(self) -> Part {
        Part::new(self)
    }
}

impl<T> IntoPart for T
where
    T: RenderHtml + 'static,
    T::State: 'static,
{
}

/// Makes one part of many.
pub trait IntoParts {
    /// All views, one after another.
    fn parts(self) -> Part;
}

impl<I> IntoParts for I
where
    I: IntoIterator,
    I::Item: IntoPart,
    <I::Item as Render>::State: 'static,
{
    fn parts(self) -> Part {
        self.into_iter().map(IntoPart::part).collect::<Vec<Part>>().part()
    }
}

/// Makes parts of views that never stand in the server's HTML, such as what a click opens: without the code that would take
/// them over there.
pub trait IntoLatePart: RenderHtml + Sized + 'static {
    /// The view without its type.
    fn late(self) -> Part {
        Part::late(self)
    }
}

impl<T> IntoLatePart for T
where
    T: RenderHtml + 'static,
    T::State: 'static,
{
}
