//! The settings that a project accepts.

use super::{is_origin, is_timezone};
use crate::ground::checks::is_name;

#[test]
fn an_origin_is_scheme_host_and_port_alone() {
    for good in ["https://host.example", "http://localhost:3001", "https://host.example:8443"] {
        assert_eq!(is_origin(good), Ok(()), "{good}");
    }
    for bad in [
        "",
        "host.example",
        "https://host.example/",
        "https://host.example/app",
        "ftp://host.example",
        "https://Host.example",
        "*",
        "null",
    ] {
        assert!(is_origin(bad).is_err(), "{bad}");
    }
}

#[test]
fn zones_and_names() {
    assert!(is_timezone("Europe/Berlin").is_ok() && is_timezone("Mars/Base").is_err());
    assert!(is_name("Shop").is_ok() && is_name("").is_err() && is_name("a\nb").is_err() && is_name(&"x".repeat(513)).is_err());
}
