//! JSON text as bytes.

/// Whether a JSON text contains the character U+0000. PostgreSQL cannot store it, so no text that reaches the store may contain it. Valid JSON has it only
/// as the escape `\u0000`.
#[must_use]
pub fn holds_nul(json: &[u8]) -> bool {
    let mut rest = json;
    while let Some(escape) = rest.iter().position(|letter| *letter == b'\\') {
        rest = &rest[escape + 1..];
        if rest.starts_with(b"u0000") {
            return true;
        }
        // The escaped character itself may be a backslash.
        rest = rest.get(1..).unwrap_or_default();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::holds_nul;

    #[test]
    fn only_the_escape_itself_is_the_character() {
        let escaped: [&[u8]; 4] = [br#""\u0000""#, br#"{"\u0000":1}"#, br#"["a\\\u0000"]"#, br#""\"\u0000"#];
        let others: [&[u8]; 6] = [b"", br#""\\u0000""#, br#""\\\\u0000""#, br#""u0000""#, br#""\u0001\n\\""#, br"\"];
        assert!(escaped.into_iter().all(holds_nul));
        assert!(!others.into_iter().any(holds_nul));
    }
}
