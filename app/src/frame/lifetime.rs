//! A token's lifetime, from its own claims and from its arrival. The viewer's clock is never used. Pure.

use crate::json;
use inlay_contract::permissions::Permissions;
use serde::Deserialize;
use std::time::Duration;

/// When the host should send another token, and when this one expires. Both count from its arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetime {
    /// 80% of the lifetime.
    pub expiring: Duration,
    /// The whole lifetime.
    pub expired: Duration,
}

/// The longest lifetime that is timed, in seconds. Longer ones overflow a browser's timers. Tokens live at most seven days.
const LONGEST: u64 = 20 * 24 * 3600;

#[derive(Deserialize)]
struct Claims {
    iat: u64,
    exp: u64,
    #[serde(default)]
    permissions: Permissions,
}

/// Reads a token's claims without verifying them. The server verifies them.
fn claims(token: &str) -> Option<Claims> {
    json::read(&decode(token.split('.').nth(1)?)?)
}

/// Whether a token's user needs tools: editing or the assistant. The server checks each of their requests.
#[must_use]
pub fn has_tools(token: &str) -> bool {
    claims(token).is_some_and(|claims| claims.permissions.has_tools())
}

impl Lifetime {
    /// The lifetime of a token, from its claims.
    #[must_use]
    pub fn of(token: &str) -> Option<Self> {
        let Claims { iat, exp, .. } = claims(token)?;
        let seconds = exp.checked_sub(iat).filter(|seconds| (1..=LONGEST).contains(seconds))?;
        Some(Self { expiring: Duration::from_millis(seconds * 800), expired: Duration::from_secs(seconds) })
    }
}

/// Decodes unpadded base64url.
fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    let (mut bits, mut held) = (0u32, 0u32);
    for letter in text.bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'-' => 62,
            b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `{"iat":1000,"exp":4600,"sub":"ü"}`
    const PAYLOAD: &str = "eyJpYXQiOjEwMDAsImV4cCI6NDYwMCwic3ViIjoiw7wifQ";

    #[test]
    fn lifetime_is_the_span_of_the_claims() {
        let hour = Lifetime::of(&format!("e30.{PAYLOAD}.x"));
        assert_eq!(hour, Some(Lifetime { expiring: Duration::from_secs(2880), expired: Duration::from_secs(3600) }));
    }

    #[test]
    fn what_is_no_token_has_none() {
        // The last one is `{"iat":1,"exp":4102444800}`.
        for token in ["", "a", "a.b.c", "e30.e30.x", "e30.%%.x", "e30.eyJpYXQiOjEsImV4cCI6NDEwMjQ0NDgwMH0.x"] {
            assert_eq!(Lifetime::of(token), None, "{token}");
        }
    }
}
