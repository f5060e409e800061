//! The cards of each page. A page takes the next band while everything fits, scaled down to four fifths at most. If fewer cards on
//! a page need no more pages, and fill them, the pages are larger. Cards keep their columns and their order; none is stretched.

use super::{
    band::{Band, Slot},
    card::Card,
    run::Part,
};

/// The gap between cards, in CSS pixels.
pub(super) const GAP: f32 = 16.0;
/// The height of a page's content, in CSS pixels.
pub(super) const ROOM: f32 = (super::PAPER.1 - super::TOP - super::BOTTOM) / super::SCALE;
/// The smallest scale of a page, for cards that just miss it, and the larger ones that are tried before.
const SMALLEST: f32 = 0.8;
const LARGER: [f32; 4] = [1.0, 0.95, 0.9, 0.85];
/// The part of a page that a larger scale has to fill.
const FILLED: f32 = 0.8;
/// The part of a page that is not left free if the next band can be divided.
const FREE: f32 = 1.0 / 3.0;
/// A band that is higher than a page is lowered to this part of its height before it is divided.
const LOWERED: f32 = 0.75;
/// The fewest lines of a table or text at the end of a page.
const FEWEST: usize = 5;

/// A page.
#[derive(Debug)]
pub(super) struct Page {
    /// The scale of its content.
    pub scale: f32,
    pub pieces: Vec<Piece>,
}

/// A card, or a part of one, on a page.
#[derive(Debug)]
pub(super) struct Piece {
    /// Its position among the dashboard's cards.
    pub card: usize,
    /// Its distance from the top, in CSS pixels before scaling.
    pub y: f32,
    /// In CSS pixels before scaling.
    pub height: f32,
    pub part: Part,
}

/// The pages of a dashboard.
pub(super) fn pack(cards: &[Card]) -> Vec<Page> {
    let mut bands = Band::of(cards);
    // A stack: what is left of a band comes before the next one.
    bands.reverse();
    let densest = pages(cards, bands.clone(), SMALLEST);
    let mut larger = LARGER.into_iter().map(|scale| pages(cards, bands.clone(), scale));
    let is_full = |page: &Page| page.fill() >= FILLED;
    let fits = |pages: &Vec<Page>| {
        pages.len() == densest.len() && pages.split_last().is_none_or(|(_, before)| before.iter().all(is_full))
    };
    larger.find(fits).unwrap_or(densest)
}

/// The pages of bands that are scaled down to this scale at most.
fn pages(cards: &[Card], mut bands: Vec<Band>, scale: f32) -> Vec<Page> {
    let mut packer = Packer { cards, pages: Vec::new(), open: Vec::new(), highest: ROOM / scale };
    while let Some(band) = bands.pop() {
        bands.extend(packer.add(band));
    }
    packer.end_page();
    packer.pages
}

impl Page {
    /// The part of the page's height that its cards use.
    fn fill(&self) -> f32 {
        self.pieces.iter().map(|piece| piece.y + piece.height).fold(0.0, f32::max) * self.scale / ROOM
    }
}

struct Packer<'a> {
    cards: &'a [Card],
    pages: Vec<Page>,
    /// The bands of the page that is being filled.
    open: Vec<Band>,
    /// The height of a page's content at the smallest scale.
    highest: f32,
}

impl Packer<'_> {
    /// Places a band. Returns what is left of it.
    fn add(&mut self, mut band: Band) -> Option<Band> {
        let start = self.start();
        if start + band.height() <= self.highest {
            self.open.push(band);
            return None;
        }
        // A table or text that fits one page is not divided to fill the last third of another.
        let waits = start >= ROOM * (1.0 - FREE) && band.height() <= ROOM && !self.is_free();
        if !waits && self.can_begin(&band, start) {
            return self.begin(band, start);
        }
        if self.is_free() {
            let room = self.highest - start;
            let parts = if band.height() * LOWERED <= room { None } else { band.divided(room) };
            let Some((upper, lower)) = parts else {
                band.squeeze(room);
                self.open.push(band);
                return None;
            };
            self.open.push(upper);
            self.end_page();
            return Some(lower);
        }
        if start < ROOM * (1.0 - FREE)
            && let Some((upper, lower)) = band.divided(self.highest - start)
        {
            self.open.push(upper);
            self.end_page();
            return Some(lower);
        }
        // A heading moves to the next page with the band below it.
        let heading = if self.open.last().is_some_and(|last| last.is_heading(self.cards)) { self.open.pop() } else { None };
        self.end_page();
        self.open.extend(heading);
        Some(band)
    }

    /// Whether the page is empty but for a heading.
    fn is_free(&self) -> bool {
        match self.open.as_slice() {
            [] => true,
            [only] => only.is_heading(self.cards),
            _ => false,
        }
    }

    /// The top of the next band.
    fn start(&self) -> f32 {
        self.open.iter().map(|band| band.height() + GAP).sum()
    }

    /// Whether a page can end within a band's table or text.
    fn can_begin(&self, band: &Band, start: f32) -> bool {
        let Some((at, slot)) = band.flowing().and_then(|at| Some((at, band.slots.get(at)?))) else { return false };
        let Some(run) = &slot.run else { return false };
        let beside = band.height_beside(at).min(self.highest - start);
        let fits = self.is_free() || start + band.height_beside(at) <= self.highest;
        let room = ROOM.max(start + beside) - start - slot.y;
        fits && run.lines.len() > FEWEST && run.height(0..FEWEST) <= room
    }

    /// Places a band whose table or text continues on the next pages. Returns the cards beside it that are lower than the page.
    fn begin(&mut self, mut band: Band, start: f32) -> Option<Band> {
        let low = band.without_low(self.highest - start);
        let at = band.flowing()?;
        let bottom = ROOM.max(start + band.height_beside(at));
        let slot = band.slots.get_mut(at)?;
        let run = slot.run.clone()?;
        let mut rest = slot.clone();
        let mut part = run.begun(0, bottom - start - slot.y);
        slot.height = run.height(part.lines.clone());
        slot.part = Some(part.clone());
        self.open.push(band);
        while !part.last {
            self.end_page();
            let from = part.lines.end;
            let fits = run.rest(from) <= self.highest;
            part = if fits { Part { lines: from..run.lines.len(), last: true } } else { run.begun(from, ROOM) };
            let height = if fits { run.rest(from) } else { run.height(part.lines.clone()) };
            rest = Slot { y: 0.0, height, part: Some(part.clone()), ..rest };
            self.open.push(Band { slots: vec![rest.clone()] });
        }
        low
    }

    fn end_page(&mut self) {
        let mut bands = std::mem::take(&mut self.open);
        if bands.is_empty() {
            return;
        }
        grow(&mut bands);
        let (mut top, mut pieces) = (0.0, Vec::new());
        for band in &bands {
            pieces.extend(band.slots.iter().map(|slot| piece(slot, top)));
            top += band.height() + GAP;
        }
        self.pages.push(Page { scale: (ROOM / (top - GAP)).min(1.0), pieces });
    }
}

fn piece(slot: &Slot, top: f32) -> Piece {
    let cut = || slot.run.as_ref().map_or(Part::ALL, |run| run.cut(slot.height));
    Piece { card: slot.card, y: top + slot.y, height: slot.height, part: slot.part.clone().unwrap_or_else(cut) }
}

/// Gives the free space of a page to tables and texts that need it.
fn grow(bands: &mut [Band]) {
    let used: f32 = bands.iter().map(|band| band.height() + GAP).sum();
    let mut free = (ROOM - used + GAP).max(0.0);
    for band in bands {
        for at in 0..band.slots.len() {
            let before = band.height();
            let lowest = band.is_lowest(at);
            let Some(slot) = band.slots.get_mut(at).filter(|slot| lowest && slot.is_cut()) else { continue };
            let Some(run) = &slot.run else { continue };
            let (now, more) = (run.cut(slot.height), run.cut(before + free - slot.y));
            if more.lines.end > now.lines.end {
                slot.height = run.ends(&more);
            }
            free -= band.height() - before;
        }
    }
}

#[cfg(test)]
#[path = "packing_tests.rs"]
mod tests;
