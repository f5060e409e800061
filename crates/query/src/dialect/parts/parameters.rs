//! The parameters of a source's URL. The one for encryption has a field of its own.

use super::AddressParts;
use crate::{dialect::dialect, source::SourceKind};
use url::{Url, form_urlencoded};

/// PostgreSQL's parameters for parts that have a field of their own.
const OF_PARTS: [&str; 6] = ["host", "hostaddr", "port", "dbname", "user", "password"];

/// A driver's parameter for encryption.
struct Mode {
    name: &'static str,
    /// Its value for encryption without further checks.
    required: &'static str,
    /// All values for encryption.
    encrypting: [&'static str; 3],
}

fn mode(kind: SourceKind) -> Option<Mode> {
    match kind {
        SourceKind::Postgres => {
            Some(Mode { name: "sslmode", required: "require", encrypting: ["require", "verify-ca", "verify-full"] })
        }
        SourceKind::Mysql => {
            Some(Mode { name: "ssl-mode", required: "required", encrypting: ["required", "verify_ca", "verify_identity"] })
        }
        _ => None,
    }
}

type Pairs = Vec<(String, String)>;

fn is_mode(name: &str) -> bool {
    matches!(name, "sslmode" | "ssl-mode")
}

/// The value that counts: the last one.
fn mode_of(pairs: &Pairs) -> Option<String> {
    pairs.iter().rev().find(|(name, _)| is_mode(name)).map(|(_, value)| value.to_ascii_lowercase())
}

fn pairs(query: &str) -> Pairs {
    form_urlencoded::parse(query.trim_start_matches('?').as_bytes()).into_owned().collect()
}

fn written(pairs: Pairs) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

impl AddressParts {
    /// Takes the parameters of a URL, without those that other fields show.
    pub(super) fn take_parameters(&mut self, kind: SourceKind, url: &Url) {
        let mut all = pairs(url.query().unwrap_or_default());
        let (Some(known), asked) = (mode(kind), mode_of(&all)) else { return };
        self.encrypted = asked.as_deref().is_some_and(|asked| known.encrypting.contains(&asked));
        let is_plain = asked.as_deref() == Some(known.required);
        all.retain(|(name, _)| {
            !(is_plain && is_mode(name) || kind == SourceKind::Postgres && OF_PARTS.contains(&name.as_str()))
        });
        self.parameters = written(all);
    }

    /// All parameters of the URL.
    pub(super) fn joined_parameters(&self, kind: SourceKind) -> Result<String, String> {
        let mut all = pairs(&self.parameters);
        if dialect(kind).http().is_some() {
            return Ok(if self.encrypted { "secure=true".to_owned() } else { String::new() });
        }
        let Some(known) = mode(kind) else { return Ok(written(all)) };
        if kind == SourceKind::Postgres
            && let Some(own) = OF_PARTS.into_iter().find(|own| all.iter().any(|(name, _)| name == own))
        {
            return Err(format!("contains {own}, which has a field of its own"));
        }
        match mode_of(&all) {
            Some(asked) if known.encrypting.contains(&asked.as_str()) != self.encrypted => {
                return Err(format!("contains a {}, which contradicts the checkbox for encryption", known.name));
            }
            None if self.encrypted => all.push((known.name.to_owned(), known.required.to_owned())),
            _ => {}
        }
        Ok(written(all))
    }

    /// How the connection is protected: encryption, and what it checks.
    pub(super) fn protection(&self) -> (bool, Pairs) {
        let mut checks = pairs(&self.parameters);
        checks.retain(|(name, _)| name.starts_with("ssl"));
        (self.encrypted, checks)
    }
}
