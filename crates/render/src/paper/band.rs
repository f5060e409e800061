//! Bands: the rows of a dashboard's cards, which stay together on a page.

use super::{
    ROW,
    card::{Body, Card},
    height,
    packing::{GAP, ROOM},
    run::{Part, Run},
    width,
};
use inlay_contract::grid::COLUMNS;
use std::ops::Range;

/// From this width on a table or text continues on the next page, whatever is beside it.
const WIDE: u16 = 8;
/// A band is divided where the cards above fill at least this part of the space above.
const FILLED: f32 = 2.0 / 3.0;

/// A card in a band. Lengths are in CSS pixels.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// Its position among the dashboard's cards.
    pub card: usize,
    pub columns: Range<u16>,
    /// Its distance from the top of the band.
    pub y: f32,
    pub height: f32,
    pub run: Option<Run>,
    /// The part of it that is here. `None` for as much as fits.
    pub part: Option<Part>,
}

impl Slot {
    fn new(position: usize, card: &Card, top: u16) -> Self {
        let (x, y, w, h) = card.place;
        let measure = width(w, 1.0) - if matches!(card.body, Body::Text(_)) { 0.0 } else { super::card::AROUND.0 };
        let run = card.run(measure);
        let mut own = height(h).min(ROOM);
        // A text has no scroll bar on paper.
        if let (Body::Text(_), Some(run)) = (&card.body, &run) {
            own = own.max(run.rest(0)).min(ROOM);
        }
        Self { card: position, columns: x..x + w, y: f32::from(y - top) * ROW.1, height: own, run, part: None }
    }

    pub fn bottom(&self) -> f32 {
        self.y + self.height
    }

    fn is_over(&self, other: &Self) -> bool {
        self.columns.start < other.columns.end && other.columns.start < self.columns.end
    }

    /// Whether it is a table or text that some of is left out of.
    pub fn is_cut(&self) -> bool {
        self.part.is_none() && self.run.as_ref().is_some_and(|run| run.rest(0) > self.height + 0.5)
    }
}

/// Cards that stay together: each overlaps another one vertically.
#[derive(Clone, Debug)]
pub(super) struct Band {
    /// In reading order.
    pub slots: Vec<Slot>,
}

impl Band {
    /// The bands of a dashboard, from top to bottom. A wide table or text ends its band, so that it can grow: what is below it
    /// begins the next one.
    pub fn of(cards: &[Card]) -> Vec<Self> {
        let mut order: Vec<(usize, &Card)> = cards.iter().enumerate().collect();
        order.sort_by_key(|(_, card)| (card.place.1, card.place.0));
        let mut bands: Vec<Self> = Vec::new();
        let (mut top, mut bottom, mut closed) = (0, 0, None);
        for (position, card) in order {
            let (_, y, w, h) = card.place;
            if bands.is_empty() || y >= closed.unwrap_or(bottom) {
                bands.push(Self { slots: Vec::new() });
                (top, bottom, closed) = (y, y, None);
            }
            let slot = Slot::new(position, card, top);
            if slot.run.is_some() && w >= WIDE {
                closed = Some(y.saturating_add(h));
            }
            bottom = bottom.max(y.saturating_add(h));
            if let Some(band) = bands.last_mut() {
                band.slots.push(slot);
            }
        }
        bands.into_iter().map(Self::whole).collect()
    }

    /// The band with what can continue at its full height.
    fn whole(mut self) -> Self {
        let alone = self.slots.len() == 1;
        if let Some(slot) = self.flowing().and_then(|at| self.slots.get_mut(at)) {
            let all = slot.run.as_ref().map_or(0.0, |run| run.rest(0));
            slot.height = if alone { all } else { all.max(slot.height) };
        }
        self.settle();
        self
    }

    pub fn height(&self) -> f32 {
        self.slots.iter().map(Slot::bottom).fold(0.0, f32::max)
    }

    /// The height of the cards but this one.
    pub fn height_beside(&self, at: usize) -> f32 {
        let others = self.slots.iter().enumerate().filter(|(other, _)| *other != at);
        others.map(|(_, slot)| slot.bottom()).fold(0.0, f32::max)
    }

    /// The position of the table or text that continues on the next page.
    pub fn flowing(&self) -> Option<usize> {
        let alone = self.slots.len() == 1;
        self.slots.iter().position(|slot| slot.run.is_some() && (alone || slot.columns.len() >= usize::from(WIDE)))
    }

    /// Whether it is a short text, which belongs to what is below it.
    pub fn is_heading(&self, cards: &[Card]) -> bool {
        let is_text = |slot: &Slot| cards.get(slot.card).is_some_and(|card| matches!(card.body, Body::Text(_)));
        self.height() < ROOM / 5.0 && self.slots.iter().all(is_text)
    }

    /// Whether a card has none below it in its columns.
    pub fn is_lowest(&self, at: usize) -> bool {
        let below = |slot: &Slot| self.slots.iter().any(|other| other.y > slot.y && other.is_over(slot));
        self.slots.get(at).is_some_and(|slot| !below(slot))
    }

    /// Moves cards down below those that grew.
    fn settle(&mut self) {
        for at in 0..self.slots.len() {
            let (before, rest) = self.slots.split_at_mut(at);
            if let Some(slot) = rest.first_mut() {
                let above = before.iter().filter(|other| other.is_over(slot)).map(|other| other.bottom() + GAP);
                slot.y = above.fold(slot.y, f32::max);
            }
        }
    }

    /// Divides it into the cards that end within this height and the others, below a line that the upper ones reach without
    /// large gaps.
    pub fn divided(&self, room: f32) -> Option<(Self, Self)> {
        let fills = |line: &f32| {
            let area = |slot: &Slot| slot.columns.len() as f32 * (slot.height + GAP);
            let upper: f32 = self.slots.iter().filter(|slot| slot.bottom() <= *line).map(area).sum();
            upper >= FILLED * f32::from(COLUMNS) * (line + GAP) - 1.0
        };
        let end = self.height();
        let lines = self.slots.iter().map(Slot::bottom).filter(|line| *line <= room && *line < end);
        let line = lines.filter(fills).fold(0.0, f32::max);
        let (upper, mut lower): (Vec<Slot>, Vec<Slot>) = self.slots.iter().cloned().partition(|slot| slot.bottom() <= line);
        if upper.is_empty() {
            return None;
        }
        lower.iter_mut().for_each(|slot| slot.y = 0.0);
        Some((Self { slots: upper }, Self { slots: lower }.whole()))
    }

    /// Takes out what does not end within this height, as a band of its own. What continues on the next page stays.
    pub fn without_low(&mut self, room: f32) -> Option<Self> {
        let flowing = self.flowing().and_then(|at| self.slots.get(at)).map(|slot| slot.card);
        let (kept, mut low): (Vec<Slot>, Vec<Slot>) =
            self.slots.drain(..).partition(|slot| slot.bottom() <= room || flowing == Some(slot.card));
        self.slots = kept;
        low.iter_mut().for_each(|slot| slot.y = 0.0);
        (!low.is_empty()).then(|| Self { slots: low }.whole())
    }

    /// Lowers its cards until they fit this height.
    pub fn squeeze(&mut self, room: f32) {
        for slot in self.slots.iter_mut().filter(|slot| slot.run.is_some()) {
            slot.height = slot.height.min(ROOM);
        }
        let factor = (room / self.height()).min(1.0);
        for slot in &mut self.slots {
            (slot.y, slot.height) = (slot.y * factor, slot.height * factor);
        }
    }
}
