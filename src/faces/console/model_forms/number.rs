//! A measure or metric in a form: adding, changing, testing as a user, removing.

use super::{measure, metric, texts::name_of};
use crate::{
    concepts::{catalog::CatalogTable, connections, organizations::members::Worker},
    faces::console::{
        answer::Page,
        number_trials::{self, Shown},
        people, seen as fingerprint,
        submission::{Submission, Typed, with_status},
        tables::losing,
        unchanged,
        visit::Visit,
    },
    flows::{
        catalogues::Catalogues,
        management::{
            catalog as manage,
            model_changes::{self, Change, To},
        },
    },
    ground::error::{Error, Kind, Result},
};
use axum::http::StatusCode;
use inlay_console::{
    Draft, Section,
    pages::semantic_model::{self as views, Defines, MetricFields, MetricKind, NamedColumn, NumberForm, Removal, Trial},
};
use inlay_contract::{
    format::NumberFormat,
    ids::{ConnectionId, TableId},
    model::{Aggregate, Measure, Metric},
};
use inlay_query::{RowAccess, SourceKindExt};

/// What the form is for.
enum Subject {
    /// A measure of a table, by its name unless it is new.
    Measure(ConnectionId, TableId, Option<String>),
    /// A metric of a kind, by its name unless it is new.
    Metric(MetricKind, Option<String>),
}

/// A form of the path, with the project's tables and metrics.
struct Form<'v> {
    visit: &'v Visit<Worker>,
    catalogues: Catalogues,
    subject: Subject,
}

/// What was found out about a draft.
#[derive(Default)]
struct Found {
    trial: Option<Result<Trial, String>>,
    losing: Vec<String>,
}

impl<'v> Form<'v> {
    /// For a new measure of the path's table.
    async fn new_measure(visit: &'v Visit<Worker>) -> Result<Self> {
        let (connection, table) = (visit.person.id("connection")?, visit.person.id("table")?);
        let form = Self::of(visit, Subject::Measure(connection, table, None)).await?;
        form.table().ok_or_else(|| Error::not_found("Table"))?;
        Ok(form)
    }

    /// For the measure or metric that the path names, as a metric of this kind.
    async fn of_number(visit: &'v Visit<Worker>, kind: &str) -> Result<Self> {
        let name = visit.person.param("number").to_owned();
        let mut form = Self::of(visit, Subject::Metric(MetricKind::Formula, Some(name.clone()))).await?;
        if let Some((source, table, _)) = form.catalogues.measure(&name) {
            form.subject = Subject::Measure(source.id, table.id, Some(name));
        } else {
            let metric = form.catalogues.metrics.get(&name).ok_or_else(|| Error::not_found("Measure"))?;
            form.subject = Subject::Metric(metric::kind_named(kind).unwrap_or_else(|| metric::kind_of(metric)), Some(name));
        }
        Ok(form)
    }

    async fn of(visit: &'v Visit<Worker>, subject: Subject) -> Result<Self> {
        let catalogues = model_changes::read(visit.app(), &visit.member, visit.project()?.id).await?;
        Ok(Self { visit, catalogues, subject })
    }

    const fn name(&self) -> Option<&String> {
        let (Subject::Measure(_, _, name) | Subject::Metric(_, name)) = &self.subject;
        name.as_ref()
    }

    fn measure(&self) -> Option<&Measure> {
        self.catalogues.measure(self.name()?).map(|(_, _, measure)| measure)
    }

    fn metric(&self) -> Option<&Metric> {
        self.catalogues.metrics.get(self.name()?)
    }

    /// The table of a measure.
    fn table(&self) -> Option<&CatalogTable> {
        let Subject::Measure(connection, id, _) = &self.subject else { return None };
        let (_, tables) = self.catalogues.connections.iter().find(|(source, _)| source.id == *connection)?;
        tables.iter().find(|table| table.id == *id)
    }

    fn address(&self) -> String {
        match (&self.subject, self.name()) {
            (_, Some(name)) => self.visit.at(&format!("semantic-model/{name}/edit")),
            (Subject::Measure(connection, table, _), None) => {
                self.visit.at(&format!("connections/{connection}/tables/{table}/measures/new"))
            }
            (Subject::Metric(..), None) => self.visit.at("semantic-model/metrics/new"),
        }
    }

    /// The page before, and its name.
    fn back(&self) -> (String, String) {
        match (&self.subject, self.name(), self.table()) {
            (Subject::Measure(connection, table, _), None, Some(known)) => {
                (self.visit.at(&format!("connections/{connection}/tables/{table}/model")), format!("Model of {}", known.name))
            }
            (_, Some(name), _) if self.catalogues.holding(name).is_some() => {
                (self.visit.at(&format!("semantic-model/{name}")), name.clone())
            }
            _ => (self.visit.at("semantic-model"), "Semantic model".to_owned()),
        }
    }

    /// A fingerprint of the stored definition. Empty for a new one.
    fn seen(&self) -> String {
        match (self.measure(), self.metric()) {
            (Some(measure), _) => fingerprint(measure),
            (None, Some(metric)) => fingerprint(metric),
            (None, None) => String::new(),
        }
    }

    fn draft(&self) -> Draft {
        let draft = match (self.measure(), self.metric()) {
            (Some(stored), _) => measure::draft_of(stored),
            (None, Some(stored)) => metric::draft_of(stored),
            (None, None) => Draft::of([("aggregate", name_of(&Aggregate::Sum)), ("grain", "month".to_owned())]),
        };
        draft.with("seen", self.seen())
    }

    /// The change that a submitted form asks for, and the name of the number.
    fn change(&self, typed: &Typed) -> Result<(Change, String)> {
        let name = self.name().cloned().unwrap_or_else(|| typed.get("name").to_owned());
        let is_new = self.name().is_none();
        let change = match &self.subject {
            Subject::Measure(connection, table, _) => {
                let made = measure::read(typed, self.measure())?;
                Change::Measure(*connection, *table, name.clone(), if is_new { To::New(made) } else { To::Changed(made) })
            }
            Subject::Metric(kind, _) => {
                let made = metric::read(typed, *kind, self.metric())?;
                Change::Metric(name.clone(), if is_new { To::New(made) } else { To::Changed(made) })
            }
        };
        Ok((change, name))
    }

    /// The change that removes it.
    fn removing(&self) -> Option<Change> {
        let name = self.name()?.clone();
        Some(match &self.subject {
            Subject::Measure(connection, table, _) => Change::Measure(*connection, *table, name, To::Removed),
            Subject::Metric(..) => Change::Metric(name, To::Removed),
        })
    }

    async fn draw(&self, draft: &Draft, found: Found) -> Page {
        let visit = self.visit;
        let removal = match self.removing() {
            Some(change) => Some(Removal {
                address: visit.at(&format!("semantic-model/{}/remove", self.name().map_or("", String::as_str))),
                what: format!("{} {}", self.what(), self.name().map_or("", String::as_str)),
                breaks: model_changes::breaks(visit.app(), &visit.member, visit.project()?.id, &change).await?,
            }),
            None => None,
        };
        let page = NumberForm {
            address: self.address(),
            back: self.back(),
            name: self.name().cloned(),
            defines: self.defines(draft).await?,
            users: people::offered(visit).await?,
            trial: found.trial,
            losing: found.losing,
            removal,
        };
        visit.page(&page.title(), Section::SemanticModel, || views::number_form(&page, draft)).await
    }

    const fn what(&self) -> &'static str {
        match &self.subject {
            Subject::Measure(..) => "measure",
            Subject::Metric(..) => "metric",
        }
    }

    async fn defines(&self, draft: &Draft) -> Result<Defines> {
        Ok(match (&self.subject, self.table()) {
            (Subject::Measure(connection, ..), Some(table)) => Defines::Measure {
                table: table.name.clone(),
                columns: self.columns(*connection, table).await?,
                closed: table.rows == RowAccess::Nothing,
            },
            (Subject::Metric(kind, _), _) => Defines::Metric(self.fields(*kind, draft)),
            (Subject::Measure(..), None) => return Err(Error::not_found("Table")),
        })
    }

    /// The columns of a measure's table that users may see. `None` when the database does not respond.
    async fn columns(&self, connection: ConnectionId, table: &CatalogTable) -> Result<Option<Vec<NamedColumn>>> {
        let open = connections::open(self.visit.app(), connection).await?;
        let found = match manage::columns(self.visit.app(), &open, &table.name).await {
            Ok(found) => found,
            // The database has no such table any more.
            Err(gone) if gone.kind() == Kind::Invalid => Some(Vec::new()),
            Err(problem) => return Err(problem),
        };
        let kind = open.source.kind;
        let hidden = |name: &str| table.columns.iter().any(|(own, about)| about.hidden && kind.same_name(own, name));
        let named = |column: inlay_contract::data::Column| (column.name, Some(name_of(&column.kind)));
        Ok(found.map(|all| all.into_iter().filter(|column| !hidden(&column.name)).map(named).collect()))
    }

    fn fields(&self, kind: MetricKind, draft: &Draft) -> MetricFields {
        let address = self.address();
        let shown = |name: &String, label: &Option<String>| {
            (name.clone(), label.as_ref().map_or_else(|| name.clone(), |label| format!("{label} ({name})")))
        };
        let tables = || self.catalogues.connections.iter().flat_map(|(_, tables)| tables);
        let measures = || tables().flat_map(|table| &table.model.measures);
        let others = self.catalogues.metrics.iter().filter(|(name, _)| Some(*name) != self.name());
        let sums = measures().filter(|(_, measure)| measure.aggregate.adds_up() && measure.take.is_none());
        let models = self.catalogues.connections.iter().map(|(source, _)| self.catalogues.model(source.id));
        let dimensions = models.flat_map(|model| {
            let of_table = |(table, one): (String, inlay_query::ModelTable)| {
                let names = one.model.dimensions.into_keys().chain(one.columns.into_keys());
                names.map(move |name| format!("{table}.{name}")).collect::<Vec<_>>()
            };
            model.tables.into_iter().flat_map(of_table).collect::<Vec<_>>()
        });
        let conditions = metric::rows(draft.names()).last().map_or(0, |last| last + 1);
        MetricFields {
            kind,
            kinds: MetricKind::ALL.map(|kind| (kind, format!("{address}?kind={}", kind.name()))).to_vec(),
            numbers: measures()
                .map(|(name, one)| shown(name, &one.label))
                .chain(others.map(|(name, one)| shown(name, &one.label)))
                .collect(),
            sums: sums.map(|(name, one)| shown(name, &one.label)).collect(),
            dimensions: dimensions.collect(),
            conditions: metric::conditions(draft, conditions),
        }
    }

    /// Saves what was typed, or tests it as a user.
    async fn take(self, typed: &Typed) -> Page {
        if typed.ticked("test") {
            return match self.tried(typed).await {
                Ok(trial) => self.draw(&typed.draft(), Found { trial: Some(trial), ..Found::default() }).await,
                Err(problem) => self.again(typed, problem).await,
            };
        }
        let saved = async {
            unchanged(typed.get("seen"), &self.seen())?;
            let (change, name) = self.change(typed)?;
            let (project, despite) = (self.visit.project()?.id, typed.lines("despiteUses"));
            model_changes::save(self.visit.app(), &self.visit.member, project, &change, &despite).await?;
            Ok::<_, Error>(name)
        };
        match saved.await {
            Ok(name) => {
                let stored = model_changes::read(self.visit.app(), &self.visit.member, self.visit.project()?.id).await?;
                // A number of a closed table has no page of its own yet.
                let end = if stored.holding(&name).is_some() { "" } else { "/edit" };
                Ok(self.visit.done(&self.visit.at(&format!("semantic-model/{name}{end}")), "Saved."))
            }
            Err(problem) => self.again(typed, problem).await,
        }
    }

    /// The form again, with what was typed.
    async fn again(&self, typed: &Typed, problem: Error) -> Page {
        let losing = losing(&problem);
        let (status, draft) = typed.refused(problem)?;
        let found = Found { losing, ..Found::default() };
        Ok(with_status(self.draw(&draft.with("seen", self.seen()), found).await?, status))
    }

    /// What a user sees by the typed definition. Saves nothing.
    async fn tried(&self, typed: &Typed) -> Result<Result<Trial, String>> {
        let visit = self.visit;
        let (change, name) = self.change(typed)?;
        let after = model_changes::drafted(visit.app(), &visit.member, visit.project()?.id, &change).await?;
        let Some(connection) = after.holding(&name) else {
            return Ok(Err(
                "Project users see no rows of a table that this number is computed of. Open the table first.".to_owned()
            ));
        };
        let open = connections::open(visit.app(), connection).await?;
        let shown = Shown { open: &open, model: &after.model(connection), name: &name, format: format_of(&change) };
        number_trials::seen_by(visit, &shown, typed.get("user"), "semanticModel.testedAs").await.map(Ok)
    }
}

/// The number format of a changed definition.
const fn format_of(change: &Change) -> Option<&NumberFormat> {
    match change {
        Change::Measure(_, _, _, To::New(Measure { format, .. }) | To::Changed(Measure { format, .. }))
        | Change::Metric(_, To::New(Metric { format, .. }) | To::Changed(Metric { format, .. })) => format.as_ref(),
        Change::Measure(..) | Change::Metric(..) | Change::Table(..) => None,
    }
}

/// `GET …/tables/{table}/measures/new`
pub async fn show_new_measure(visit: Visit<Worker>) -> Page {
    let form = Form::new_measure(&visit).await?;
    form.draw(&form.draft(), Found::default()).await
}

/// `POST …/tables/{table}/measures/new`
pub async fn add_measure(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    Form::new_measure(&visit).await?.take(&typed).await
}

/// `GET …/semantic-model/metrics/new`: the choice of a kind, or the form of the one that the address names.
pub async fn show_new_metric(visit: Visit<Worker>) -> Page {
    let Some(kind) = metric::kind_named(visit.person.query("kind")) else {
        let own = visit.at("semantic-model/metrics/new");
        let kinds = MetricKind::ALL.map(|kind| (kind, format!("{own}?kind={}", kind.name())));
        let back = (visit.at("semantic-model"), "Semantic model");
        return visit.page("New metric", Section::SemanticModel, || views::kinds(back, &kinds)).await;
    };
    let form = Form::of(&visit, Subject::Metric(kind, None)).await?;
    form.draw(&form.draft(), Found::default()).await
}

/// `POST …/semantic-model/metrics/new`
pub async fn add_metric(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let kind = metric::kind_named(typed.get("kind")).ok_or_else(|| Error::invalid("kind", "is not a kind of metrics"))?;
    Form::of(&visit, Subject::Metric(kind, None)).await?.take(&typed).await
}

/// `GET …/semantic-model/{number}/edit`
pub async fn show(visit: Visit<Worker>) -> Page {
    let form = Form::of_number(&visit, visit.person.query("kind")).await?;
    form.draw(&form.draft(), Found::default()).await
}

/// `POST …/semantic-model/{number}/edit`
pub async fn change(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    Form::of_number(&visit, typed.get("kind")).await?.take(&typed).await
}

/// `POST …/semantic-model/{number}/remove`
pub async fn remove(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    const BEFORE: &str = "This measure or metric has already been removed.";
    let form = match Form::of_number(&visit, "").await {
        Ok(form) => form,
        Err(problem) => return visit.removed("semantic-model", Err(problem), "", BEFORE),
    };
    let change = form.removing().ok_or_else(|| Error::not_found("Measure"))?;
    let project = visit.project()?.id;
    let removal = model_changes::save(visit.app(), &visit.member, project, &change, &typed.lines("despiteUses")).await;
    match removal {
        Err(problem) if problem.kind() == Kind::Conflict => {
            let told = problem.message.clone();
            let mut draft = form.draft();
            draft.message = Some(told);
            Ok(with_status(
                form.draw(&draft, Found { losing: losing(&problem), ..Found::default() }).await?,
                StatusCode::CONFLICT,
            ))
        }
        removal => visit.removed("semantic-model", removal, "Removed.", BEFORE),
    }
}
