//! Models, managed by members: an organization's by its admins, a project's by members who may work with projects. Keys are write-only.

use super::{Budgets, Model, Taken, Whose, is_address, store, today};
use crate::{
    concepts::{
        language_models::Answerer,
        organizations::members::{Administers, Member, Reads, Works, lock_organization},
        projects,
    },
    ground::{
        audit::{self, Deed},
        error::{Code, Error, Result},
        problems::Problems,
        state::App,
        web::outbound::Outbound,
    },
};
use async_trait::async_trait;
use inlay_assistant::{
    Assumed, Data, DataError, Limits, Message, ModelRows, ModelSettings, Prices, Provider, Request, Scope, Usage,
};
use inlay_contract::{
    chart::question::Question,
    data::ChartData,
    ids::{OrganizationId, ProjectId},
    model::ModelQuery,
    source::SourceKind,
};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::sync::mpsc;
use url::Url;

/// The owner of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelOwner {
    /// The organization. Its model answers in every project without a model of its own.
    Organization,
    /// A project.
    Project(ProjectId),
}

impl ModelOwner {
    const fn project(self) -> Option<ProjectId> {
        match self {
            Self::Organization => None,
            Self::Project(project) => Some(project),
        }
    }
}

/// A member who may manage the model of an organization or project.
#[derive(Debug)]
pub struct Keeper<'m, R> {
    member: &'m Member<R>,
    place: ModelOwner,
}

impl<'m, R: Administers> Keeper<'m, R> {
    /// For the organization's model.
    pub const fn of_organization(member: &'m Member<R>) -> Self {
        Self { member, place: ModelOwner::Organization }
    }
}

impl<'m, R: Works> Keeper<'m, R> {
    /// For a project's model.
    ///
    /// # Errors
    /// 404 for a project of another organization.
    pub async fn of_project(app: &App, member: &'m Member<R>, project: ProjectId) -> Result<Self> {
        projects::of_organization(app, member.organization, project).await?;
        Ok(Self { member, place: ModelOwner::Project(project) })
    }
}

/// The settings of a model.
#[derive(Debug)]
pub struct Settings {
    /// Its protocol.
    pub provider: Provider,
    /// Its URL. Defaults to the provider's own.
    pub address: Option<String>,
    /// Its name at this URL.
    pub model: String,
    /// Its key. `None` keeps the stored one.
    pub key: Option<SecretString>,
    /// Its prices.
    pub prices: Option<Prices>,
    /// Its daily budgets.
    pub budgets: Budgets,
}

/// The part of a model that may be shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Its protocol.
    pub provider: Provider,
    /// Its URL.
    pub address: Option<Url>,
    /// Its name at this URL.
    pub model: String,
    /// Whether it has a key.
    pub has_key: bool,
    /// Its prices.
    pub prices: Option<Prices>,
    /// Its daily budgets.
    pub budgets: Budgets,
}

impl From<&Model> for Shown {
    fn from(model: &Model) -> Self {
        let ModelSettings { provider, address, model: name, key, prices } = &model.settings;
        Self {
            provider: *provider,
            address: address.clone(),
            model: name.clone(),
            has_key: !key.expose_secret().is_empty(),
            prices: *prices,
            budgets: model.budgets,
        }
    }
}

/// The result of a test.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// The model's answer.
    pub text: String,
    /// The tokens that it used.
    pub used: Usage,
    /// The duration.
    pub time: Duration,
}

/// The model of an organization or project itself, as far as it may be shown. `None` where the built-in analyst or another model answers.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn find(app: &App, by: &Member<impl Reads>, place: ModelOwner) -> Result<Option<Shown>> {
    if let ModelOwner::Project(project) = place {
        projects::of_organization(app, by.organization, project).await?;
    }
    Ok(own(app, by.organization, place).await?.as_ref().map(Shown::from))
}

/// The usage of the organization's users today (UTC).
pub async fn taken_today(app: &App, by: &Member<impl Reads>) -> Result<Taken> {
    store::taken(&mut app.db.read().await?.conn(), Whose::Organization(by.organization), &today()).await
}

async fn own(app: &App, organization: OrganizationId, place: ModelOwner) -> Result<Option<Model>> {
    store::own(&mut app.db.read().await?.conn(), &app.sealer, organization, place.project()).await
}

/// Sets the model.
///
/// # Errors
/// 400 for an invalid field.
pub async fn save<R: Reads>(app: &App, by: &Keeper<'_, R>, settings: Settings) -> Result<()> {
    let (organization, keeps_key) = (by.member.organization, settings.key.is_none());
    let old = own(app, organization, by.place).await?;
    let model = model_of(app, by, settings).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    lock_organization(conn, organization).await?;
    let now = store::own(conn, &app.sealer, organization, by.place.project()).await?;
    let key = |model: &Option<Model>| model.as_ref().map(|model| model.settings.key.expose_secret().to_owned());
    if keeps_key && key(&now) != key(&old) {
        let told = "The key of this model was changed since you opened the page. Nothing was saved. Submit again to continue.";
        return Err(Error::new(Code::ChangedMeanwhile, told));
    }
    let id = store::put(conn, &app.sealer, by.member.organization, by.place.project(), &model).await?;
    let deed = Deed::new("model.set", id.0).named(&model.settings.model).with("provider", model.settings.provider.name());
    audit::record(conn, &by.member.actor(), in_place(deed, by.place)).await?;
    tx.commit().await
}

/// Removes the model.
///
/// # Errors
/// 404 when it has none.
pub async fn remove<R: Reads>(app: &App, by: &Keeper<'_, R>) -> Result<()> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let removed = store::remove(conn, by.member.organization, by.place.project()).await?;
    let id = removed.ok_or_else(|| Error::not_found("Model"))?;
    audit::record(conn, &by.member.actor(), in_place(Deed::new("model.removed", id.0), by.place)).await?;
    tx.commit().await
}

fn in_place(deed: Deed<'_>, place: ModelOwner) -> Deed<'_> {
    match place.project() {
        Some(project) => deed.in_project(project),
        None => deed,
    }
}

/// Tests a model with the typed settings. Saves nothing, and its tokens are not counted.
///
/// # Errors
/// 400 for an invalid field, 422 `MODEL_REFUSED` with the model server's error.
pub async fn attempt<R: Reads>(app: &App, by: &Keeper<'_, R>, settings: Settings) -> Result<Tried> {
    ask_for_a_word(app, model_of(app, by, settings).await?.settings).await
}

/// One short answer of a model, without access to rows.
pub(super) async fn ask_for_a_word(app: &App, model: ModelSettings) -> Result<Tried> {
    let limits = Limits { steps: 1, tokens: 4_000, time: Duration::from_secs(30), tries: 1, ..Limits::default() };
    let request = Request {
        conversation: vec![Message::user("Answer with one short sentence that says that you are ready. Call no tool.")],
        scope: Scope {
            workspace: "Trial".to_owned(),
            dialect: SourceKind::Sqlite,
            tables: Vec::new(),
            instructions: None,
            example_questions: Vec::new(),
            examples: Vec::new(),
            model: None,
            model_only: false,
            verified: Vec::new(),
        },
        model: Some(model),
        today: chrono::Utc::now().date_naive(),
        locale: "en".to_owned(),
        timezone: "UTC".to_owned(),
        charts: Vec::new(),
        draws: false,
    };
    let (events, mut heard) = mpsc::channel(16);
    let (started, assistant) = (Instant::now(), app.part::<Answerer>().assistant.within(limits));
    let answer = assistant.answer(request, Arc::new(NoData), events);
    let (outcome, ()) = tokio::join!(answer, async { while heard.recv().await.is_some() {} });
    match outcome.problem {
        Some(told) => Err(Error::new(Code::ModelRefused, format!("The model does not respond: {told}."))),
        None => Ok(Tried { text: outcome.text, used: outcome.tokens, time: started.elapsed() }),
    }
}

/// The data source of a test, which reads no rows.
struct NoData;

#[async_trait]
impl Data for NoData {
    async fn query(&self, _sql: &str) -> Result<ChartData, DataError> {
        Err(DataError::new(Code::QueryFailed, "No data is available here."))
    }

    async fn query_model(&self, _query: &ModelQuery, _assumed: &Assumed) -> Result<ModelRows, DataError> {
        Err(DataError::unaskable())
    }

    async fn values(&self, _table: &str, _column: &str) -> Result<Vec<Value>, DataError> {
        Ok(Vec::new())
    }

    fn sql_of(&self, _question: &Question) -> Result<String, DataError> {
        Err(DataError::unaskable())
    }

    fn containment(&self, _column: (&str, &str), _key: (&str, &str)) -> Result<String, DataError> {
        Err(DataError::unaskable())
    }
}

/// The model with these settings. A stored key is only sent to the URL that it was saved with.
async fn model_of<R: Reads>(app: &App, by: &Keeper<'_, R>, settings: Settings) -> Result<Model> {
    let Settings { provider, address, model, key, prices, budgets } = settings;
    let old = own(app, by.member.organization, by.place).await?;
    let mut problems = Problems::default();
    let model = model.trim().to_owned();
    problems.note("model", if model.is_empty() { Err("is required".to_owned()) } else { Ok(()) });
    let address = address.map(|text| text.parse::<Url>()).transpose();
    let url = address.clone().unwrap_or_default();
    problems.note(
        "address",
        match (&address, &url) {
            (Err(_), _) => Err("is not a valid URL, such as https://models.example.com/v1/".to_owned()),
            (Ok(_), Some(url)) => may_be_at(app, url).await,
            (Ok(_), None) => Ok(()),
        },
    );
    let numbers = [prices.map(|prices| prices.input), prices.map(|prices| prices.output), budgets.cost];
    let sound = numbers.into_iter().flatten().all(|number| number.is_finite() && number >= 0.0);
    problems.note("cost", if sound { Ok(()) } else { Err("and prices must be 0 or more".to_owned()) });
    let needs_prices = budgets.cost.is_some() && prices.is_none();
    problems.note("inputPrice", if needs_prices { Err("is required for a cost budget".to_owned()) } else { Ok(()) });
    let same_place = |old: &ModelSettings| old.provider == provider && origin(old.address.as_ref()) == origin(url.as_ref());
    let kept = old.as_ref().filter(|old| same_place(&old.settings)).map(|old| old.settings.key.clone());
    let had_key = old.is_some_and(|old| !old.settings.key.expose_secret().is_empty());
    let lost = key.is_none() && kept.is_none() && had_key;
    problems.note(
        "key",
        if lost { Err("must be entered again because the address or provider changed".to_owned()) } else { Ok(()) },
    );
    problems.finish()?;
    let key = key.or(kept).unwrap_or_else(|| SecretString::from(String::new()));
    Ok(Model { settings: ModelSettings { provider, address: url, model, key, prices }, budgets })
}

fn origin(address: Option<&Url>) -> Option<String> {
    address.map(|url| url.origin().ascii_serialization())
}

/// Whether a model's URL is allowed: the same locations as for databases. Each call checks it again ([`super::reach`]).
async fn may_be_at(app: &App, url: &Url) -> Result<(), String> {
    is_address(url)?;
    match Outbound::new(app.settings.sources.allow_private_sources.clone()).look_up(url).await {
        Err(refused) if !refused.may_pass() => Err(format!("is not allowed: {refused}")),
        Ok(_) | Err(_) => Ok(()),
    }
}
