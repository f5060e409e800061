//! Words of English that no data has to know.

use std::{collections::HashSet, sync::LazyLock};

/// Words of English that are no typo of a name, though they may look like one.
const ENGLISH: &str = "about above across after again against ahead alone along already although always among another anybody anyone \
    anything around asked autumn became because become behind believe below beside besides better beyond booked bought brought built called \
    cannot cause certain change cheaper clear close closed clearly coming common could different double doing during early either \
    enough every everyone everything except exact exactly faster fewer final finally follow former found front further given going \
    great happy having heavy hence hello higher highly however ideas inside instead known large larger later least leave longer \
    lower mainly maybe means might missed mostly moved multiple neither newer nobody nothing often older opened other otherwise \
    outside people perhaps place plain please possible pretty quite rather ready really recent right same second seems several \
    shall shorter should simple since single slower small smaller someone something sometimes spring still stuff summer taken their there \
    these thing things think those though three through today together tomorrow tried trying twice under unless until upon usual \
    usually waiting wanted watch watched ways weren where whether which while whole whose winter within without worked worth would \
    wrong younger yours";

pub(crate) static ENGLISH_WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| ENGLISH.split_whitespace().collect());

/// What people write shorter in any trade.
pub(crate) fn spelt_out(word: &str) -> Option<String> {
    const SHORT: &[(&str, &str)] = &[
        ("yr", "year"),
        ("yrs", "years"),
        ("mth", "month"),
        ("mths", "months"),
        ("mnth", "month"),
        ("wk", "week"),
        ("wks", "weeks"),
        ("qtr", "quarter"),
        ("qtrs", "quarters"),
        ("hrs", "hours"),
        ("mins", "minutes"),
        ("secs", "seconds"),
        ("cnt", "count"),
        ("nr", "number"),
        ("tot", "total"),
        ("ttl", "total"),
        ("btw", "between"),
        ("pls", "please"),
    ];
    SHORT.iter().find(|(short, _)| *short == word).map(|(_, long)| (*long).to_owned())
}
