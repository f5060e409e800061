//! A chart as a card: on a printed page, or alone as a picture.

use super::{
    Ink,
    text::{escape, fit, lines, width as text_width},
};
use inlay_contract::chart::{table::Shade, trend::Trend};
use std::fmt::Write;

/// Padding on each side, in CSS pixels.
const PADDING: f32 = 16.0;
/// The top of a card's body, below its title.
const TOP: f32 = 46.0;
/// The height of a table's row, in CSS pixels.
const LINE: f32 = 24.0;
/// The height of a line of text, in CSS pixels.
const LEADING: f32 = 20.0;
/// The minimum height of a single picture, and the most rows of a table in it.
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
    /// A picture from [`crate::Renderer::svg`], in the size that [`super::size`] returns.
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
    /// Text, one paragraph per item.
    Lines(Vec<String>),
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
    let inside = match &card.body {
        Body::Picture(_) => 0.0,
        Body::Number { course: None, .. } => 70.0,
        Body::Number { .. } => 130.0,
        Body::Table { rows, count, total, .. } => {
            let more = usize::from(*count > PICTURE.1) + usize::from(total.is_some());
            let lines = (rows.len().min(PICTURE.1) + more + 1) as f32;
            lines * LINE
        }
        Body::Lines(texts) => texts.iter().map(|text| broken(text, width).len()).sum::<usize>() as f32 * LEADING,
    };
    let height = (TOP + inside + PADDING).max(PICTURE.0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"Inter Variable, Inter, system-ui, sans-serif\">{}</svg>",
        card.draw(ink, (width, height))
    )
}

/// The lines of a paragraph in a card.
fn broken(text: &str, width: f32) -> Vec<String> {
    lines(text, 2.0f32.mul_add(-PADDING, width), 13.0)
}

impl Card {
    /// The card as a part of an SVG picture, with its corner at the origin.
    pub(super) fn draw(&self, ink: &Ink, (width, height): (f32, f32)) -> String {
        let Ink { card: ground, text, line, .. } = ink;
        let (inside, below) = (2.0f32.mul_add(-PADDING, width), height - 60.0);
        let mut svg = format!(
            "<rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{ground}\" stroke=\"{line}\"/>\
             <text x=\"16\" y=\"29\" font-size=\"14\" font-weight=\"600\" fill=\"{text}\">{}</text>",
            escape(&fit(&self.title, inside, 14.0))
        );
        match &self.body {
            Body::Picture(picture) => svg.push_str(&placed(picture, TOP, (inside, below))),
            Body::Number { value, below: line, course } => {
                number(&mut svg, ink, (value, line), course.as_ref(), (inside, height))
            }
            Body::Table { heads, rows, count, total } => {
                Table { heads, rows, count: *count, total: total.as_deref(), ink }.draw(&mut svg, (inside, below));
            }
            Body::Lines(texts) => {
                let mut y = TOP + 12.0;
                for one in texts.iter().flat_map(|text| broken(text, width)) {
                    if y > height - 6.0 {
                        break;
                    }
                    let _ = write!(svg, "<text x=\"16\" y=\"{y}\" font-size=\"13\" fill=\"{text}\">{}</text>", escape(&one));
                    y += LEADING;
                }
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
    let _ = write!(
        svg,
        "<text x=\"16\" y=\"84\" font-size=\"36\" font-weight=\"600\" fill=\"{text}\">{}</text>\
         <text x=\"16\" y=\"106\" font-size=\"13\" fill=\"{muted}\">{}</text>",
        escape(&fit(value, width, 36.0)),
        escape(&fit(below, width, 13.0))
    );
    let room = height - 128.0;
    if let Some(course) = course.filter(|_| room >= 16.0) {
        let line = course.svg(f64::from(width), f64::from(room.min(160.0)));
        let _ = write!(svg, "<g color=\"{accent}\">{}</g>", placed(&line, 116.0, (width, room.min(160.0))));
    }
}

/// A table in a card.
struct Table<'a> {
    heads: &'a [Head],
    rows: &'a [Vec<Field>],
    count: usize,
    total: Option<&'a [Field]>,
    ink: &'a Ink,
}

impl Table<'_> {
    fn draw(&self, svg: &mut String, (width, height): (f32, f32)) {
        let Ink { text, muted, line, .. } = self.ink;
        let lines = ((height / LINE).floor().max(1.0) as usize).saturating_sub(1 + usize::from(self.total.is_some()));
        let more = self.count > lines.min(self.rows.len());
        let shown = if more { lines.saturating_sub(1).min(self.rows.len()) } else { self.rows.len() };
        let columns = self.columns(width);
        let head: Vec<Field> = self.heads.iter().map(|head| head.name.clone().into()).collect();
        let mut y = TOP + 16.0;
        self.row(svg, &head, &columns, y, (muted, 600));
        for row in self.rows.iter().take(shown) {
            let _ = write!(svg, "<path d=\"M16 {}h{width}\" stroke=\"{line}\"/>", y + 7.0);
            y += LINE;
            self.row(svg, row, &columns, y, (text, 400));
        }
        if more {
            y += LINE;
            let rest = self.count - shown;
            let _ = write!(svg, "<text x=\"16\" y=\"{y}\" font-size=\"12\" fill=\"{muted}\">{rest} more rows</text>");
        }
        if let Some(total) = self.total {
            let _ = write!(svg, "<path d=\"M16 {}h{width}\" stroke=\"{muted}\"/>", y + 7.0);
            self.row(svg, total, &columns, y + LINE, (text, 600));
        }
    }

    /// The widths of the columns: those of their content, if there is enough space.
    fn columns(&self, width: f32) -> Vec<f32> {
        let cells = |at: usize| self.rows.iter().take(PICTURE.1).filter_map(move |row| row.get(at));
        let wanted = |(at, head): (usize, &Head)| {
            let texts = cells(at).map(|field| text_width(&field.text, 12.0));
            texts.fold(text_width(&head.name, 12.0), f32::max).min(280.0) + 20.0
        };
        let wanted: Vec<f32> = self.heads.iter().enumerate().map(wanted).collect();
        let sum: f32 = wanted.iter().sum();
        wanted.into_iter().map(|column| column / sum * width).collect()
    }

    fn row(&self, svg: &mut String, cells: &[Field], columns: &[f32], y: f32, (fill, weight): (&str, u16)) {
        let mut x = PADDING;
        for ((cell, head), column) in cells.iter().zip(self.heads).zip(columns) {
            if let Some((colour, opacity)) = cell.shade.map(|shade| self.ground(shade)) {
                let top = y - 16.0;
                let _ = write!(
                    svg,
                    "<rect x=\"{x}\" y=\"{top}\" width=\"{column}\" height=\"{LINE}\" fill=\"{colour}\" fill-opacity=\"{opacity}\"/>"
                );
            }
            let (at, anchor) = if head.is_number { (x + column - 8.0, "end") } else { (x + 4.0, "start") };
            let _ = write!(
                svg,
                "<text x=\"{at}\" y=\"{y}\" font-size=\"12\" font-weight=\"{weight}\" text-anchor=\"{anchor}\" fill=\"{fill}\">{}</text>",
                escape(&fit(&cell.text, column - 10.0, 12.0))
            );
            x += column;
        }
    }

    /// A shade's colour and opacity, as on the page.
    fn ground(&self, shade: Shade) -> (&str, f32) {
        let Ink { accent, positive, negative, warning, .. } = self.ink;
        match shade {
            Shade::Good => (positive, 0.16),
            Shade::Bad => (negative, 0.16),
            Shade::Warning => (warning, 0.2),
            Shade::Heat1 => (accent, 0.04),
            Shade::Heat2 => (accent, 0.1),
            Shade::Heat3 => (accent, 0.17),
            Shade::Heat4 => (accent, 0.25),
            Shade::Heat5 => (accent, 0.34),
        }
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

    #[test]
    fn a_table_alone_is_as_high_as_its_rows_and_says_what_it_leaves_out() {
        let short = alone(table(4));
        assert!(short.contains("height=\"182\"") && short.matches("&lt;north&gt;").count() == 4, "{short}");
        assert!(short.contains("Sales &amp; more") && short.contains("fill-opacity=\"0.16\""));
        assert!(!short.contains("more rows"));
        let long = alone(table(130));
        assert_eq!(long.matches("&lt;north&gt;").count(), 100);
        assert!(long.contains("30 more rows"));
    }

    #[test]
    fn a_wide_column_gets_more_of_the_width() {
        let heads = [("A", false), ("B", true)].map(|(name, is_number)| Head { name: name.into(), is_number }).to_vec();
        let rows = vec![vec![Field::from("A long name of something".to_owned()), Field::from("1".to_owned())]];
        let ink = ChartTheme::default().into();
        let columns = Table { heads: &heads, rows: &rows, count: 1, total: None, ink: &ink }.columns(300.0);
        assert!(columns[0] > 3.0 * columns[1] && (columns[0] + columns[1] - 300.0).abs() < 0.01, "{columns:?}");
    }

    #[test]
    fn long_texts_break_into_lines_and_numbers_have_no_empty_room() {
        let text = alone(Body::Lines(vec!["Flights of January to June, about one in twelve, from the bureau".into()]));
        assert!(text.matches("font-size=\"13\"").count() >= 2, "{text}");
        assert!(alone(Body::Number { value: "12".into(), below: String::new(), course: None }).contains("height=\"132\""));
    }
}
