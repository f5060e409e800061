//! Checks of a shared dashboard's filters before they are saved.

use crate::{
    concepts::{
        applications::Application,
        connections,
        organizations::members::{Member, Reads},
    },
    ground::{
        error::{Kind, Result},
        problems::Problems,
        state::App,
    },
};
use inlay_contract::filter::{Control, FilterDefinition, is_default_time};
use inlay_query::Source;
use std::collections::BTreeSet;

/// Whether `connection.table.column` names a column that users may see or a declared dimension of the semantic model, or
/// `connection.time` its default time. Counts as yes when the source does not respond.
async fn names_column(app: &App, sources: &[Source], path: &str) -> Result<bool> {
    for source in sources {
        let open = connections::open(app, source.id).await?;
        if open.is_time(path) || open.dimension(path).is_some() {
            return Ok(true);
        }
        let Some((table, column)) = open.column(path) else { continue };
        return match crate::flows::management::catalog::columns(app, &open, &table.name).await {
            Ok(Some(columns)) => Ok(columns.iter().any(|known| known.name.eq_ignore_ascii_case(column))),
            Ok(None) => Ok(true),
            Err(gone) if gone.kind() == Kind::Invalid => Ok(false),
            Err(problem) => Err(problem),
        };
    }
    Ok(false)
}

/// Collects the problems of a dashboard's filters, field by field.
pub async fn check_filters(
    app: &App,
    by: &Member<impl Reads>,
    application: &Application,
    filters: &[FilterDefinition],
    problems: &mut Problems,
) -> Result<()> {
    let sources = crate::flows::management::connections::list(app, by, application.project).await?;
    let mut keys = BTreeSet::new();
    for (number, filter) in filters.iter().enumerate() {
        let known = names_column(app, &sources, &filter.column).await?;
        let told = "must name a visible column of a listed table, as connection.table.column".to_owned();
        problems.note(&format!("filter.{number}.column"), if known { Ok(()) } else { Err(told) });
        let is_time = sources.iter().any(|source| is_default_time(&filter.column, &source.name));
        if known && is_time && filter.control != Control::DateRange {
            problems
                .add(&format!("filter.{number}.control"), "must be a date range: the filter is on the default time".to_owned());
        }
        let plain =
            !filter.key.is_empty() && filter.key.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter));
        let unique = keys.insert(&filter.key);
        let key = match (plain, unique) {
            (false, _) => Err("may only contain letters, digits, _ and -".to_owned()),
            (true, false) => Err("is used twice".to_owned()),
            (true, true) => Ok(()),
        };
        problems.note(&format!("filter.{number}.key"), key);
    }
    Ok(())
}
