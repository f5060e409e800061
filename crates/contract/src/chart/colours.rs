//! The colours of series. A series' colour is derived from its name, so that it stays the same across charts and filters.

use super::frame::Frame;
use crate::theme::oklch::{BLACK, Oklch, WHITE};

/// The name of the categories beyond a limit.
pub(super) const OTHER: &str = "Other";

/// How many colours of a palette are in use before the others: a theme puts those last that look like one of its own colours.
const DISTINCT: usize = 8;

/// The colours of measures that the definition lists, in its order.
pub(super) fn of_measures(frame: &Frame<'_>, names: &[String]) -> Vec<String> {
    let palette = &frame.theme.palette;
    names.iter().enumerate().map(|(at, name)| own(frame, name).unwrap_or_else(|| palette[at % 10].clone())).collect()
}

/// The colours of names from data: each name has its own place in the palette. If two names of a chart collide, the later one
/// takes the next free place.
pub(super) fn of_names(frame: &Frame<'_>, names: &[String]) -> Vec<String> {
    let palette = &frame.theme.palette;
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|one, two| names[*one].cmp(&names[*two]));
    let mut taken = [false; 10];
    let mut colours = vec![String::new(); names.len()];
    for (rank, at) in order.into_iter().enumerate() {
        if rank % 10 == 0 {
            taken = [false; 10];
        }
        if names[at] == OTHER {
            colours[at] = rest(frame);
            continue;
        }
        let home = hash(&names[at]) as usize;
        let first = (0..DISTINCT).map(|step| (home + step) % DISTINCT);
        let slot = first.chain(DISTINCT..10).find(|slot| !taken[*slot]).unwrap_or(home % DISTINCT);
        taken[slot] = true;
        colours[at] = own(frame, &names[at]).unwrap_or_else(|| palette[slot].clone());
    }
    colours
}

/// The colour of a single series.
pub(super) fn only(frame: &Frame<'_>, name: &str) -> String {
    own(frame, name).unwrap_or_else(|| frame.theme.accent.clone())
}

/// Black or white, whichever has more contrast with a colour.
pub(super) fn text_on(colour: &str) -> &'static str {
    let dark = Oklch::from_hex(colour).is_some_and(|ground| ground.contrast(WHITE) * 1.25 >= ground.contrast(BLACK));
    if dark { "#ffffff" } else { "#16181d" }
}

/// Mixes a colour with the card's background.
pub(super) fn faded(frame: &Frame<'_>, colour: &str, part: f64) -> String {
    match (Oklch::from_hex(colour), Oklch::from_hex(&frame.theme.raised)) {
        (Some(colour), Some(ground)) => colour.mix(ground, part).to_hex(),
        _ => colour.to_owned(),
    }
}

fn own(frame: &Frame<'_>, name: &str) -> Option<String> {
    let colour = frame.options.colors.get(name)?;
    Oklch::from_hex(colour).map(Oklch::to_hex)
}

fn rest(frame: &Frame<'_>) -> String {
    faded(frame, &frame.theme.muted, 0.35)
}

/// FNV-1a, which is the same on every machine and in every version.
fn hash(name: &str) -> u32 {
    name.bytes().fold(2_166_136_261, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(16_777_619)) % 9973
}
