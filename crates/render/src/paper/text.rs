//! Text layout for paper: estimates widths, cuts text and breaks lines.

/// The estimated width of a line in pixels, by classes of characters.
pub(super) fn width(text: &str, size: f32) -> f32 {
    let ems: f32 = text.chars().map(letter).sum();
    ems * size
}

/// The width of a character at font size 1.
fn letter(letter: char) -> f32 {
    match letter {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.3,
        'f' | 't' | 'r' | '(' | ')' | '-' | '/' => 0.4,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.92,
        'A'..='Z' => 0.7,
        '\u{1100}'.. => 1.0,
        _ => 0.6,
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

/// Breaks a text into lines of at most this width, between words. A longer word is cut and has its own line.
pub(super) fn lines(text: &str, most: f32, size: f32) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let Some(line) = lines.last_mut() else { continue };
        if line.is_empty() {
            *line = fit(word, most, size);
        } else if width(line, size) + width(word, size) + letter(' ') * size <= most {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(fit(word, most, size));
        }
    }
    lines
}

/// Escapes text for XML.
pub(super) fn escape(text: &str) -> String {
    let plain: String = text.chars().filter(|letter| !letter.is_control()).collect();
    html_escape::encode_double_quoted_attribute(&plain).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_lose_none() {
        let text = "Flights of January to June, about one in twelve";
        let broken = lines(text, 100.0, 13.0);
        assert!(broken.len() > 2 && broken.iter().all(|line| width(line, 13.0) <= 100.0), "{broken:?}");
        assert_eq!(broken.join(" "), text);
        assert_eq!(lines("", 100.0, 13.0), [""]);
    }

    #[test]
    fn what_is_too_long_is_cut() {
        assert_eq!(fit("short", 100.0, 12.0), "short");
        let cut = fit("a word that is far too long", 60.0, 12.0);
        assert!(cut.ends_with('…') && width(&cut, 12.0) <= 60.0, "{cut}");
        assert!(lines("Donaudampfschifffahrtsgesellschaft", 60.0, 12.0)[0].ends_with('…'));
    }
}
