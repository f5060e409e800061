//! Values as standard SQL literals, for the only source that cannot bind values.

use crate::bind::Bind;

/// A value as an unambiguous literal. `None` if there is none: a zero byte, or an invalid number.
///
/// In standard SQL a text ends at the first quote that is not doubled, and nothing else in it has a meaning.
pub(super) fn literal(value: &Bind) -> Option<String> {
    match value {
        Bind::Text(text) if text.contains('\0') => None,
        Bind::Text(text) => Some(format!("'{}'", text.replace('\'', "''"))),
        // Without the sign, its digits would overflow.
        Bind::Integer(i64::MIN) => Some("(-9223372036854775807 - 1)".to_owned()),
        Bind::Integer(number) => Some(number.to_string()),
        Bind::Real(number) if number.is_finite() => Some(format!("DOUBLE '{number:e}'")),
        Bind::Real(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Parses a text literal by the standard. `None` unless the whole input is one literal.
    fn read(literal: &str) -> Option<String> {
        let inner = literal.strip_prefix('\'')?.strip_suffix('\'')?;
        let mut letters = inner.chars();
        let mut text = String::new();
        while let Some(letter) = letters.next() {
            // A quote within a text is doubled.
            if letter == '\'' && letters.next() != Some('\'') {
                return None;
            }
            text.push(letter);
        }
        Some(text)
    }

    proptest! {
        #[test]
        fn a_text_is_one_literal_and_comes_back(text in any::<String>()) {
            prop_assume!(!text.contains('\0'));
            let made = literal(&Bind::Text(text.clone())).expect("a literal");
            prop_assert_eq!(read(&made), Some(text));
        }

        #[test]
        fn quotes_of_any_number_and_place_end_nothing(text in "['\\\\;\"a]{0,12}") {
            let made = literal(&Bind::Text(text.clone())).expect("a literal");
            prop_assert_eq!(read(&made), Some(text));
        }

        #[test]
        fn a_text_in_a_text_comes_back(text in "['a?]{0,8}") {
            let inner = literal(&Bind::Text(text.clone())).expect("a literal");
            let outer = literal(&Bind::Text(inner.clone())).expect("a literal");
            prop_assert_eq!(read(&outer), Some(inner));
        }

        #[test]
        fn numbers_come_back(whole in any::<i64>(), real in any::<f64>()) {
            prop_assume!(whole != i64::MIN);
            prop_assert_eq!(literal(&Bind::Integer(whole)).and_then(|text| text.parse().ok()), Some(whole));
            let made = literal(&Bind::Real(real));
            let read = made.as_deref().and_then(|text| text.strip_prefix("DOUBLE '")?.strip_suffix('\'')?.parse::<f64>().ok());
            prop_assert_eq!(read, Some(real).filter(|real| real.is_finite()));
        }

        /// The statement's tokens are those of a keyword and the literals, whatever the texts contain.
        #[test]
        fn a_statement_has_as_many_parts_as_values(texts in proptest::collection::vec("['(),? a]{0,6}", 1..4)) {
            let literals: Vec<_> = texts.iter().map(|text| literal(&Bind::Text(text.clone())).expect("a literal")).collect();
            let list = literals.join(", ");
            let dialect = crate::dialect::dialect(crate::source::SourceKind::Trino).grammar();
            let tokens = sqlparser::tokenizer::Tokenizer::new(dialect, &list).tokenize().expect("tokens");
            let read: Vec<_> = tokens.into_iter().filter_map(|token| match token {
                sqlparser::tokenizer::Token::SingleQuotedString(text) => Some(text),
                _ => None,
            }).collect();
            prop_assert_eq!(read, texts);
        }
    }

    #[test]
    fn the_smallest_number_and_what_is_none() {
        assert_eq!(literal(&Bind::Integer(i64::MIN)).as_deref(), Some("(-9223372036854775807 - 1)"));
        for value in [Bind::Real(f64::NAN), Bind::Real(f64::INFINITY), Bind::Text("a\0b".into())] {
            assert_eq!(literal(&value), None);
        }
    }
}
