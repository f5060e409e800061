//! Parts of lists. A part ends with the key of its last entry, and the next one begins behind it: whatever is added or removed
//! meanwhile, no entry comes twice, and none that stays is left out.

use crate::ground::error::{Error, Result};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde::{Serialize, de::DeserializeOwned};

/// The maximum number of entries in a part, and the number where the caller names none.
pub const MOST: usize = 500;

/// A side of a place in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side<K> {
    /// What follows the place.
    After(K),
    /// What comes before it: the entries nearest to it.
    Before(K),
}

/// The longest cursor: a name of 512 characters with an id, encoded.
pub const LONGEST_CURSOR: usize = 8_192;

/// A part of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part<T, K> {
    /// Its entries, in order.
    pub entries: Vec<T>,
    /// The key of the last entry read, if more follow.
    pub next: Option<K>,
}

impl<T, K> Part<T, K> {
    /// How many rows to read for a part: one more than it has, to know whether more follow.
    pub fn to_read(most: usize) -> i64 {
        i64::try_from(most.saturating_add(1)).unwrap_or(i64::MAX)
    }

    /// The part of the rows that were read.
    pub fn of(mut rows: Vec<T>, most: usize, key: impl FnOnce(&T) -> K) -> Self {
        let more = rows.len() > most;
        rows.truncate(most);
        let next = if more { rows.last().map(key) } else { None };
        Self { entries: rows, next }
    }

    /// The same part of other entries.
    pub fn map<U>(self, entry: impl FnMut(T) -> U) -> Part<U, K> {
        Part { entries: self.entries.into_iter().map(entry).collect(), next: self.next }
    }

    /// The part as the answer of a list: its entries, and the cursor of the next part.
    ///
    /// # Errors
    /// The key cannot be written.
    pub fn answer<U>(self, list: &str, entry: impl FnMut(T) -> U) -> Result<(Vec<U>, Option<String>)>
    where
        K: Serialize,
    {
        let next = self.next.as_ref().map(|key| cursor(list, key)).transpose()?;
        Ok((self.entries.into_iter().map(entry).collect(), next))
    }

    /// The part without some entries.
    #[must_use]
    pub fn keep(mut self, wanted: impl FnMut(&T) -> bool) -> Self {
        self.entries.retain(wanted);
        self
    }
}

/// A part of a list that is read whole, because it has a small maximum or is put together from several reads. `is_behind` tells
/// which entries follow the key of the part before.
pub fn part_of<T, K>(all: Vec<T>, most: usize, is_behind: impl Fn(&T) -> bool, key: impl FnOnce(&T) -> K) -> Part<T, K> {
    Part::of(all.into_iter().filter(|entry| is_behind(entry)).collect(), most, key)
}

/// A key as a cursor of a list, which no other list takes.
///
/// # Errors
/// The key cannot be written.
pub fn cursor<K: Serialize>(list: &str, key: &K) -> Result<String> {
    Ok(BASE64_URL_SAFE_NO_PAD.encode(serde_json::to_vec(&(list, key)).map_err(Error::internal)?))
}

/// The key in a cursor of a list.
///
/// # Errors
/// 400 for any other text.
pub fn key<K: DeserializeOwned>(list: &str, cursor: &str) -> Result<K> {
    let read = || {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(cursor).ok()?;
        let (of, key) = serde_json::from_slice::<(String, K)>(&bytes).ok()?;
        (of == list).then_some(key)
    };
    read().ok_or_else(|| Error::invalid("after", "is not the `next` of this list; send it unchanged, or leave it out"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_names_its_last_entry_where_more_follow() {
        let part = |most| Part::of(vec![1, 2, 3], most, |last| *last);
        assert_eq!(part(2), Part { entries: vec![1, 2], next: Some(2) });
        assert_eq!(part(3), Part { entries: vec![1, 2, 3], next: None });
        assert_eq!(part(2).keep(|one| *one > 1), Part { entries: vec![2], next: Some(2) });
        assert_eq!((Part::<i32, i32>::to_read(2), Part::<i32, i32>::to_read(usize::MAX)), (3, i64::MAX));
    }

    #[test]
    fn a_cursor_is_taken_by_its_own_list_alone() {
        let given = cursor("dashboards", &(7, "Ünder/scored+".to_owned())).expect("a cursor");
        assert!(given.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_')), "{given}");
        assert_eq!(key::<(i64, String)>("dashboards", &given).expect("its own"), (7, "Ünder/scored+".to_owned()));
        for bad in ["", "x", "!", "e30", &given[1..], &format!("{given}=")] {
            assert!(key::<(i64, String)>("dashboards", bad).is_err(), "{bad}");
        }
        assert!(key::<(i64, String)>("threads", &given).is_err());
        assert!(key::<i64>("dashboards", &given).is_err());
    }
}
