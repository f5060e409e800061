//! The secret key that seals what is secret at rest (docs/spec/contract.md, sections 8 and 11).

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use std::{
    collections::BTreeSet,
    fs::{self, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

const FILE: &str = "secret.key";
const LEAST_BYTES: usize = 32;
const LEAST_DIFFERENT: usize = 10;

/// Why there is no secret key to use.
#[derive(Debug, thiserror::Error)]
pub enum SecretKeyProblem {
    /// PostgreSQL, and no key.
    #[error(
        "INLAY_SECRET_KEY is missing. With PostgreSQL every node needs the same key: set it to 32 random bytes or more, for example `openssl rand -hex 32`"
    )]
    Missing,
    /// Too short or too uniform.
    #[error(
        "INLAY_SECRET_KEY is weak: it needs at least 32 bytes and 10 different characters, for example `openssl rand -hex 32`"
    )]
    Weak,
    /// The file cannot be read or made.
    #[error("the secret key in {path} cannot be read or created: {reason}")]
    File {
        /// Where it should be.
        path: String,
        /// What the system said.
        reason: String,
    },
}

/// Refuses a weak key.
///
/// # Errors
/// The key is weak.
pub fn checked(key: String) -> Result<String, SecretKeyProblem> {
    let different = key.chars().collect::<BTreeSet<_>>().len();
    if key.len() < LEAST_BYTES || different < LEAST_DIFFERENT { Err(SecretKeyProblem::Weak) } else { Ok(key) }
}

/// The key kept in the data folder, made there at the first start (mode 0600).
///
/// # Errors
/// The file cannot be read or made, or what it holds is weak.
pub fn kept_in(folder: &Path) -> Result<String, SecretKeyProblem> {
    fs::create_dir_all(folder).ok();
    let path = folder.join(FILE);
    let problem =
        |fault: &dyn std::fmt::Display| SecretKeyProblem::File { path: path.display().to_string(), reason: fault.to_string() };
    let mut random = [0_u8; 48];
    getrandom::fill(&mut random).map_err(|fault| problem(&fault))?;
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
        Ok(mut file) => {
            let key = URL_SAFE_NO_PAD.encode(random);
            file.write_all(key.as_bytes()).and_then(|()| file.sync_all()).map_err(|fault| problem(&fault))?;
            Ok(key)
        }
        Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists => {
            checked(fs::read_to_string(&path).map_err(|fault| problem(&fault))?.trim().to_owned())
        }
        Err(fault) => Err(problem(&fault)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weak_keys_are_refused() {
        for weak in ["", "short", &"a".repeat(64), "abcabcabcabcabcabcabcabcabcabcabcabc"] {
            assert!(matches!(checked(weak.to_owned()), Err(SecretKeyProblem::Weak)), "{weak:?}");
        }
        assert!(checked("0123456789abcdef0123456789abcdef".to_owned()).is_ok());
    }
}
