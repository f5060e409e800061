//! Settings that are secrets, or hold one.

use std::{fmt, ops::Deref};

/// A text that no `Debug` shows.
#[derive(Clone)]
pub struct Hidden(String);

impl From<String> for Hidden {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Deref for Hidden {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hidden(…)")
    }
}

#[cfg(test)]
mod tests {
    use crate::config::Settings;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Command {
        #[command(flatten)]
        settings: Settings,
    }

    #[test]
    fn the_settings_debug_shows_no_secret() {
        let given = ["inlay", "--secret-key", "k3y-of-the-house", "--database-url", "postgres://u:passw0rd@h/d"];
        let command = Command::parse_from(given);
        assert_eq!(command.settings.secret_key.as_deref(), Some("k3y-of-the-house"));
        let shown = format!("{command:?}");
        assert!(!shown.contains("k3y") && !shown.contains("passw0rd"), "{shown}");
    }
}
