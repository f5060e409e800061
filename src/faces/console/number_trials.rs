//! What a chosen user sees of a measure or metric, as text in its format.

use super::{sheet, visit::Visit};
use crate::{
    concepts::{connections::OpenConnection, customers, dashboards::data, organizations::members::Worker},
    flows::management::number_trial::{self, NumberTrial},
    ground::{
        audit::{self, Deed},
        error::{Error, Result},
    },
};
use inlay_console::pages::semantic_model::Trial;
use inlay_contract::{
    data::ChartData,
    format::{self, NumberFormat, locale::Locale},
    ids::ProjectUserId,
};
use inlay_query::Model;
use serde_json::Value;

/// The most rows of a sheet.
const ROWS_SHOWN: usize = 20;

/// A number, and the definitions that it is computed by.
pub(super) struct Shown<'a> {
    /// The connection of its measures.
    pub(super) open: &'a OpenConnection,
    /// The model that defines it.
    pub(super) model: &'a Model,
    /// Its name.
    pub(super) name: &'a str,
    /// How its values are written.
    pub(super) format: Option<&'a NumberFormat>,
}

/// What a user sees of it. The audit log records who looked, under the action.
///
/// # Errors
/// 400 on `user` without a user, 404 for a user of another project.
pub(super) async fn seen_by(visit: &Visit<Worker>, shown: &Shown<'_>, user: &str, action: &'static str) -> Result<Trial> {
    let (app, project) = (visit.app(), visit.project()?);
    let user = user.parse::<ProjectUserId>();
    let user = user.map_err(|_| Error::invalid("user", "is required because rows depend on the user"))?;
    let person = customers::users::of_project(app, project.id, user).await?;
    let mut tx = app.db.write().await?;
    let deed = Deed::new(action, user.0).in_project(project.id).named(shown.name);
    audit::record(&mut tx.conn(), &visit.member.actor(), deed).await?;
    tx.commit().await?;
    let today = data::today(None, project);
    let NumberTrial { sentence, whole, months, behind } =
        number_trial::see_as(app, shown.open, shown.model, shown.name, user, today).await?;
    let locale = Locale::of(&project.locale);
    let months = months.map(|months| months.map(|months| sheet::of(&shown.formatted(months, &locale), ROWS_SHOWN)));
    Ok(Trial {
        user: person.name,
        sentence,
        whole: whole.map(|answer| shown.value(answer.rows.first().and_then(|row| row.last()), &locale)),
        months,
        behind: behind.map(|rows| rows.map(|rows| sheet::of(&rows, ROWS_SHOWN))),
    })
}

impl Shown<'_> {
    /// A value in the number's format.
    fn value(&self, value: Option<&Value>, locale: &Locale) -> String {
        let plain = NumberFormat::default();
        match value {
            Some(Value::Number(number)) => {
                let number = number.as_f64().unwrap_or_default();
                format::number(number, self.format.unwrap_or(&plain), locale)
            }
            Some(Value::String(text)) => text.clone(),
            _ => format::MISSING.to_owned(),
        }
    }

    /// Months with their numbers in the number's format.
    fn formatted(&self, mut months: ChartData, locale: &Locale) -> ChartData {
        for row in &mut months.rows {
            if let Some(value) = row.last_mut() {
                *value = Value::String(self.value(Some(value), locale));
            }
            if let Some(Value::String(month)) = row.first_mut() {
                month.truncate("2024-01".len());
            }
        }
        months
    }
}
