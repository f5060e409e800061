//! Filters as a query string, for the host page and back (docs/spec/contract.md, section 6). Pure.

use inlay_contract::{
    filter::{FilterValue, is_parameter},
    page::Filters,
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// The characters that are not percent-encoded: the unreserved ones.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The active filters as `?filter_a=…&f_b=…`, in the order of their keys; empty when there are none.
#[must_use]
pub fn write(filters: &Filters) -> String {
    let mut search = String::new();
    for (key, value) in filters {
        search.push(if search.is_empty() { '?' } else { '&' });
        search.extend(utf8_percent_encode(key, ENCODED));
        search.push('=');
        search.extend(utf8_percent_encode(&value.to_json().to_string(), ENCODED));
    }
    search
}

/// Parses a query. Returns the filters, and the keys of filters with an invalid value.
#[must_use]
pub fn read(search: &str) -> (Filters, Vec<String>) {
    let (mut filters, mut invalid) = (Filters::new(), Vec::new());
    for (key, value) in pairs(search) {
        if !is_parameter(&key) {
            continue;
        }
        match FilterValue::from_parameter(&key, &value) {
            Some(value) => {
                filters.insert(key, value);
            }
            None => invalid.push(key),
        }
    }
    (filters, invalid)
}

/// The decoded pairs of a query; the leading `?` is optional.
pub fn pairs(search: &str) -> impl Iterator<Item = (String, String)> {
    let decode = |text: &str| percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned();
    let search = search.strip_prefix('?').unwrap_or(search);
    search.split('&').filter(|pair| !pair.is_empty()).map(move |pair| {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        (decode(key), decode(value))
    })
}

/// Removes the parameters with these names from a query.
#[must_use]
pub fn without(search: &str, names: &[&str]) -> String {
    let kept: Vec<&str> = search
        .strip_prefix('?')
        .unwrap_or(search)
        .split('&')
        .filter(|pair| !pair.is_empty() && !pairs(pair).any(|(key, _)| names.contains(&key.as_str())))
        .collect();
    if kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) }
}

/// Appends parameters to a query.
#[must_use]
pub fn with<'a>(search: &str, parameters: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let mut search = search.to_owned();
    for (name, value) in parameters {
        search.push(if search.is_empty() { '?' } else { '&' });
        search.push_str(name);
        search.push('=');
        search.extend(utf8_percent_encode(&value, ENCODED));
    }
    search
}

/// Replaces the filters of a query with these filters, which are themselves a query.
#[must_use]
pub fn with_filters(search: &str, filters: &str) -> String {
    let is_filter = |pair: &str| pairs(pair).any(|(key, _)| is_parameter(&key));
    let own = search.strip_prefix('?').unwrap_or(search).split('&').filter(|pair| !pair.is_empty() && !is_filter(pair));
    let filters = filters.strip_prefix('?').filter(|filters| !filters.is_empty());
    let kept: Vec<&str> = own.chain(filters).collect();
    if kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn value(json: serde_json::Value) -> FilterValue {
        FilterValue::from_json(json).expect("a filter")
    }

    #[test]
    fn what_is_written_is_read_back() {
        let filters = Filters::from([
            ("filter_destination".to_owned(), value(json!(["ATL", "Köln & Bonn", "a=b+c%"]))),
            ("filter_period".to_owned(), value(json!({"from": "2001-01-01", "to": "2001-02-01"}))),
            ("f_warehouse.flights.origin".to_owned(), value(json!("LAX"))),
        ]);
        assert_eq!(read(&write(&filters)), (filters, vec![]));
    }

    #[test]
    fn no_filters_are_an_empty_query() {
        assert_eq!(write(&Filters::new()), "");
        assert_eq!(read("").0, Filters::new());
        assert_eq!(read("?").0, Filters::new());
    }

    #[test]
    fn bare_strings_are_for_omnibar_filters_alone() {
        let (filters, invalid) = read("?f_a.b.c=Los+Angeles&filter_x=Los+Angeles&filter_y=null&other=1");
        assert_eq!(filters, Filters::from([("f_a.b.c".to_owned(), value(json!("Los Angeles")))]));
        assert_eq!(invalid, ["filter_x", "filter_y"]);
    }

    #[test]
    fn the_token_leaves_the_query_and_the_rest_stays_as_written() {
        assert_eq!(without("?jwt=a.b.c&hideHeader=true&filter_x=%5B1%5D", &["jwt"]), "?hideHeader=true&filter_x=%5B1%5D");
        assert_eq!(without("?a=1&%6Awt=x&b", &["jwt"]), "?a=1&b");
        assert_eq!(without("?jwt=x", &["jwt"]), "");
    }

    #[test]
    fn filters_take_the_place_of_those_that_were_there() {
        let search = "?hideHeader=true&filter_a=%221%22&f_x.y.z=2&theme=x";
        assert_eq!(with_filters(search, "?filter_b=3"), "?hideHeader=true&theme=x&filter_b=3");
        assert_eq!(with_filters(search, ""), "?hideHeader=true&theme=x");
        assert_eq!(with_filters("?filter_a=1", ""), "");
        assert_eq!(with_filters("", "?filter_b=3"), "?filter_b=3");
    }
}
