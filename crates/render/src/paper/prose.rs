//! Text that was Markdown, in lines. [`inlay_contract::prose`] is what the page draws, too.

use super::{
    Ink,
    run::Run,
    text::{escape, fit, width as text_width},
};
use inlay_contract::prose::{Block, Span};
use std::fmt::Write;

/// The font sizes of text and of headings, in CSS pixels.
const SIZES: (f32, f32) = (13.0, 16.0);
/// The height of a line per font size.
const LEADING: f32 = 1.5;
/// The space above a block and above a list's item, in CSS pixels.
const ABOVE: (f32, f32) = (8.0, 4.0);
/// The indent of lists, quotes and code, in CSS pixels.
const INDENT: f32 = 20.0;
/// The widest line, in CSS pixels: longer ones are hard to read.
const WIDEST: f32 = 680.0;

/// How letters look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Voice {
    Plain,
    Strong,
    Emphasis,
    Link,
}

/// Letters that look the same.
type Piece = (Voice, String);

/// A line.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Its texts, each with its left edge: one, or a mark and one, or a row's cells.
    cells: Vec<(f32, Vec<Piece>)>,
    size: f32,
    above: f32,
    /// The left edge of the bar beside a quote or code, and whether it begins here.
    bar: Option<(f32, bool)>,
    /// The width of the rule below it, if it is the head of a table.
    rule: Option<f32>,
}

impl Line {
    fn height(&self) -> f32 {
        self.size.mul_add(LEADING, self.above)
    }
}

/// The lines of a text with this width.
pub(super) fn lines(blocks: &[Block], width: f32) -> Vec<Line> {
    let mut setter = Setter { lines: Vec::new(), width: width.min(WIDEST) };
    setter.blocks(blocks, 0.0, ABOVE.0);
    if let Some(first) = setter.lines.first_mut() {
        first.above = 0.0;
    }
    setter.lines
}

/// The lines as parts of a card, with this height around them.
pub(super) fn run(lines: &[Line], around: f32) -> Run {
    Run { around, lines: lines.iter().map(Line::height).collect(), tail: 0.0, cut_tail: SIZES.0 * LEADING }
}

/// Draws lines below each other. `is_cut` ends them with an ellipsis.
pub(super) fn draw(svg: &mut String, ink: &Ink, lines: &[Line], (x, top): (f32, f32), is_cut: bool) {
    let Ink { text, muted, line: faint, .. } = ink;
    let mut y = top;
    for line in lines {
        let (above, height) = (y + line.above, line.size * LEADING);
        let fill = if line.bar.is_some() { muted } else { text };
        if let Some((bar, begins)) = line.bar {
            let from = if begins { above } else { y };
            let _ = write!(svg, "<path d=\"M{} {from}V{}\" stroke=\"{faint}\" stroke-width=\"2\"/>", x + bar, above + height);
        }
        let baseline = line.size.mul_add(0.35, height.mul_add(0.5, above));
        for (left, pieces) in &line.cells {
            let _ = write!(
                svg,
                "<text xml:space=\"preserve\" x=\"{}\" y=\"{baseline}\" font-size=\"{}\" fill=\"{fill}\">",
                x + left,
                line.size
            );
            pieces.iter().for_each(|piece| draw_piece(svg, ink, piece));
            svg.push_str("</text>");
        }
        y = above + height;
        if let Some(width) = line.rule {
            let left = line.cells.first().map_or(x, |(left, _)| x + left);
            let _ = write!(svg, "<path d=\"M{left} {y}h{width}\" stroke=\"{faint}\"/>");
        }
    }
    if is_cut {
        let _ = write!(svg, "<text x=\"{x}\" y=\"{}\" font-size=\"{}\" fill=\"{muted}\">…</text>", y + SIZES.0, SIZES.0);
    }
}

fn draw_piece(svg: &mut String, ink: &Ink, (voice, text): &Piece) {
    let text = escape(text);
    let _ = match voice {
        Voice::Plain => write!(svg, "<tspan>{text}</tspan>"),
        Voice::Strong => write!(svg, "<tspan font-weight=\"600\">{text}</tspan>"),
        Voice::Emphasis => write!(svg, "<tspan font-style=\"italic\">{text}</tspan>"),
        Voice::Link => write!(svg, "<tspan fill=\"{}\">{text}</tspan>", ink.accent),
    };
}

/// Breaks blocks into lines.
struct Setter {
    lines: Vec<Line>,
    width: f32,
}

impl Setter {
    fn blocks(&mut self, blocks: &[Block], indent: f32, above: f32) {
        for block in blocks {
            let first = self.lines.len();
            match block {
                Block::Paragraph(spans) => self.flow(spans, indent, SIZES.0),
                Block::Heading(spans) => {
                    let strong = words(spans).into_iter().map(Span::Strong);
                    self.flow(&strong.collect::<Vec<_>>(), indent, SIZES.1);
                }
                Block::List { ordered, items } => self.list(items, *ordered, indent),
                Block::Quote(inner) => self.blocks(inner, indent + INDENT, above),
                Block::Code(code) => code.lines().for_each(|line| {
                    let text = fit(&line.replace('\t', "    "), self.width - indent - INDENT, SIZES.0);
                    self.push(vec![(indent + INDENT, vec![(Voice::Plain, text)])], SIZES.0);
                }),
                Block::Table { head, rows } => self.table(head, rows, indent),
            }
            let is_beside_bar = matches!(block, Block::Quote(_) | Block::Code(_));
            for (at, line) in self.lines.iter_mut().skip(first).enumerate().filter(|_| is_beside_bar) {
                line.bar = Some((indent + INDENT / 4.0, at == 0));
            }
            if let Some(line) = self.lines.get_mut(first) {
                line.above = above;
            }
        }
    }

    fn list(&mut self, items: &[Vec<Block>], ordered: bool, indent: f32) {
        for (number, item) in (1..).zip(items) {
            let first = self.lines.len();
            self.blocks(item, indent + INDENT, ABOVE.1);
            let mark = if ordered { format!("{number}.") } else { "•".to_owned() };
            if let Some(line) = self.lines.get_mut(first) {
                line.cells.insert(0, (indent + 2.0, vec![(Voice::Plain, mark)]));
            }
        }
    }

    /// A table's rows, one line each. A text that is wider than its column is cut.
    fn table(&mut self, head: &[Vec<Span>], rows: &[Vec<Vec<Span>>], indent: f32) {
        let wanted = |at: usize| {
            let cells = std::iter::once(head).chain(rows.iter().map(Vec::as_slice)).filter_map(|row| row.get(at));
            cells.map(|cell| text_width(&words(cell).concat(), SIZES.0)).fold(0.0, f32::max) * 1.06 + 14.0
        };
        let wanted: Vec<f32> = (0..head.len()).map(wanted).collect();
        let wide = wanted.iter().sum::<f32>().min(self.width - indent);
        let shrink = wide / wanted.iter().sum::<f32>();
        let set = |row: &[Vec<Span>], is_head: bool| {
            let mut x = indent;
            let cell = |(spans, width): (&Vec<Span>, &f32)| {
                let (left, width) = (x, width * shrink);
                x += width;
                (left, in_column(spans, width - 10.0, is_head))
            };
            row.iter().zip(&wanted).map(cell).collect::<Vec<_>>()
        };
        let rows: Vec<_> = std::iter::once(set(head, true)).chain(rows.iter().map(|row| set(row, false))).collect();
        for (at, cells) in rows.into_iter().enumerate() {
            self.push(cells, SIZES.0);
            if let Some(line) = self.lines.last_mut() {
                (line.rule, line.above) = ((at == 0).then_some(wide), ABOVE.1);
            }
        }
    }

    /// Fills lines with words.
    fn flow(&mut self, spans: &[Span], indent: f32, size: f32) {
        let most = self.width - indent;
        let (mut line, mut used): (Vec<Piece>, f32) = (Vec::new(), 0.0);
        for word in broken(spans) {
            let Some(word) = word else {
                self.push(vec![(indent, std::mem::take(&mut line))], size);
                used = 0.0;
                continue;
            };
            let wide = piece_widths(&word, size);
            if !line.is_empty() && used + wide + size * 0.3 > most {
                self.push(vec![(indent, std::mem::take(&mut line))], size);
                used = 0.0;
            }
            let is_first = line.is_empty();
            used += wide + if is_first { 0.0 } else { size * 0.3 };
            for (at, (voice, text)) in word.into_iter().enumerate() {
                let text = if wide > most { fit(&text, most, size) } else { text };
                let text = if at == 0 && !is_first { format!(" {text}") } else { text };
                match line.last_mut() {
                    Some((last, before)) if *last == voice => before.push_str(&text),
                    _ => line.push((voice, text)),
                }
            }
        }
        self.push(vec![(indent, line)], size);
    }

    fn push(&mut self, cells: Vec<(f32, Vec<Piece>)>, size: f32) {
        self.lines.push(Line { cells, size, above: 0.0, bar: None, rule: None });
    }
}

/// A cell, cut to its column.
fn in_column(spans: &[Span], width: f32, is_head: bool) -> Vec<Piece> {
    let pieces: Vec<Piece> = spans.iter().filter_map(piece).map(|(voice, text)| (voice, text.to_owned())).collect();
    let text = words(spans).concat();
    match (is_head, piece_widths(&pieces, SIZES.0) <= width) {
        (false, true) => pieces,
        (true, _) => vec![(Voice::Strong, fit(&text, width, SIZES.0))],
        (false, false) => vec![(Voice::Plain, fit(&text, width, SIZES.0))],
    }
}

/// The text of a span, and how it looks. `None` for a line break.
fn piece(span: &Span) -> Option<(Voice, &str)> {
    match span {
        Span::Text(text) | Span::Code(text) => Some((Voice::Plain, text)),
        Span::Strong(text) => Some((Voice::Strong, text)),
        Span::Emphasis(text) => Some((Voice::Emphasis, text)),
        Span::Link { text, .. } => Some((Voice::Link, text)),
        Span::Break => None,
    }
}

fn words(spans: &[Span]) -> Vec<String> {
    spans.iter().map(|span| piece(span).map_or(" ", |(_, text)| text).to_owned()).collect()
}

fn piece_widths(pieces: &[Piece], size: f32) -> f32 {
    let wide = |(voice, text): &Piece| text_width(text, size) * if *voice == Voice::Strong { 1.06 } else { 1.0 };
    pieces.iter().map(wide).sum()
}

/// The words of a text, each in its pieces. `None` is a line break.
fn broken(spans: &[Span]) -> Vec<Option<Vec<Piece>>> {
    let (mut words, mut word): (Vec<Option<Vec<Piece>>>, Vec<Piece>) = (Vec::new(), Vec::new());
    for span in spans {
        let Some((voice, text)) = piece(span) else {
            words.extend((!word.is_empty()).then(|| Some(std::mem::take(&mut word))));
            words.push(None);
            continue;
        };
        for (at, part) in text.split(char::is_whitespace).enumerate() {
            if at > 0 && !word.is_empty() {
                words.push(Some(std::mem::take(&mut word)));
            }
            if !part.is_empty() {
                word.push((voice, part.to_owned()));
            }
        }
    }
    words.extend((!word.is_empty()).then_some(Some(word)));
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::theme::ChartTheme;

    fn text(text: &str) -> Span {
        Span::Text(text.into())
    }

    fn drawn(blocks: &[Block], width: f32) -> String {
        let mut svg = String::new();
        draw(&mut svg, &ChartTheme::default().into(), &lines(blocks, width), (0.0, 0.0), false);
        svg
    }

    #[test]
    fn headings_and_voices_are_drawn() {
        let spans = vec![
            text("On "),
            Span::Strong("time".into()),
            text(", "),
            Span::Emphasis("that is".into()),
            text(" <15 min; see "),
            Span::Link { text: "the guide".into(), address: "https://example.com".into() },
        ];
        let svg = drawn(&[Block::Heading(vec![text("Head")]), Block::Paragraph(spans)], 600.0);
        assert!(svg.contains("font-size=\"16\"") && svg.contains("<tspan font-weight=\"600\">Head</tspan>"), "{svg}");
        assert!(svg.contains("<tspan>On</tspan><tspan font-weight=\"600\"> time</tspan><tspan>,</tspan>"), "{svg}");
        assert!(svg.contains("<tspan font-style=\"italic\"> that is</tspan><tspan> &lt;15 min; see</tspan>"), "{svg}");
        assert!(svg.contains("> the guide</tspan>") && !svg.contains("example.com"), "{svg}");
    }

    #[test]
    fn lists_have_marks_and_indents() {
        let item = |said: &str| vec![Block::Paragraph(vec![text(said)])];
        let inner = Block::List { ordered: true, items: vec![item("first"), item("second")] };
        let mut outer = item("one");
        outer.push(inner);
        let svg = drawn(&[Block::List { ordered: false, items: vec![outer, item("two")] }], 600.0);
        assert_eq!(svg.matches("<tspan>•</tspan>").count(), 2);
        assert!(svg.contains("x=\"40\"") && svg.contains("<tspan>2.</tspan>"), "{svg}");
    }

    #[test]
    fn lines_break_between_words_and_at_breaks() {
        let long = Block::Paragraph(vec![text("a word of many "), Span::Strong("and a strong end of the line".into())]);
        assert!(lines(&[long], 90.0).len() >= 4);
        let broken = Block::Paragraph(vec![text("one"), Span::Break, text("two")]);
        assert_eq!(lines(&[broken], 600.0).len(), 2);
        assert!(lines(&[], 600.0).is_empty());
    }

    #[test]
    fn tables_quotes_and_code_keep_their_lines() {
        let cell = |said: &str| vec![text(said)];
        let table = Block::Table { head: vec![cell("a"), cell("b")], rows: vec![vec![cell("1"), cell("2")]] };
        let blocks = [table, Block::Code("x\n  y".into()), Block::Quote(vec![Block::Paragraph(cell("said"))])];
        let lines = lines(&blocks, 600.0);
        assert_eq!(lines.iter().map(|line| line.cells.len()).collect::<Vec<_>>(), [2, 2, 1, 1, 1]);
        assert!(lines[0].rule.is_some() && lines[2].bar.is_some() && lines[4].bar.is_some());
        assert!(drawn(&blocks, 600.0).contains("<tspan>  y</tspan>"));
    }
}
