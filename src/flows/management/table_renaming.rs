//! Renames a connection where it is used by name: columns of dashboards' filters, and the filters of reports.

use crate::{
    concepts::{dashboards, reports},
    ground::{error::Result, store::Conn},
};
use inlay_contract::{filter::OMNIBAR, ids::ProjectId, page::Filters};

/// The number of objects that use the connection's new name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Followed {
    /// Filters of dashboards, shared ones and users' own.
    pub filters: usize,
    /// Scheduled reports and alerts.
    pub reports: usize,
}

/// The old and the new name of a connection, at the start of `<connection>.<table>.<column>`.
#[derive(Clone, Debug)]
pub(super) struct Renaming<'a> {
    /// The old name.
    pub from: &'a str,
    /// The new name.
    pub to: &'a str,
    /// The other connections of the project.
    pub others: Vec<String>,
}

impl Renaming<'_> {
    /// A column path with the new name. `None` for a path of another connection.
    fn path(&self, path: &str) -> Option<String> {
        let is_under = |path: &str, name: &str| path.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        // With two connections `a` and `a.b`, the longer name wins.
        let of_other = |other: &String| other.len() > self.from.len() && is_under(path, other);
        let own = is_under(path, self.from) && !self.others.iter().any(of_other);
        own.then(|| format!("{}{}", self.to, &path[self.from.len()..]))
    }

    /// Filters by their full keys, with the new name. `None` when no filter names the connection.
    fn keys(&self, filters: &Filters) -> Option<Filters> {
        let renamed = |key: &String| Some(format!("{OMNIBAR}{}", self.path(key.strip_prefix(OMNIBAR)?)?));
        filters
            .keys()
            .any(|key| renamed(key).is_some())
            .then(|| filters.iter().map(|(key, value)| (renamed(key).unwrap_or_else(|| key.clone()), value.clone())).collect())
    }

    /// Updates everything that names the connection, in the transaction that renames it.
    pub(super) async fn follow(&self, conn: &mut Conn<'_>, project: ProjectId) -> Result<Followed> {
        let mut followed = Followed::default();
        for (id, mut filters) in dashboards::filters_of_project(conn, project).await? {
            let before = followed.filters;
            for filter in &mut filters {
                if let Some(path) = self.path(&filter.column) {
                    filter.column = path;
                    followed.filters += 1;
                }
            }
            if followed.filters > before {
                dashboards::set_filters(conn, id, &filters).await?;
            }
        }
        for (id, mut edit) in reports::contents_of_project(conn, project).await? {
            if let Some(filters) = self.keys(&edit.filters) {
                edit.filters = filters;
                reports::set_content(conn, id, &edit).await?;
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
