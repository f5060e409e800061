//! Markdown as blocks that a page draws node by node. No markup and no picture comes out of it: HTML is text, a picture its description.

use inlay_contract::prose::{Block, Span};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Which links stay links; the others become their text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// None.
    Dropped,
    /// Those to `https:`, `http:` and `mailto:`.
    ToTheWeb,
}

/// Reads Markdown.
#[must_use]
pub fn read(markdown: &str, links: Links) -> Vec<Block> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut reader = Reader { events: Parser::new_ext(markdown, options), links, depth: 0 };
    reader.blocks()
}

/// Deeper nesting than anybody means; what is deeper is left out.
const DEEPEST: usize = 8;

struct Reader<'m> {
    events: Parser<'m>,
    links: Links,
    depth: usize,
}

impl Reader<'_> {
    /// The blocks until the end of whatever they stand in.
    fn blocks(&mut self) -> Vec<Block> {
        self.depth += 1;
        let (mut blocks, mut loose) = (Vec::new(), Vec::new());
        while let Some(event) = self.events.next() {
            match event {
                Event::Start(tag) => {
                    if let Some(block) = self.block(&tag, &mut loose) {
                        flush(&mut loose, &mut blocks);
                        blocks.push(block);
                    }
                }
                Event::End(_) => break,
                other => spans_of(other, Voice::Plain, &mut loose),
            }
        }
        flush(&mut loose, &mut blocks);
        self.depth -= 1;
        blocks
    }

    /// The block that a tag begins; none for what stands inside a line, which goes to `loose`.
    fn block(&mut self, tag: &Tag<'_>, loose: &mut Vec<Span>) -> Option<Block> {
        if self.depth > DEEPEST && matches!(tag, Tag::BlockQuote(_) | Tag::List(_)) {
            self.inside(Voice::Plain, &mut Vec::new());
            return None;
        }
        Some(match tag {
            Tag::Paragraph => Block::Paragraph(self.line()),
            Tag::Heading { .. } => Block::Heading(self.line()),
            Tag::CodeBlock(_) | Tag::HtmlBlock => Block::Code(self.text().trim_end().to_owned()),
            Tag::BlockQuote(_) => Block::Quote(self.blocks()),
            Tag::List(first) => Block::List { ordered: first.is_some(), items: self.items() },
            Tag::Table(_) => self.table(),
            Tag::Strong => {
                self.inside(Voice::Strong, loose);
                return None;
            }
            Tag::Emphasis | Tag::Strikethrough => {
                self.inside(Voice::Emphasis, loose);
                return None;
            }
            Tag::Link { dest_url, .. } => {
                self.link(dest_url, Voice::Plain, loose);
                return None;
            }
            _ => {
                self.inside(Voice::Plain, loose);
                return None;
            }
        })
    }

    fn items(&mut self) -> Vec<Vec<Block>> {
        let mut items = Vec::new();
        while let Some(event) = self.events.next() {
            match event {
                Event::Start(_) => items.push(self.blocks()),
                Event::End(TagEnd::List(_)) => break,
                _ => {}
            }
        }
        items
    }

    fn table(&mut self) -> Block {
        let (mut head, mut rows, mut row) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(event) = self.events.next() {
            match event {
                Event::Start(Tag::TableCell) => row.push(self.line()),
                Event::End(TagEnd::TableHead) => head = std::mem::take(&mut row),
                Event::End(TagEnd::TableRow) => rows.push(std::mem::take(&mut row)),
                Event::End(TagEnd::Table) => break,
                _ => {}
            }
        }
        Block::Table { head, rows }
    }

    /// The pieces of a line until its end.
    fn line(&mut self) -> Vec<Span> {
        let mut spans = Vec::new();
        self.inside(Voice::Plain, &mut spans);
        spans
    }

    /// The pieces inside a tag, until its end; an inner voice counts over an outer one.
    fn inside(&mut self, voice: Voice, spans: &mut Vec<Span>) {
        let mut open = vec![voice];
        while let Some(event) = self.events.next() {
            match event {
                Event::Start(Tag::Link { dest_url, .. }) if self.keeps(&dest_url) => {
                    self.link(&dest_url, Voice::Plain, spans);
                }
                Event::Start(Tag::Strong) => open.push(Voice::Strong),
                Event::Start(Tag::Emphasis | Tag::Strikethrough) => open.push(Voice::Emphasis),
                Event::Start(_) => open.push(open.last().copied().unwrap_or(Voice::Plain)),
                Event::End(_) => {
                    open.pop();
                    if open.is_empty() {
                        break;
                    }
                }
                other => spans_of(other, open.last().copied().unwrap_or(Voice::Plain), spans),
            }
        }
    }

    /// A link until its end: as one if links to its address are kept, else as what it says.
    fn link(&mut self, address: &str, voice: Voice, spans: &mut Vec<Span>) {
        if !self.keeps(address) {
            return self.inside(voice, spans);
        }
        let said = self.line().into_iter().map(|span| match span {
            Span::Text(text) | Span::Strong(text) | Span::Emphasis(text) | Span::Code(text) | Span::Link { text, .. } => text,
            Span::Break => " ".to_owned(),
        });
        spans.push(Span::Link { text: said.collect(), address: address.to_owned() });
    }

    /// Whether a link to an address stays one.
    fn keeps(&self, address: &str) -> bool {
        self.links == Links::ToTheWeb && ["https://", "http://", "mailto:"].iter().any(|scheme| address.starts_with(scheme))
    }

    /// The text of a block as it is, until its end.
    fn text(&mut self) -> String {
        let mut text = String::new();
        for event in self.events.by_ref() {
            match event {
                Event::Text(part) | Event::Html(part) | Event::Code(part) => text.push_str(&part),
                Event::End(_) => break,
                _ => {}
            }
        }
        text
    }
}

#[derive(Clone, Copy)]
enum Voice {
    Plain,
    Strong,
    Emphasis,
}

fn spans_of(event: Event<'_>, voice: Voice, spans: &mut Vec<Span>) {
    match event {
        Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
            let text = text.into_string();
            match (voice, spans.last_mut()) {
                (Voice::Plain, Some(Span::Text(last))) => last.push_str(&text),
                (Voice::Plain, _) => spans.push(Span::Text(text)),
                (Voice::Strong, Some(Span::Strong(last))) => last.push_str(&text),
                (Voice::Emphasis, Some(Span::Emphasis(last))) => last.push_str(&text),
                (Voice::Strong, _) => spans.push(Span::Strong(text)),
                (Voice::Emphasis, _) => spans.push(Span::Emphasis(text)),
            }
        }
        Event::Code(text) => spans.push(Span::Code(text.into_string())),
        Event::SoftBreak => spans_of(Event::Text(" ".into()), voice, spans),
        Event::HardBreak => spans.push(Span::Break),
        _ => {}
    }
}

fn flush(loose: &mut Vec<Span>, blocks: &mut Vec<Block>) {
    if !loose.is_empty() {
        blocks.push(Block::Paragraph(std::mem::take(loose)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(markdown: &str) -> Vec<Block> {
        read(markdown, Links::ToTheWeb)
    }

    fn text(text: &str) -> Span {
        Span::Text(text.into())
    }

    #[test]
    fn blocks_are_read() {
        let read = all("# Head\nOne **two** `three`\nfour\n\n- a\n- b\n  1. c\n\n> said\n\n```\ncode\n```\n");
        let list = Block::List {
            ordered: false,
            items: vec![
                vec![Block::Paragraph(vec![text("a")])],
                vec![
                    Block::Paragraph(vec![text("b")]),
                    Block::List { ordered: true, items: vec![vec![Block::Paragraph(vec![text("c")])]] },
                ],
            ],
        };
        assert_eq!(
            read,
            [
                Block::Heading(vec![text("Head")]),
                Block::Paragraph(vec![
                    text("One "),
                    Span::Strong("two".into()),
                    text(" "),
                    Span::Code("three".into()),
                    text(" four"),
                ]),
                list,
                Block::Quote(vec![Block::Paragraph(vec![text("said")])]),
                Block::Code("code".into()),
            ]
        );
    }

    #[test]
    fn tables_keep_their_cells() {
        let read = all("| a | b |\n|---|---|\n| 1 | *2* |\n");
        let cell = |span| vec![span];
        assert_eq!(
            read,
            [Block::Table {
                head: vec![cell(text("a")), cell(text("b"))],
                rows: vec![vec![cell(text("1")), cell(Span::Emphasis("2".into()))]],
            }]
        );
    }

    #[test]
    fn half_a_text_is_read_too_and_endless_nesting_ends() {
        assert_eq!(all("a **b"), [Block::Paragraph(vec![text("a **b")])]);
        let deep = "> ".repeat(5_000) + "x";
        assert!(serde_json::to_string(&all(&deep)).is_ok_and(|written| written.len() < 1_000));
    }

    #[test]
    fn lines_become_paragraphs_headings_and_lists() {
        let item = |said: &str| vec![Block::Paragraph(vec![text(said)])];
        assert_eq!(
            all("## Head\nfirst\nsecond\n\n- a\n- b\n1. c\n\n#hash"),
            [
                Block::Heading(vec![text("Head")]),
                Block::Paragraph(vec![text("first second")]),
                Block::List { ordered: false, items: vec![item("a"), item("b")] },
                Block::List { ordered: true, items: vec![item("c")] },
                Block::Paragraph(vec![text("#hash")]),
            ]
        );
    }

    #[test]
    fn marks_make_spans_and_lone_marks_stay() {
        let line = vec![
            text("a "),
            Span::Strong("b".into()),
            text(" "),
            Span::Emphasis("c".into()),
            text(" "),
            Span::Code("d*".into()),
            text(" 2 * 3"),
        ];
        assert_eq!(all("a **b** *c* `d*` 2 * 3"), [Block::Paragraph(line)]);
    }

    #[test]
    fn links_lead_to_the_web_alone() {
        let line = |markdown: &str, links| match read(markdown, links).as_slice() {
            [Block::Paragraph(line)] => line.clone(),
            other => panic!("{other:?}"),
        };
        let link = |text: &str, address: &str| Span::Link { text: text.into(), address: address.into() };
        let kept = |markdown: &str| line(markdown, Links::ToTheWeb);
        assert_eq!(kept("[x](https://example.com)"), [link("x", "https://example.com")]);
        assert_eq!(kept("a [**b** `c`](http://b.example) d"), [text("a "), link("b c", "http://b.example"), text(" d")]);
        assert_eq!(kept("**[x](mailto:a@b.example)**"), [link("x", "mailto:a@b.example")]);
        assert_eq!(kept("<https://example.com>"), [link("https://example.com", "https://example.com")]);
        for address in
            ["javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "vbscript:x", "//b.example", "/x", "x", ""]
        {
            assert_eq!(kept(&format!("[x](<{address}>)")), [text("x")], "{address}");
        }
        assert_eq!(line("a [x](https://example.com) b", Links::Dropped), [text("a x b")]);
        assert_eq!(kept("a <img onerror=x>"), [text("a <img onerror=x>")]);
    }
}
