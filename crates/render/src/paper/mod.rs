//! A dashboard as a PDF: its charts as vectors in their columns, with a head and a foot on each page. Each page is one SVG that
//! contains the charts'. Texts come from customers' rows and are escaped for XML.

mod band;
mod card;
mod packing;
mod prose;
mod run;
mod table;
mod text;

pub use card::{Body, Card, Field, Head, picture};

use crate::error::RenderError;
use inlay_contract::theme::ChartTheme;
use krilla::{Document, geom::Size, metadata::Metadata, page::PageSettings};
use krilla_svg::{SurfaceExt, SvgSettings};
use packing::{Page, pack};
use std::{
    fmt::Write,
    sync::{Arc, LazyLock},
};
use text::{escape, fit, width as text_width};
use usvg::{ImageHrefResolver, Options, Tree, fontdb};

/// A4 landscape, in points.
const PAPER: (f32, f32) = (841.89, 595.28);
/// The margin on the left and on the right, in points: 12 mm.
const MARGIN: f32 = 34.0;
/// The heights of the head and of the foot with their margins, in points.
const TOP: f32 = 64.0;
const BOTTOM: f32 = 36.0;
/// The width that a page is drawn at, in CSS pixels: 12 columns with their gaps.
const WIDTH: f32 = 1248.0;
/// Points per CSS pixel.
const SCALE: f32 = (PAPER.0 - 2.0 * MARGIN) / WIDTH;
/// The gap between columns, in CSS pixels.
const GUTTER: f32 = 16.0;
/// A row of the grid, and a row with the gap after it, in CSS pixels.
const ROW: (f32, f32) = (40.0, 56.0);

/// A dashboard to be printed.
#[derive(Clone, Debug)]
pub struct Paper {
    /// Its name.
    pub title: String,
    /// The first part of the line below the name: whose it is, the period, the filters. It is cut if it is too long.
    pub about: String,
    /// The end of that line.
    pub day: String,
    /// Its charts.
    pub cards: Vec<Card>,
    /// The colours.
    pub ink: Ink,
}

/// The colours of a page, as CSS values.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Ink {
    pub surface: String,
    pub card: String,
    pub text: String,
    pub muted: String,
    pub line: String,
    pub accent: String,
    pub positive: String,
    pub negative: String,
    pub warning: String,
}

impl From<ChartTheme> for Ink {
    fn from(theme: ChartTheme) -> Self {
        Self {
            surface: theme.surface,
            card: theme.raised,
            text: theme.text,
            muted: theme.muted,
            line: theme.line,
            accent: theme.accent,
            positive: theme.positive,
            negative: theme.negative,
            warning: theme.warning,
        }
    }
}

/// The width of a card of this many columns on a page of this scale, in CSS pixels before scaling. A page that is scaled down
/// has wider columns, so that it is used in full.
fn width(columns: u16, scale: f32) -> f32 {
    f32::from(columns).mul_add(column(scale), -GUTTER)
}

fn column(scale: f32) -> f32 {
    (WIDTH / scale + GUTTER) / 12.0
}

fn height(rows: u16) -> f32 {
    f32::from(rows).mul_add(ROW.1, ROW.0 - ROW.1)
}

static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    let own: [&[u8]; 3] = [
        include_bytes!("../../fonts/Inter-Regular.ttf"),
        include_bytes!("../../fonts/Inter-SemiBold.ttf"),
        include_bytes!("../../fonts/Inter-Italic.ttf"),
    ];
    own.into_iter().for_each(|font| fonts.load_font_data(font.to_vec()));
    // A fallback for every font name: text in a missing font would disappear.
    fonts.set_sans_serif_family("Inter");
    fonts.set_serif_family("Inter");
    fonts.set_monospace_family("Inter");
    // The machine's fonts are used for scripts that Inter does not cover.
    fonts.load_system_fonts();
    Arc::new(fonts)
});

/// How a page is read. An image is never looked up: neither a file of this machine nor data within a picture.
fn options() -> Options<'static> {
    let image_href_resolver =
        ImageHrefResolver { resolve_data: Box::new(|_, _, _| None), resolve_string: Box::new(|_, _| None) };
    Options { fontdb: Arc::clone(&FONTS), font_family: "Inter".to_owned(), image_href_resolver, ..Options::default() }
}

impl Paper {
    /// Creates the PDF.
    ///
    /// # Errors
    /// A picture is not valid SVG, or the file cannot be written.
    pub fn pdf(&self) -> Result<Vec<u8>, RenderError> {
        let mut document = Document::new();
        let size = Size::from_wh(PAPER.0, PAPER.1).ok_or(RenderError::Stopped)?;
        let settings = PageSettings::from_wh(PAPER.0, PAPER.1).ok_or(RenderError::Stopped)?;
        let options = options();
        document.set_metadata(Metadata::new().title(self.title.clone()));
        let pages = pack(&self.cards);
        for (number, page) in (1..).zip(&pages) {
            let svg = self.page(page, (number, pages.len()));
            let tree = Tree::from_str(&svg, &options).map_err(|_| RenderError::Unsafe("a page that is no picture"))?;
            let mut page = document.start_page_with(settings.clone());
            let mut surface = page.surface();
            surface.draw_svg(&tree, size, SvgSettings::default()).ok_or(RenderError::Stopped)?;
            surface.finish();
            page.finish();
        }
        document.finish().map_err(|_| RenderError::Stopped)
    }

    /// The sizes of the pictures, in CSS pixels, with their positions among the cards. A card that has no picture yet has an empty
    /// one.
    #[must_use]
    pub fn pictures(&self) -> Vec<(usize, (u32, u32))> {
        let mut sizes = Vec::new();
        for page in pack(&self.cards) {
            for piece in page.pieces {
                let Some(card) = self.cards.get(piece.card).filter(|card| matches!(card.body, Body::Picture(_))) else {
                    continue;
                };
                let size = (width(card.place.2, page.scale) - card::AROUND.0, piece.height - card::AROUND.1);
                sizes.push((piece.card, (size.0.max(48.0) as u32, size.1.max(48.0) as u32)));
            }
        }
        sizes
    }

    fn page(&self, page: &Page, (number, count): (usize, usize)) -> String {
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" font-family=\"Inter\">\
             <rect width=\"100%\" height=\"100%\" fill=\"{2}\"/>",
            PAPER.0, PAPER.1, self.ink.surface
        );
        self.head(&mut svg);
        let _ = write!(
            svg,
            "<text x=\"{}\" y=\"{}\" font-size=\"8\" text-anchor=\"end\" fill=\"{}\">{number} / {count}</text>\
             <g transform=\"translate({MARGIN} {TOP}) scale({})\">",
            PAPER.0 - MARGIN,
            PAPER.1 - BOTTOM / 2.0,
            self.ink.muted,
            SCALE * page.scale
        );
        for piece in &page.pieces {
            let Some(card) = self.cards.get(piece.card) else { continue };
            let (x, _, w, _) = card.place;
            let size = (width(w, page.scale), piece.height);
            let _ = write!(
                svg,
                "<g transform=\"translate({} {})\">{}</g>",
                f32::from(x) * column(page.scale),
                piece.y,
                card.draw(&self.ink, size, &piece.part, width(w, 1.0))
            );
        }
        svg.push_str("</g></svg>");
        svg
    }

    /// The name, and below it what the page is about. A long line is cut, but not its day.
    fn head(&self, svg: &mut String) {
        let Ink { text, muted, .. } = &self.ink;
        let gap = if self.about.is_empty() { "" } else { "  ·  " };
        let day = format!("{gap}{}", self.day);
        let about = fit(&self.about, WIDTH - text_width(&day, 13.0), 13.0);
        let _ = write!(
            svg,
            "<g transform=\"translate({MARGIN} 28) scale({SCALE})\">\
             <text x=\"0\" y=\"20\" font-size=\"22\" font-weight=\"600\" fill=\"{text}\">{}</text>\
             <text xml:space=\"preserve\" x=\"0\" y=\"42\" font-size=\"13\" fill=\"{muted}\">{}{}</text></g>",
            escape(&fit(&self.title, WIDTH, 22.0)),
            escape(&about),
            escape(&day)
        );
    }
}

#[cfg(test)]
mod tests;
