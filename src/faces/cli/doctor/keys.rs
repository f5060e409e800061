//! The keys: the one that seals the store's secrets, and those that sign tokens.

use super::Finding;
use crate::{
    concepts::tokens,
    ground::{
        error::Error,
        state::App,
        store::{Db, seal::Sealer},
    },
};

/// Whether the secret key opens what is sealed in the store: the signing keys are, and every store that served has some.
pub(super) async fn sealing(db: &Db, sealer: &Sealer) -> Finding {
    match tokens::count_signing_keys(db, sealer).await {
        Ok(0) => Finding::warning("sealing key", "nothing is sealed yet", "Start the service once; then run this again."),
        Ok(_) => Finding::ok("sealing key", "opens the store's secrets"),
        Err(problem) => unread(&problem),
    }
}

pub(super) fn unread(problem: &Error) -> Finding {
    let told = problem.context.clone().unwrap_or_else(|| problem.message.clone());
    Finding::problem("sealing key", told, "Set INLAY_SECRET_KEY to the key of this store, the same on every node.")
}

pub(super) fn signing(app: &App) -> Finding {
    let known = tokens::known(app);
    let keys = known.keyring.keys().len();
    match known.keyring.active(app.now()) {
        Ok(_) => Finding::ok("signing keys", format!("{keys} in use, one of them signs")),
        Err(_) => Finding::problem("signing keys", "none signs new tokens", "Run `inlay signing-key rotate`."),
    }
}
