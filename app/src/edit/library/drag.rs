//! Dragging a chart from the library to its place on the grid, by pointer.

use crate::{
    edit::{
        Editor,
        draft::TileSketch,
        grid::{self, Drag},
        press::Press,
        type_pictures::picture,
    },
    ui::part::{IntoPart, Part},
};
use inlay_contract::{
    edit::{ChartEdit, LibraryChart},
    ids::ChartId,
};
use leptos::{ev, prelude::*};

/// The drags of the open library.
#[derive(Clone, Copy)]
pub struct Carrying {
    editor: Editor,
    /// The press in progress, and the chart below it.
    carried: RwSignal<Option<(Press, LibraryChart)>>,
    /// The key of the chart that is carried, if it is added.
    key: StoredValue<ChartId>,
    /// Its drag over the grid. `None` until the press is a drag.
    drag: StoredValue<Option<Drag>>,
    /// Whether the last press was a drag, and therefore no click.
    dragged: StoredValue<bool>,
}

impl Carrying {
    /// The drags of a library that opens. When it closes, the other charts go back to their places.
    #[must_use]
    pub fn new(editor: Editor) -> Self {
        let key = StoredValue::new(ChartId::generate());
        let (drag, carried) = (StoredValue::new(None), RwSignal::new(None));
        on_cleanup(move || {
            if let Some(key) = key.try_get_value() {
                grid::put_back(editor, key, drag);
            }
        });
        Self { editor, carried, key, drag, dragged: StoredValue::new(false) }
    }

    /// Whether a click on a chart is the end of a drag.
    #[must_use]
    pub fn was_drag(self) -> bool {
        self.dragged.get_value()
    }

    /// The pointer goes down on a chart.
    pub fn begin(self, chart: &LibraryChart, event: &ev::PointerEvent) {
        self.dragged.set_value(false);
        self.carried.set(Press::begin(event).map(|press| (press, chart.clone())));
    }

    /// The pointer moves. Over the grid, the other charts make room.
    pub fn follow(self, event: &ev::PointerEvent) {
        let Some((mut press, chart)) = self.carried.get_untracked() else { return };
        let was_press = !press.drags;
        press.follow(event);
        if !press.drags {
            return;
        }
        let key = self.key.get_value();
        if was_press {
            // In one column there is no place to choose.
            let Some(drag) = Drag::into_grid(self.editor, key, chart.size) else { return self.carried.set(None) };
            self.drag.set_value(Some(drag));
            self.dragged.set_value(true);
        }
        if grid::is_over(press.pointer) {
            grid::follow(self.editor, key, self.drag, press.pointer);
        } else {
            grid::put_back(self.editor, key, self.drag);
        }
        self.carried.set(Some((press, chart)));
    }

    /// The pointer goes up: over the grid, the chart is added there.
    pub fn end(self) {
        let Some((_, chart)) = self.carried.get_untracked() else { return };
        self.carried.set(None);
        let Some(place) = self.editor.coming.get_untracked() else { return self.drag.set_value(None) };
        self.editor.coming.set(None);
        let places = grid::end(self.editor, self.drag);
        let tile = TileSketch { key: self.key.get_value(), place, chart: picked(&chart), face: chart.face };
        self.editor.close();
        self.editor.add_at(tile, &places);
    }

    /// Ends a drag without effect, if there is one: by Escape, or because the browser takes the pointer away.
    pub fn cancel(self) -> bool {
        grid::put_back(self.editor, self.key.get_value(), self.drag);
        self.drag.set_value(None);
        self.carried.try_update(|carried| carried.take().is_some_and(|(press, _)| press.drags)).unwrap_or_default()
    }

    /// What is carried: its place on the grid, or beside the pointer while it has none.
    pub fn shown(self) -> Part {
        let Some((press, LibraryChart { face, .. })) = self.carried.get().filter(|(press, _)| press.drags) else {
            return ().part();
        };
        let (class, style) = match self.editor.coming.get().and_then(grid::rectangle) {
            Some((x, y, w, h)) => ("library-place", format!("left:{x}px;top:{y}px;width:{w}px;height:{h}px")),
            None => ("drag-ghost", format!("left:{}px;top:{}px", press.pointer.0, press.pointer.1)),
        };
        view! { <div class=format!("library-carried {class}") aria-hidden="true" style=style>{picture(face.kind)} {face.title}</div> }
            .part()
    }
}

/// What a save says about a chart of the library.
pub fn picked(chart: &LibraryChart) -> ChartEdit {
    ChartEdit::Picked { chart: chart.id, definition: None }
}
