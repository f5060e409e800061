//! The secret key that encrypts secrets in the store (docs/spec/contract.md, sections 8 and 11).

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

/// Why there is no usable secret key.
#[derive(Debug, thiserror::Error)]
pub enum SecretKeyProblem {
    /// The store is PostgreSQL and no key is set.
    #[error(
        "INLAY_SECRET_KEY is missing. With PostgreSQL every node needs the same key: set it to 32 random bytes or more, for example `openssl rand -hex 32`"
    )]
    Missing,
    /// The key is too short or has too few different characters.
    #[error(
        "INLAY_SECRET_KEY is weak: it needs at least 32 bytes and 10 different characters, for example `openssl rand -hex 32`"
    )]
    Weak,
    /// The file cannot be read or created.
    #[error("the secret key in {path} cannot be read or created: {reason}")]
    File {
        /// The file's path.
        path: String,
        /// The operating system's error.
        reason: String,
    },
}

/// Checks the key's strength.
pub fn checked(key: String) -> Result<String, SecretKeyProblem> {
    let different = key.chars().collect::<BTreeSet<_>>().len();
    if key.len() < LEAST_BYTES || different < LEAST_DIFFERENT { Err(SecretKeyProblem::Weak) } else { Ok(key) }
}

/// The key in the data folder, created there at the first start (mode 0600).
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
    use std::{env, os::unix::fs::PermissionsExt, process};

    #[test]
    fn a_key_is_created_once_and_for_its_owner_alone() {
        let folder = env::temp_dir().join(format!("inlay-secret-key-{}", process::id()));
        let key = kept_in(&folder).expect("created");
        assert!(checked(key.clone()).is_ok());
        let mode = fs::metadata(folder.join(FILE)).expect("the file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(kept_in(&folder).expect("kept"), key);
        fs::write(folder.join(FILE), "short").expect("written");
        assert!(matches!(kept_in(&folder), Err(SecretKeyProblem::Weak)));
        fs::remove_dir_all(&folder).expect("removed");
    }

    #[test]
    fn weak_keys_are_refused() {
        for weak in ["", "short", &"a".repeat(64), "abcabcabcabcabcabcabcabcabcabcabcabc"] {
            assert!(matches!(checked(weak.to_owned()), Err(SecretKeyProblem::Weak)), "{weak:?}");
        }
        assert!(checked("0123456789abcdef0123456789abcdef".to_owned()).is_ok());
    }
}
