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
    if !path.try_exists().map_err(|fault| problem(&fault))? {
        let mut random = [0_u8; 64];
        getrandom::fill(&mut random).map_err(|fault| problem(&fault))?;
        let (name, key) = random.split_at(16);
        let whole = folder.join(format!("{FILE}.{}", URL_SAFE_NO_PAD.encode(name)));
        let created = create(&whole, &path, &URL_SAFE_NO_PAD.encode(key));
        fs::remove_file(&whole).ok();
        created.map_err(|fault| problem(&fault))?;
    }
    checked(fs::read_to_string(&path).map_err(|fault| problem(&fault))?.trim().to_owned())
}

/// The key in the data folder, if there is one.
pub fn found_in(folder: &Path) -> Result<Option<String>, SecretKeyProblem> {
    let path = folder.join(FILE);
    match fs::read_to_string(&path) {
        Ok(key) => checked(key.trim().to_owned()).map(Some),
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(fault) => Err(SecretKeyProblem::File { path: path.display().to_string(), reason: fault.to_string() }),
    }
}

/// Writes the key into a file of another name and gives that the right one, so that nobody reads half a key. Of two processes that start at
/// the same time, the first to do so decides for both.
fn create(whole: &Path, path: &Path, key: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(whole)?;
    file.write_all(key.as_bytes())?;
    file.sync_all()?;
    match fs::hard_link(whole, path) {
        Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        outcome => outcome,
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
    fn processes_that_start_together_have_one_key() {
        let folder = env::temp_dir().join(format!("inlay-secret-keys-{}", process::id()));
        let starts: Vec<_> = (0..16)
            .map(|_| {
                let folder = folder.clone();
                std::thread::spawn(move || kept_in(&folder).expect("a key"))
            })
            .collect();
        let keys: BTreeSet<String> = starts.into_iter().map(|start| start.join().expect("no panic")).collect();
        assert_eq!(keys.len(), 1);
        let names: Vec<_> =
            fs::read_dir(&folder).expect("the folder").map(|entry| entry.expect("an entry").file_name()).collect();
        assert_eq!(names, [FILE]);
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
