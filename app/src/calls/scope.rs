//! What requests are about: the page's address, an application, a dashboard.

use inlay_contract::ids::{ApplicationId, DashboardId};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The page's own address, for a page that could not be drawn at once (token hand-over) or starts again. The server reads it
/// exactly as it reads the first `GET`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageAddress {
    /// `/share/application/<id>` or `/share/dashboard/<id>`
    pub path: String,
    /// The query with its leading `?`, without `jwt`. Empty if there is none.
    pub search: String,
}

/// What every request about an open application carries besides the token. `Debug` does not show `db_auth_token`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Scope {
    /// The application.
    pub application: ApplicationId,
    /// IANA name of the page's time zone.
    pub timezone: String,
    /// The page's language (BCP 47), for numbers and dates.
    pub locale: String,
    /// The address's `dbAuthToken`. Never logged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub db_auth_token: Option<String>,
}

/// A dashboard of an application.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Target {
    /// The application.
    pub scope: Scope,
    /// The dashboard.
    pub dashboard: DashboardId,
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope")
            .field("application", &self.application)
            .field("timezone", &self.timezone)
            .field("locale", &self.locale)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_no_token() {
        let (application, db_auth_token) = (ApplicationId::generate(), Some("s3cret".to_owned()));
        let scope = Scope { application, timezone: "UTC".to_owned(), locale: "en".to_owned(), db_auth_token };
        let shown = format!("{scope:?}");
        assert!(shown.contains("UTC") && !shown.contains("s3cret"), "{shown}");
    }
}
