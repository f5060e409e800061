//! The semantic model of a project, and each of its measures and metrics as a chosen user sees it.

use super::{
    answer::Page,
    key_check,
    number_trials::{self, Shown},
    submission::{Submission, with_status},
    visit::Visit,
};
use crate::{
    concepts::{
        catalog::CatalogTable,
        connections::{self, OpenConnection},
        key_checks::Repeated,
        organizations::members::{Reads, Worker},
    },
    flows::management::model_uses::{self, Uses},
    ground::error::{Error, Result},
};
use inlay_console::{
    Draft, Section,
    pages::semantic_model::{self as views, Connection, Number, NumberRow, OtherTable, SemanticModel, Table, Trial},
};
use inlay_contract::{
    format::NumberFormat,
    model::{Measure, Metric},
};
use inlay_query::{ModelTable, RowAccess};
use std::{collections::BTreeMap, sync::Arc};

/// The connections of the project.
async fn opened<R: Reads>(visit: &Visit<R>) -> Result<Vec<Arc<OpenConnection>>> {
    let app = visit.app();
    let ids = connections::ids(&mut app.db.read().await?.conn(), visit.project()?.id).await?;
    let mut all = Vec::new();
    for id in ids {
        all.push(connections::open(app, id).await?);
    }
    Ok(all)
}

/// The address of a table's form.
fn table_form(visit: &Visit<impl Reads>, open: &OpenConnection, table: &CatalogTable) -> String {
    visit.at(&format!("connections/{}/tables/{}/model", open.source.id, table.id))
}

/// `GET /console/projects/{project}/semantic-model`
pub async fn show(visit: Visit) -> Page {
    let own = visit.at("semantic-model");
    let choice = key_check::choice(&visit).await?;
    let repeated = key_check::repeated(choice.as_ref());
    let may_change = visit.is::<Worker>();
    let (mut shown, mut others) = (Vec::new(), Vec::new());
    for open in opened(&visit).await? {
        let edit = |name: &str| -> Option<String> {
            let table = open.tables.iter().find(|table| table.name == name).filter(|_| may_change);
            table.map(|table| table_form(&visit, &open, table))
        };
        if !open.model.tables.is_empty() {
            let uses = model_uses::of_numbers(visit.app(), &visit.member, &open).await?;
            shown.push(connection(&own, &open, &uses, repeated, edit));
        }
        let outside = open.tables.iter().filter(|table| may_change && !open.model.tables.contains_key(&table.name));
        others.extend(outside.map(|table| OtherTable {
            name: table.name.clone(),
            connection: open.source.name.clone(),
            address: table_form(&visit, &open, table),
            closed: table.rows == RowAccess::Nothing && !table.model.is_empty(),
        }));
    }
    let draftable = if may_change { names(&visit).await? } else { Vec::new() };
    let page = SemanticModel {
        file: visit.at("file"),
        others,
        new_metric: may_change.then(|| format!("{own}/metrics/new")),
        draftable,
        connections: shown,
        keys: key_check::part(&visit, choice.as_ref()),
    };
    visit.page("Semantic model", Section::SemanticModel, || views::draw(&page)).await
}

/// The names of the project's connections.
async fn names<R: Reads>(visit: &Visit<R>) -> Result<Vec<String>> {
    let all = crate::flows::management::connections::list(visit.app(), &visit.member, visit.project()?.id).await?;
    Ok(all.into_iter().map(|source| source.name).collect())
}

fn connection(
    own: &str,
    open: &OpenConnection,
    uses: &BTreeMap<String, Uses>,
    repeated: &[Repeated],
    edit: impl Fn(&str) -> Option<String>,
) -> Connection {
    let row = |name: &str, label: &Option<String>, formula: String| NumberRow {
        uses: uses.get(name).map_or(0, Uses::count),
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
            edit: edit(name),
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
        for open in opened(visit).await? {
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
        let Uses { charts, of_users, metrics, examples } = uses.get(&self.name).cloned().unwrap_or_default();
        let (table, formula, label, description, synonyms) = match &self.definition {
            Definition::Measure(table, one) => {
                (Some(table.clone()), views::of_measure(one), &one.label, &one.description, &one.synonyms)
            }
            Definition::Metric(one) => (None, views::of_metric(one), &one.label, &one.description, &one.synonyms),
        };
        let (model, may_change) = (visit.at("semantic-model"), visit.is::<Worker>());
        let users = if may_change { super::people::offered(visit).await? } else { Vec::new() };
        let page = Number {
            address: format!("{model}/{}", self.name),
            name: self.name.clone(),
            label: label.clone(),
            description: description.clone(),
            synonyms: synonyms.clone(),
            table,
            formula,
            metrics,
            charts,
            of_users,
            examples,
            users,
            trial,
            edit: may_change.then(|| format!("{model}/{}/edit", self.name)),
            model,
        };
        let title = page.label.as_ref().unwrap_or(&page.name);
        visit.page(title, Section::SemanticModel, || views::number(&page, draft)).await
    }
}

/// `GET …/semantic-model/{number}`
pub async fn show_number(visit: Visit) -> Page {
    Found::of(&visit).await?.draw(&visit, &Draft::default(), None).await
}

/// `POST …/semantic-model/{number}`: shows it as a user. Saves nothing.
pub async fn see_as(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let found = Found::of(&visit).await?;
    let shown = Shown { open: &found.open, model: &found.open.model, name: &found.name, format: found.format() };
    match number_trials::seen_by(&visit, &shown, typed.get("user"), "semanticModel.seenAs").await {
        Ok(trial) => found.draw(&visit, &typed.draft(), Some(trial)).await,
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            Ok(with_status(found.draw(&visit, &draft, None).await?, status))
        }
    }
}
