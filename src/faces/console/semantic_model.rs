//! The semantic model of a project, and each of its measures and metrics as a chosen user sees it.

use super::{
    answer::Page,
    key_check, sheet,
    submission::{Submission, with_status},
    visit::Visit,
};
use crate::{
    concepts::{
        connections::{self, OpenConnection},
        customers,
        dashboards::data,
        key_checks::Repeated,
        organizations::members::{Reads, Worker},
    },
    flows::management::{
        model_uses::{self, Uses},
        number_trial::{self, NumberTrial},
    },
    ground::{
        audit::{self, Deed},
        error::{Error, Result},
    },
};
use inlay_console::{
    Draft, Section,
    pages::semantic_model::{self as views, Connection, Number, NumberRow, SemanticModel, Table, Trial},
};
use inlay_contract::{
    data::ChartData,
    format::{self, NumberFormat, locale::Locale},
    ids::ProjectUserId,
    model::{Measure, Metric},
};
use inlay_query::ModelTable;
use serde_json::Value;
use std::{collections::BTreeMap, sync::Arc};

/// The most rows of a sheet.
const ROWS_SHOWN: usize = 20;

/// The connections of the project whose tables declare a model.
async fn modelled<R: Reads>(visit: &Visit<R>) -> Result<Vec<Arc<OpenConnection>>> {
    let app = visit.app();
    let ids = connections::ids(&mut app.db.read().await?.conn(), visit.project()?.id).await?;
    let mut all = Vec::new();
    for id in ids {
        let open = connections::open(app, id).await?;
        if !open.model.tables.is_empty() {
            all.push(open);
        }
    }
    Ok(all)
}

/// `GET /console/projects/{project}/semantic-model`
pub async fn show(visit: Visit) -> Page {
    let own = visit.at("semantic-model");
    let choice = key_check::choice(&visit).await?;
    let repeated = key_check::repeated(choice.as_ref());
    let mut shown = Vec::new();
    for open in modelled(&visit).await? {
        let uses = model_uses::of_numbers(visit.app(), &visit.member, &open).await?;
        shown.push(connection(&own, &open, &uses, repeated));
    }
    let draftable = if visit.is::<Worker>() { names(&visit).await? } else { Vec::new() };
    let keys = key_check::part(&visit, choice.as_ref());
    let page = SemanticModel { file: visit.at("file"), draftable, connections: shown, keys };
    visit.page("Semantic model", Section::SemanticModel, || views::draw(&page)).await
}

/// The names of the project's connections.
async fn names<R: Reads>(visit: &Visit<R>) -> Result<Vec<String>> {
    let all = crate::flows::management::connections::list(visit.app(), &visit.member, visit.project()?.id).await?;
    Ok(all.into_iter().map(|source| source.name).collect())
}

fn connection(own: &str, open: &OpenConnection, uses: &BTreeMap<String, Uses>, repeated: &[Repeated]) -> Connection {
    let row = |name: &str, label: &Option<String>, formula: String| NumberRow {
        uses: uses.get(name).map_or(0, |uses| uses.charts.len() + uses.of_users + uses.metrics.len()),
        label: label.clone(),
        formula,
        address: format!("{own}/{name}"),
        name: name.to_owned(),
    };
    let measure = |(name, measure): (&String, &Measure)| row(name, &measure.label, views::of_measure(measure));
    let table = |(name, table): (&String, &ModelTable)| {
        let notices = key_check::notices(repeated, open, name, table);
        let ModelTable { label, columns, references, model } = table.clone();
        let labelled =
            |(name, label): (String, Option<String>)| label.map_or_else(|| name.clone(), |label| format!("{label} ({name})"));
        Table {
            name: name.clone(),
            label,
            key: model.key,
            time: model.time,
            references: references.into_iter().map(|(column, to)| (column, to.table)).collect(),
            dimensions: model.dimensions.into_iter().map(|(name, one)| labelled((name, one.label))).collect(),
            columns: columns.into_iter().map(labelled).collect(),
            measures: model.measures.iter().map(measure).collect(),
            notices,
        }
    };
    let kind = open.source.kind;
    // Tables with measures come first: those without only group and filter them.
    let (counted, others): (Vec<_>, Vec<_>) = open.model.tables.iter().partition(|(_, table)| !table.model.measures.is_empty());
    let metrics = open.model.metrics.iter().filter(|(name, _)| open.model.holds(kind, name));
    Connection {
        name: open.source.name.clone(),
        tables: counted.into_iter().chain(others).map(table).collect(),
        metrics: metrics.map(|(name, metric)| row(name, &metric.label, views::of_metric(metric))).collect(),
    }
}

/// A measure or metric of the model.
struct Found {
    open: Arc<OpenConnection>,
    name: String,
    definition: Definition,
}

enum Definition {
    /// With the name of its table.
    Measure(String, Measure),
    Metric(Metric),
}

impl Found {
    /// The one that the path names.
    async fn of<R: Reads>(visit: &Visit<R>) -> Result<Self> {
        let name = visit.person.param("number").to_owned();
        for open in modelled(visit).await? {
            let measure = open.model.tables.iter().find_map(|(table, one)| Some((table, one.model.measures.get(&name)?)));
            let definition = match (measure, open.model.metrics.get(&name)) {
                (Some((table, measure)), _) => Definition::Measure(table.clone(), measure.clone()),
                (None, Some(metric)) if open.model.holds(open.source.kind, &name) => Definition::Metric(metric.clone()),
                _ => continue,
            };
            return Ok(Self { open, name, definition });
        }
        Err(Error::not_found("Measure"))
    }

    const fn format(&self) -> Option<&NumberFormat> {
        match &self.definition {
            Definition::Measure(_, measure) => measure.format.as_ref(),
            Definition::Metric(metric) => metric.format.as_ref(),
        }
    }

    async fn draw<R: Reads>(&self, visit: &Visit<R>, draft: &Draft, trial: Option<Trial>) -> Page {
        let uses = model_uses::of_numbers(visit.app(), &visit.member, &self.open).await?;
        let Uses { charts, of_users, metrics } = uses.get(&self.name).cloned().unwrap_or_default();
        let (table, formula, label, description, synonyms) = match &self.definition {
            Definition::Measure(table, one) => {
                (Some(table.clone()), views::of_measure(one), &one.label, &one.description, &one.synonyms)
            }
            Definition::Metric(one) => (None, views::of_metric(one), &one.label, &one.description, &one.synonyms),
        };
        let (model, may_try) = (visit.at("semantic-model"), visit.is::<Worker>());
        let users = if may_try { super::people::offered(visit).await? } else { Vec::new() };
        let page = Number {
            address: format!("{model}/{}", self.name),
            model,
            name: self.name.clone(),
            label: label.clone(),
            description: description.clone(),
            synonyms: synonyms.clone(),
            table,
            formula,
            metrics,
            charts,
            of_users,
            users,
            trial,
            may_try,
        };
        let title = page.label.as_ref().unwrap_or(&page.name);
        visit.page(title, Section::SemanticModel, || views::number(&page, draft)).await
    }

    /// What a user sees of it. The audit log records who looked.
    async fn seen_by(&self, visit: &Visit<Worker>, user: &str) -> Result<Trial> {
        let (app, project) = (visit.app(), visit.project()?);
        let user = user.parse::<ProjectUserId>();
        let user = user.map_err(|_| Error::invalid("user", "is required because rows depend on the user"))?;
        let person = customers::users::of_project(app, project.id, user).await?;
        let mut tx = app.db.write().await?;
        let deed = Deed::new("semanticModel.seenAs", user.0).in_project(project.id).named(&self.name);
        audit::record(&mut tx.conn(), &visit.member.actor(), deed).await?;
        tx.commit().await?;
        let today = data::today(None, project);
        let NumberTrial { sentence, whole, months, behind } =
            number_trial::see_as(app, &self.open, &self.name, user, today).await?;
        let locale = Locale::of(&project.locale);
        let months = months.map(|months| months.map(|months| sheet::of(&self.formatted(months, &locale), ROWS_SHOWN)));
        Ok(Trial {
            user: person.name,
            sentence,
            whole: whole.map(|answer| self.value(answer.rows.first().and_then(|row| row.last()), &locale)),
            months,
            behind: behind.map(|rows| rows.map(|rows| sheet::of(&rows, ROWS_SHOWN))),
        })
    }

    /// A value in the number's format.
    fn value(&self, value: Option<&Value>, locale: &Locale) -> String {
        let plain = NumberFormat::default();
        match value {
            Some(Value::Number(number)) => {
                let number = number.as_f64().unwrap_or_default();
                format::number(number, self.format().unwrap_or(&plain), locale)
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

/// `GET …/semantic-model/{number}`
pub async fn show_number(visit: Visit) -> Page {
    Found::of(&visit).await?.draw(&visit, &Draft::default(), None).await
}

/// `POST …/semantic-model/{number}`: shows it as a user. Saves nothing.
pub async fn see_as(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let found = Found::of(&visit).await?;
    match found.seen_by(&visit, typed.get("user")).await {
        Ok(trial) => found.draw(&visit, &typed.draft(), Some(trial)).await,
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            Ok(with_status(found.draw(&visit, &draft, None).await?, status))
        }
    }
}
