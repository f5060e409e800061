//! A chart as a card: on a printed page, or alone as a picture.

use super::{
    Ink, prose,
    run::{Part, Run},
    table::Table,
    text::{self, escape, fit},
};
use inlay_contract::{
    chart::{table::Shade, trend::Trend},
    prose::{Block, Span},
};
use std::fmt::Write;

/// Padding on each side, in CSS pixels.
pub(super) const PADDING: f32 = 16.0;
/// The top of a card's body, below its title.
pub(super) const TOP: f32 = 46.0;
/// The space around the picture of a card: on both sides together, and above and below together.
pub(super) const AROUND: (f32, f32) = (2.0 * PADDING, 60.0);
/// The least and the usual size of a number, in CSS pixels.
const NUMBER: (f32, f32) = (8.0, 36.0);
/// The minimum height of a single picture, and the most rows or lines in it.
const PICTURE: (f32, usize) = (120.0, 100);

/// A chart on a page.
#[derive(Clone, Debug)]
pub struct Card {
    /// Its name.
    pub title: String,
    /// Left edge, top edge, width and height in columns and rows of the grid.
    pub place: (u16, u16, u16, u16),
    /// Its content.
    pub body: Body,
}

/// The content of a chart.
#[derive(Clone, Debug)]
pub enum Body {
    /// A picture from [`crate::Renderer::svg`], in the size that [`super::Paper::pictures`] returns.
    Picture(String),
    /// A big number and a line below it.
    Number {
        /// The number.
        value: String,
        /// The line below.
        below: String,
        /// Its trend.
        course: Option<Trend>,
    },
    /// A table.
    Table {
        /// The heads.
        heads: Vec<Head>,
        /// The first rows.
        rows: Vec<Vec<Field>>,
        /// How many rows there are.
        count: usize,
        /// The totals row.
        total: Option<Vec<Field>>,
    },
    /// Text, without a frame as on the page.
    Text(Vec<Block>),
    /// What is said instead of a chart.
    Message(String),
}

/// The head of a table's column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Its name.
    pub name: String,
    /// Whether its column is numeric.
    pub is_number: bool,
}

/// A table's cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    /// Its text.
    pub text: String,
    /// Its shade.
    pub shade: Option<Shade>,
}

impl From<String> for Field {
    fn from(text: String) -> Self {
        Self { text, shade: None }
    }
}

/// A single card as an SVG document with a width in CSS pixels and the height of its content.
#[must_use]
pub fn picture(card: &Card, ink: &Ink, width: u32) -> String {
    let width = width as f32;
    // Text has no frame of its own.
    let inset = if matches!(card.body, Body::Text(_)) { PADDING } else { 0.0 };
    let wide = 2.0f32.mul_add(-inset, width);
    let run = card.run(wide);
    let part = Part { lines: 0..run.as_ref().map_or(0, |run| run.lines.len().min(PICTURE.1)), last: true };
    let height = match (&run, &card.body) {
        (Some(run), _) => run.ends(&part),
        (None, Body::Number { course: None, .. }) => TOP + 70.0 + PADDING,
        (None, Body::Number { .. }) => TOP + 130.0 + PADDING,
        (None, _) => 0.0,
    };
    let height = height.max(PICTURE.0);
    let ground = if inset > 0.0 { framed(ink, (width, height)) } else { String::new() };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"Inter Variable, Inter, system-ui, sans-serif\">{ground}<g transform=\"translate({inset} 0)\">{}</g></svg>",
        card.draw(ink, (wide, height), &part, wide)
    )
}

fn framed(Ink { card, line, .. }: &Ink, (width, height): (f32, f32)) -> String {
    format!(
        "<rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"{card}\" stroke=\"{line}\"/>",
        width - 1.0,
        height - 1.0
    )
}

impl Card {
    /// What it shows line by line, if it does, with this width.
    pub(super) fn run(&self, width: f32) -> Option<Run> {
        match &self.body {
            Body::Table { heads, rows, count, total } => {
                Some(Table { heads, rows, count: *count, total: total.as_deref() }.run())
            }
            Body::Text(blocks) => Some(prose::run(&prose::lines(blocks, width), TOP + PADDING / 2.0)),
            Body::Picture(_) | Body::Number { .. } | Body::Message(_) => None,
        }
    }

    /// A part of the card as a part of an SVG picture, with its corner at the origin. The lines of a text
    /// that is on several pages are `measure` wide.
    pub(super) fn draw(&self, ink: &Ink, (width, height): (f32, f32), part: &Part, measure: f32) -> String {
        let inside = width - AROUND.0;
        let is_text = matches!(self.body, Body::Text(_));
        let mut svg = if is_text { String::new() } else { framed(ink, (width, height)) };
        let (x, room) = if is_text { (0.0, width) } else { (PADDING, inside) };
        let title = if part.continues() { format!("{} (continued)", self.title) } else { self.title.clone() };
        let _ = write!(
            svg,
            "<text x=\"{x}\" y=\"29\" font-size=\"14\" font-weight=\"600\" fill=\"{}\">{}</text>",
            ink.text,
            escape(&fit(&title, room, 14.0))
        );
        match &self.body {
            Body::Picture(picture) => svg.push_str(&placed(picture, TOP, (inside, height - AROUND.1))),
            Body::Number { value, below, course } => number(&mut svg, ink, (value, below), course.as_ref(), (inside, height)),
            Body::Table { heads, rows, count, total } => {
                Table { heads, rows, count: *count, total: total.as_deref() }.draw(&mut svg, ink, inside, part);
            }
            Body::Text(blocks) => {
                let mut lines = prose::lines(blocks, measure);
                if part.last && !part.continues() && part.lines.end >= lines.len() {
                    lines = prose::lines(blocks, width);
                }
                let end = part.lines.end.min(lines.len());
                let is_cut = part.last && end < lines.len();
                prose::draw(&mut svg, ink, lines.get(part.lines.start..end).unwrap_or_default(), (0.0, TOP), is_cut);
            }
            Body::Message(message) => {
                let lines = prose::lines(&[Block::Paragraph(vec![Span::Text(message.clone())])], inside);
                prose::draw(&mut svg, ink, &lines, (PADDING, TOP), false);
            }
        }
        svg
    }
}

/// Gives a drawing that scales with its box a fixed place and size.
fn placed(picture: &str, y: f32, (width, height): (f32, f32)) -> String {
    let place = format!("<svg x=\"16\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
    picture.replacen("<svg", &place, 1).replacen(" width=\"100%\" height=\"100%\"", "", 1)
}

fn number(svg: &mut String, ink: &Ink, (value, below): (&str, &str), course: Option<&Trend>, (width, height): (f32, f32)) {
    let Ink { text, muted, accent, .. } = ink;
    // Part of a number would be another number: one that is wider than its card is smaller. The least size cuts long units.
    let size = (width / text::width(value, 1.0)).clamp(NUMBER.0, NUMBER.1).floor();
    let _ = write!(
        svg,
        "<text x=\"16\" y=\"84\" font-size=\"{size}\" font-weight=\"600\" fill=\"{text}\">{}</text>\
         <text x=\"16\" y=\"106\" font-size=\"13\" fill=\"{muted}\">{}</text>",
        escape(&fit(value, width, size)),
        escape(&fit(below, width, 13.0))
    );
    let room = height - 128.0;
    if let Some(course) = course.filter(|_| room >= 16.0) {
        let line = course.svg(f64::from(width), f64::from(room.min(160.0)));
        let _ = write!(svg, "<g color=\"{accent}\">{}</g>", placed(&line, 116.0, (width, room.min(160.0))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::theme::ChartTheme;

    fn alone(body: Body) -> String {
        let card = Card { title: "Sales & more".into(), place: (0, 0, 3, 3), body };
        picture(&card, &ChartTheme::default().into(), 400)
    }

    fn table(rows: usize) -> Body {
        let heads = [("Region", false), ("Sum", true)].map(|(name, is_number)| Head { name: name.into(), is_number }).to_vec();
        let shaded = Field { text: "7".into(), shade: Some(Shade::Bad) };
        Body::Table { heads, rows: vec![vec![Field::from("<north>".to_owned()), shaded]; rows], count: rows, total: None }
    }

    fn text(text: &str) -> Body {
        Body::Text(vec![Block::Paragraph(vec![Span::Text(text.into())])])
    }

    #[test]
    fn a_table_alone_is_as_high_as_its_rows_and_says_what_it_leaves_out() {
        let short = alone(table(4));
        assert!(short.contains("height=\"182\"") && short.matches("&lt;north&gt;").count() == 4, "{short}");
        assert!(short.contains("Sales &amp; more") && short.contains("fill-opacity=\"0.16\""));
        assert!(!short.contains("more row"));
        let long = alone(table(130));
        assert_eq!(long.matches("&lt;north&gt;").count(), 100);
        assert!(long.contains("30 more rows"));
    }

    #[test]
    fn long_texts_break_into_lines_and_numbers_have_no_empty_room() {
        let text = alone(text("Flights of January to June, about one in twelve, from the bureau"));
        assert!(text.matches("font-size=\"13\"").count() >= 2, "{text}");
        assert!(alone(Body::Number { value: "12".into(), below: String::new(), course: None }).contains("height=\"132\""));
    }

    #[test]
    fn a_number_that_is_wider_than_its_card_is_smaller_and_whole() {
        let ink = ChartTheme::default().into();
        let value = "123,456,789,012.345 kWh";
        let body = Body::Number { value: value.into(), below: String::new(), course: None };
        let card = Card { title: "Energy".into(), place: (0, 0, 3, 3), body };
        let drawn = |width| card.draw(&ink, (width, 152.0), &Part::ALL, width);
        assert!(drawn(600.0).contains(&format!("font-size=\"36\" font-weight=\"600\" fill=\"{}\">{value}<", ink.text)));
        let narrow = drawn(200.0);
        assert!(narrow.contains(&format!(">{value}</text>")) && !narrow.contains("font-size=\"36\""), "{narrow}");
    }

    #[test]
    fn a_part_says_that_it_continues_and_a_cut_text_that_more_follows() {
        let ink = ChartTheme::default().into();
        let card = Card { title: "Notes".into(), place: (0, 0, 3, 3), body: text(&"word ".repeat(80)) };
        let drawn = |lines, last| card.draw(&ink, (300.0, 200.0), &Part { lines, last }, 300.0);
        assert!(drawn(0..3, true).contains(">…</text>") && !drawn(0..3, false).contains('…'));
        assert!(drawn(3..6, false).contains(">Notes (continued)</text>"));
        let message = Card { body: Body::Message("No data.".into()), ..card.clone() };
        assert!(message.draw(&ink, (300.0, 200.0), &Part::ALL, 300.0).contains("<tspan>No data.</tspan>"));
    }
}
