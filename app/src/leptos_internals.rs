//! Everything that depends on Leptos' undocumented internals. Check this file first when Leptos is updated.
//!
//! - `HYDRATION`: globals that hydration reads. Leptos' own server writes them into the page; here `frame::ssr` writes the
//!   pages, and `frontend/boot.js` defines the globals.
//! - `Part`: what Leptos' `AnyView` does, without the code that these pages do not need. It implements the traits of `tachys`,
//!   Leptos' renderer. The server only writes HTML: the code that builds and hydrates a view, which takes most of the time
//!   that a view needs to compile, is made for the browser alone.

use leptos::tachys::{
    html::attribute::any_attribute::AnyAttribute,
    hydration::Cursor,
    no_attrs,
    view::{Position, PositionState, Render, RenderHtml},
};
#[cfg(not(feature = "ssr"))]
use leptos::tachys::{
    renderer::types::{Element, Node},
    view::Mountable,
};

/// Globals that hydration reads, each an empty array: the resources, errors and chunks that the server streamed. These pages
/// stream nothing.
#[cfg(feature = "ssr")]
pub const HYDRATION: &str = "__RESOLVED_RESOURCES __SERIALIZED_ERRORS __INCOMPLETE_CHUNKS";

/// A type-erased piece of a page.
pub struct Part(Box<dyn Erased>);

impl Part {
    /// Erases the type of a view.
    pub(crate) fn new<T>(view: T) -> Self
    where
        T: RenderHtml + 'static,
        T::State: 'static,
    {
        Self(Box::new(view))
    }

    /// The same for a view that is never in the server's HTML.
    pub(crate) fn late<T>(view: T) -> Self
    where
        T: RenderHtml + 'static,
        T::State: 'static,
    {
        Self(Box::new(Late(view)))
    }
}

struct Late<T>(T);

impl<T> Erased for Late<T>
where
    T: RenderHtml + 'static,
    T::State: 'static,
{
    #[cfg(not(feature = "ssr"))]
    fn build(self: Box<Self>) -> Box<dyn Mountable> {
        Box::new(Render::build(self.0))
    }

    #[cfg(not(feature = "ssr"))]
    fn hydrate(self: Box<Self>, _: &Cursor, _: &PositionState) -> Box<dyn Mountable> {
        // It is not in the HTML, so it is built instead of hydrated.
        self.build()
    }

    #[cfg(feature = "ssr")]
    fn to_html(self: Box<Self>, html: &mut String, position: &mut Position, escape: bool) {
        self.0.to_html_with_buf(html, position, escape, false, Vec::new());
    }
}

trait Erased: Send {
    #[cfg(not(feature = "ssr"))]
    fn build(self: Box<Self>) -> Box<dyn Mountable>;
    #[cfg(not(feature = "ssr"))]
    fn hydrate(self: Box<Self>, cursor: &Cursor, position: &PositionState) -> Box<dyn Mountable>;
    #[cfg(feature = "ssr")]
    fn to_html(self: Box<Self>, html: &mut String, position: &mut Position, escape: bool);
}

impl<T> Erased for T
where
    T: RenderHtml + 'static,
    T::State: 'static,
{
    #[cfg(not(feature = "ssr"))]
    fn build(self: Box<Self>) -> Box<dyn Mountable> {
        Box::new(Render::build(*self))
    }

    #[cfg(not(feature = "ssr"))]
    fn hydrate(self: Box<Self>, cursor: &Cursor, position: &PositionState) -> Box<dyn Mountable> {
        Box::new(RenderHtml::hydrate::<true>(*self, cursor, position))
    }

    #[cfg(feature = "ssr")]
    fn to_html(self: Box<Self>, html: &mut String, position: &mut Position, escape: bool) {
        self.to_html_with_buf(html, position, escape, false, Vec::new());
    }
}

/// A part that is mounted on the page.
#[cfg(not(feature = "ssr"))]
pub struct MountedPart(Box<dyn Mountable>);

/// On the server none does.
#[cfg(feature = "ssr")]
type MountedPart = ();

#[cfg(not(feature = "ssr"))]
impl Mountable for MountedPart {
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

#[cfg(not(feature = "ssr"))]
impl Render for Part {
    type State = MountedPart;

    fn build(self) -> MountedPart {
        MountedPart(self.0.build())
    }

    fn rebuild(self, state: &mut MountedPart) {
        let mut new = self.build();
        state.insert_before_this(&mut new);
        state.unmount();
        *state = new;
    }
}

#[cfg(feature = "ssr")]
impl Render for Part {
    type State = MountedPart;

    fn build(self) {}

    fn rebuild(self, (): &mut ()) {}
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

    #[cfg(not(feature = "ssr"))]
    fn hydrate<const FROM_SERVER: bool>(self, cursor: &Cursor, position: &PositionState) -> MountedPart {
        MountedPart(self.0.hydrate(cursor, position))
    }

    #[cfg(feature = "ssr")]
    fn hydrate<const FROM_SERVER: bool>(self, _: &Cursor, _: &PositionState) {}

    fn into_owned(self) -> Self {
        self
    }
}
