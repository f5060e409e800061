//! Questions in each language with their English, and lexicons without a line that cannot be read.

use super::*;
use crate::language::{cues::CUES, tokens::MOST_TOKENS};
use proptest::prelude::*;
use std::collections::HashSet;

/// A shop without data: names in English, one in German, and some values.
struct Shop;

impl Vocabulary for Shop {
    fn names(&self, phrase: &str) -> f32 {
        let known = ["revenue", "order", "customer", "country", "product", "price", "category", "employee", "kostenstelle"];
        if known.contains(&stemmed(phrase).as_str()) { 1.0 } else { 0.0 }
    }

    fn has_value(&self, phrase: &str) -> bool {
        matches!(phrase, "chai" | "la paz" | "ca" | "alles gute" | "die hard")
    }

    fn is_english(&self, word: &str) -> bool {
        self.names(word) > 0.0 || CUES.iter().any(|(_, phrases)| phrases.split('|').any(|phrase| phrase == word))
    }
}

fn says(question: &str) -> String {
    in_english(question, &Shop).text
}

#[test]
fn german_becomes_english() {
    for (asked, english) in [
        ("Umsatz nach Land letztes Jahr", "revenue by country last year"),
        ("wie viele Bestellungen gingen nach Deutschland", "how many orders went to Germany"),
        ("Kunden, die nie bestellt haben", "customers who never ordered"),
        ("durchschnittlicher Preis je Kostenstelle", "average price per Kostenstelle"),
        ("Umsatz im 3. Quartal 1997", "revenue in third quarter 1997"),
        ("die 3 letzten Monate", "last 3 months"),
        ("Kunden mit mehr als 1.000 Bestellungen", "customers with more than 1000 orders"),
        ("Umsatz von \"Alles Gute\" pro Monat", "revenue of Alles Gute per month"),
        ("umzatz nach kategorie", "revenue by category"),
    ] {
        assert_eq!(says(asked), english, "{asked}");
    }
}

#[test]
fn french_becomes_english() {
    for (asked, english) in [
        ("chiffre d'affaires par pays en 2019", "revenue by country in 2019"),
        ("CA par catégorie", "revenue by category"),
        ("prix moyen des produits", "average price of products"),
        ("commandes expédiées en Allemagne", "orders shipped to Germany"),
        ("clients qui n'ont jamais commandé", "customers who never ordered"),
        ("ventes du 1er trimestre 1998", "revenue q1 1998"),
        ("combien de commandes ces 3 derniers mois", "how many orders last 3 months"),
    ] {
        assert_eq!(says(asked), english, "{asked}");
    }
}

#[test]
fn spanish_becomes_english() {
    for (asked, english) in [
        ("¿cuántos pedidos hubo en mayo?", "how many orders in may"),
        ("precio medio por categoría", "average price by category"),
        ("clientes con más de 20 pedidos", "customers with more than 20 orders"),
        ("ventas por mes en 1997", "revenues per month in 1997"),
        ("los 3 productos más caros", "3 most expensive products"),
    ] {
        assert_eq!(says(asked), english, "{asked}");
    }
}

#[test]
fn english_stays_as_it_is() {
    for asked in [
        "Revenue by country last year",
        "orders to La Paz",
        "top 5 products",
        "Die Hard orders",
        "CA orders by month",
        "2019?",
        "",
        "chai",
        "売上",
    ] {
        assert_eq!(Language::of(asked, &Shop), None, "{asked}");
        assert_eq!(says(asked), asked);
    }
}

#[test]
fn accents_count_in_every_form_of_unicode() {
    // A letter and its accent apart, as some systems type them.
    assert_eq!(says("Umsatz nach La\u{308}ndern"), "revenue by countries");
    assert_eq!(says("prix moyen par cate\u{301}gorie"), "average price by category");
}

#[test]
fn only_what_negates_twice_in_one_clause_goes() {
    assert_eq!(says("productos que no han comprado nunca"), "products which not bought");
    let kept = |english: &str| {
        let part = |word: &str| Part { english: word.to_owned(), raw: String::new(), is_thing: false, comma: false };
        let mut parts: Vec<Part> = english.split(' ').map(part).collect();
        once_not(&mut parts);
        parts.into_iter().map(|part| part.english).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(kept("members which not came never"), "members which not came");
    assert_eq!(kept("members which not came and products sold never"), "members which not came and products sold never");
    let german = says("Kunden nicht aus Spanien und Produkte niemals");
    assert!(german.contains("not") && german.contains("never"), "{german}");
}

#[test]
fn a_long_question_is_read_as_far_as_an_english_one() {
    let text = says(&format!("Umsatz nach {}", "quxfoobar ".repeat(1_000)));
    assert!(text.starts_with("revenue by quxfoobar"), "{text:.60}");
    assert_eq!(text.split(' ').count(), MOST_TOKENS);
}

proptest! {
    #[test]
    fn whatever_is_typed_becomes_something(asked in "(Umsatz|combien|ventas|d'|1er|3\\.|\"|€|\\$|,|-|’|\\PC|[0-9.,/]{1,5}| ){0,24}") {
        in_english(&asked, &Shop);
    }
}

#[test]
fn an_unknown_word_is_told_as_it_was_asked() {
    let spoken = in_english("Umsatz nach Lieferanten und Wetter", &Shop);
    assert_eq!(spoken.text, "revenue by suppliers and weather");
    assert_eq!((spoken.as_asked("weather"), spoken.as_asked("supplier")), ("Wetter", "Lieferanten"));
    assert_eq!(in_english("revenue by weather", &Shop).as_asked("weather"), "weather");
}

#[test]
fn lexicons_have_no_line_that_cannot_be_read() {
    for text in [include_str!("german.txt"), include_str!("french.txt"), include_str!("spanish.txt")] {
        let (mut section, mut seen, mut count) = ("", HashSet::new(), 0);
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if line.starts_with('[') {
                assert!(["[words]", "[things]", "[after]", "[before names]", "[names]"].contains(&line), "{line}");
                section = line;
                continue;
            }
            let (left, right) = line.split_once('=').unwrap_or_else(|| panic!("{line}"));
            assert!(right.trim().is_empty() || right.split('|').all(|one| !one.trim().is_empty()), "{line}");
            assert!(section != "[things]" || left.split(',').count() <= 2, "{line}");
            for pattern in left.split(',') {
                let words = lexicon::normal(pattern);
                assert!(!words.is_empty() && words.split(' ').count() <= LONGEST, "{line}");
                assert!(seen.insert((section == "[before names]", words)), "{pattern} stands twice");
                count += 1;
            }
        }
        assert!(count > 2_000, "{count}");
    }
}
