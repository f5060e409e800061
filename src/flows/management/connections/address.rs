//! The address of a connection, as a form gives it: whole, or in its parts.

use crate::ground::{problems::Problems, state::App};
use inlay_query::{AddressParts, Source, SourceKind, SourceKindExt};

/// The address that a form gives. A part or a URL may hold a password.
#[derive(Clone)]
pub enum GivenAddress {
    /// A URL. `None` keeps the current one.
    Whole(Option<String>),
    /// The parts of a URL. Parts without a password keep the stored one, but only for the server that it was typed for.
    Parts(Box<AddressParts>),
}

impl GivenAddress {
    /// The URL of the connection. Its problems are noted at the fields of the form.
    pub(super) fn url(self, app: &App, old: Option<&Source>, kind: SourceKind, problems: &mut Problems) -> String {
        match self {
            Self::Whole(url) => whole(app, old, kind, url, problems),
            Self::Parts(parts) => joined(app, old, kind, *parts, problems),
        }
    }
}

fn whole(app: &App, old: Option<&Source>, kind: SourceKind, url: Option<String>, problems: &mut Problems) -> String {
    let kept = old.filter(|old| old.kind == kind && url.as_ref().is_none_or(|url| *url == old.url));
    if let Some(kept) = kept {
        return kept.url.clone();
    }
    problems.note("url", is_address(app, kind, url.as_deref()));
    url.unwrap_or_default()
}

fn joined(app: &App, old: Option<&Source>, kind: SourceKind, typed: AddressParts, problems: &mut Problems) -> String {
    let mut parts = typed.only_of(kind);
    let alike = old.filter(|old| old.kind == kind);
    if let Some(old) = alike
        && parts == shown_parts(old)
    {
        return old.url.clone();
    }
    if kind.is_file() {
        problems.note("path", files_are_allowed(app));
    }
    let stored = old.and_then(|old| AddressParts::of(old.kind, &old.url)).map(|stored| stored.password).unwrap_or_default();
    let keeps = parts.password.is_empty() && !stored.is_empty() && !kind.is_file();
    if keeps {
        parts.password = stored;
    }
    let url = parts.join(kind, alike.map(|old| old.url.as_str())).unwrap_or_else(|wrong| {
        for (part, problem) in wrong {
            problems.add(part, problem);
        }
        String::new()
    });
    // Otherwise a member could have the stored password sent to a server of their own.
    if keeps && !url.is_empty() && !alike.is_some_and(|old| AddressParts::keep_password(kind, &old.url, &url)) {
        let told = "must be typed again, because the host, the port, the kind of database or the encryption changed: the stored \
            password is not sent anywhere else";
        problems.add("password", told);
    }
    url
}

/// The parts of a connection's address without the password, to fill a form.
pub fn shown_parts(source: &Source) -> AddressParts {
    let parts = AddressParts::of(source.kind, &source.url).unwrap_or_default();
    AddressParts { password: String::new(), ..parts }
}

/// Whether a connection's address holds a password.
pub fn has_password(source: &Source) -> bool {
    AddressParts::of(source.kind, &source.url).is_some_and(|parts| !parts.password.is_empty())
}

/// Checks a URL for this kind of database, without connecting.
pub fn is_address(app: &App, kind: SourceKind, url: Option<&str>) -> Result<(), String> {
    let url = url.ok_or("is required")?;
    let schemes = kind.address_prefixes();
    if !schemes.iter().any(|scheme| url.starts_with(scheme)) {
        return Err(format!("must begin with {}", any_of(schemes)));
    }
    if kind.is_file() { files_are_allowed(app) } else { Ok(()) }
}

/// Choices in a sentence: `a`, `a or b`, `a, b or c`.
fn any_of(choices: &[&str]) -> String {
    match choices.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => choices.concat(),
    }
}

/// Whether members may connect files of this machine: the operator has named their folders.
#[must_use]
pub fn takes_files(app: &App) -> bool {
    !app.settings.sources.sqlite_folders.is_empty()
}

/// Members must not read every file of the machine: only files in folders that the operator named.
fn files_are_allowed(app: &App) -> Result<(), String> {
    if !takes_files(app) {
        let told =
            "cannot be used here: the operator of this service names the folders for SQLite files in INLAY_SQLITE_FOLDERS";
        return Err(told.to_owned());
    }
    Ok(())
}

/// A URL without its password, for display.
pub fn shown(source: &Source) -> String {
    match url::Url::parse(&source.url) {
        Ok(mut url) if !source.kind.is_file() => {
            let _ = url.set_password(None);
            url.set_query(None);
            url.into()
        }
        _ if source.kind.is_file() => source.url.clone(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::ids::ConnectionId;

    fn source(kind: SourceKind, url: &str) -> Source {
        Source::new(ConnectionId::generate(), "w", kind, url)
    }

    #[test]
    fn choices_are_a_sentence() {
        assert_eq!([any_of(&["a"]), any_of(&["a", "b"]), any_of(&["a", "b", "c"])], ["a", "a or b", "a, b or c"]);
    }

    #[test]
    fn no_password_is_shown() {
        let postgres = source(SourceKind::Postgres, "postgres://app:s3cret@db.example:5432/shop?password=s3cret");
        assert_eq!(shown(&postgres), "postgres://app@db.example:5432/shop");
        assert_eq!(shown(&source(SourceKind::Sqlite, "sqlite:/data/shop.db")), "sqlite:/data/shop.db");
        assert_eq!(shown(&source(SourceKind::Postgres, "no address s3cret")), "");
        let parts = shown_parts(&postgres);
        assert_eq!((&*parts.host, &*parts.password, &*parts.parameters), ("db.example", "", ""));
        assert!(has_password(&postgres) && !has_password(&source(SourceKind::Sqlite, "sqlite:/data/shop.db")));
        assert_eq!(shown_parts(&source(SourceKind::Postgres, "postgres://u@h/d?pasword=s3cret")), AddressParts::default());
    }
}
