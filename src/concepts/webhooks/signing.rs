//! Signatures of messages (Standard Webhooks, version 1).

use crate::ground::error::{Error, Result};
use aws_lc_rs::hmac;
use base64::{Engine, engine::general_purpose::STANDARD};

const BYTES: usize = 32;
const PREFIX: &str = "whsec_";

/// A new secret, in the form that the host stores.
pub fn generate() -> Result<String> {
    let mut random = [0_u8; BYTES];
    getrandom::fill(&mut random).map_err(Error::internal)?;
    Ok(format!("{PREFIX}{}", STANDARD.encode(random)))
}

/// The header `webhook-signature` of a message.
pub fn sign(secret: &str, id: &str, seconds: i64, body: &str) -> Result<String> {
    let odd = || Error::internal("a webhook's secret cannot be read");
    let secret = STANDARD.decode(secret.strip_prefix(PREFIX).ok_or_else(odd)?).map_err(|_| odd())?;
    let key = hmac::Key::new(hmac::HMAC_SHA256, &secret);
    let tag = hmac::sign(&key, format!("{id}.{seconds}.{body}").as_bytes());
    Ok(format!("v1,{}", STANDARD.encode(tag)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example from the specification's own libraries.
    #[test]
    fn signs_as_the_specification_s_example() {
        let signed = sign(
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1_614_265_330,
            "{\"test\": 2432232314}",
        );
        assert_eq!(signed.expect("signed"), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn secrets_differ() {
        let (one, other) = (generate().expect("a secret"), generate().expect("a secret"));
        assert!(one.starts_with(PREFIX) && one != other);
        let of = |secret: &str| sign(secret, "a", 1, "x").expect("signed");
        assert_ne!(of(&one), of(&other));
    }
}
