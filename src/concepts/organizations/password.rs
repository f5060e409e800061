//! Members' passwords for the management console: Argon2id hashes.

use crate::ground::error::{Error, Result};
use argon2::{Argon2, PasswordHasher, PasswordVerifier};

const LEAST: usize = 12;

/// The maximum length, so that hashing cannot be used to block the CPU.
const MOST: usize = 1_000;

/// Checks a password's length.
pub fn long_enough(password: &str) -> Result<()> {
    match password.chars().count() {
        length if length < LEAST => Err(Error::invalid("password", format!("must have at least {LEAST} characters"))),
        length if length > MOST => Err(Error::invalid("password", format!("must have at most {MOST} characters"))),
        _ => Ok(()),
    }
}

/// Hashes a password.
pub fn hash(password: &str) -> Result<String> {
    long_enough(password)?;
    let hash = Argon2::default().hash_password(password.as_bytes()).map_err(Error::internal)?;
    Ok(hash.to_string())
}

/// Whether a password matches a hash.
pub fn verify(password: &str, hash: &str) -> bool {
    argon2::PasswordHash::new(hash).is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_password_verifies() {
        let hashed = hash("correct horse battery").expect("hashed");
        assert!(verify("correct horse battery", &hashed));
        assert!(!verify("correct horse batter", &hashed));
        assert!(!verify("correct horse battery", "no hash"));
        assert_ne!(hashed, hash("correct horse battery").expect("hashed"), "each hash has its own salt");
        assert!(hash("short").is_err());
    }
}
