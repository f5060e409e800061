//! An answer's Markdown as blocks that a page draws node by node. Whatever a model writes, no markup, link or picture comes out
//! of it: a link is its text, a picture its description, HTML is what it says.

use inlay_app::prose::markdown::{self, Links};
use inlay_contract::prose::Block;

/// Reads Markdown.
pub fn blocks(text: &str) -> Vec<Block> {
    markdown::read(text, Links::Dropped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_link_picture_or_markup_comes_out() {
        let read = blocks(
            "[click](https://evil.example/x) ![seen](https://evil.example/p.png) <https://evil.example/auto> <b>bold</b>",
        );
        let written = serde_json::to_string(&read).expect("JSON");
        assert_eq!(read.len(), 1);
        assert!(written.contains("click seen ") && written.contains("<b>bold</b>"), "{written}");
        // An address that is written out is text; nothing leads to it.
        assert!(!written.contains("p.png") && !written.contains("evil.example/x"), "{written}");
        let html = blocks("<img src=x onerror=alert(1)>\n\n<script>alert(1)</script>");
        assert!(html.iter().all(|block| matches!(block, Block::Code(_) | Block::Paragraph(_))), "{html:?}");
    }
}
