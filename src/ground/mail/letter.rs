//! The layout of a mail: a heading, some sentences, one action, small print. Its HTML works in all mail programs: without style
//! sheets, scripts and external images, so that opening a mail is not tracked.

use std::fmt::Write;

/// The content of a mail. It is text and never becomes markup.
#[derive(Clone, Debug, Default)]
pub struct Letter {
    /// The heading.
    pub heading: String,
    /// Paragraphs. A line break inside a paragraph is kept.
    pub paragraphs: Vec<String>,
    /// Facts: name and value, such as `Period` and `Last 7 days`.
    pub facts: Vec<(String, String)>,
    /// The action: a label and a URL.
    pub action: Option<(String, String)>,
    /// Small print.
    pub notes: Vec<String>,
    /// The last line of the small print, as a link: a label and a URL.
    pub way_out: Option<(String, String)>,
    /// The action's colour, as CSS. Inlay's own when it is empty or invalid.
    pub accent: String,
    /// The colour of the action's text. White when it is empty or invalid.
    pub accent_text: String,
}

const INK: &str = "#1b1f27";
const FAINT: &str = "#667085";
const LINE: &str = "#e4e7ec";
const GROUND: &str = "#f5f6f8";
const ACCENT: &str = "#0b5fff";
const FONT: &str = "Inter,-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

impl Letter {
    /// The mail as plain text.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.heading);
        for paragraph in &self.paragraphs {
            let _ = write!(text, "\n{paragraph}\n");
        }
        if !self.facts.is_empty() {
            text.push('\n');
        }
        for (name, value) in &self.facts {
            let _ = writeln!(text, "{name}: {value}");
        }
        if let Some((label, address)) = &self.action {
            let _ = write!(text, "\n{label}:\n{address}\n");
        }
        text.push_str("\n--\n");
        for note in &self.notes {
            let _ = writeln!(text, "{note}");
        }
        if let Some((label, address)) = &self.way_out {
            let _ = writeln!(text, "{label}: {address}");
        }
        text
    }

    /// The mail as HTML.
    pub fn html(&self) -> String {
        let colour = |wanted: &str, own: &str| if is_colour(wanted) { wanted.to_owned() } else { own.to_owned() };
        let (accent, accent_text) = (colour(&self.accent, ACCENT), colour(&self.accent_text, "#ffffff"));
        let mut body = format!(
            "<h1 style=\"margin:0 0 16px;font-size:20px;line-height:1.3;font-weight:600;color:{INK}\">{}</h1>",
            escape(&self.heading)
        );
        for paragraph in &self.paragraphs {
            let lines = escape(paragraph).replace('\n', "<br>");
            let _ = write!(body, "<p style=\"margin:0 0 16px;font-size:15px;line-height:1.55;color:{INK}\">{lines}</p>");
        }
        body.push_str(&self.fact_rows());
        if let Some((label, address)) = &self.action {
            let _ = write!(
                body,
                "<p style=\"margin:24px 0 8px\"><a href=\"{}\" style=\"display:inline-block;padding:11px 20px;border-radius:6px;background:{accent};\
                 color:{accent_text};font-size:15px;font-weight:600;text-decoration:none\">{}</a></p>",
                escape(address),
                escape(label)
            );
        }
        let notes: String = self.notes.iter().map(|note| format!("{}<br>", escape(note))).collect();
        let way_out = self
            .way_out
            .as_ref()
            .map(|(label, address)| format!("<a href=\"{}\" style=\"color:{FAINT}\">{}</a>", escape(address), escape(label)));
        let heading = escape(&self.heading);
        format!(
            "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
             <title>{heading}</title></head><body style=\"margin:0;padding:0;background:{GROUND}\">\
             <table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" style=\"background:{GROUND}\"><tr>\
             <td align=\"center\" style=\"padding:32px 16px;font-family:{FONT}\">\
             <table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" style=\"max-width:560px\"><tr>\
             <td style=\"padding:32px;background:#ffffff;border:1px solid {LINE};border-top:3px solid {accent};border-radius:8px\">{body}</td></tr>\
             <tr><td style=\"padding:20px 32px;font-size:12px;line-height:1.6;color:{FAINT}\">{notes}{}</td></tr></table>\
             </td></tr></table></body></html>",
            way_out.unwrap_or_default()
        )
    }

    fn fact_rows(&self) -> String {
        if self.facts.is_empty() {
            return String::new();
        }
        let row = |(name, value): &(String, String)| {
            format!(
                "<tr><td style=\"padding:6px 16px 6px 0;font-size:13px;color:{FAINT};vertical-align:top;white-space:nowrap\">{}</td>\
                 <td style=\"padding:6px 0;font-size:13px;color:{INK}\">{}</td></tr>",
                escape(name),
                escape(value)
            )
        };
        let rows: String = self.facts.iter().map(row).collect();
        format!("<table role=\"presentation\" cellpadding=\"0\" cellspacing=\"0\" style=\"margin:0 0 8px\">{rows}</table>")
    }
}

/// Whether a text is a colour that every mail program supports: `#` and six digits.
fn is_colour(text: &str) -> bool {
    text.strip_prefix('#').is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

fn escape(text: &str) -> String {
    html_escape::encode_double_quoted_attribute(text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_wrote_stays_text() {
        let evil = "<img src=x onerror=alert(1)>\n\"&";
        let letter = Letter {
            heading: evil.to_owned(),
            paragraphs: vec![evil.to_owned()],
            facts: vec![(evil.to_owned(), evil.to_owned())],
            action: Some((evil.to_owned(), "https://x.test/?a=1&b=\"".to_owned())),
            notes: vec![evil.to_owned()],
            accent: "#fff;background:url(//x)".to_owned(),
            ..Letter::default()
        };
        let html = letter.html();
        assert!(!html.contains("<img") && !html.contains("url("), "{html}");
        assert!(html.contains("href=\"https://x.test/?a=1&amp;b=&quot;\""), "{html}");
        assert!(letter.text().contains("https://x.test/?a=1&b=\""));
    }
}
