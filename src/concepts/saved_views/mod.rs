//! Saved views: the values of a dashboard's filters that a user stored under a name. Other users do not see them.

mod store;

#[cfg(test)]
pub(crate) use store::SavedViewRow;
pub use store::move_to_copies;

use crate::ground::{
    error::{Code, Error, Result},
    store::Conn,
};
use inlay_contract::{
    ids::{DashboardId, ProjectUserId, SavedViewId},
    page::{Filters, SavedView},
};
use serde_json::{Map, Value};

/// The maximum number of views of a user for a dashboard.
pub const MOST_VIEWS: usize = 50;

/// The maximum length of a name, in characters.
const LONGEST_NAME: usize = 100;

/// The maximum size of a view's filters, in bytes of JSON.
const MOST_BYTES: usize = 16 * 1024;

/// A user's views of a dashboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shelf {
    /// The user.
    pub user: ProjectUserId,
    /// The dashboard. For a copy of the user's own, the shared dashboard that it replaces.
    pub dashboard: DashboardId,
}

/// The content of a view.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// Its name.
    name: String,
    /// Its filters.
    filters: Filters,
    /// Whether the dashboard opens with it.
    is_default: bool,
}

impl Draft {
    /// Checks the content of a view. Spaces around the name are removed. `is_known` decides whether the dashboard has the filter
    /// with this full key.
    ///
    /// # Errors
    /// 400 for a name that is empty, too long or has control characters, for a filter that the dashboard does not have, and for
    /// filters that are too large.
    pub fn checked(name: &str, filters: Filters, is_default: bool, is_known: impl Fn(&str) -> bool) -> Result<Self> {
        let name = name.trim().to_owned();
        if !(1..=LONGEST_NAME).contains(&name.chars().count()) {
            return Err(Error::invalid("name", format!("must have 1 to {LONGEST_NAME} characters")));
        }
        if name.chars().any(char::is_control) {
            return Err(Error::invalid("name", "must not contain control characters"));
        }
        if serde_json::to_vec(&filters).map_err(Error::internal)?.len() > MOST_BYTES {
            let problem = format!("must have at most {MOST_BYTES} bytes of JSON. Choose fewer values");
            return Err(Error::invalid("filters", problem));
        }
        if let Some(unknown) = filters.keys().find(|key| !is_known(key)) {
            return Err(Error::invalid(
                &format!("filters.{unknown}"),
                "is not a filter of this dashboard. Save the dashboard first, or reload it if somebody changed it",
            ));
        }
        Ok(Self { name, filters, is_default })
    }
}

/// A user's views of a dashboard, by name.
pub async fn list(conn: &mut Conn<'_>, shelf: Shelf) -> Result<Vec<SavedView>> {
    let mut views = store::list(conn, shelf).await?;
    views.sort_by_cached_key(|view| (view.name.to_lowercase(), view.name.clone()));
    Ok(views)
}

/// Stores a view in place of the user's view of that name. A new default takes the place of the former one. The caller holds
/// the lock of the user.
///
/// # Errors
/// 400 for one view too many.
pub async fn save(conn: &mut Conn<'_>, shelf: Shelf, draft: Draft) -> Result<()> {
    if store::count_others(conn, shelf, &draft.name).await? >= MOST_VIEWS {
        return Err(full());
    }
    if draft.is_default {
        store::clear_default(conn, shelf).await?;
    }
    store::put(conn, shelf, draft).await
}

/// Deletes one of a user's views of a dashboard.
///
/// # Errors
/// 404 if the user has no such view of this dashboard.
pub async fn delete(conn: &mut Conn<'_>, shelf: Shelf, id: SavedViewId) -> Result<()> {
    if store::delete(conn, shelf, id).await? { Ok(()) } else { Err(Error::not_found("Saved view")) }
}

fn full() -> Error {
    let message = format!("You have {MOST_VIEWS} views of this dashboard, which is the limit. Delete one, then save again.");
    let details = Map::from_iter([("name".to_owned(), Value::from("is one view too many"))]);
    Error::new(Code::ValidationFailed, message).with_details(details)
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::filter::{FilterValue, Scalar};
    use serde_json::{from_value, json};

    fn draft(name: &str, filters: Value) -> Result<Draft> {
        let filters = from_value(filters).expect("filters");
        Draft::checked(name, filters, false, |key| key == "filter_region" || key.starts_with("f_"))
    }

    fn problem(given: Result<Draft>) -> (String, String) {
        let refused = given.expect_err("refused");
        assert_eq!(refused.code, Code::ValidationFailed);
        let details = refused.details.expect("details");
        let (field, problem) = details.iter().next().expect("a field");
        (field.clone(), problem.as_str().expect("a text").to_owned())
    }

    #[test]
    fn a_name_has_up_to_100_characters_without_the_spaces_around_it() {
        assert_eq!(draft("  Größe \t", json!({})).expect("a draft").name, "Größe");
        assert_eq!(draft(&"ä".repeat(100), json!({})).expect("a draft").name.chars().count(), 100);
        for name in ["", " \n ", &"ä".repeat(101)] {
            assert_eq!(problem(draft(name, json!({}))), ("name".to_owned(), "must have 1 to 100 characters".to_owned()));
        }
        assert_eq!(problem(draft("a\u{7}b", json!({}))).1, "must not contain control characters");
    }

    #[test]
    fn filters_are_those_of_the_dashboard() {
        let filters = json!({"filter_region": ["north", "south"], "f_w.orders.day": {"relative": "last_7_days"}});
        assert_eq!(json!(draft("A", filters.clone()).expect("a draft").filters), filters);
        let (field, _) = problem(draft("A", json!({"filter_region": "north", "filter_other": 1})));
        assert_eq!(field, "filters.filter_other");
    }

    #[test]
    fn filters_are_limited_in_size() {
        let of = |letters: usize| {
            let value = FilterValue::AnyOf(vec![Scalar::Text("x".repeat(letters))]);
            draft("A", json!(Filters::from_iter([("filter_region".to_owned(), value)])))
        };
        let around = r#"{"filter_region":""}"#.len();
        assert!(of(16_384 - around).is_ok());
        assert_eq!(problem(of(16_385 - around)).0, "filters");
    }
}
