//! What an answer is remembered under.

use crate::{limits::Limits, rewrite::Rewritten, source::Source};
use sha2::{Digest, Sha256};

/// A SHA-256 over everything that decides an answer.
pub type Fingerprint = [u8; 32];

/// Counts up when answers are written otherwise: nodes of two versions then share none.
const FORMAT: &[u8] = b"inlay answers, format 1";

/// One source at one address.
pub(crate) fn of_source(source: &Source) -> Fingerprint {
    digest([source.id.0.as_bytes().as_slice(), source.kind.name().as_bytes(), source.url.as_bytes()])
}

/// One question of one viewer. Row rule, filters and hidden columns are in the SQL, properties and filters' values in what
/// is bound, `dbAuthToken` in the setting; so whoever has the same key sees the same rows.
pub(crate) fn of_answer(
    source: &Source,
    query: &Rewritten,
    setting: Option<&(String, String)>,
    limits: &Limits,
) -> Fingerprint {
    let limits = format!("{} {}", limits.rows, limits.bytes);
    let (query, setting) = (format!("{query:?}"), format!("{setting:?}"));
    digest([FORMAT, &of_source(source), query.as_bytes(), setting.as_bytes(), limits.as_bytes()])
}

/// Each part with its length before it, so that no two lists of parts look alike.
fn digest<const N: usize>(parts: [&[u8]; N]) -> Fingerprint {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{bind::Bind, source::SourceKind};
    use chrono_tz::Tz;
    use inlay_contract::ids::ConnectionId;
    use std::collections::HashSet;

    #[test]
    fn everything_that_decides_an_answer_is_in_its_key() {
        let source = Source::new(ConnectionId::generate(), "warehouse", SourceKind::Sqlite, "sqlite:/a.db");
        let text = |text: &str| Bind::Text(text.to_owned());
        let query = |sql: &str, binds| Rewritten { sql: sql.to_owned(), binds, zone: Tz::UTC };
        let setting = |value: &str| ("app.tenant".to_owned(), value.to_owned());
        let few = Limits { rows: 1, ..Limits::default() };
        let narrow = Limits { bytes: 1, ..Limits::default() };
        let one = || query("select $1", vec![text("a")]);
        let keys = [
            of_answer(&source, &one(), None, &Limits::default()),
            of_answer(&source, &query("select $1 ", vec![text("a")]), None, &Limits::default()),
            of_answer(&source, &query("select $1", vec![text("b")]), None, &Limits::default()),
            of_answer(&source, &query("select $1", vec![text("a"), text("")]), None, &Limits::default()),
            of_answer(&source, &query("select $1", vec![text("1")]), None, &Limits::default()),
            of_answer(&source, &query("select $1", vec![Bind::Integer(1)]), None, &Limits::default()),
            of_answer(&source, &query("select $1", vec![Bind::Real(1.0)]), None, &Limits::default()),
            of_answer(&source, &one(), Some(&setting("a")), &Limits::default()),
            of_answer(&source, &one(), Some(&setting("b")), &Limits::default()),
            of_answer(&source, &one(), None, &few),
            of_answer(&source, &one(), None, &narrow),
            of_answer(&Source { id: ConnectionId::generate(), ..source.clone() }, &one(), None, &Limits::default()),
            of_answer(&Source { url: "sqlite:/b.db".into(), ..source.clone() }, &one(), None, &Limits::default()),
            of_answer(&Source { kind: SourceKind::Postgres, ..source.clone() }, &one(), None, &Limits::default()),
        ];
        assert_eq!(keys.iter().collect::<HashSet<_>>().len(), keys.len());
        assert_eq!(keys[0], of_answer(&source, &one(), None, &Limits::default()));
    }
}
