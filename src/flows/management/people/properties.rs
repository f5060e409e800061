//! The properties that row rules read: whether anybody has them.

use super::{SEARCHED, has_beyond, store};
use crate::{
    concepts::organizations::members::{Member, Reads},
    ground::{error::Result, state::App},
};
use inlay_contract::ids::ProjectId;
use inlay_query::{Holder, PropertyPath};
use std::collections::BTreeSet;

/// From how many customers, and how many users, the names of properties are read that may have been meant.
const SAMPLED: i64 = 100;

/// A property that nobody has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownProperty {
    /// The property.
    pub path: PropertyPath,
    /// What that means, and which property may have been meant.
    pub told: String,
}

/// The names of properties in use.
#[derive(Debug, Default)]
struct InUse {
    customers: BTreeSet<String>,
    users: BTreeSet<String>,
}

impl InUse {
    const fn of(&self, holder: Holder) -> &BTreeSet<String> {
        match holder {
            Holder::Organization => &self.customers,
            Holder::User => &self.users,
        }
    }

    /// The property that may have been meant by one that nobody has.
    fn meant_by(&self, path: &PropertyPath) -> Option<PropertyPath> {
        let other = match path.holder {
            Holder::Organization => Holder::User,
            Holder::User => Holder::Organization,
        };
        if self.of(other).contains(&path.key) {
            return Some(PropertyPath { holder: other, key: path.key.clone() });
        }
        let near = |holder: Holder| {
            let near = self.of(holder).iter().filter_map(move |key| Some((distance(key, &path.key)?, key)));
            near.min().map(|(distance, key)| (distance, PropertyPath { holder, key: key.clone() }))
        };
        let nearest = [near(path.holder), near(other)].into_iter().flatten().min_by_key(|(distance, _)| *distance);
        nearest.map(|(_, path)| path)
    }
}

/// How many letters differ, if one name may be the other with a mistake.
fn distance(one: &str, other: &str) -> Option<usize> {
    let plain = |name: &str| name.to_lowercase().replace(['-', '_', ' '], "");
    let (one, other) = (plain(one), plain(other));
    let allowed = one.chars().count().max(other.chars().count()) / 3;
    Some(strsim::osa_distance(&one, &other)).filter(|distance| *distance <= allowed.min(3))
}

/// The properties among these that no customer or user of a project has. None before anybody has signed in.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn unknown_properties(
    app: &App,
    by: &Member<impl Reads>,
    project: ProjectId,
    read: Vec<PropertyPath>,
) -> Result<Vec<UnknownProperty>> {
    if read.is_empty() {
        return Ok(Vec::new());
    }
    let is_cut = has_beyond(app, by, project, SEARCHED).await?;
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    let customers = store::some_properties(conn, project, Holder::Organization, SAMPLED).await?;
    let users = store::some_properties(conn, project, Holder::User, SAMPLED).await?;
    if customers.is_empty() && users.is_empty() {
        return Ok(Vec::new());
    }
    let names =
        |all: &[crate::concepts::customers::properties::Properties]| all.iter().flat_map(|one| one.keys().cloned()).collect();
    let in_use = InUse { customers: names(&customers), users: names(&users) };
    let mut unknown: Vec<UnknownProperty> = Vec::new();
    for path in read {
        let is_known = in_use.of(path.holder).contains(&path.key) || unknown.iter().any(|one| one.path == path);
        if !is_known && !store::has_property(conn, project, &path).await? {
            unknown.push(UnknownProperty { told: told(&path, in_use.meant_by(&path), is_cut), path });
        }
    }
    Ok(unknown)
}

fn told(path: &PropertyPath, meant: Option<PropertyPath>, is_cut: bool) -> String {
    let key = &path.key;
    let who = match (path.holder, is_cut) {
        (Holder::Organization, false) => "No customer has".to_owned(),
        (Holder::User, false) => "No user has".to_owned(),
        (Holder::Organization, true) => "None of the first 10,000 customers by name has".to_owned(),
        (Holder::User, true) => "None of the 10,000 most recently changed users has".to_owned(),
    };
    let meant = match meant {
        None => String::new(),
        Some(meant) if meant.key == *key => {
            let holders = if meant.holder == Holder::User { "Users" } else { "Customers" };
            format!(" {holders} have it: {{{{{meant}}}}}.")
        }
        Some(meant) => format!(" A similar property is in use: {{{{{meant}}}}}."),
    };
    format!("{who} the property `{key}` yet. Every query of this table fails for those without it.{meant}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> PropertyPath {
        text.parse().expect("a path")
    }

    fn in_use(customers: &[&str], users: &[&str]) -> InUse {
        let set = |all: &[&str]| all.iter().map(|name| (*name).to_owned()).collect();
        InUse { customers: set(customers), users: set(users) }
    }

    #[test]
    fn what_was_meant_is_the_same_name_elsewhere_or_a_near_one() {
        let known = in_use(&["company", "region", "tenant_id"], &["region", "team"]);
        let meant = |text: &str| known.meant_by(&path(text)).map(|path| path.to_string());
        for (typed, expected) in [
            ("organization.regoin", Some("organization.region")),
            ("user.tenantId", Some("organization.tenant_id")),
            ("user.company", Some("organization.company")),
            ("organization.team", Some("user.team")),
            ("user.Region", Some("user.region")),
            ("organization.compnay", Some("organization.company")),
            ("user.colour", None),
            ("user.x", None),
        ] {
            assert_eq!(meant(typed).as_deref(), expected, "{typed}");
        }
    }

    #[test]
    fn what_is_told_names_the_property_and_the_one_that_is_meant() {
        let plain = told(&path("user.region"), None, false);
        assert_eq!(plain, "No user has the property `region` yet. Every query of this table fails for those without it.");
        let other = told(&path("user.region"), Some(path("organization.region")), false);
        assert!(other.ends_with("without it. Customers have it: {{organization.region}}."), "{other}");
        let near = told(&path("organization.regoin"), Some(path("organization.region")), true);
        assert!(near.starts_with("None of the first 10,000 customers by name has the property `regoin` yet."), "{near}");
        assert!(near.ends_with("A similar property is in use: {{organization.region}}."), "{near}");
    }
}
