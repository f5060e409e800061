//! A dashboard as a PDF: its charts as vectors in their places, with a header on each page. Each page is one SVG that contains
//! the charts'. Texts come from customers' rows and are escaped for XML.

mod card;
mod text;

pub use card::{Body, Card, Field, Head, picture};

use crate::error::RenderError;
use inlay_contract::theme::ChartTheme;
use krilla::{Document, geom::Size, page::PageSettings};
use krilla_svg::{SurfaceExt, SvgSettings};
use std::{
    fmt::Write,
    sync::{Arc, LazyLock},
};
use text::escape;
use usvg::{ImageHrefResolver, Options, Tree, fontdb};

/// A4 landscape, in points.
const PAPER: (f32, f32) = (841.89, 595.28);
/// The margin on each side, in points.
const MARGIN: f32 = 34.0;
/// The width that a dashboard is drawn at, in CSS pixels: 12 columns with their gaps.
pub const WIDTH: u32 = 1248;
/// The height of a page's header, in CSS pixels.
const HEAD: f32 = 64.0;
/// A row of the grid, and a row with the gap after it, in CSS pixels.
const ROW: (f32, f32) = (40.0, 56.0);

/// A dashboard to be printed.
#[derive(Clone, Debug)]
pub struct Paper {
    /// Its name.
    pub title: String,
    /// The text beside the name: the date, the filters.
    pub note: String,
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

/// The size of a picture in its card, in CSS pixels.
#[must_use]
pub fn size((_, _, w, h): (u16, u16, u16, u16)) -> (u32, u32) {
    let (width, height) = (width(w) - 32.0, height(h) - 60.0);
    (width.max(48.0) as u32, height.max(48.0) as u32)
}

fn column() -> f32 {
    let width = WIDTH as f32;
    (width + 16.0) / 12.0
}

fn width(columns: u16) -> f32 {
    f32::from(columns).mul_add(column(), -16.0)
}

fn height(rows: u16) -> f32 {
    f32::from(rows).mul_add(ROW.1, ROW.0 - ROW.1)
}

static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    for font in [&include_bytes!("../../fonts/Inter-Regular.ttf")[..], include_bytes!("../../fonts/Inter-SemiBold.ttf")] {
        fonts.load_font_data(font.to_vec());
    }
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
        let pages = self.pages();
        for (number, cards) in pages.iter().enumerate() {
            let svg = self.page(cards, (number + 1, pages.len()));
            let tree = Tree::from_str(&svg, &options).map_err(|_| RenderError::Unsafe("a page that is no picture"))?;
            let mut page = document.start_page_with(settings.clone());
            let mut surface = page.surface();
            surface.draw_svg(&tree, size, SvgSettings::default()).ok_or(RenderError::Stopped)?;
            surface.finish();
            page.finish();
        }
        document.finish().map_err(|_| RenderError::Stopped)
    }

    /// The cards of each page, moved to its top. A page ends before the first card that does not fit.
    fn pages(&self) -> Vec<Vec<(&Card, f32)>> {
        let scale = scale();
        let room = (PAPER.1 - 2.0 * MARGIN) / scale - HEAD;
        let mut cards: Vec<&Card> = self.cards.iter().collect();
        cards.sort_by_key(|card| (card.place.1, card.place.0));
        let mut pages: Vec<Vec<(&Card, f32)>> = vec![Vec::new()];
        let mut top = 0.0;
        for card in cards {
            let (y, bottom) = (f32::from(card.place.1) * ROW.1, f32::from(card.place.1) * ROW.1 + height(card.place.3));
            let full = pages.last().is_some_and(|page| !page.is_empty()) && bottom - top > room;
            if full {
                top = y;
                pages.push(Vec::new());
            }
            if let Some(page) = pages.last_mut() {
                // A card beside the last one of the page before moves to the top of this page.
                page.push((card, (y - top).max(0.0)));
            }
        }
        pages
    }

    fn page(&self, cards: &[(&Card, f32)], (number, count): (usize, usize)) -> String {
        let Ink { surface, text, muted, .. } = &self.ink;
        let (scale, room) = (scale(), (PAPER.1 - 2.0 * MARGIN) / scale());
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" font-family=\"Inter\">\
             <rect width=\"100%\" height=\"100%\" fill=\"{surface}\"/><g transform=\"translate({MARGIN} {MARGIN}) scale({scale})\">",
            PAPER.0, PAPER.1
        );
        let _ = write!(
            svg,
            "<text x=\"0\" y=\"24\" font-size=\"24\" font-weight=\"600\" fill=\"{text}\">{}</text>\
             <text x=\"0\" y=\"46\" font-size=\"13\" fill=\"{muted}\">{}</text>\
             <text x=\"{WIDTH}\" y=\"24\" font-size=\"13\" text-anchor=\"end\" fill=\"{muted}\">{number} / {count}</text>",
            escape(&self.title),
            escape(&self.note)
        );
        for (card, y) in cards {
            // A card that is higher than the page is scaled down.
            let shrink = ((room - HEAD) / height(card.place.3)).min(1.0);
            let _ = write!(
                svg,
                "<g transform=\"translate({} {}) scale({shrink})\">{}</g>",
                f32::from(card.place.0) * column(),
                y + HEAD,
                card.draw(&self.ink, (width(card.place.2), height(card.place.3)))
            );
        }
        svg.push_str("</g></svg>");
        svg
    }
}

fn scale() -> f32 {
    let width = WIDTH as f32;
    (PAPER.0 - 2.0 * MARGIN) / width
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paper(cards: Vec<Card>) -> Paper {
        Paper { title: "Sales & <more>".into(), note: "20 November".into(), cards, ink: ChartTheme::default().into() }
    }

    fn card(place: (u16, u16, u16, u16), body: Body) -> Card {
        Card { title: "Card \"one\"".into(), place, body }
    }

    fn picture() -> Body {
        Body::Picture(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%\" height=\"100%\" viewBox=\"0 0 600 200\">\
             <path d=\"M0 0L600 200\" stroke=\"#0b5fff\"/><text x=\"9\" y=\"99\" font-family=\"Nowhere\">Label</text></svg>"
                .into(),
        )
    }

    #[test]
    fn a_dashboard_becomes_vectors_and_text_on_as_many_pages_as_it_takes() {
        let table = Body::Table {
            heads: [("region", false), ("sum", true)].map(|(name, is_number)| Head { name: name.into(), is_number }).to_vec(),
            rows: (0..40).map(|at| vec![format!("north {at}").into(), at.to_string().into()]).collect(),
            count: 40,
            total: Some(vec!["Total".to_owned().into(), "780".to_owned().into()]),
        };
        let cards = vec![
            card((0, 0, 6, 6), picture()),
            card((6, 0, 6, 6), Body::Number { value: "1,234".into(), below: "Up 3%".into(), course: None }),
            card((0, 6, 12, 9), table),
            card((0, 15, 12, 60), Body::Lines(vec!["A <b>line</b>".into()])),
        ];
        let paper = paper(cards);
        assert_eq!(paper.pages().iter().map(Vec::len).collect::<Vec<_>>(), [2, 1, 1]);
        let file = paper.pdf().expect("a PDF");
        assert_eq!(&file[..5], b"%PDF-");
        assert!(!file.windows(14).any(|part| part == &b"/Subtype /Imag"[..]), "vectors, no bitmaps");
        assert!(file.len() > 4_000);
    }

    #[test]
    fn texts_stay_texts() {
        let page =
            paper(vec![card((0, 0, 6, 3), Body::Number { value: "<svg>".into(), below: "\u{0}&".into(), course: None })]);
        let svg = page.page(&page.pages()[0], (1, 1));
        assert!(
            svg.contains("Sales &amp; &lt;more&gt;") && svg.contains("&lt;svg&gt;") && svg.contains("Card &quot;one&quot;")
        );
        assert!(Tree::from_str(&svg, &Options::default()).is_ok());
    }

    #[test]
    fn a_picture_s_size_is_that_of_its_card() {
        assert_eq!(size((0, 0, 12, 7)), (1216, 316));
        assert_eq!(size((0, 0, 1, 1)), (57, 48));
    }
}
