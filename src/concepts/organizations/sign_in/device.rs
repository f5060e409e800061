//! Browsers that an account signed in with before. Strangers who guess at an account from everywhere do not keep its owner out there.

use super::normalized;
use crate::ground::{state::App, time::Timestamp};
use sha2::{Digest, Sha256};
use std::time::Duration;
use uuid::Uuid;

/// How long a browser counts as known after its last sign-in.
pub const KNOWN_FOR: Duration = Duration::from_secs(180 * 24 * 3600);

const PURPOSE: &str = "console device";

/// A new mark of a browser for the account of an email address: an id, an end, and a signature over both and the address. It
/// opens nothing by itself.
pub fn mark(app: &App, email: &str, now: Timestamp) -> String {
    let (id, until) = (Uuid::new_v4().simple().to_string(), now.plus(KNOWN_FOR).0.to_string());
    let signature = signature(app, email, &id, &until);
    format!("{id}.{until}.{signature}")
}

/// The id of the browser that carries a mark for this address. `None` for a mark of another address, one that has ended, and
/// any other text.
pub(super) fn known(app: &App, email: &str, mark: &str, now: Timestamp) -> Option<String> {
    let mut parts = mark.split('.');
    let (id, until, given) = (parts.next()?, parts.next()?, parts.next()?);
    // Hashes are compared, so that the time tells nothing of the signature.
    let genuine = Sha256::digest(given) == Sha256::digest(signature(app, email, id, until)) && parts.next().is_none();
    let lasts = until.parse::<i64>().is_ok_and(|until| now.0 < until);
    (genuine && lasts).then(|| id.to_owned())
}

fn signature(app: &App, email: &str, id: &str, until: &str) -> String {
    app.sealer.derive(PURPOSE, &[normalized(email).as_bytes(), id.as_bytes(), until.as_bytes()])
}
