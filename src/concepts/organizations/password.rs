//! Members' passwords for the management console: Argon2id hashes.

use crate::ground::error::{Error, Result};
use argon2::{Argon2, PasswordHasher, PasswordVerifier};

const LEAST: usize = 12;

/// The longest that is hashed, so that nobody keeps the processor busy with a book.
const MOST: usize = 1_000;

/// Whether a password has a length that will do.
///
/// # Errors
/// It is too short, or far too long.
pub fn long_enough(password: &str) -> Result<()> {
    match password.chars().count() {
        length if length < LEAST => Err(Error::invalid("password", format!("must have at least {LEAST} characters"))),
        length if length > MOST => Err(Error::invalid("password", format!("must have at most {MOST} characters"))),
        _ => Ok(()),
    }
}

/// Hashes a password.
///
/// # Errors
/// It is too short.
pub fn hash(password: &str) -> Result<String> {
    long_enough(password)?;
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
