//! Pages of lists that are read from where their neighbours end.

use super::visit::Visit;
use crate::{
    concepts::organizations::members::Reads,
    ground::{
        error::Result,
        paging::{self, Side},
    },
};
use inlay_console::ui::parts::Turns;
use serde::{Serialize, de::DeserializeOwned};

/// The side of a list that the address names. `None` for its beginning.
///
/// # Errors
/// 400 for an address that no page of the list links to.
pub fn side<K: DeserializeOwned>(visit: &Visit<impl Reads>, list: &str) -> Result<Option<Side<K>>> {
    let place = |name: &str| match visit.person.query(name) {
        "" => Ok(None),
        cursor => paging::key(list, cursor).map(Some),
    };
    Ok(match (place("after")?, place("before")?) {
        (Some(place), _) => Some(Side::After(place)),
        (None, Some(place)) => Some(Side::Before(place)),
        (None, None) => None,
    })
}

/// Where the page's buttons lead. Takes the one row away that was read to know whether there are more than the page shows.
///
/// # Errors
/// A key cannot be written.
pub fn turns<T, K: Serialize>(
    visit: &Visit<impl Reads>,
    list: &str,
    from: Option<&Side<K>>,
    rows: &mut Vec<T>,
    shown: i64,
    key: impl Fn(&T) -> K,
) -> Result<Turns> {
    let shown = usize::try_from(shown).unwrap_or_default();
    let more = rows.len() > shown;
    let backwards = matches!(from, Some(Side::Before(_)));
    if more && backwards {
        rows.remove(0);
    }
    rows.truncate(shown);
    let cursor = |row: Option<&T>| row.map(|row| paging::cursor(list, &key(row))).transpose();
    let number = visit.person.query("page").parse::<i64>().unwrap_or(1).max(1);
    let is_first = from.is_none() || (backwards && !more);
    Ok(Turns {
        page: if is_first { 1 } else { number.max(2) },
        before: if is_first { None } else { cursor(rows.first())? },
        after: if more || backwards { cursor(rows.last())? } else { None },
    })
}
