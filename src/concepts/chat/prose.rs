//! An answer's Markdown as blocks that a page draws node by node. Whatever a model writes, the result holds no HTML, link or picture: a link becomes its
//! text, a picture its description, HTML plain text.

use inlay_contract::prose::{Block, Span};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Reads Markdown.
pub fn blocks(markdown: &str) -> Vec<Block> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut reader = Reader { events: Parser::new_ext(markdown, options), depth: 0 };
    reader.blocks()
}

/// The maximum nesting depth. Deeper content is left out.
const DEEPEST: usize = 8;

struct Reader<'m> {
    events: Parser<'m>,
    depth: usize,
}

impl Reader<'_> {
    /// The blocks up to the end of the enclosing one.
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

    /// The block that a tag begins. `None` for inline content, which goes to `loose`.
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

    /// The spans of a line, up to its end.
    fn line(&mut self) -> Vec<Span> {
        let mut spans = Vec::new();
        self.inside(Voice::Plain, &mut spans);
        spans
    }

    /// The spans inside a tag, up to its end. An inner style replaces an outer one.
    fn inside(&mut self, voice: Voice, spans: &mut Vec<Span>) {
        let mut open = vec![voice];
        for event in self.events.by_ref() {
            match event {
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

    /// The plain text of a block, up to its end.
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

    fn text(text: &str) -> Span {
        Span::Text(text.into())
    }

    #[test]
    fn blocks_are_read() {
        let read = blocks("# Head\nOne **two** `three`\nfour\n\n- a\n- b\n  1. c\n\n> said\n\n```\ncode\n```\n");
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
        let read = blocks("| a | b |\n|---|---|\n| 1 | *2* |\n");
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
    fn no_link_picture_or_markup_comes_out() {
        let read = blocks(
            "[click](https://evil.example/x) ![seen](https://evil.example/p.png) <https://evil.example/auto> <b>bold</b>",
        );
        let written = serde_json::to_string(&read).expect("JSON");
        assert_eq!(read.len(), 1);
        assert!(written.contains("click seen ") && written.contains("<b>bold</b>"), "{written}");
        // A bare address stays text and becomes no link.
        assert!(!written.contains("p.png") && !written.contains("evil.example/x"), "{written}");
        let html = blocks("<img src=x onerror=alert(1)>\n\n<script>alert(1)</script>");
        assert!(html.iter().all(|block| matches!(block, Block::Code(_) | Block::Paragraph(_))), "{html:?}");
    }

    #[test]
    fn half_a_text_is_read_too_and_endless_nesting_ends() {
        assert_eq!(blocks("a **b"), [Block::Paragraph(vec![text("a **b")])]);
        let deep = "> ".repeat(5_000) + "x";
        assert!(serde_json::to_string(&blocks(&deep)).is_ok_and(|written| written.len() < 1_000));
    }
}
