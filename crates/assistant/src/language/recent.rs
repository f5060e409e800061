//! Periods that end with the newest rows: "lately", "the last few weeks".

use super::{
    grain::Grain,
    periods::{Read, Words},
    span::Spoken,
};

/// "lately" is so many days.
const LATELY: u32 = 30;
/// "a few weeks" are so many.
const FEW: u32 = 3;

impl Words<'_> {
    /// "lately", "the past couple of months", "recent weeks", "the newest 14 days".
    pub(super) fn recent(&self) -> Read<Spoken> {
        let count = match (self.text(0), self.text(1)) {
            ("lately" | "recently", _) => return Some((Spoken::Newest(LATELY, Grain::Day), 1)),
            ("last" | "past" | "recent", "few" | "several") => Some((FEW, 2)),
            ("last" | "past", "couple") => Some((2, 2 + usize::from(self.is(2, &["of"])))),
            ("recent", grains) if grains.ends_with('s') => Some((FEW, 1)),
            ("newest", _) => self.number(1).map(|count| (count, 2)),
            _ => None,
        };
        let (count, at) = count.filter(|(count, _)| *count > 0)?;
        Some((Spoken::Newest(count, self.grain(at)?), at + 1))
    }
}
