//! The stored data of a run: compressed, and encrypted with the service's secret key for this run only.

use crate::ground::{
    error::{Error, Result},
    store::seal::Sealer,
};
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use inlay_contract::ids::RunId;
use serde::{Serialize, de::DeserializeOwned};
use std::io::{Read, Write};

/// The maximum size of a page or a mail, uncompressed, in bytes.
const MOST_BYTES: u64 = 256 * 1024 * 1024;

/// Compresses and encrypts.
pub fn seal(sealer: &Sealer, run: RunId, kept: &impl Serialize) -> Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&serde_json::to_vec(kept).map_err(Error::internal)?).map_err(Error::internal)?;
    sealer.seal(run.0, &encoder.finish().map_err(Error::internal)?)
}

/// Decrypts data of this run.
pub fn open<T: DeserializeOwned>(sealer: &Sealer, run: RunId, sealed: &[u8]) -> Result<T> {
    let mut kept = Vec::new();
    let packed = sealer.open(run.0, sealed)?;
    DeflateDecoder::new(&packed[..]).take(MOST_BYTES).read_to_end(&mut kept).map_err(Error::internal)?;
    serde_json::from_slice(&kept).map_err(Error::internal)
}
