//! A piece of a page without its type.
//!
//! Leptos' own `AnyView` keeps, for every type that it erases, the code to change it in place and to hydrate it step by step.
//! These pages need neither: a piece that changes is replaced, and hydration is one step. Without that code the wasm is a fifth
//! smaller.

use leptos::tachys::{
    html::attribute::any_attribute::AnyAttribute,
    hydration::Cursor,
    no_attrs,
    renderer::types::{Element, Node},
    view::{Mountable, Position, PositionState, Render, RenderHtml},
};

/// A piece of a page.
pub struct Part(Box<dyn Erased>);

/// Makes parts of views.
pub trait IntoPart: RenderHtml + Sized + 'static {
    /// The view without its type.
    fn part(self) -> Part {
        Part(Box::new(self))
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
        Part(Box::new(Late(self)))
    }
}

impl<T> IntoLatePart for T
where
    T: RenderHtml + 'static,
    T::State: 'static,
{
}

struct Late<T>(T);

impl<T> Erased for Late<T>
where
    T: RenderHtml + 'static,
    T::State: 'static,
{
    fn build(self: Box<Self>) -> Box<dyn Mountable> {
        Box::new(Render::build(self.0))
    }

    fn hydrate(self: Box<Self>, _: &Cursor, _: &PositionState) -> Box<dyn Mountable> {
        // Nothing of it is in the HTML, so there is nothing to take over.
        self.build()
    }

    #[cfg(feature = "ssr")]
    fn to_html(self: Box<Self>, html: &mut String, position: &mut Position, escape: bool) {
        self.0.to_html_with_buf(html, position, escape, false, Vec::new());
    }
}

trait Erased: Send {
    fn build(self: Box<Self>) -> Box<dyn Mountable>;
    fn hydrate(self: Box<Self>, cursor: &Cursor, position: &PositionState) -> Box<dyn Mountable>;
    #[cfg(feature = "ssr")]
    fn to_html(self: Box<Self>, html: &mut String, position: &mut Position, escape: bool);
}

impl<T> Erased for T
where
    T: RenderHtml + 'static,
    T::State: 'static,
{
    fn build(self: Box<Self>) -> Box<dyn Mountable> {
        Box::new(Render::build(*self))
    }

    fn hydrate(self: Box<Self>, cursor: &Cursor, position: &PositionState) -> Box<dyn Mountable> {
        Box::new(RenderHtml::hydrate::<true>(*self, cursor, position))
    }

    #[cfg(feature = "ssr")]
    fn to_html(self: Box<Self>, html: &mut String, position: &mut Position, escape: bool) {
        self.to_html_with_buf(html, position, escape, false, Vec::new());
    }
}

/// A part that stands on the page.
pub struct Standing(Box<dyn Mountable>);

impl Mountable for Standing {
    fn unmount(&mut self) {
        self.0.unmount();
    }

    fn mount(&mut self, parent: &Element, marker: Option<&Node>) {
        self.0.mount(parent, marker);
    }

    fn insert_before_this(&self, child: &mut dyn Mountable) -> bool {
        self.0.insert_before_this(child)
    }

    fn elements(&self) -> Vec<Element> {
        self.0.elements()
    }
}

impl Render for Part {
    type State = Standing;

    fn build(self) -> Standing {
        Standing(self.0.build())
    }

    fn rebuild(self, state: &mut Standing) {
        let mut new = self.build();
        state.insert_before_this(&mut new);
        state.unmount();
        *state = new;
    }
}

no_attrs!(Part);

impl RenderHtml for Part {
    type AsyncOutput = Self;
    type Owned = Self;

    const MIN_LENGTH: usize = 0;

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Self {
        self
    }

    #[cfg_attr(not(feature = "ssr"), expect(unused_variables, reason = "only the server writes HTML"))]
    fn to_html_with_buf(self, html: &mut String, position: &mut Position, escape: bool, _: bool, _: Vec<AnyAttribute>) {
        #[cfg(feature = "ssr")]
        self.0.to_html(html, position, escape);
    }

    fn hydrate<const FROM_SERVER: bool>(self, cursor: &Cursor, position: &PositionState) -> Standing {
        Standing(self.0.hydrate(cursor, position))
    }

    fn into_owned(self) -> Self {
        self
    }
}
