//! Text layout for paper: estimates widths and cuts text.

/// The estimated width of a line in pixels, by classes of characters.
pub(super) fn width(text: &str, size: f32) -> f32 {
    let ems: f32 = text.chars().map(letter).sum();
    ems * size
}

/// The width of a character at font size 1, in Inter.
fn letter(letter: char) -> f32 {
    match letter {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '!' | ' ' => 0.3,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | '|' => 0.38,
        '1' | '-' | '_' | '"' => 0.47,
        'a' | 'c' | 'k' | 's' | 'v' | 'x' | 'y' | 'z' | 'J' | 'L' => 0.57,
        'm' | 'w' | 'M' => 0.9,
        'W' | '@' | '%' | '—' => 1.0,
        'C' | 'D' | 'G' | 'H' | 'N' | 'O' | 'Q' | 'U' => 0.77,
        'A'..='Z' => 0.7,
        '\u{1100}'.. if !('\u{1e00}'..'\u{2100}').contains(&letter) => 1.0,
        _ if letter.is_ascii() => 0.63,
        _ if letter.is_uppercase() => 0.8,
        _ => 0.66,
    }
}

/// Cuts a text to a width.
pub(super) fn fit(text: &str, most: f32, size: f32) -> String {
    if width(text, size) <= most {
        return text.to_owned();
    }
    let mut room = most - size * 0.9;
    let kept: String = text
        .chars()
        .take_while(|next| {
            room -= letter(*next) * size;
            room > 0.0
        })
        .collect();
    format!("{}…", kept.trim_end())
}

/// Escapes text for XML.
pub(super) fn escape(text: &str) -> String {
    // XML has neither control characters nor these two.
    let is_written = |letter: &char| !letter.is_control() && !matches!(letter, '\u{fffe}' | '\u{ffff}');
    let plain: String = text.chars().filter(is_written).collect();
    html_escape::encode_double_quoted_attribute(&plain).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_is_cut() {
        assert_eq!(fit("short", 100.0, 12.0), "short");
        let cut = fit("a word that is far too long", 60.0, 12.0);
        assert!(cut.ends_with('…') && width(&cut, 12.0) <= 60.0, "{cut}");
    }
}
