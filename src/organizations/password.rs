//! Members' passwords for the management console: Argon2id hashes.

use crate::error::{Error, Result};
use argon2::{Argon2, PasswordHasher, PasswordVerifier};

const LEAST: usize = 12;

/// Hashes a password.
///
/// # Errors
/// It is too short.
pub fn hash(password: &str) -> Result<String> {
    if password.chars().count() < LEAST {
        return Err(Error::invalid("password", format!("must have at least {LEAST} characters")));
    }
    let hash = Argon2::default().hash_password(password.as_bytes()).map_err(Error::internal)?;
    Ok(hash.to_string())
}

/// Whether a password is the one that was hashed.
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
