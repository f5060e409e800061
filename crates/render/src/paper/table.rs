//! A table in a card.

use super::{
    Ink,
    card::{Field, Head, PADDING, TOP},
    run::{Part, Run},
    text::{escape, fit, width as text_width},
};
use inlay_contract::chart::table::Shade;
use std::fmt::Write;

/// The height of a row, in CSS pixels.
const LINE: f32 = 24.0;

/// A table in a card.
pub(super) struct Table<'a> {
    pub heads: &'a [Head],
    pub rows: &'a [Vec<Field>],
    pub count: usize,
    pub total: Option<&'a [Field]>,
}

impl Table<'_> {
    /// Its rows, below its head.
    pub fn run(&self) -> Run {
        let total = if self.total.is_some() { LINE } else { 0.0 };
        let cut_tail = total + LINE;
        let tail = if self.count > self.rows.len() { cut_tail } else { total };
        Run { around: TOP + LINE + PADDING, lines: vec![LINE; self.rows.len()], tail, cut_tail }
    }

    /// Draws a part of it, below the title of its card.
    pub fn draw(&self, svg: &mut String, ink: &Ink, width: f32, part: &Part) {
        let Ink { text, muted, line, .. } = ink;
        let columns = self.columns(width);
        let head: Vec<Field> = self.heads.iter().map(|head| head.name.clone().into()).collect();
        let mut y = TOP + 16.0;
        self.row(svg, ink, &head, &columns, (y, muted, 600));
        let end = part.lines.end.min(self.rows.len());
        for row in self.rows.get(part.lines.start..end).unwrap_or_default() {
            let _ = write!(svg, "<path d=\"M16 {}h{width}\" stroke=\"{line}\"/>", y + 7.0);
            y += LINE;
            self.row(svg, ink, row, &columns, (y, text, 400));
        }
        if !part.last {
            return;
        }
        let more = self.count.saturating_sub(end);
        if more > 0 {
            y += LINE;
            let rows = if more == 1 { "row" } else { "rows" };
            let _ = write!(svg, "<text x=\"20\" y=\"{y}\" font-size=\"12\" fill=\"{muted}\">{more} more {rows}</text>");
        }
        if let Some(total) = self.total {
            let _ = write!(svg, "<path d=\"M16 {}h{width}\" stroke=\"{muted}\"/>", y + 7.0);
            self.row(svg, ink, total, &columns, (y + LINE, text, 600));
        }
    }

    /// The widths of the columns: those of their content, if there is enough space.
    fn columns(&self, width: f32) -> Vec<f32> {
        let wanted = |(at, head): (usize, &Head)| {
            let cells = self.rows.iter().map(Vec::as_slice).chain(self.total).filter_map(|row| row.get(at));
            let texts = cells.map(|field| text_width(&field.text, 12.0));
            texts.fold(text_width(&head.name, 12.0), f32::max).min(280.0) + 20.0
        };
        let wanted: Vec<f32> = self.heads.iter().enumerate().map(wanted).collect();
        let sum: f32 = wanted.iter().sum();
        wanted.into_iter().map(|column| column / sum * width).collect()
    }

    fn row(&self, svg: &mut String, ink: &Ink, cells: &[Field], columns: &[f32], (y, fill, weight): (f32, &str, u16)) {
        let mut x = PADDING;
        for ((cell, head), column) in cells.iter().zip(self.heads).zip(columns) {
            if let Some((colour, opacity)) = cell.shade.map(|shade| ground(ink, shade)) {
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
}

/// A shade's colour and opacity, as on the page.
fn ground(ink: &Ink, shade: Shade) -> (&str, f32) {
    let Ink { accent, positive, negative, warning, .. } = ink;
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

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::theme::ChartTheme;

    fn heads() -> Vec<Head> {
        [("Name", false), ("Sum", true)].map(|(name, is_number)| Head { name: name.into(), is_number }).to_vec()
    }

    fn rows(count: usize) -> Vec<Vec<Field>> {
        (0..count).map(|at| vec![Field::from(format!("row {at}.")), Field::from(at.to_string())]).collect()
    }

    #[test]
    fn a_wide_column_gets_more_of_the_width() {
        let rows = vec![vec![Field::from("A long name of something".to_owned()), Field::from("1".to_owned())]];
        let columns = Table { heads: &heads(), rows: &rows, count: 1, total: None }.columns(300.0);
        assert!(columns[0] > 3.0 * columns[1] && (columns[0] + columns[1] - 300.0).abs() < 0.01, "{columns:?}");
    }

    #[test]
    fn a_part_repeats_the_head_and_the_last_one_ends_with_the_total() {
        let (heads, rows, total) = (heads(), rows(30), [Field::from("Total".to_owned())]);
        let table = Table { heads: &heads, rows: &rows, count: 43, total: Some(&total) };
        let drawn = |lines, last| {
            let mut svg = String::new();
            table.draw(&mut svg, &ChartTheme::default().into(), 600.0, &Part { lines, last });
            svg
        };
        let (first, second) = (drawn(0..20, false), drawn(20..30, true));
        assert!(first.contains(">Sum</text>") && second.contains(">Sum</text>"));
        assert!(first.contains(">row 19.<") && !first.contains(">row 20.<") && second.contains(">row 20.<"));
        assert!(!first.contains("more row") && !first.contains(">Total<"));
        assert!(second.contains(">13 more rows<") && second.contains(">Total<"));
        assert!(drawn(0..30, true).contains("text-anchor=\"end\""), "numbers end at one line");
    }

    #[test]
    fn a_cut_leaves_space_to_say_so() {
        let (heads, rows) = (heads(), rows(10));
        let run = Table { heads: &heads, rows: &rows, count: 10, total: None }.run();
        assert_eq!(run.rest(0), 86.0 + 240.0);
        assert_eq!(run.cut(326.0).lines, 0..10);
        assert_eq!(run.cut(325.0).lines, 0..8, "one line for the number of rows left out");
        assert_eq!(run.begun(0, 325.0).lines, 0..9);
    }
}
