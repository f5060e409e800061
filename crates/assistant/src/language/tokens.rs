//! First stage: splits a question into words, numbers and dates.

use chrono::NaiveDate;

/// A text with more words than this is not a question.
pub(crate) const MOST_TOKENS: usize = 120;

/// A word of the question.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    /// In lower case, without quotes.
    pub text: String,
    /// What it is.
    pub kind: TokenKind,
    /// Begins with a capital within a sentence: a name, such as "May" as opposed to "may".
    pub is_name: bool,
    /// In capitals, in a question that is not all in capitals: a code.
    pub is_code: bool,
}

/// The type of a token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TokenKind {
    Word,
    Number(f64),
    Day(NaiveDate),
    Comma,
}

/// Splits a question into tokens.
pub(crate) fn tokens(question: &str) -> Vec<Token> {
    let shouted = !question.chars().any(char::is_lowercase);
    let mut found: Vec<Token> = Vec::new();
    for (at, chunk) in question.split_whitespace().enumerate() {
        let before = found.len();
        split(chunk, shouted, &mut found);
        let is_name = at > 0 && !shouted && chunk.starts_with(char::is_uppercase);
        found[before..].iter_mut().for_each(|token| token.is_name = is_name);
        if found.len() >= MOST_TOKENS {
            break;
        }
    }
    found.truncate(MOST_TOKENS);
    found
}

fn split(chunk: &str, shouted: bool, found: &mut Vec<Token>) {
    let trimmed = chunk.trim_matches(|letter: char| "\"“”‘’'()[]{}?!;:.*`".contains(letter));
    let (body, comma) = match trimmed.strip_suffix(',') {
        Some(body) => (body, true),
        None => (trimmed, chunk.ends_with(',')),
    };
    let body = body.trim_matches(|letter: char| "\"“”‘’'()?!;:.,".contains(letter));
    if let Some((amount, sign)) = money(body) {
        found.push(amount);
        found.push(Token { text: sign.to_owned(), kind: TokenKind::Word, is_name: false, is_code: false });
    } else if let Some(kind) = day(body).map(TokenKind::Day).or_else(|| number(body).map(TokenKind::Number)) {
        found.push(Token { text: body.to_lowercase(), kind, is_name: false, is_code: false });
    } else {
        if let Some((from, to)) = body.split_once(['-', '–']).filter(|(from, to)| is_range(from, to)) {
            [from, "to", to].into_iter().for_each(|part| words(part, shouted, found));
            return;
        }
        for part in
            body.split(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '\'' | '’' | '%' | '.' | '&' | '_')))
        {
            words(part, shouted, found);
        }
    }
    if comma && found.last().is_some_and(|last| last.kind != TokenKind::Comma) {
        found.push(Token { text: ",".to_owned(), kind: TokenKind::Comma, is_name: false, is_code: false });
    }
}

/// A word with its contraction expanded: `don't` is "do not", `what's` "what is", `8am` "8 am".
fn words(part: &str, shouted: bool, found: &mut Vec<Token>) {
    let part = part.trim_matches('.');
    if part.is_empty() {
        return;
    }
    let is_code =
        !shouted && part.chars().count() > 1 && !part.chars().any(char::is_lowercase) && part.chars().any(char::is_alphabetic);
    let mut push = |text: &str| {
        if !text.is_empty() {
            let kind = number(text).map_or(TokenKind::Word, TokenKind::Number);
            found.push(Token { text: text.to_owned(), kind, is_name: false, is_code });
        }
    };
    let lower = part.to_lowercase().replace('’', "'");
    if let Some((stem, tail)) = lower.split_once('\'') {
        // "O'Hare" is one name.
        if !matches!(tail, "t" | "s" | "m" | "re" | "d" | "ll" | "ve" | "") {
            push(&[stem, tail].concat());
            return;
        }
        let stem = if tail == "t" { stem.strip_suffix('n').unwrap_or(stem) } else { stem };
        push(if stem == "ca" { "can" } else { stem });
        match tail {
            "t" => push("not"),
            "s" if matches!(stem, "what" | "how" | "who" | "where" | "that" | "it") => push("is"),
            "m" | "re" | "d" | "ll" | "ve" => push("would"),
            _ => {}
        }
        return;
    }
    let (digits, letters) = lower.split_at(lower.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(0));
    if !digits.is_empty() && matches!(letters, "am" | "pm" | "h" | "min" | "mi" | "km" | "%" | "st" | "nd" | "rd" | "th") {
        push(digits);
        push(letters);
    } else if let Some(stem) = lower.strip_suffix('%') {
        push(stem);
        push("%");
    } else {
        lower.split('&').enumerate().for_each(|(at, piece)| {
            if at > 0 {
                push("and");
            }
            push(piece);
        });
    }
}

/// Whether two texts with a dash between are the ends of a range: `jan-sep`, `2019-2021`, `q1-q3`.
fn is_range(from: &str, to: &str) -> bool {
    const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let month = |text: &str| text.is_ascii() && text.len() > 2 && MONTHS.contains(&&*text[..3].to_lowercase());
    let year = |text: &str| text.len() == 4 && text.parse::<u32>().is_ok_and(|year| (1900..=2100).contains(&year));
    let quarter = |text: &str| matches!(&*text.to_lowercase(), "q1" | "q2" | "q3" | "q4");
    [month, year, quarter].iter().any(|kind| kind(from) && kind(to))
}

/// `$50`, `5,000€`: the number and the sign.
fn money(text: &str) -> Option<(Token, &'static str)> {
    let sign = ["$", "€"].into_iter().find(|sign| text.starts_with(sign) || text.ends_with(sign))?;
    let bare = text.trim_matches(['$', '€']);
    let kind = TokenKind::Number(number(bare)?);
    Some((Token { text: bare.to_lowercase(), kind, is_name: false, is_code: false }, sign))
}

/// `1,000`, `2.5`, `60+`, `10k`.
fn number(text: &str) -> Option<f64> {
    if !text.starts_with(|letter: char| letter.is_ascii_digit()) {
        return None;
    }
    let (text, times) = match text.strip_suffix(['k', 'K']) {
        Some(text) => (text, 1000.0),
        None => (text.strip_suffix('+').unwrap_or(text), 1.0),
    };
    let grouped = text.split(',').skip(1).all(|group| group.len() == 3 || group.contains('.'));
    let plain = text.chars().all(|letter| letter.is_ascii_digit() || matches!(letter, '.' | ','));
    (grouped && plain).then(|| text.replace(',', "").parse::<f64>().ok().map(|value| value * times)).flatten()
}

/// `2001-02-14`, `2/14/2001`, `14.2.2001`.
fn day(text: &str) -> Option<NaiveDate> {
    // Every value of the data comes here, and few are days.
    if !text.starts_with(|letter: char| letter.is_ascii_digit()) {
        return None;
    }
    ["%Y-%m-%d", "%m/%d/%Y", "%d.%m.%Y", "%Y/%m/%d"].iter().find_map(|form| NaiveDate::parse_from_str(text, form).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(question: &str) -> String {
        tokens(question).into_iter().map(|token| token.text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_lose_case_marks_and_contractions() {
        assert_eq!(texts("What's the Delay, on-time -- to \"ATL\"?"), "what is the delay , on time to atl");
        assert_eq!(texts("didn't go R&D 8am 50%"), "did not go r and d 8 am 50 %");
        assert_eq!(texts("over $5,000 or 20€"), "over 5,000 $ or 20 €");
        assert_eq!(texts("Jan-Sep, 2019-2021"), "jan to sep 2019 to 2021");
    }

    #[test]
    fn numbers_and_days_are_read() {
        let kinds: Vec<TokenKind> =
            tokens("1,000 2.5 60+ 2001-02-14 2/14/2001 10k").into_iter().map(|token| token.kind).collect();
        let day = TokenKind::Day(NaiveDate::from_ymd_opt(2001, 2, 14).unwrap());
        let number = TokenKind::Number;
        assert_eq!(kinds, [number(1000.0), number(2.5), number(60.0), day, day, number(10_000.0)]);
    }

    #[test]
    fn capitals_are_a_code_unless_all_is_shouted() {
        assert!(tokens("flights to DAY")[2].is_code);
        assert!(!tokens("FLIGHTS PER DAY")[2].is_code);
        assert!(!tokens("I fly")[0].is_code);
    }

    #[test]
    fn endless_questions_are_cut() {
        assert_eq!(tokens(&"a ".repeat(10_000)).len(), MOST_TOKENS);
    }
}
