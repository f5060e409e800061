//! A dashboard as a PDF: its charts where they stand on the page, as vectors, a line of text above them, page after page.
//! Each page is one SVG that holds the charts' own; texts come from customers' rows and are escaped like every text in XML.

use crate::error::RenderError;
use krilla::{Document, geom::Size, page::PageSettings};
use krilla_svg::{SurfaceExt, SvgSettings};
use std::{
    fmt::Write,
    sync::{Arc, LazyLock},
};
use usvg::{Options, Tree, fontdb};

/// A4 on its side, in points.
const PAPER: (f32, f32) = (841.89, 595.28);
/// The margin on each side, in points.
const MARGIN: f32 = 34.0;
/// The width that a dashboard is drawn at, in CSS pixels: 12 columns and the gaps between them.
pub const WIDTH: u32 = 1248;
/// The height of the head of a page, in CSS pixels.
const HEAD: f32 = 64.0;
/// A row of the grid, and a row with the gap after it, in CSS pixels.
const ROW: (f32, f32) = (40.0, 56.0);
/// Height of a table's row, in CSS pixels.
const LINE: f32 = 24.0;

/// A dashboard to be printed.
#[derive(Clone, Debug)]
pub struct Paper {
    /// Its name.
    pub title: String,
    /// What stands beside the name: the day, the filters.
    pub note: String,
    /// Its charts.
    pub cards: Vec<Card>,
    /// The colours.
    pub ink: Ink,
}

/// The colours of a page, as CSS has them.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Ink {
    pub surface: String,
    pub card: String,
    pub text: String,
    pub muted: String,
    pub line: String,
}

/// A chart on the page.
#[derive(Clone, Debug)]
pub struct Card {
    /// Its name.
    pub title: String,
    /// Left edge, top edge, width and height in columns and rows of the grid.
    pub place: (u16, u16, u16, u16),
    /// What it shows.
    pub body: Body,
}

/// What a chart shows.
#[derive(Clone, Debug)]
pub enum Body {
    /// A picture as [`crate::Renderer::svg`] draws it, for the size that [`size`] tells.
    Picture(String),
    /// A big number and a line below it.
    Number {
        /// The number.
        value: String,
        /// The line below.
        below: String,
    },
    /// A table.
    Table {
        /// The heads, and whether numbers stand under them.
        heads: Vec<(String, bool)>,
        /// The cells.
        rows: Vec<Vec<String>>,
    },
    /// Text, line by line.
    Lines(Vec<String>),
}

/// The size of a picture inside its card, in CSS pixels.
#[must_use]
pub fn size((_, _, w, h): (u16, u16, u16, u16)) -> (u32, u32) {
    let (width, height) = (width(w) - 32.0, height(h) - 60.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a size on a page")]
    (width.max(48.0) as u32, height.max(48.0) as u32)
}

fn column() -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "a width on a page")]
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
    for font in [&include_bytes!("../fonts/Inter-Regular.ttf")[..], include_bytes!("../fonts/Inter-SemiBold.ttf")] {
        fonts.load_font_data(font.to_vec());
    }
    // Whatever a picture calls its font, there is one: a text in a font that is not there would vanish.
    fonts.set_sans_serif_family("Inter");
    fonts.set_serif_family("Inter");
    fonts.set_monospace_family("Inter");
    Arc::new(fonts)
});

impl Paper {
    /// The PDF.
    ///
    /// # Errors
    /// A picture is no SVG, or the file cannot be written.
    pub fn pdf(&self) -> Result<Vec<u8>, RenderError> {
        let mut document = Document::new();
        let size = Size::from_wh(PAPER.0, PAPER.1).ok_or(RenderError::Stopped)?;
        let settings = PageSettings::from_wh(PAPER.0, PAPER.1).ok_or(RenderError::Stopped)?;
        let options = Options { fontdb: Arc::clone(&FONTS), font_family: "Inter".to_owned(), ..Options::default() };
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

    /// The cards of each page, moved to its top: a page ends before the first card that does not fit on it.
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
                // One that stands beside the last card of the page before comes to the top of this one.
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
            // A card that is higher than the paper is drawn smaller.
            let shrink = ((room - HEAD) / height(card.place.3)).min(1.0);
            let _ = write!(
                svg,
                "<g transform=\"translate({} {}) scale({shrink})\">{}</g>",
                f32::from(card.place.0) * column(),
                y + HEAD,
                self.card(card)
            );
        }
        svg.push_str("</g></svg>");
        svg
    }

    fn card(&self, card: &Card) -> String {
        let Ink { card: ground, text, line, .. } = &self.ink;
        let (width, height) = (width(card.place.2), height(card.place.3));
        let mut svg = format!(
            "<rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{ground}\" stroke=\"{line}\"/>\
             <text x=\"16\" y=\"29\" font-size=\"14\" font-weight=\"600\" fill=\"{text}\">{}</text>",
            escape(&fit(&card.title, width - 32.0, 14.0))
        );
        let (inside, below) = (width - 32.0, height - 60.0);
        match &card.body {
            Body::Picture(picture) => {
                let place = format!("<svg x=\"16\" y=\"46\" width=\"{inside}\" height=\"{below}\"");
                // The picture's own size is that of its box, which it has here no more.
                svg.push_str(&picture.replacen("<svg", &place, 1).replacen(" width=\"100%\" height=\"100%\"", "", 1));
            }
            Body::Number { value, below } => self.number(&mut svg, value, below),
            Body::Table { heads, rows } => self.table(&mut svg, heads, rows, (inside, below)),
            Body::Lines(lines) => self.lines(&mut svg, lines, below),
        }
        svg
    }

    fn number(&self, svg: &mut String, value: &str, below: &str) {
        let Ink { text, muted, .. } = &self.ink;
        let _ = write!(
            svg,
            "<text x=\"16\" y=\"86\" font-size=\"36\" font-weight=\"600\" fill=\"{text}\">{}</text>\
             <text x=\"16\" y=\"110\" font-size=\"13\" fill=\"{muted}\">{}</text>",
            escape(value),
            escape(below)
        );
    }

    fn table(&self, svg: &mut String, heads: &[(String, bool)], rows: &[Vec<String>], (width, height): (f32, f32)) {
        let Ink { text, muted, line, .. } = &self.ink;
        #[expect(clippy::cast_precision_loss, reason = "columns on a page")]
        let cell = width / heads.len().max(1) as f32;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "lines on a page")]
        let lines = ((height / LINE).floor().max(1.0) as usize).saturating_sub(1);
        let mut put = |texts: &mut dyn Iterator<Item = (&str, bool)>, y: f32, fill: &str, weight: u16| {
            let mut x = 16.0;
            for (cell_text, is_number) in texts {
                let (at, anchor) = if is_number { (x + cell - 8.0, "end") } else { (x, "start") };
                let _ = write!(
                    svg,
                    "<text x=\"{at}\" y=\"{y}\" font-size=\"12\" font-weight=\"{weight}\" text-anchor=\"{anchor}\" fill=\"{fill}\">{}</text>",
                    escape(&fit(cell_text, cell - 12.0, 12.0))
                );
                x += cell;
            }
            let _ = write!(svg, "<path d=\"M16 {0}h{width}\" stroke=\"{line}\"/>", y + 7.0);
        };
        put(&mut heads.iter().map(|(head, is_number)| (head.as_str(), *is_number)), 62.0, muted, 600);
        let more = rows.len() > lines;
        let shown = if more { lines.saturating_sub(1) } else { rows.len() };
        let mut y = 62.0 + LINE;
        for row in rows.iter().take(shown) {
            let is_number = heads.iter().map(|(_, is_number)| *is_number);
            put(&mut row.iter().map(String::as_str).zip(is_number), y, text, 400);
            y += LINE;
        }
        if more {
            let _ = write!(
                svg,
                "<text x=\"16\" y=\"{y}\" font-size=\"12\" fill=\"{muted}\">{} more rows</text>",
                rows.len() - shown
            );
        }
    }

    fn lines(&self, svg: &mut String, lines: &[String], height: f32) {
        let mut y = 62.0;
        for line in lines {
            if y > height + 40.0 {
                break;
            }
            let _ = write!(svg, "<text x=\"16\" y=\"{y}\" font-size=\"13\" fill=\"{}\">{}</text>", self.ink.text, escape(line));
            y += 20.0;
        }
    }
}

fn scale() -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "a width on a page")]
    let width = WIDTH as f32;
    (PAPER.0 - 2.0 * MARGIN) / width
}

/// A text cut to a width, by the width that its letters have about.
fn fit(text: &str, width: f32, size: f32) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "letters in a line")]
    let most = (width / (size * 0.56)).max(1.0) as usize;
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(most.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

fn escape(text: &str) -> String {
    let kept = text.chars().filter(|letter| !letter.is_control());
    let mut escaped = String::with_capacity(text.len());
    for letter in kept {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paper(cards: Vec<Card>) -> Paper {
        let ink = ["#ffffff", "#ffffff", "#111111", "#666666", "#dddddd"].map(str::to_owned);
        let [surface, card, text, muted, line] = ink;
        Paper {
            title: "Sales & <more>".into(),
            note: "20 November".into(),
            cards,
            ink: Ink { surface, card, text, muted, line },
        }
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
            heads: vec![("region".into(), false), ("sum".into(), true)],
            rows: (0..40).map(|at| vec![format!("north {at}"), at.to_string()]).collect(),
        };
        let cards = vec![
            card((0, 0, 6, 6), picture()),
            card((6, 0, 6, 6), Body::Number { value: "1,234".into(), below: "Up 3%".into() }),
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
        let page = paper(vec![card((0, 0, 6, 3), Body::Number { value: "<svg>".into(), below: "\u{0}&".into() })]);
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
