//! The texts of a workspace's page around the conversation.

use serde::{Deserialize, Serialize};

/// The texts of a page (docs/spec/service.md, "Embeddable pages"). The page has defaults for missing ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Placeholders {
    /// The viewer's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_name: Option<String>,
    /// The assistant's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assistant_name: Option<String>,
    /// The placeholder of the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_placeholder: Option<String>,
    /// The text while an answer is being prepared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking_placeholder: Option<String>,
    /// The text below the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disclaimer_text: Option<String>,
}

impl Placeholders {
    /// Whether no text is set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// These texts, with missing ones taken from another set.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            user_name: self.user_name.or(other.user_name),
            assistant_name: self.assistant_name.or(other.assistant_name),
            input_placeholder: self.input_placeholder.or(other.input_placeholder),
            thinking_placeholder: self.thinking_placeholder.or(other.thinking_placeholder),
            disclaimer_text: self.disclaimer_text.or(other.disclaimer_text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_words_win() {
        let of = |name: &str, input: Option<&str>| Placeholders {
            assistant_name: Some(name.into()),
            input_placeholder: input.map(str::to_owned),
            ..Placeholders::default()
        };
        assert_eq!(of("A", None).or(of("B", Some("Ask"))), of("A", Some("Ask")));
        assert!(Placeholders::default().is_empty() && !of("A", None).is_empty());
    }
}
