//! Groups of flags in the console.

use super::Flag;

/// What flags have in common for the person who sets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Changes of dashboards, charts and filters.
    Editing,
    /// What users ask AI for.
    Ai,
    /// More ways to look at data and to pass it on.
    Sharing,
    /// What a flag takes away when it is on.
    Restrictions,
}

impl Group {
    /// All groups, in the order of the console.
    pub const ALL: [Self; 4] = [Self::Editing, Self::Ai, Self::Sharing, Self::Restrictions];

    /// Its title.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Editing => "Editing",
            Self::Ai => "AI",
            Self::Sharing => "Viewing and sharing",
            Self::Restrictions => "Restrictions",
        }
    }

    /// Its flags, in the order of the specification.
    pub fn flags(self) -> impl Iterator<Item = Flag> {
        Flag::ALL.into_iter().filter(move |flag| flag.group() == self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_flag_has_a_group_and_a_title_of_its_own() {
        let grouped: BTreeSet<Flag> = Group::ALL.into_iter().flat_map(Group::flags).collect();
        assert_eq!(grouped, BTreeSet::from(Flag::ALL));
        assert_eq!(BTreeSet::from(Flag::ALL.map(Flag::title)).len(), Flag::ALL.len());
        for title in Flag::ALL.map(Flag::title) {
            assert!(title.len() <= 24 && title.starts_with(char::is_uppercase) && !title.ends_with('.'), "{title}");
        }
    }

    #[test]
    fn every_flag_that_grants_editing_is_under_editing() {
        assert!(Flag::ALL.into_iter().all(|flag| !flag.grants_editing() || flag.group() == Group::Editing));
    }
}
