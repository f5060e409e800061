//! What names a connection by its name, and is taken along when it gets another: columns of dashboards' filters, and the
//! filters under which reports are drawn.

use crate::{dashboards, error::Result, reports, store::Conn};
use inlay_contract::{filter::OMNIBAR, ids::ProjectId, page::Filters};

/// What a renamed connection took along.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Followed {
    /// Filters of dashboards, shared ones and users' own.
    pub filters: usize,
    /// Scheduled reports and alerts.
    pub reports: usize,
}

/// One name for another, as `<connection>.<table>.<column>` begins with it.
#[derive(Clone, Debug)]
pub(super) struct Renaming<'a> {
    /// What the connection was called.
    pub from: &'a str,
    /// What it is called now.
    pub to: &'a str,
    /// The other connections of the project.
    pub others: Vec<String>,
}

impl Renaming<'_> {
    /// A column path of the renamed connection, under its new name; none for a path of another one.
    fn path(&self, path: &str) -> Option<String> {
        let is_under = |path: &str, name: &str| path.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        // Of two connections `a` and `a.b`, the longer name is meant.
        let of_other = |other: &String| other.len() > self.from.len() && is_under(path, other);
        let own = is_under(path, self.from) && !self.others.iter().any(of_other);
        own.then(|| format!("{}{}", self.to, &path[self.from.len()..]))
    }

    /// Filters by their full keys, those of the renamed connection under its new name; none when there are no such.
    fn keys(&self, filters: &Filters) -> Option<Filters> {
        let renamed = |key: &String| Some(format!("{OMNIBAR}{}", self.path(key.strip_prefix(OMNIBAR)?)?));
        filters
            .keys()
            .any(|key| renamed(key).is_some())
            .then(|| filters.iter().map(|(key, value)| (renamed(key).unwrap_or_else(|| key.clone()), value.clone())).collect())
    }

    /// Rewrites all that names the connection, in the transaction that renames it.
    pub(super) async fn follow(&self, conn: &mut Conn<'_>, project: ProjectId) -> Result<Followed> {
        let mut followed = Followed::default();
        for (id, mut filters) in dashboards::store::filters_of_project(conn, project).await? {
            let before = followed.filters;
            for filter in &mut filters {
                if let Some(path) = self.path(&filter.column) {
                    filter.column = path;
                    followed.filters += 1;
                }
            }
            if followed.filters > before {
                dashboards::store::set_filters(conn, id, &filters).await?;
            }
        }
        for (id, mut edit) in reports::store::contents_of_project(conn, project).await? {
            if let Some(filters) = self.keys(&edit.filters) {
                edit.filters = filters;
                reports::store::set_content(conn, id, &edit).await?;
                followed.reports += 1;
            }
        }
        Ok(followed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::filter::{FilterValue, Scalar};

    fn renaming() -> Renaming<'static> {
        Renaming { from: "ware", to: "w.2", others: vec!["ware.house".to_owned(), "other".to_owned()] }
    }

    #[test]
    fn only_paths_of_the_connection_itself_change() {
        let path = |path| renaming().path(path);
        assert_eq!(path("ware.orders.region"), Some("w.2.orders.region".to_owned()));
        assert_eq!(path("ware.public.orders.region"), Some("w.2.public.orders.region".to_owned()));
        for other in ["warehouse.orders.region", "ware.house.orders.region", "other.ware.region", "ware", ""] {
            assert_eq!(path(other), None, "{other}");
        }
    }

    #[test]
    fn keys_on_columns_follow_and_a_dashboard_s_own_stay() {
        let value = || FilterValue::AnyOf(vec![Scalar::Boolean(true)]);
        let filters = |keys: [&str; 2]| keys.map(|key| (key.to_owned(), value())).into_iter().collect::<Filters>();
        let renamed = renaming().keys(&filters(["f_ware.orders.paid", "filter_ware.orders.x"]));
        assert_eq!(renamed, Some(filters(["f_w.2.orders.paid", "filter_ware.orders.x"])));
        assert_eq!(renaming().keys(&filters(["f_other.orders.paid", "filter_a"])), None);
    }
}
