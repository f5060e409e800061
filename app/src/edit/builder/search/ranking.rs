//! What a search of the builder finds, the best first. Pure.

use super::items::Item;
use std::{cmp::Reverse, ops::Range};

/// Pieces of a text, each with whether the search matched it.
pub type Marked = Vec<(String, bool)>;

/// A table with the items that were found of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The label of the table.
    pub table: Marked,
    /// The items, the best first.
    pub hits: Vec<Hit>,
}

/// An item that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The item.
    pub item: Item,
    /// Its label.
    pub label: Marked,
    /// The other name that the search matched, if the label does not match.
    pub other: Option<Marked>,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The tables: that of the best item first.
    pub groups: Vec<Group>,
    /// How many items match. The tables may have fewer.
    pub count: usize,
}

impl Found {
    /// The items of all tables.
    pub fn hits(&self) -> impl Iterator<Item = &Hit> {
        self.groups.iter().flat_map(|group| &group.hits)
    }
}

/// How far an item is from a search: the sum over its words, then the length of its label.
type Distance = (usize, usize);

/// What stands before the matches in labels: a match in another name, and one in the table's.
const OTHER: usize = 3;
const TABLE: usize = 6;

/// Finds the items that match each word of a search, and keeps the best `most` of them.
#[must_use]
pub fn found(items: &[Item], search: &str, most: usize) -> Found {
    let words: Vec<Vec<char>> =
        search.split_whitespace().map(|word| word.chars().flat_map(char::to_lowercase).collect()).collect();
    let mut matches: Vec<(Distance, &Item)> = items.iter().filter_map(|item| Some((distance(item, &words)?, item))).collect();
    matches.sort_by_key(|(distance, _)| *distance);
    let count = matches.len();
    let mut tables: Vec<(&str, Vec<Hit>)> = Vec::new();
    for (_, item) in matches.into_iter().take(most) {
        let hit = Hit { item: item.clone(), label: marked(&item.label, &words), other: other(item, &words) };
        match tables.iter_mut().find(|(table, _)| *table == item.table) {
            Some((_, hits)) => hits.push(hit),
            None => tables.push((&item.table, vec![hit])),
        }
    }
    let groups = tables.into_iter().map(|(table, hits)| Group { table: marked(table, &words), hits });
    Found { groups: groups.collect(), count }
}

/// `None` if a word matches nothing of the item.
fn distance(item: &Item, words: &[Vec<char>]) -> Option<Distance> {
    let of_word = |word: &Vec<char>| {
        let label = occurrence(&item.label, word).map(|(rank, _)| rank);
        let others = item.other_names().filter_map(|name| Some(occurrence(name, word)?.0 + OTHER));
        let table = occurrence(&item.table, word).map(|(rank, _)| rank + TABLE);
        label.into_iter().chain(others).chain(table).min()
    };
    let sum = words.iter().map(of_word).sum::<Option<usize>>()?;
    // Without a search, items keep their order.
    Some((sum, if words.is_empty() { 0 } else { item.label.chars().count() }))
}

/// The other name that matches best a word that the label does not match.
fn other(item: &Item, words: &[Vec<char>]) -> Option<Marked> {
    let missing = || words.iter().filter(|word| occurrence(&item.label, word).is_none());
    let rank = |name: &&str| missing().filter_map(|word| occurrence(name, word)).map(|(rank, _)| rank).min();
    let ranked = item.other_names().filter_map(|name| Some((rank(&name)?, name)));
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, name)| marked(name, words))
}

/// Where a text has a word, whatever the case, and how well: 0 at the beginning, 1 at the beginning of a word, 2 within one.
fn occurrence(text: &str, word: &[char]) -> Option<(usize, Range<usize>)> {
    let lower = |(at, letter): (usize, char)| letter.to_lowercase().map(move |lower| (lower, at..at + letter.len_utf8()));
    let letters: Vec<(char, Range<usize>)> = text.char_indices().flat_map(lower).collect();
    let starts = letters.windows(word.len()).enumerate().filter(|(_, part)| part.iter().map(|(letter, _)| letter).eq(word));
    let ranked = starts.map(|(at, part)| {
        let before = at.checked_sub(1).map(|before| letters[before].0);
        let rank = before.map_or(0, |letter| if letter.is_alphanumeric() { 2 } else { 1 });
        (rank, part[0].1.start..part[part.len() - 1].1.end)
    });
    ranked.min_by_key(|(rank, _)| *rank)
}

/// A text with the words that a search matches in it.
fn marked(text: &str, words: &[Vec<char>]) -> Marked {
    let mut places: Vec<Range<usize>> = words.iter().filter_map(|word| Some(occurrence(text, word)?.1)).collect();
    places.sort_by_key(|place| (place.start, Reverse(place.end)));
    let (mut pieces, mut done) = (Marked::new(), 0);
    for place in places {
        let start = place.start.max(done);
        if start >= place.end {
            continue;
        }
        pieces.push((text[done..start].to_owned(), false));
        pieces.push((text[start..place.end].to_owned(), true));
        done = place.end;
    }
    pieces.push((text[done..].to_owned(), false));
    pieces.retain(|(piece, _)| !piece.is_empty());
    pieces
}

#[cfg(test)]
mod tests {
    use super::{super::items::Thing, *};
    use inlay_contract::model::OfferedWords;

    fn item(name: &str, label: &str, table: &str, synonyms: &[&str]) -> Item {
        let synonyms = synonyms.iter().map(|word| (*word).to_owned()).collect();
        Item {
            thing: Thing::Measure(name.to_owned()),
            label: label.to_owned(),
            table: table.to_owned(),
            words: OfferedWords { description: None, synonyms },
        }
    }

    fn items() -> Vec<Item> {
        vec![
            item("net", "Net revenue", "Orders", &["sales"]),
            item("rpo", "Revenue per order", "Orders", &[]),
            item("revenue", "Revenue", "Orders", &["turnover"]),
            item("prevented", "Prevented losses", "Claims", &[]),
            item("revisions", "Changes", "Claims", &[]),
            item("seats", "Seats", "Reviews", &[]),
            item("fläche", "Größe", "Stores", &[]),
        ]
    }

    fn told(marked: &Marked) -> String {
        marked.iter().map(|(piece, is_match)| if *is_match { format!("[{piece}]") } else { piece.clone() }).collect()
    }

    fn asked(search: &str) -> Vec<String> {
        let line = |hit: &Hit| {
            format!("{}{}", told(&hit.label), hit.other.as_ref().map_or(String::new(), |name| format!(" ({})", told(name))))
        };
        let found = found(&items(), search, 100);
        found
            .groups
            .iter()
            .map(|group| format!("{}: {}", told(&group.table), group.hits.iter().map(line).collect::<Vec<_>>().join(", ")))
            .collect()
    }

    #[test]
    fn the_beginning_of_a_label_comes_first_and_a_table_s_name_last() {
        assert_eq!(
            asked("rev"),
            [
                "Orders: [Rev]enue, [Rev]enue per order, Net [rev]enue",
                "Claims: P[rev]ented losses, Changes ([rev]isions)",
                "[Rev]iews: Seats",
            ]
        );
    }

    #[test]
    fn other_names_are_found_and_shown() {
        assert_eq!(asked("TURN"), ["Orders: Revenue ([turn]over)"]);
        assert_eq!(asked("sales"), ["Orders: Net revenue ([sales])"]);
        assert_eq!(asked("revenue"), ["Orders: [Revenue], [Revenue] per order, Net [revenue]"], "the label says it");
    }

    #[test]
    fn each_word_must_match_something() {
        assert_eq!(asked("order rev"), ["[Order]s: [Rev]enue per [order], [Rev]enue, Net [rev]enue"]);
        assert_eq!(asked("  claims   chan "), ["[Claims]: [Chan]ges"]);
        assert_eq!(asked("revenue claims"), Vec::<String>::new());
        assert_eq!(asked("revenu revenue"), asked("revenue"), "marks of the same letters are one");
        assert_eq!(asked("revemue"), Vec::<String>::new());
    }

    #[test]
    fn letters_of_any_language_are_compared_without_case() {
        assert_eq!(asked("GRÖSS"), Vec::<String>::new());
        assert_eq!(asked("GRÖ"), ["Stores: [Grö]ße"]);
        assert_eq!(asked("FLÄ"), ["Stores: Größe ([flä]che)"]);
        // One letter that is two in lower case.
        assert_eq!(found(&[item("a", "İstanbul", "T", &[])], "i", 9).groups[0].hits[0].label[0], ("İ".to_owned(), true));
    }

    #[test]
    fn without_a_search_all_are_there_in_their_order_and_the_first_are_kept() {
        let all = found(&items(), " ", 100);
        let names: Vec<&str> = all.hits().map(|hit| hit.item.name()).collect();
        assert_eq!(names, ["net", "rpo", "revenue", "prevented", "revisions", "seats", "fläche"]);
        let few = found(&items(), "rev", 2);
        assert_eq!((few.count, few.hits().count(), few.groups.len()), (6, 2, 1));
    }
}
