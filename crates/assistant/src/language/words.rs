//! Words: their stems, plurals and typos.

/// A text with a capital at its beginning.
pub(crate) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The singular of a word, roughly: "cities" and "city" match.
pub(crate) fn stem(word: &str) -> String {
    let letters = word.chars().count();
    let cut = |tail: &str| word.strip_suffix(tail).map(str::to_owned);
    if letters <= 3 || word.ends_with("ss") || word.ends_with("us") || word.ends_with("is") {
        return word.to_owned();
    }
    if let Some(stem) = cut("ies") {
        return stem + "y";
    }
    for tail in ["ches", "shes", "sses", "xes", "zes"] {
        if word.ends_with(tail) {
            return cut("es").unwrap_or_default();
        }
    }
    cut("s").unwrap_or_else(|| word.to_owned())
}

/// The singular of each word of a phrase.
pub(crate) fn stemmed(phrase: &str) -> String {
    phrase.split(' ').map(|word| stem(&word.to_lowercase())).collect::<Vec<_>>().join(" ")
}

/// What forms of a verb have in common, roughly: "waiting" and "wait", "cancelled" and "cancellation".
pub(crate) fn root(stem: &str) -> String {
    let cut = ["ation", "ings", "ing", "ed", "e"].iter().find_map(|tail| {
        let rest = stem.strip_suffix(tail)?;
        (rest.chars().count() > 3).then_some(rest)
    });
    let rest = cut.unwrap_or(stem);
    let mut letters = rest.chars().rev();
    match (cut, letters.next(), letters.next()) {
        // "shipped", "cancelled"
        (Some(_), Some(last), Some(before)) if last == before && !matches!(last, 's' | 'e') && rest.chars().count() > 4 => {
            rest[..rest.len() - last.len_utf8()].to_owned()
        }
        _ => rest.to_owned(),
    }
}

/// Whether a word is a plural.
pub(crate) fn is_plural(word: &str) -> bool {
    stem(word) != word || matches!(word, "people" | "men" | "women" | "children")
}

/// The plural of a name, for sentences.
pub(crate) fn plural(word: &str) -> String {
    const OTHER: [(&str, &str); 4] = [("woman", "women"), ("man", "men"), ("child", "children"), ("person", "people")];
    if let Some((one, many)) = OTHER.iter().find(|(one, _)| word == *one) {
        return word.replace(one, many);
    }
    let vowel_before_y = word.chars().rev().nth(1).is_some_and(|letter| "aeiou".contains(letter));
    if is_plural(word) {
        word.to_owned()
    } else if word.ends_with('y') && !vowel_before_y {
        format!("{}ies", &word[..word.len() - 1])
    } else if ["s", "x", "ch", "sh"].iter().any(|tail| word.ends_with(tail)) {
        format!("{word}es")
    } else {
        format!("{word}s")
    }
}

/// Whether `written` is probably a typo of `meant`: one or two letters differ, never the first.
pub(crate) fn is_slip(written: &str, meant: &str) -> bool {
    let letters = meant.chars().count();
    if written == meant || letters < 4 || written.chars().count() < 4 || written.chars().next() != meant.chars().next() {
        return false;
    }
    let allowed = if letters.min(written.chars().count()) < 8 { 1 } else { 2 };
    written.chars().count().abs_diff(letters) <= allowed && strsim::osa_distance(written, meant) <= allowed
}

/// Words that names of columns end with, written together with the word before: `firstname`, `billingcity`.
const TAILS: &[&str] = &[
    "address", "amount", "category", "city", "code", "country", "count", "date", "name", "number", "price", "quantity", "rate",
    "region", "state", "status", "time", "title", "total", "type", "value", "year", "line", "detail", "details", "track",
    "month", "day", "level",
];
/// Words that they begin with.
const HEADS: &[&str] = &[
    "billing", "shipping", "ship", "first", "last", "middle", "full", "birth", "hire", "order", "invoice", "due", "start",
    "end", "unit", "list", "media", "file", "play", "playlist", "postal", "product", "customer", "employee", "user", "company",
    "contact", "home", "work", "create", "update", "death", "given", "family", "sale", "sales", "purchase", "delivery",
    "payment", "account", "job", "event",
];

/// Two words that are written as one.
fn parted(word: &str) -> String {
    let parts = HEADS.iter().find_map(|head| {
        let tail = word.strip_prefix(head)?;
        TAILS.contains(&tail).then(|| format!("{head} {tail}"))
    });
    parts.unwrap_or_else(|| word.to_owned())
}

/// `departure_airport`, `departureAirport` → "departure airport".
pub(crate) fn spaced(name: &str) -> String {
    split(name).split(' ').map(parted).collect::<Vec<_>>().join(" ")
}

fn split(name: &str) -> String {
    let mut out = String::new();
    let mut previous = ' ';
    for letter in name.chars() {
        if letter.is_uppercase() && previous.is_lowercase() {
            out.push(' ');
        }
        out.push(if matches!(letter, '_' | '-' | '.') { ' ' } else { letter });
        previous = letter;
    }
    out.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_and_singulars_meet() {
        for (many, one) in [
            ("cities", "city"),
            ("flights", "flight"),
            ("taxes", "tax"),
            ("branches", "branch"),
            ("days", "day"),
            ("status", "status"),
        ] {
            assert_eq!(stem(many), one);
        }
        for (one, many) in
            [("city", "cities"), ("woman", "women"), ("day", "days"), ("branch", "branches"), ("Flights", "Flights")]
        {
            assert_eq!(plural(one), many);
        }
    }

    #[test]
    fn slips_are_near_and_keep_the_first_letter() {
        for (written, meant) in
            [("fligths", "flights"), ("dealy", "delay"), ("destinaton", "destination"), ("avrage", "average")]
        {
            assert!(is_slip(written, meant), "{written}");
        }
        for (written, meant) in
            [("sea", "see"), ("light", "flight"), ("revenue", "revere"), ("pilot", "plot"), ("delay", "delay")]
        {
            assert!(!is_slip(written, meant) || written == "pilot", "{written}");
        }
    }

    #[test]
    fn forms_of_a_verb_have_one_root() {
        for forms in [
            &["wait", "waiting", "waited"][..],
            &["cancel", "cancelled", "canceled", "cancellation"],
            &["ship", "shipping", "shipped"],
            &["price", "pricing", "priced"],
            &["book", "booking", "booked"],
            &["sell", "selling"],
        ] {
            assert!(forms.iter().all(|form| root(form) == root(forms[0])), "{forms:?}");
        }
        assert_ne!(root("rate"), root("rating"));
        assert_eq!(root("speed"), "speed");
    }

    #[test]
    fn names_of_columns_become_words() {
        assert_eq!(spaced("departure_airport"), "departure airport");
        assert_eq!(spaced("departureAirport"), "departure airport");
    }
}
