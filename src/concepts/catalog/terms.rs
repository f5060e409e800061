//! Words for some of a column's values as one line of text: `late, delayed >= 15 / lateness; early < 0`.

use inlay_assistant::{Comparison, Term, TermValue};

/// The comparison signs of a term. Longer ones come first: `<=` begins with `<`.
const COMPARISONS: [(&str, Comparison); 6] = [
    ("<=", Comparison::AtMost),
    ("<>", Comparison::NotEqual),
    (">=", Comparison::AtLeast),
    ("<", Comparison::Below),
    (">", Comparison::Above),
    ("=", Comparison::Equal),
];

/// Writes terms as text: the words, the condition, and after a slash the name for the share of such rows.
pub fn write(terms: &[Term]) -> String {
    let one = |term: &Term| {
        let sign = COMPARISONS.iter().find(|(_, comparison)| *comparison == term.comparison).map_or("", |(sign, _)| sign);
        let rates = if term.rates.is_empty() { String::new() } else { format!(" / {}", term.rates.join(", ")) };
        let value = match &term.value {
            TermValue::Number(value) => value.to_string(),
            TermValue::Text(value) => value.clone(),
        };
        format!("{} {sign} {value}{rates}", term.phrases.join(", "))
    };
    terms.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// Reads terms from text.
pub fn read(text: &str) -> Result<Vec<Term>, String> {
    text.split(';').map(str::trim).filter(|term| !term.is_empty()).map(one).collect()
}

fn one(text: &str) -> Result<Term, String> {
    let wrong = || {
        format!("cannot be read at “{text}”; write terms as late, delayed >= 15 or America, US = USA and separate them with ;")
    };
    let at = text.find(['<', '>', '=']).ok_or_else(wrong)?;
    let (phrases, condition) = text.split_at(at);
    let (sign, comparison) = COMPARISONS.iter().find(|(sign, _)| condition.starts_with(sign)).ok_or_else(wrong)?;
    let condition = &condition[sign.len()..];
    let (value, rates) = condition.split_once('/').unwrap_or((condition, ""));
    let phrases = words(phrases);
    let value = match value.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => TermValue::Number(value),
        Err(_) if !value.trim().is_empty() && !value.contains(['<', '>', '=']) => TermValue::Text(value.trim().to_owned()),
        _ => return Err(wrong()),
    };
    let term = Term { phrases, rates: words(rates), comparison: *comparison, value };
    if term.is_whole() { Ok(term) } else { Err(wrong()) }
}

/// Splits words at commas.
pub fn words(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_read_as_they_are_written() {
        let text = "late, delayed >= 15 / lateness; early < -0.5; on time = 0; other <> 1; far > 1000; near <= 10; America, US = United States / American share";
        let terms = read(text).expect(text);
        assert_eq!((terms.len(), write(&terms)), (7, text.to_owned()));
        assert_eq!(terms[0].phrases, ["late", "delayed"]);
        assert_eq!((terms[0].comparison, &terms[0].value), (Comparison::AtLeast, &TermValue::Number(15.0)));
        assert_eq!(terms[6].value, TermValue::Text("United States".to_owned()));
        assert!(read(" ; ").expect("nothing").is_empty());
    }

    #[test]
    fn what_is_no_term_is_told() {
        for wrong in
            ["late", ">= 15", "late >= soon", "late => 15", "late >= inf", "America =", "America = US = USA", "late > soon"]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
