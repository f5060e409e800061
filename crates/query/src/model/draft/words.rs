//! The words of names: `CustomerID` and `customer_id` have the same.

/// The words of a name, in small letters: split at whatever is no letter or digit, and where a capital letter begins a word.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let letters: Vec<char> = name.chars().collect();
    for (at, &letter) in letters.iter().enumerate() {
        if !letter.is_alphanumeric() {
            words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
            continue;
        }
        let before = at.checked_sub(1).and_then(|before| letters.get(before)).copied().unwrap_or(' ');
        let ends_capitals = before.is_uppercase() && letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        if letter.is_uppercase() && (before.is_lowercase() || before.is_numeric() || ends_capitals) {
            words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
        }
        word.extend(letter.to_lowercase());
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

/// A name without case, underscores and the like.
pub(super) fn plain(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Words that say which layer of a warehouse a table belongs to, and nothing about its rows.
const LAYERS: [&str; 9] = ["dim", "fact", "fct", "raw", "stg", "tbl", "int", "mart", "vw"];

/// The words of a table's name, without its schema and layer.
pub(super) fn of_table(table: &str) -> Vec<String> {
    let bare = table.rsplit_once('.').map_or(table, |(_, bare)| bare);
    let mut words = words(bare);
    if words.len() > 1 && words.first().is_some_and(|first| LAYERS.contains(&first.as_str())) {
        words.remove(0);
    }
    words
}

/// What columns may call one row of a table: its name in the plural and in the singular, without underscores.
pub(super) fn stems(table: &str) -> Vec<String> {
    let words = of_table(table);
    let Some((last, first)) = words.split_last() else { return Vec::new() };
    let mut stems: Vec<String> = singulars(last).into_iter().map(|last| format!("{}{last}", first.concat())).collect();
    stems.push(words.concat());
    stems.dedup();
    stems
}

/// The words of a table's name with the last one in the singular.
pub(super) fn one_of(table: &str) -> Vec<String> {
    let mut words = of_table(table);
    if let Some(last) = words.last_mut()
        && let Some(singular) = singulars(last).first()
    {
        last.clone_from(singular);
    }
    words
}

/// The words of a table's name with the last one in the plural.
pub(super) fn many_of(table: &str) -> Vec<String> {
    let mut words = of_table(table);
    if let Some(last) = words.last_mut() {
        *last = plural(last);
    }
    words
}

/// What a word may be the plural of, the likeliest first. Empty if it is no plural.
fn singulars(word: &str) -> Vec<String> {
    let ends = |ending: &str| word.strip_suffix(ending).filter(|stem| stem.len() > 1);
    if let Some(stem) = ends("ies") {
        return vec![format!("{stem}y"), format!("{stem}ie")];
    }
    if let Some(stem) =
        ["sses", "shes", "ches", "xes", "zzes"].into_iter().find_map(|ending| word.ends_with(ending).then(|| ends("es")))
    {
        return stem.map(str::to_owned).into_iter().collect();
    }
    if let Some(stem) = ends("ses") {
        // Houses and statuses.
        return vec![format!("{stem}se"), format!("{stem}s")];
    }
    if ["ss", "us", "is"].into_iter().any(|ending| word.ends_with(ending)) {
        return Vec::new();
    }
    ends("s").map(str::to_owned).into_iter().collect()
}

fn plural(word: &str) -> String {
    let is_plural = !singulars(word).is_empty();
    let before_y = word.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u']) && !stem.is_empty());
    match before_y {
        _ if is_plural || !word.ends_with(|letter: char| letter.is_ascii_alphabetic()) => word.to_owned(),
        Some(stem) => format!("{stem}ies"),
        None if ["s", "x", "sh", "ch"].into_iter().any(|ending| word.ends_with(ending)) => format!("{word}es"),
        None => format!("{word}s"),
    }
}

/// A label of these words: the first letter is a capital.
pub(super) fn label(words: &[String]) -> Option<String> {
    const LONGEST: usize = 60;
    let text: String = words.join(" ").chars().take(LONGEST).collect();
    let mut letters = text.trim().chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_words() {
        for (name, expected) in [
            ("customer_id", "customer id"),
            ("CustomerID", "customer id"),
            ("customerId", "customer id"),
            ("IDCustomer", "id customer"),
            ("ISO2Code", "iso2 code"),
            ("Order Date", "order date"),
            ("  __a--b  ", "a b"),
            ("größe_cm", "größe cm"),
            ("x\u{202e}y\n# z", "x y z"),
            ("", ""),
        ] {
            assert_eq!(words(name).join(" "), expected, "{name:?}");
        }
        assert_eq!(plain("Customer_ID"), "customerid");
    }

    #[test]
    fn tables_are_called_in_the_singular_and_the_plural() {
        for (table, stem, plural) in [
            ("orders", "order", "orders"),
            ("order", "order", "orders"),
            ("sales.Categories", "category", "categories"),
            ("dim_customer", "customer", "customers"),
            ("addresses", "address", "addresses"),
            ("address", "address", "addresses"),
            ("boxes", "box", "boxes"),
            ("statuses", "statuse", "statuses"),
            ("warehouses", "warehouse", "warehouses"),
            ("OrderLines", "orderline", "order lines"),
            ("branch", "branch", "branches"),
            ("day", "day", "days"),
            ("bus", "bus", "buses"),
            ("data2024", "data2024", "data2024"),
        ] {
            assert_eq!((stems(table)[0].as_str(), many_of(table).join(" ").as_str()), (stem, plural), "{table}");
        }
        assert!(stems("statuses").contains(&"status".to_owned()) && stems("movies").contains(&"movie".to_owned()));
        assert_eq!(one_of("OrderLines").join("_"), "order_line");
    }

    #[test]
    fn labels_begin_with_a_capital_letter() {
        assert_eq!(label(&words("unit_price")).as_deref(), Some("Unit price"));
        assert_eq!(label(&words("# \n")), None);
        assert_eq!(label(&words(&"x".repeat(1_000))).map(|label| label.len()), Some(60));
    }
}
