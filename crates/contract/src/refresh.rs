//! How often an open page asks for rows again.

use std::ops::RangeInclusive;

/// The seconds that can be chosen, for a dashboard and for a chart. A page that asks more often would take the data source from others.
pub const SECONDS: RangeInclusive<u32> = 30..=86_400;

/// Checks the seconds after which rows are asked for again.
///
/// # Errors
/// What they must be.
pub fn check(seconds: u32) -> Result<(), String> {
    let (least, most) = SECONDS.into_inner();
    if SECONDS.contains(&seconds) { Ok(()) } else { Err(format!("must be {least} to {most} seconds")) }
}
