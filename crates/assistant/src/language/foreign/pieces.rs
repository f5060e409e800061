//! The words of a question in another language, as they were written.

use crate::language::tokens::MOST_TOKENS;
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

/// A word of the question with the marks around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// As it was written, without the marks.
    pub raw: String,
    /// In lower case, without accents.
    pub folded: String,
    /// Stands in quotes: a name that is not translated.
    pub quoted: bool,
    /// Whether a comma stands behind it.
    pub comma: bool,
    /// Whether a full stop stands behind it: "3. Quartal".
    pub stop: bool,
}

/// Words that French writes together with the next one.
const ELIDED: &[&str] = &["l", "d", "n", "s", "c", "j", "m", "t", "qu", "jusqu", "lorsqu", "puisqu", "quelqu"];
/// The marks that a word loses.
const MARKS: &str = "\"“”„‘’'«»()[]{}?¿!¡;:.,*`…";

/// Splits a question into its words: as many as are read of an English one.
pub(super) fn pieces(question: &str) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut quoted = false;
    for chunk in question.split_whitespace().take(MOST_TOKENS) {
        let opens = chunk.starts_with(['"', '“', '„', '«']);
        let inside = quoted || opens;
        let closes =
            chunk.trim_end_matches(['?', '!', '.', ',']).ends_with(['"', '”', '“', '»']) && (chunk.chars().count() > 1);
        quoted = inside && !closes;
        let bare = chunk.trim_matches(|letter: char| MARKS.contains(letter) && letter != '\'' && letter != '’');
        let end = chunk.trim_end_matches(['"', '”', '»', '?', '!']);
        let before = found.len();
        if inside {
            push(bare, true, &mut found);
        } else {
            split(bare, &mut found);
        }
        if let Some(last) = found[before..].last_mut() {
            last.comma = end.ends_with([',', ';', ':']);
            last.stop = end.ends_with('.');
        }
    }
    found.truncate(MOST_TOKENS);
    found
}

/// A word at its hyphens and behind an elided one. Dates and ranges of years stay whole.
fn split(chunk: &str, found: &mut Vec<Piece>) {
    if chunk.starts_with(|letter: char| letter.is_ascii_digit()) && !chunk.contains(char::is_alphabetic) {
        push(chunk, false, found);
        return;
    }
    for part in chunk.split(['-', '–', '/']) {
        match part.find(['\'', '’']) {
            Some(at) if ELIDED.contains(&part[..at].to_lowercase().as_str()) => {
                push(&format!("{}'", &part[..at]), false, found);
                push(part[at..].trim_start_matches(['\'', '’']), false, found);
            }
            _ => push(part.trim_matches(['\'', '’']), false, found),
        }
    }
}

fn push(raw: &str, quoted: bool, found: &mut Vec<Piece>) {
    if !raw.is_empty() {
        found.push(Piece { raw: raw.to_owned(), folded: folded(raw), quoted, comma: false, stop: false });
    }
}

/// A text in lower case, without accents: as it is compared.
pub(super) fn folded(text: &str) -> String {
    let plain = text.to_lowercase().replace('ß', "ss").replace('œ', "oe").replace('æ', "ae").replace('’', "'");
    plain.nfd().filter(|letter| !is_combining_mark(*letter)).collect()
}

/// A number or a date as English writes it: `1.000,5` is 1000.5, `14.02.2001` and `14/02/2001` are days. `None` for words.
pub(super) fn figure(raw: &str) -> Option<String> {
    if !raw.starts_with(|letter: char| letter.is_ascii_digit() || letter == '$' || letter == '€') {
        return None;
    }
    if let Some(day) =
        ["%d.%m.%Y", "%d/%m/%Y", "%d-%m-%Y"].iter().find_map(|form| chrono::NaiveDate::parse_from_str(raw, form).ok())
    {
        return Some(day.to_string());
    }
    let digits = |text: &str| !text.is_empty() && text.chars().all(|letter| letter.is_ascii_digit());
    let tail = raw.trim_start_matches(|letter: char| letter.is_ascii_digit() || matches!(letter, '.' | ',' | '$' | '€'));
    // "1er" is a word.
    if !matches!(tail.to_lowercase().as_str(), "" | "%" | "+" | "k" | "h" | "km" | "kg" | "min") {
        return None;
    }
    let body = &raw[..raw.len() - tail.len()];
    let number = body.trim_matches(['$', '€']);
    let sign = ["$", "€"].into_iter().find(|sign| body.contains(sign)).unwrap_or_default();
    let (whole, part) = match number.split_once(',') {
        // "1,000" of those who write as in English.
        Some((whole, part)) if part.len() == 3 && digits(whole) && digits(part) && whole != "0" => {
            (format!("{whole}{part}"), None)
        }
        Some((whole, part)) => (whole.to_owned(), Some(part)),
        None => (number.to_owned(), None),
    };
    let groups: Vec<&str> = whole.split('.').collect();
    let is_grouped =
        groups.len() > 1 && groups[1..].iter().all(|group| group.len() == 3) && groups.iter().all(|group| digits(group));
    let whole = if is_grouped { groups.concat() } else { whole };
    let value = part.map_or_else(|| whole.clone(), |part| format!("{whole}.{part}"));
    value.parse::<f64>().ok().map(|_| format!("{value}{sign}{tail}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(question: &str) -> Vec<String> {
        pieces(question).into_iter().map(|piece| piece.folded).collect()
    }

    #[test]
    fn words_are_split_at_hyphens_and_behind_elisions() {
        assert_eq!(words("Top-5-Länder, größer?"), ["top", "5", "lander", "grosser"]);
        assert_eq!(
            words("y a-t-il plus d’articles qu'en 2019-2020"),
            ["y", "a", "t", "il", "plus", "d'", "articles", "qu'", "en", "2019-2020"]
        );
        assert_eq!(words("¿Cuántos años?"), ["cuantos", "anos"]);
    }

    #[test]
    fn what_stands_in_quotes_is_a_name() {
        let quoted: Vec<bool> = pieces("Umsatz mit „Alles Gute“ nach Land").into_iter().map(|piece| piece.quoted).collect();
        assert_eq!(quoted, [false, false, true, true, false, false]);
    }

    #[test]
    fn numbers_and_dates_become_english_ones() {
        for (written, meant) in [
            ("1.000", "1000"),
            ("1.234.567,5", "1234567.5"),
            ("2,5", "2.5"),
            ("1,000", "1000"),
            ("2.5", "2.5"),
            ("20%", "20%"),
            ("500€", "500€"),
            ("14.02.2001", "2001-02-14"),
            ("14/02/2001", "2001-02-14"),
            ("10k", "10k"),
        ] {
            assert_eq!(figure(written).as_deref(), Some(meant), "{written}");
        }
        assert_eq!(figure("1er"), None);
        assert_eq!(figure("umsatz"), None);
        assert_eq!(figure("2019-2020"), None);
    }
}
