//! Words of findings.

/// How many names a finding lists.
const NAMED: usize = 5;

/// A number with its noun: `1 table`, `3 tables`.
pub(super) fn count(number: usize, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

/// Names in a sentence: `a, b and c`, `a, b, c, d, e and 7 more`.
pub(super) fn names<S: AsRef<str>>(all: &[S]) -> String {
    let shown: Vec<&str> = all.iter().take(NAMED).map(AsRef::as_ref).collect();
    let last = if all.len() > NAMED { Some(format!("{} more", all.len() - NAMED)) } else { None };
    match (last, shown.split_last()) {
        (Some(more), _) => format!("{} and {more}", shown.join(", ")),
        (None, Some((last, []))) => (*last).to_owned(),
        (None, Some((last, others))) => format!("{} and {last}", others.join(", ")),
        (None, None) => String::new(),
    }
}

/// One thing by its name, or several by their number and names.
pub(super) fn one_or_several<S: AsRef<str>>(
    all: &[S],
    one: impl FnOnce(&str) -> String,
    several: impl FnOnce(&str) -> String,
) -> String {
    match all {
        [only] => one(only.as_ref()),
        _ => several(&names(all)),
    }
}
