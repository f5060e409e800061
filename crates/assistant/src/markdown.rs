//! Sanitizes the text of answers. A model's text may repeat what was hidden in a row, so no link, image or HTML of it reaches a
//! page.

/// The longest word that is examined as a whole.
const LONGEST_WORD: usize = 2048;

/// Escapes a text for Markdown.
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

/// Removes links, images and HTML from streamed Markdown. Each of them needs characters without a space in between (`](`, `]:`,
/// `<b`, `https://`), so a word is held back until it is complete.
#[derive(Debug, Default)]
pub struct Strainer {
    word: String,
}

impl Strainer {
    /// Adds the next piece. Returns the text that is safe to send.
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

    /// Returns the rest of the text.
    pub fn flush(&mut self) -> String {
        strained(&std::mem::take(&mut self.word))
    }
}

/// Characters that change how others are displayed: writing directions, joiners, tags.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// A word without links, images and HTML.
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

/// The position of a URL in a word.
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
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

    fn strain(text: &str) -> String {
        let mut strainer = Strainer::default();
        let out = strainer.push(text);
        out + &strainer.flush()
    }

    #[test]
    fn values_mark_nothing_up() {
        let text = escaped("**a** [b](http://c) <i> | # ~~x~~ `d`");
        let events: Vec<Event<'_>> = Parser::new_ext(&text, Options::all()).collect();
        let paragraph = |event: &&Event<'_>| matches!(event, Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph));
        assert_eq!(events.iter().filter(paragraph).count(), 2);
        let said: String =
            events.iter().filter_map(|event| if let Event::Text(text) = event { Some(text.as_ref()) } else { None }).collect();
        assert_eq!(said, "**a** [b](http://c) <i> | # ~~x~~ `d`");
        assert!(events.iter().all(|event| paragraph(&event) || matches!(event, Event::Text(_))), "{events:?}");
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
