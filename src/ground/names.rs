//! Unique names: adds a number to a name that is already in use.

/// A name, or the first of `name (2)`, `name (3)`, … that is free.
pub fn free(name: &str, taken: impl Fn(&str) -> bool) -> String {
    first_free(name.to_owned(), |number| format!("{name} ({number})"), taken)
}

/// A name, or the first of its numbered forms, from 2, that is free.
pub fn first_free(name: String, numbered: impl Fn(u32) -> String, taken: impl Fn(&str) -> bool) -> String {
    let mut names = std::iter::once(name).chain((2..=u32::MAX).map(numbered));
    names.find(|name| !taken(name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_name_gets_the_first_number_that_is_free() {
        let taken = ["Copy", "Copy (2)", "a", "a2"];
        let taken = |name: &str| taken.contains(&name);
        assert_eq!(free("Notes", taken), "Notes");
        assert_eq!(free("Copy", taken), "Copy (3)");
        assert_eq!(first_free("a".to_owned(), |number| format!("a{number}"), taken), "a3");
    }
}
