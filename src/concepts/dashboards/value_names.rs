//! What people read instead of the values of a dashboard's filters: `Chicago ORD` for `ORD`, as far as the viewer's rows have it.

use super::{Dashboard, choices, filters, prepared};
use crate::{
    concepts::access::Viewer,
    ground::{error::Result, state::App},
};
use inlay_app::filters::words;
use inlay_contract::{
    filter::{FilterValue, Scalar},
    ids::DashboardId,
    page::Filters,
};
use inlay_query::Today;
use serde_json::Value;
use std::{collections::BTreeMap, time::Duration};
use tokio::time::{Instant, timeout_at};

/// A filter whose values may have names.
pub struct Chosen<'a> {
    /// The filter's full key.
    pub key: String,
    /// The path of its column.
    pub path: &'a str,
    /// The values that need names.
    pub values: Vec<Scalar>,
}

/// The names of values, by the full keys of their filters. Filters whose values have names are there also without any.
pub type ValueNames = BTreeMap<String, Vec<(Value, String)>>;

/// The names of chosen values of a dashboard's filters. Those that cannot be read, or not in this time, are left out: their texts do.
///
/// # Errors
/// 401 when the viewer is deleted; 503 when the store does not respond.
pub async fn of(
    app: &App,
    viewer: &Viewer,
    dashboard: DashboardId,
    chosen: Vec<Chosen<'_>>,
    today: Today,
    wait: Duration,
) -> Result<ValueNames> {
    let mut named = ValueNames::new();
    if chosen.is_empty() {
        return Ok(named);
    }
    let connections = prepared::connections_on(app, dashboard).await?;
    let deadline = Instant::now() + wait;
    for Chosen { key, path, values } in chosen {
        let Some((connection, place)) = connections.iter().find_map(|connection| Some((connection, connection.column(path)?)))
        else {
            continue;
        };
        let place = (place.0.name.as_str(), place.1);
        if !choices::has_names(connection, place) {
            continue;
        }
        let mut names = Vec::new();
        if !values.is_empty() {
            let context = viewer.security_context(app).await?;
            match timeout_at(deadline, choices::names(app, connection, &context, place, values, today)).await {
                Ok(Ok(found)) => names = found,
                Ok(Err(problem)) => tracing::debug!(%problem, "cannot read the names of a filter's values"),
                Err(_) => {}
            }
        }
        named.insert(key, names);
    }
    Ok(named)
}

/// A text lists this many values of a filter. Of more it has the number.
const MOST_LISTED: usize = 10;

/// The active filters as text, a line each: label, and values by their names.
///
/// # Errors
/// As [`of`].
pub async fn in_words(
    app: &App,
    viewer: &Viewer,
    dashboard: &Dashboard,
    active: &Filters,
    today: Today,
    wait: Duration,
) -> Result<Vec<String>> {
    let chosen = active.iter().filter_map(|(key, value)| {
        let path = filters::column_path(&dashboard.filters, key)?;
        let FilterValue::AnyOf(values) = value else { return None };
        Some(Chosen { key: key.clone(), path, values: values.iter().take(MOST_LISTED).cloned().collect() })
    });
    let names = of(app, viewer, dashboard.id, chosen.collect(), today, wait).await?;
    Ok(lines(dashboard, active, &names))
}

fn lines(dashboard: &Dashboard, active: &Filters, names: &ValueNames) -> Vec<String> {
    let line = |(key, label, value): (&str, &str, &FilterValue)| format!("{label}: {}", listed(value, names.get(key)));
    filters::named(&dashboard.filters, active).map(line).collect()
}

fn listed(value: &FilterValue, names: Option<&Vec<(Value, String)>>) -> String {
    let FilterValue::AnyOf(values) = value else { return words::summary(value) };
    let name = |value: &Scalar| {
        let json = value.to_json();
        let found = names.and_then(|names| names.iter().find(|(named, _)| *named == json));
        found.map_or_else(|| words::word(value), |(_, name)| name.clone())
    };
    let mut texts: Vec<String> = values.iter().take(MOST_LISTED).map(name).collect();
    if values.len() > MOST_LISTED {
        texts.push(format!("{} more", values.len() - MOST_LISTED));
    }
    texts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{concepts::dashboards::Owner, ground::time::Timestamp};
    use inlay_contract::ids::ApplicationId;
    use serde_json::json;

    fn said(active: Value, names: &ValueNames) -> Vec<String> {
        let filter = |key: &str, label: &str, column: &str| {
            let definition = json!({ "key": key, "label": label, "column": column, "control": "select" });
            serde_json::from_value(definition).expect("a filter")
        };
        let dashboard = Dashboard {
            id: DashboardId::generate(),
            application: ApplicationId::generate(),
            legacy_id: None,
            name: "Overview".to_owned(),
            owner: Owner::Shared,
            replaces: None,
            filters: vec![filter("region", "Where", "w.orders.region"), filter("again", "Also", "w.orders.region")],
            refresh: None,
            created_at: Timestamp(0),
        };
        lines(&dashboard, &filters::read(active.as_object().expect("filters")).expect("read"), names)
    }

    #[test]
    fn every_filter_that_narrows_is_named_and_no_other() {
        let said = |active: Value| said(active, &ValueNames::new());
        assert_eq!(said(json!({ "filter_region": "north", "filter_again": ["south"] })), ["Also: south", "Where: north"]);
        assert_eq!(said(json!({ "f_w.orders.region": "north", "f_w.orders.id": [1, 2] })), ["id: 1, 2", "Where: north"]);
        assert_eq!(said(json!({ "filter_unknown": "x", "other": 1 })), Vec::<String>::new());
    }

    #[test]
    fn values_are_listed_by_name_until_there_are_many() {
        let named = |key: &str| ValueNames::from([(key.to_owned(), vec![(json!(2), "Bob Birch".to_owned())])]);
        assert_eq!(said(json!({ "filter_region": [2, 3, 4] }), &named("filter_region")), ["Where: Bob Birch, 3, 4"]);
        assert_eq!(said(json!({ "f_w.orders.region": 2 }), &named("f_w.orders.region")), ["Where: Bob Birch"]);
        let many: Vec<i32> = (1..=12).collect();
        assert_eq!(
            said(json!({ "filter_region": many }), &ValueNames::new()),
            ["Where: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 2 more"]
        );
    }
}
