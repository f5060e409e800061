//! A type-erased piece of a page.
//!
//! Leptos' own `AnyView` contains, for every type that it erases, code to update it in place and to hydrate it asynchronously.
//! These pages need neither: a piece that changes is replaced, and hydration is one step. Without that code the wasm is a fifth
//! smaller. `crate::leptos_internals` implements the replacement.

pub use crate::leptos_internals::Part;
use leptos::tachys::view::{Render, RenderHtml};

/// Converts a view to a `Part`.
pub trait IntoPart: RenderHtml + Sized + 'static {
    /// Erases the view's type.
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

/// Converts several views to one `Part`.
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

/// Converts a view that is never in the server's HTML, such as what a click opens. Omits the code for hydrating it.
pub trait IntoLatePart: RenderHtml + Sized + 'static {
    /// Erases the view's type.
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
