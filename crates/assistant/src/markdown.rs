//! Text of answers. What a model writes may carry what somebody hid in a row: no link, image or HTML of it reaches a page.

use ammonia::Builder;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};
use std::collections::HashSet;

/// The longest run of letters without a space that is looked at as one.
const LONGEST_WORD: usize = 2048;

/// A text that stands for itself inside Markdown.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '+' | '!' | '|' | '<' | '>' | '~' | '&'
            | ':' => {
                out.push('\\');
                out.push(letter);
            }
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}

/// Markdown as HTML of a few tags without any attribute: no links, no images, no HTML of the text's own.
#[must_use]
pub fn to_safe_html(markdown: &str) -> String {
    let parser = Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH);
    let kept = parser.filter_map(|event| match event {
        Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::HtmlBlock)
        | Event::End(TagEnd::Link | TagEnd::Image | TagEnd::HtmlBlock) => None,
        Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
        other => Some(other),
    });
    let mut page = String::with_capacity(markdown.len() * 2);
    html::push_html(&mut page, kept);
    let tags = [
        "p",
        "br",
        "hr",
        "em",
        "strong",
        "del",
        "code",
        "pre",
        "blockquote",
        "ul",
        "ol",
        "li",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    ];
    Builder::new()
        .tags(HashSet::from(tags))
        .tag_attributes(Default::default())
        .generic_attributes(HashSet::new())
        .url_schemes(HashSet::new())
        .clean(&page)
        .to_string()
}

/// Takes links, images and HTML out of Markdown that comes in pieces. Each of them needs letters without a space between
/// (`](`, `]:`, `<b`, `https://`), so a word is held back until it is complete, and then taken apart.
#[derive(Debug, Default)]
pub struct Strainer {
    word: String,
}

impl Strainer {
    /// The next piece; answers what may go out by now.
    pub fn push(&mut self, piece: &str) -> String {
        let mut out = String::with_capacity(piece.len());
        for letter in piece.chars() {
            if letter.is_whitespace() {
                out.push_str(&self.flush());
                out.push(letter);
            } else if !letter.is_control() && !is_invisible(letter) {
                self.word.push(letter);
                if self.word.len() > LONGEST_WORD {
                    out.push_str(&self.flush());
                    out.push(' ');
                }
            }
        }
        out
    }

    /// What is still held back.
    pub fn flush(&mut self) -> String {
        strained(&std::mem::take(&mut self.word))
    }
}

/// Marks that change how others are read: directions of writing, joiners, tags.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// One word without what could lead elsewhere.
fn strained(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    let mut rest = word;
    while let Some(at) = address(rest) {
        out.push_str(&rest[..at]);
        out.push_str("(link removed)");
        let end = rest[at..].find([')', ']', '>', '"', '\'', '|', ',', ';']).map_or(rest.len(), |end| at + end);
        rest = &rest[end..];
    }
    out.push_str(rest);
    let mut apart = String::with_capacity(out.len());
    let mut letters = out.chars().peekable();
    while let Some(letter) = letters.next() {
        apart.push(letter);
        let opens = match letter {
            ']' => letters.peek().is_some_and(|next| matches!(next, '(' | '[' | ':')),
            '<' => letters.peek().is_some_and(|next| next.is_alphabetic() || matches!(next, '/' | '!' | '?')),
            _ => false,
        };
        if opens {
            apart.push(' ');
        }
    }
    apart
}

/// Where an address begins in a word.
fn address(word: &str) -> Option<usize> {
    let lower = word.to_ascii_lowercase();
    let scheme = lower.find("://").map(|at| {
        lower[..at]
            .rfind(|letter: char| !letter.is_ascii_alphanumeric() && !"+.-".contains(letter))
            .map_or(0, |before| before + lower[before..].chars().next().map_or(1, char::len_utf8))
    });
    let others =
        ["www.", "mailto:", "data:", "javascript:", "vbscript:", "//"].iter().filter_map(|start| lower.find(start)).min();
    match (scheme, others) {
        (Some(scheme), Some(other)) => Some(scheme.min(other)),
        (scheme, other) => scheme.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn strain(text: &str) -> String {
        let mut strainer = Strainer::default();
        let out = strainer.push(text);
        out + &strainer.flush()
    }

    #[test]
    fn values_mark_nothing_up() {
        assert_eq!(to_safe_html(&escaped("**a** [b](http://c) <i>")).trim(), "<p>**a** [b](http://c) &lt;i&gt;</p>");
    }

    #[test]
    fn html_has_a_few_tags_and_no_attributes() {
        let page = to_safe_html(
            "# Hi\n\n**b** `c` [l](https://evil.example) ![i](https://evil.example/p.png)\n\n<script>x</script><img src=x onerror=y>\n\n| a |\n|:-|\n| 1 |",
        );
        assert!(page.contains("<h1>Hi</h1>") && page.contains("<strong>b</strong>") && page.contains("<td>1</td>"), "{page}");
        for gone in ["href", "src=\"", "<a", "<img", "<script", "evil.example", "style="] {
            assert!(!page.contains(gone), "{gone} in {page}");
        }
    }

    #[test]
    fn links_images_and_html_are_strained_out() {
        assert_eq!(strain("see [this](https://evil.example/?q=1) now"), "see [this] ((link removed)) now");
        assert_eq!(strain("![x](//evil.example/a.png)"), "![x] ((link removed))");
        assert_eq!(strain("<img src=x> a <b and c < d"), "< img src=x> a < b and c < d");
        assert_eq!(strain("[a]: javascript:alert()"), "[a] : (link removed))");
        assert_eq!(strain("plain **bold** 3 % of 1/2"), "plain **bold** 3 % of 1/2");
    }

    proptest! {
        #[test]
        fn no_pieces_make_a_link(text in "[\\[\\]()<>!:/a-z h\\n.]{0,60}", cut in 0usize..60) {
            let cut = text.char_indices().map(|(at, _)| at).find(|at| *at >= cut).unwrap_or(text.len());
            let mut strainer = Strainer::default();
            let out = strainer.push(&text[..cut]) + &strainer.push(&text[cut..]) + &strainer.flush();
            prop_assert_eq!(&out, &strain(&text));
            let marks = Parser::new(&out).any(|event| matches!(event, Event::Start(Tag::Link { .. } | Tag::Image { .. }) | Event::Html(_) | Event::InlineHtml(_)));
            prop_assert!(!marks, "{}", out);
        }
    }
}
