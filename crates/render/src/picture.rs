//! Prepares ECharts' SVG for a page: it scales with its box, its ids are unique, and its elements are checked.

use crate::error::RenderError;
use std::fmt::Write;

/// The allowed elements.
const ELEMENTS: [&str; 17] = [
    "svg",
    "g",
    "path",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "text",
    "tspan",
    "defs",
    "clipPath",
    "linearGradient",
    "radialGradient",
    "stop",
    "pattern",
];

/// Prepares a picture. Its ids are derived from `seed`.
pub(crate) fn finish(svg: &str, seed: u64) -> Result<String, RenderError> {
    let mut picture = String::with_capacity(svg.len() + 256);
    let mut rest = svg;
    let mut first = true;
    while let Some(start) = rest.find('<') {
        let end = rest[start..].find('>').ok_or(RenderError::Unsafe("a tag without end"))? + start;
        picture.push_str(&rest[..start]);
        let tag = &rest[start + 1..end];
        check(tag)?;
        if std::mem::take(&mut first) {
            open(&mut picture, tag)?;
        } else {
            // Attribute values are rewritten, too: `url(#zr0-c1)`.
            let _ = write!(picture, "<{}>", own_ids(tag, seed));
        }
        rest = &rest[end + 1..];
    }
    picture.push_str(rest);
    if picture.contains("NaN") && tags(&picture).any(|tag| tag.contains("NaN")) {
        return Err(RenderError::Unsafe("a place that is no number"));
    }
    Ok(picture)
}

/// The root element: fills its box, keeps its coordinate system, and is hidden from screen readers.
fn open(picture: &mut String, tag: &str) -> Result<(), RenderError> {
    let view = attribute(tag, "viewBox").ok_or(RenderError::Unsafe("no view box"))?;
    let _ = write!(
        picture,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%\" height=\"100%\" viewBox=\"{view}\" \
         preserveAspectRatio=\"xMidYMid meet\" aria-hidden=\"true\" focusable=\"false\">"
    );
    Ok(())
}

/// Makes ids unique: a page has several pictures, and ECharts numbers each from the same start.
fn own_ids(tag: &str, seed: u64) -> String {
    if tag.contains("zr") {
        tag.replace("\"zr", &format!("\"c{seed:x}-")).replace("#zr", &format!("#c{seed:x}-"))
    } else {
        tag.to_owned()
    }
}

fn check(tag: &str) -> Result<(), RenderError> {
    let name = tag.trim_start_matches('/').split([' ', '/', '\n', '\t']).next().unwrap_or_default();
    if !ELEMENTS.contains(&name) {
        return Err(RenderError::Unsafe("an element that charts do not use"));
    }
    let mut rest = tag;
    while let Some(quote) = rest.find('"') {
        let key = rest[..quote].trim_end_matches('=').rsplit([' ', '\n', '\t']).next().unwrap_or_default();
        let end = rest[quote + 1..].find('"').ok_or(RenderError::Unsafe("an attribute without end"))? + quote + 1;
        let value = &rest[quote + 1..end];
        if key.to_ascii_lowercase().starts_with("on") {
            return Err(RenderError::Unsafe("an attribute that runs"));
        }
        if key.ends_with("href") || (value.contains("url(") && !value.contains("url(#")) || value.contains("javascript:") {
            return Err(RenderError::Unsafe("an address"));
        }
        rest = &rest[end + 1..];
    }
    Ok(())
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let start = tag.find(&format!(" {name}=\""))? + name.len() + 3;
    Some(&tag[start..start + tag[start..].find('"')?])
}

fn tags(svg: &str) -> impl Iterator<Item = &str> {
    svg.split('<').skip(1).filter_map(|part| part.split_once('>')).map(|(tag, _)| tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = r#"<svg width="10" height="20" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 20">"#;

    fn finished(inner: &str) -> Result<String, RenderError> {
        finish(&format!("{ROOT}{inner}</svg>"), 0xab)
    }

    #[test]
    fn the_root_scales_and_is_silent() {
        let picture = finished("").expect("a picture");
        assert!(
            picture
                .starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%\" height=\"100%\" viewBox=\"0 0 10 20\"")
        );
        assert!(picture.contains("aria-hidden=\"true\""));
    }

    #[test]
    fn ids_are_the_pictures_own_and_text_is_left_alone() {
        let picture =
            finished(r##"<g clip-path="url(#zr0-c1)"><text>zr0 "zr0" #zr0</text></g><clipPath id="zr0-c1"></clipPath>"##);
        let picture = picture.expect("a picture");
        assert!(picture.contains(r##"clip-path="url(#cab-0-c1)""##) && picture.contains(r#"id="cab-0-c1""#), "{picture}");
        assert!(picture.contains(r##"<text>zr0 "zr0" #zr0</text>"##));
    }

    #[test]
    fn what_runs_or_loads_is_refused() {
        for inner in [
            "<script>alert(1)</script>",
            "<foreignObject></foreignObject>",
            r#"<a href="https://evil.example">x</a>"#,
            r#"<image href="https://evil.example/x.png"></image>"#,
            r#"<rect onload="alert(1)"></rect>"#,
            r#"<rect ONCLICK="alert(1)"></rect>"#,
            r#"<rect fill="url(https://evil.example/x)"></rect>"#,
            r#"<path d="M0 NaN"></path>"#,
            "<rect",
        ] {
            assert!(finished(inner).is_err(), "{inner}");
        }
    }
}
