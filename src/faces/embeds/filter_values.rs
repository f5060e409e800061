//! The values of a dashboard's select filters: those that a list offers, and the names of those that are chosen.

use crate::{
    concepts::{
        access::Viewer,
        connections::OpenConnection,
        dashboards::{
            Dashboard, choices, prepared,
            value_names::{self, Chosen, ValueNames},
        },
    },
    ground::{
        error::{Code, Error, Result},
        state::App,
    },
};
use inlay_app::calls::embed::MOST_CHOICES;
use inlay_contract::{
    filter::{CONTROLLED, Control, FilterValue},
    page::{Choice, Filters},
};
use inlay_query::{SecurityContext, Today};

/// The maximum number of values that a search looks through, most frequent first.
const MOST_SEARCHED: u32 = 10_000;
/// A page waits for names this part of the time that it waits for charts.
const NAMES_OF_WAIT: u32 = 4;
/// The maximum number of chosen values of a filter that get names. The page shows two, and the number of more.
const MOST_NAMED: usize = 20;

/// The values of a column or dimension whose text or name contains the search text, most frequent first.
///
/// # Errors
/// 422 `FILTER_UNAVAILABLE` when no connection of the dashboard's charts has the column; the errors of a query otherwise.
pub(super) async fn offered(
    app: &App,
    viewer: &Viewer,
    dashboard: &Dashboard,
    path: &str,
    today: Today,
    search: &str,
) -> Result<Vec<Choice>> {
    let context = viewer.security_context(app).await?;
    let most = if search.is_empty() { MOST_CHOICES } else { MOST_SEARCHED };
    for connection in prepared::connections_on(app, dashboard.id).await? {
        if let Some(found) = values(app, &connection, &context, path, today, most).await? {
            return Ok(matching(found, search));
        }
    }
    Err(no_choices())
}

/// The error of a filter whose column is missing or hidden, or whose connection was renamed. It concerns the filter only; the
/// dashboard still works.
pub(super) fn no_choices() -> Error {
    Error::new(Code::FilterUnavailable, "The values of this filter cannot be listed.")
}

/// Which selects of a dashboard have values with names, and the names of the values that are chosen.
///
/// # Errors
/// 401 when the viewer is deleted; 503 when the store does not respond.
pub(super) async fn named(
    app: &App,
    viewer: &Viewer,
    dashboard: &Dashboard,
    active: &Filters,
    today: Today,
) -> Result<ValueNames> {
    let selects = dashboard.filters.iter().filter(|filter| filter.control == Control::Select);
    let chosen = selects.map(|filter| {
        let key = format!("{CONTROLLED}{}", filter.key);
        let values = match active.get(&key) {
            Some(FilterValue::AnyOf(values)) => values.iter().take(MOST_NAMED).cloned().collect(),
            _ => Vec::new(),
        };
        Chosen { key, path: &filter.column, values }
    });
    // The page asks for names that are missing.
    let wait = app.settings.limits.page_wait() / NAMES_OF_WAIT;
    value_names::of(app, viewer, dashboard.id, chosen.collect(), today, wait).await
}

/// The values of a column or dimension of a connection. `None` if it has no such column.
async fn values(
    app: &App,
    connection: &OpenConnection,
    viewer: &SecurityContext,
    path: &str,
    today: Today,
    most: u32,
) -> Result<Option<Vec<Choice>>> {
    if let Some(place) = connection.dimension(path) {
        return choices::of_dimension(app, connection, viewer, place, today, most).await.map(Some);
    }
    let Some((table, column)) = connection.column(path) else { return Ok(None) };
    choices::of_column(app, connection, viewer, (table.name.as_str(), column), today, most).await.map(Some)
}

/// The first choices whose text or name contains the search text.
fn matching(choices: Vec<Choice>, search: &str) -> Vec<Choice> {
    let wanted = search.to_lowercase();
    let text = |choice: &Choice| choice.value.as_str().map_or_else(|| choice.value.to_string(), str::to_owned);
    let fits = |choice: &Choice| {
        let name = choice.name.as_ref().is_some_and(|name| name.to_lowercase().contains(&wanted));
        name || text(choice).to_lowercase().contains(&wanted)
    };
    // The value that is the search itself comes first: it is among the rest otherwise, or behind them.
    let (exact, others): (Vec<Choice>, Vec<Choice>) =
        choices.into_iter().filter(fits).partition(|choice| !wanted.is_empty() && text(choice).to_lowercase() == wanted);
    exact.into_iter().chain(others).take(MOST_CHOICES as usize).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_search_finds_values_by_their_text_or_their_name() {
        let choice = |value, name: Option<&str>| Choice { value, name: name.map(str::to_owned), count: 1 };
        let all = || vec![choice(json!("ORD"), Some("Chicago")), choice(json!("CHO"), None), choice(json!(7), None)];
        let found = |search| matching(all(), search).into_iter().map(|choice| choice.value).collect::<Vec<_>>();
        assert_eq!(found("ch"), [json!("ORD"), json!("CHO")]);
        assert_eq!(found("ord"), [json!("ORD")]);
        assert_eq!(found("7"), [json!(7)]);
        assert_eq!(found("").len(), 3);
        assert_eq!(matching(vec![choice(json!(77), None), choice(json!(7), None)], "7")[0].value, json!(7), "itself first");
        let many = (0..1_000).map(|number| choice(json!(number), None)).collect();
        assert_eq!(matching(many, "9").len(), 200);
    }
}
