//! Finds `{{organization.key}}` and `{{user.key}}` in a rule's text.

use super::InvalidRule;
use crate::{
    dialect::{Backslash, dialect},
    property::PropertyPath,
    source::SourceKind,
};

/// The prefix of the name that replaces a placeholder while the rule is parsed.
const STAND_IN: &str = "inlay_property_";

/// Replaces each placeholder by a name. Returns the rule and the properties of the names.
pub(super) fn replace(kind: SourceKind, rule: &str) -> Result<(String, Vec<PropertyPath>), InvalidRule> {
    if rule.len() > 10_000 || rule.contains('\0') || rule.to_ascii_lowercase().contains(STAND_IN) {
        return Err(InvalidRule::new("the rule is too long, or uses a name that Inlay reserves"));
    }
    let lexis = dialect(kind).lexis();
    let mut text = String::with_capacity(rule.len());
    let mut properties = Vec::new();
    let mut quote = None;
    let mut rest = rule;
    while let Some(letter) = rest.chars().next() {
        if rest.starts_with("{{") {
            if quote.is_some() {
                return Err(InvalidRule::new("write placeholders without quotes: column = {{user.key}}"));
            }
            let (inside, after) =
                rest[2..].split_once("}}").ok_or_else(|| InvalidRule::new("a placeholder must end with }}"))?;
            let path: PropertyPath = inside.parse().map_err(|problem| InvalidRule::new(format!("{problem}")))?;
            text.push_str(&format!(" {STAND_IN}{} ", properties.len()));
            properties.push(path);
            rest = after;
            continue;
        }
        if quote.is_none() && lexis.comments.iter().any(|comment| rest.starts_with(comment)) {
            return Err(InvalidRule::new("a rule cannot contain comments"));
        }
        if lexis.backslash == Backslash::Escape && letter == '\\' && matches!(quote, Some('\'' | '"')) {
            // An escaped character does not end a quote.
            let escaped = rest.chars().nth(1);
            text.push(letter);
            text.extend(escaped);
            rest = &rest[letter.len_utf8() + escaped.map_or(0, char::len_utf8)..];
            continue;
        }
        quote = match quote {
            Some(open) if open == letter => None,
            None => lexis.quotes.iter().find(|(open, _)| *open == letter).map(|(_, close)| *close),
            open => open,
        };
        text.push(letter);
        rest = &rest[letter.len_utf8()..];
    }
    Ok((text, properties))
}

/// The placeholder that a name replaces.
pub(super) fn index(name: &str) -> Option<usize> {
    name.strip_prefix(STAND_IN)?.parse().ok()
}
