//! Settings, by environment or flag (docs/spec/contract.md, section 8).

pub mod console;
pub mod isolation;
pub mod key_checks;
pub mod limits;
pub mod reports;
pub mod retention;
pub mod secret_key;
pub mod sources;
pub mod store;
pub mod webhooks;

#[cfg(test)]
mod defaults_tests;

use crate::ground::{
    mail::{self, MailProblem},
    store::{
        Db,
        connect::{self, StoreProblem},
        migrating::Standing,
        seal::Sealer,
    },
    traces::settings::TraceSettings,
};
use axum::http::HeaderName;
use clap::Args;
use inlay_query::OwnStore;
use limits::Limits;
use secrecy::{ExposeSecret, SecretString};
use sources::Sources;
use std::{net::SocketAddr, path::PathBuf};
use store::StoreSettings;
use url::Url;

/// The settings of every command.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// The store: `sqlite:PATH` or `postgres://…` [default: SQLite in the data folder]
    #[arg(long, env = "INLAY_DATABASE_URL", global = true, hide_env_values = true)]
    pub database_url: Option<SecretString>,

    /// Connections to the store
    #[command(flatten)]
    pub store: StoreSettings,

    /// Folder of the embedded store and its secret key
    #[arg(long, env = "INLAY_DATA_DIR", global = true, default_value = "inlay-data")]
    pub data_dir: PathBuf,

    /// Address and port to listen on
    #[arg(long, env = "INLAY_LISTEN", global = true, default_value = "127.0.0.1:3000")]
    pub listen: SocketAddr,

    /// Seconds after SIGTERM in which `/readyz` answers 503 while requests are still served, so that load balancers notice
    #[arg(long, env = "INLAY_DRAIN_SECONDS", global = true, default_value_t = 5)]
    pub drain_seconds: u64,

    /// Public address of the API [default: `http://` and the listen address]
    #[arg(long, env = "INLAY_BASE_URL", global = true)]
    pub base_url: Option<Url>,

    /// Public address of the embeddable pages [default: the base URL]
    #[arg(long, env = "INLAY_EMBED_URL", global = true)]
    pub embed_url: Option<Url>,

    /// Key that encrypts secrets in the store; at least 32 bytes [default: created in the data folder, with the embedded store]
    #[arg(long, env = "INLAY_SECRET_KEY", global = true, hide_env_values = true)]
    pub secret_key: Option<SecretString>,

    /// Further keys that open secrets in the store, separated by commas, while `INLAY_SECRET_KEY` changes (`inlay secret-key rotate`)
    #[arg(long, env = "INLAY_OTHER_SECRET_KEYS", global = true, hide_env_values = true)]
    pub other_secret_keys: Option<SecretString>,

    /// Header in which a trusted proxy sends the client's address, for the audit log [default: none, the peer's address]
    #[arg(long, env = "INLAY_CLIENT_ADDRESS_HEADER", global = true)]
    pub client_address_header: Option<HeaderName>,

    /// Address and port on which `/metrics` alone is answered; the other port answers 404 for it then [default: none,
    /// `/metrics` is on the same port]
    #[arg(long, env = "INLAY_METRICS_LISTEN", global = true)]
    pub metrics_listen: Option<SocketAddr>,

    /// Token that `/metrics` requires as `Authorization: Bearer …` [default: none, `/metrics` is open]
    #[arg(long, env = "INLAY_METRICS_TOKEN", global = true, hide_env_values = true)]
    pub metrics_token: Option<SecretString>,

    /// Allow fetching identity providers' keys by plain http from this machine, for trials
    #[arg(long, env = "INLAY_ALLOW_LOOPBACK_IDENTITY_PROVIDERS", global = true)]
    pub allow_loopback_identity_providers: bool,

    /// Where customers' databases may be
    #[command(flatten)]
    pub sources: Sources,

    /// Sessions of the management console
    #[command(flatten)]
    pub console: console::ConsoleSettings,

    /// The mail server
    #[command(flatten)]
    pub mail: mail::settings::MailSettings,

    /// Reports and alerts
    #[command(flatten)]
    pub reports: reports::ReportSettings,

    /// How long what is stored is kept
    #[command(flatten)]
    pub retention: retention::Retention,

    /// Isolation checks
    #[command(flatten)]
    pub isolation: isolation::IsolationSettings,

    /// Key checks
    #[command(flatten)]
    pub key_checks: key_checks::KeyCheckSettings,

    /// Traces
    #[command(flatten)]
    pub traces: TraceSettings,

    /// Webhooks
    #[command(flatten)]
    pub webhooks: webhooks::WebhookSettings,

    /// Limits on callers and queries
    #[command(flatten)]
    pub limits: Limits,
}

/// A setting that is invalid. Each text is a whole sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum SettingProblem {
    /// The data folder cannot be created.
    #[error("the data folder {path} cannot be created: {reason}. Set INLAY_DATA_DIR to a writable folder")]
    DataFolder {
        /// The folder's path.
        path: String,
        /// The operating system's error.
        reason: String,
    },
    /// The secret key is missing, weak or unreadable.
    #[error(transparent)]
    SecretKey(#[from] secret_key::SecretKeyProblem),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreProblem),
    /// The mail settings are invalid.
    #[error(transparent)]
    Mail(#[from] MailProblem),
}

impl Settings {
    /// Whether a proxy seems to stand before the service (its address is https) and no header names the client.
    pub fn hides_clients(&self) -> bool {
        self.client_address_header.is_none() && self.base_url().starts_with("https://")
    }

    /// The API's public URL, without a trailing slash.
    pub fn base_url(&self) -> String {
        match &self.base_url {
            Some(url) => url.as_str().trim_end_matches('/').to_owned(),
            None => format!("http://{}", self.listen),
        }
    }

    /// The public URL of the embeddable pages, without a trailing slash.
    pub fn embed_url(&self) -> String {
        self.embed_url.as_ref().map_or_else(|| self.base_url(), |url| url.as_str().trim_end_matches('/').to_owned())
    }

    /// Opens the store and the sealer of its secrets. Of a store that an older version wrote nothing is changed: nodes of that
    /// version may be using it, and this program may be on somebody's own machine.
    ///
    /// # Errors
    /// An older version wrote the store, or a newer one that this one cannot work with.
    pub async fn open_store(&self) -> Result<(Db, Sealer), SettingProblem> {
        let (db, sealer) = self.open_any_store().await?;
        match db.standing().await? {
            Standing::Fitting => {}
            Standing::Empty => db.migrate().await?,
            Standing::Older => return Err(StoreProblem::Older.into()),
        }
        Ok((db, sealer))
    }

    /// The same, migrated to this version.
    ///
    /// # Errors
    /// A newer version wrote the store that this one cannot work with, or a migration failed.
    pub async fn open_and_migrate_store(&self) -> Result<(Db, Sealer), SettingProblem> {
        let (db, sealer) = self.open_any_store().await?;
        db.migrate().await?;
        Ok((db, sealer))
    }

    /// Opens the store as it is.
    ///
    /// # Errors
    /// The store cannot be opened.
    pub async fn open_any_store(&self) -> Result<(Db, Sealer), SettingProblem> {
        let embedded = self.database_url.is_none();
        if embedded {
            std::fs::create_dir_all(&self.data_dir).map_err(|fault| SettingProblem::DataFolder {
                path: self.data_dir.display().to_string(),
                reason: fault.to_string(),
            })?;
        }
        let key = match &self.secret_key {
            Some(key) => secret_key::checked(key.expose_secret().to_owned())?,
            None if self.is_postgres() => return Err(secret_key::SecretKeyProblem::Missing.into()),
            None => secret_key::kept_in(&self.data_dir)?,
        };
        let db = connect::open(&self.store_address(), self.store.opening()).await?;
        Ok((db, Sealer::new(&key).accepting(&self.other_secret_keys()?)))
    }

    /// The secret key, unless there is none yet.
    ///
    /// # Errors
    /// The key is weak or unreadable.
    pub fn known_secret_key(&self) -> Result<Option<String>, SettingProblem> {
        Ok(match &self.secret_key {
            Some(key) => Some(secret_key::checked(key.expose_secret().to_owned())?),
            None if self.is_postgres() => None,
            None => secret_key::found_in(&self.data_dir)?,
        })
    }

    /// The further keys that open secrets.
    fn other_secret_keys(&self) -> Result<Vec<String>, SettingProblem> {
        let given = self.other_secret_keys.as_ref().map(ExposeSecret::expose_secret).unwrap_or_default();
        let keys = given.split(',').map(str::trim).filter(|key| !key.is_empty());
        Ok(keys.map(|key| secret_key::checked(key.to_owned())).collect::<Result<_, _>>()?)
    }

    /// The store's location, so that the query engine refuses connections that lead to it.
    pub fn own_store(&self) -> OwnStore {
        let address = self.store_address();
        match address.strip_prefix("sqlite:") {
            Some(path) => OwnStore::File(path.strip_prefix("//").unwrap_or(path).into()),
            None => OwnStore::Postgres(address),
        }
    }

    fn store_address(&self) -> String {
        let given = self.database_url.as_ref().map(|url| url.expose_secret().to_owned());
        given.unwrap_or_else(|| format!("sqlite:{}", self.data_dir.join("inlay.db").display()))
    }

    fn is_postgres(&self) -> bool {
        self.database_url.as_ref().is_some_and(|url| url.expose_secret().starts_with("postgres"))
    }
}

#[cfg(test)]
mod tests {
    use super::Settings;
    use clap::Parser;
    use secrecy::ExposeSecret;

    #[derive(Debug, Parser)]
    struct Command {
        #[command(flatten)]
        settings: Settings,
    }

    #[test]
    fn the_settings_debug_shows_no_secret() {
        let given = ["inlay", "--secret-key", "k3y-of-the-house", "--database-url", "postgres://u:passw0rd@h/d"];
        let command = Command::parse_from(given);
        let key = command.settings.secret_key.as_ref().map(|key| key.expose_secret());
        assert_eq!(key, Some("k3y-of-the-house"));
        let shown = format!("{command:?}");
        assert!(!shown.contains("k3y") && !shown.contains("passw0rd"), "{shown}");
    }

    #[test]
    fn behind_https_somebody_has_to_say_who_calls() {
        let hides = |flags: &[&str]| Command::parse_from(["inlay"].iter().chain(flags)).settings.hides_clients();
        assert!(hides(&["--base-url", "https://inlay.example.com"]));
        assert!(!hides(&["--base-url", "https://inlay.example.com", "--client-address-header", "x-forwarded-for"]));
        assert!(!hides(&["--base-url", "http://127.0.0.1:3000"]));
    }
}
