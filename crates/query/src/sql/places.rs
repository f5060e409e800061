//! The placeholders of bound values in SQL that is ready to run.

/// Replaces each placeholder `$1`, `$2`, … with the database's form. The SQL comes from Inlay's own printer in canonical form:
/// text in single quotes, names in other quotes, quotes doubled, no comments, no other `$`.
pub(crate) fn rewrite_places(sql: &str, mut write: impl FnMut(usize) -> String) -> String {
    let mut made = String::with_capacity(sql.len());
    let mut quote = None;
    let mut rest = sql;
    while let Some(letter) = rest.chars().next() {
        let after = &rest[letter.len_utf8()..];
        if letter == '$' && quote.is_none() {
            let digits = after.len() - after.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
            if let Ok(number) = after[..digits].parse() {
                made.push_str(&write(number));
                rest = &after[digits..];
                continue;
            }
        }
        quote = match quote {
            Some(open) if open == letter => None,
            None if matches!(letter, '\'' | '"' | '`') => Some(letter),
            open => open,
        };
        made.push(letter);
        rest = after;
    }
    made
}

/// For databases with unnumbered placeholders: `?` for each, and the value of each.
pub(crate) fn positional(sql: &str) -> (String, Vec<usize>) {
    let mut order = Vec::new();
    let sql = rewrite_places(sql, |number| {
        order.push(number - 1);
        "?".to_owned()
    });
    (sql, order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_numbered_in_the_order_of_the_text() {
        let (sql, order) =
            positional("SELECT $2 FROM (SELECT `a$1` FROM `t` WHERE `x` = $1 AND `y` = $10) WHERE $2 = '$1 it''s $3'");
        assert_eq!(sql, "SELECT ? FROM (SELECT `a$1` FROM `t` WHERE `x` = ? AND `y` = ?) WHERE ? = '$1 it''s $3'");
        assert_eq!(order, [1, 0, 9, 1]);
    }

    #[test]
    fn a_quote_inside_quotes_ends_nothing() {
        let (sql, order) = positional(r#"SELECT '''$1', `a``$1`, "b""$1", $1"#);
        assert_eq!(sql, r#"SELECT '''$1', `a``$1`, "b""$1", ?"#);
        assert_eq!(order, [0]);
    }
}
