//! The signed report of a check: a JWS that anybody can verify with the installation's published keys. It is no token: nothing
//! accepts it as one.

use crate::{
    concepts::{
        isolation::{Findings, Run},
        projects::Project,
        tokens,
    },
    ground::{
        error::{Error, Result},
        state::App,
        time::Timestamp,
    },
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use inlay_contract::ids::{OrganizationId, ProjectId};
use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

/// The type in the header, which no token has.
const TYPE: &str = "inlay-isolation-report+jwt";

/// The content of a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The service's base URL.
    pub iss: String,
    /// When it was signed, seconds since 1970.
    pub iat: i64,
    /// The version of the service that signed it.
    pub service_version: String,
    /// The organization.
    pub organization_id: OrganizationId,
    /// The project.
    pub project_id: ProjectId,
    /// The project's name.
    pub project: String,
    /// The check.
    pub check_id: Uuid,
    /// When it began.
    pub began_at: String,
    /// When it ended.
    pub ended_at: String,
    /// How it ended.
    pub outcome: String,
    /// What it found.
    pub findings: Findings,
}

/// Why a report does not verify, as a sentence.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum Unverified {
    /// Not a report.
    #[error("This file is not an isolation report.")]
    NotAReport,
    /// Its key is not among those given.
    #[error(
        "The report names the key {0}, which is not among these keys. Retired keys are published for nine days: use the keys that were saved with the report."
    )]
    UnknownKey(String),
    /// The signature does not fit.
    #[error("The signature does not fit: the report was changed or is not from this installation.")]
    WrongSignature,
}

/// Signs the report of a check.
///
/// # Errors
/// No signing key is active.
pub fn sign(app: &App, project: &Project, run: &Run) -> Result<String> {
    let now = app.now();
    let report = Report {
        iss: app.base_url.clone(),
        iat: now.seconds(),
        service_version: env!("CARGO_PKG_VERSION").to_owned(),
        organization_id: project.organization,
        project_id: project.id,
        project: project.name.clone(),
        check_id: run.id,
        began_at: run.began_at.to_string(),
        ended_at: run.ended_at.to_string(),
        outcome: run.outcome.name().to_owned(),
        findings: run.findings.clone(),
    };
    signed(app, &report, now)
}

fn signed(app: &App, report: &Report, now: Timestamp) -> Result<String> {
    let known = tokens::known(app);
    let key = known.keyring.active(now)?;
    let (typ, kid) = (Some(TYPE.to_owned()), Some(key.id.to_string()));
    let header = Header { typ, kid, ..Header::new(Algorithm::EdDSA) };
    jsonwebtoken::encode(&header, report, &key.encoding).map_err(Error::internal)
}

/// The published keys of an installation, as `GET /.well-known/jwks.json` answers them.
pub fn published_keys(app: &App) -> Value {
    tokens::known(app).keyring.public_set()
}

/// Verifies a report with a JSON Web Key Set.
///
/// # Errors
/// Why it does not verify.
pub fn verify(text: &str, keys: &Value) -> Result<Report, Unverified> {
    let text = text.trim();
    let header = jsonwebtoken::decode_header(text).map_err(|_| Unverified::NotAReport)?;
    if header.alg != Algorithm::EdDSA || header.typ.as_deref() != Some(TYPE) {
        return Err(Unverified::NotAReport);
    }
    let kid = header.kid.unwrap_or_default();
    let key = key_of(keys, &kid).ok_or(Unverified::UnknownKey(kid))?;
    let mut rules = Validation::new(Algorithm::EdDSA);
    // A report does not expire, and is for whoever reads it.
    rules.validate_exp = false;
    rules.validate_aud = false;
    rules.required_spec_claims.clear();
    jsonwebtoken::decode::<Report>(text, &key, &rules).map(|read| read.claims).map_err(|_| Unverified::WrongSignature)
}

/// The key with this id.
fn key_of(keys: &Value, kid: &str) -> Option<DecodingKey> {
    let all = keys.get("keys")?.as_array()?;
    let key = all.iter().find(|key| key.get("kid").and_then(Value::as_str) == Some(kid))?;
    let public = URL_SAFE_NO_PAD.decode(key.get("x")?.as_str()?).ok()?;
    Some(DecodingKey::from_ed_der(&public))
}
