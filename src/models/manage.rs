//! Models as members manage them: an organization's by its admins, a project's by who works on it. A key goes in and never comes out.

use super::{Budgets, Model, Taken, Whose, is_address, store, today};
use crate::{
    audit::{self, Deed},
    error::{Code, Error, Result},
    organizations::members::{Administers, Member, Reads, Works},
    projects::{self, Problems},
    state::App,
    web::outbound::Outbound,
};
use async_trait::async_trait;
use inlay_assistant::{Data, Limits, Message, ModelSettings, Prices, Problem, Provider, Request, Scope, Usage};
use inlay_contract::{
    chart::question::Question,
    data::ChartData,
    ids::{OrganizationId, ProjectId},
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

/// Whose model is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The organization's: it answers in every project that has none of its own.
    Organization,
    /// A project's.
    Project(ProjectId),
}

impl Place {
    const fn project(self) -> Option<ProjectId> {
        match self {
            Self::Organization => None,
            Self::Project(project) => Some(project),
        }
    }
}

/// Somebody who may decide about the model of a place.
#[derive(Debug)]
pub struct Keeper<'m, R> {
    member: &'m Member<R>,
    place: Place,
}

impl<'m, R: Administers> Keeper<'m, R> {
    /// For the organization's model.
    pub const fn of_organization(member: &'m Member<R>) -> Self {
        Self { member, place: Place::Organization }
    }
}

impl<'m, R: Works> Keeper<'m, R> {
    /// For a project's model.
    ///
    /// # Errors
    /// 404 for a project of another organization.
    pub async fn of_project(app: &App, member: &'m Member<R>, project: ProjectId) -> Result<Self> {
        projects::of_organization(app, member.organization, project).await?;
        Ok(Self { member, place: Place::Project(project) })
    }
}

/// What somebody says of a model.
#[derive(Debug)]
pub struct Settings {
    /// Which protocol it speaks.
    pub provider: Provider,
    /// Where it is served; the provider's own address when missing.
    pub address: Option<String>,
    /// Its name there.
    pub model: String,
    /// Its key; the one that is kept when missing.
    pub key: Option<SecretString>,
    /// What it costs.
    pub prices: Option<Prices>,
    /// What it may take on a day.
    pub budgets: Budgets,
}

/// What may be shown of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Which protocol it speaks.
    pub provider: Provider,
    /// Where it is served.
    pub address: Option<Url>,
    /// Its name there.
    pub model: String,
    /// Whether it has a key.
    pub has_key: bool,
    /// What it costs.
    pub prices: Option<Prices>,
    /// What it may take on a day.
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

/// What a trial brought.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// What the model said.
    pub text: String,
    /// What that took.
    pub used: Usage,
    /// How long it took.
    pub time: Duration,
}

/// The model of a place, as far as it may be shown; none where the built-in analyst answers, or another place's model.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn find(app: &App, by: &Member<impl Reads>, place: Place) -> Result<Option<Shown>> {
    if let Place::Project(project) = place {
        projects::of_organization(app, by.organization, project).await?;
    }
    Ok(own(app, by.organization, place).await?.as_ref().map(Shown::from))
}

/// What the organization's users have taken today (UTC).
///
/// # Errors
/// The store is away.
pub async fn taken_today(app: &App, by: &Member<impl Reads>) -> Result<Taken> {
    store::taken(&mut app.db.read().await?.conn(), Whose::Organization(by.organization), &today()).await
}

async fn own(app: &App, organization: OrganizationId, place: Place) -> Result<Option<Model>> {
    store::own(&mut app.db.read().await?.conn(), &app.sealer, organization, place.project()).await
}

/// Gives a place its model.
///
/// # Errors
/// 400 for what is wrong in a field.
pub async fn save<R: Reads>(app: &App, by: &Keeper<'_, R>, settings: Settings) -> Result<()> {
    let model = model_of(app, by, settings).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let id = store::put(conn, &app.sealer, by.member.organization, by.place.project(), &model).await?;
    let deed = Deed::new("model.set", id.0).named(&model.settings.model).with("provider", model.settings.provider.name());
    audit::record(conn, &by.member.actor(), in_place(deed, by.place)).await?;
    tx.commit().await
}

/// Lets the place's model go.
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

fn in_place(deed: Deed<'_>, place: Place) -> Deed<'_> {
    match place.project() {
        Some(project) => deed.in_project(project),
        None => deed,
    }
}

/// Asks a model for a word, as it is typed now. Nothing is saved; what it takes counts nowhere.
///
/// # Errors
/// 400 for what is wrong in a field, 422 `MODEL_REFUSED` with what the model's server said.
pub async fn attempt<R: Reads>(app: &App, by: &Keeper<'_, R>, settings: Settings) -> Result<Tried> {
    ask_for_a_word(app, model_of(app, by, settings).await?.settings).await
}

/// One short answer of a model, over nobody's rows.
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
        },
        model: Some(model),
        today: chrono::Utc::now().date_naive(),
        locale: "en".to_owned(),
        timezone: "UTC".to_owned(),
        charts: Vec::new(),
        draws: false,
    };
    let (events, mut heard) = mpsc::channel(16);
    let (started, assistant) = (Instant::now(), app.chat.assistant.within(limits));
    let answer = assistant.answer(request, Arc::new(NoData), events);
    let (outcome, ()) = tokio::join!(answer, async { while heard.recv().await.is_some() {} });
    match outcome.problem {
        Some(told) => Err(Error::new(Code::ModelRefused, format!("The model does not respond: {told}."))),
        None => Ok(Tried { text: outcome.text, used: outcome.tokens, time: started.elapsed() }),
    }
}

/// A trial reads nobody's rows.
struct NoData;

#[async_trait]
impl Data for NoData {
    async fn query(&self, _sql: &str) -> Result<ChartData, Problem> {
        Err(Problem::new(Code::QueryFailed, "There is nothing to ask here."))
    }

    async fn values(&self, _table: &str, _column: &str) -> Result<Vec<Value>, Problem> {
        Ok(Vec::new())
    }

    fn sql_of(&self, _question: &Question) -> Result<String, Problem> {
        Err(Problem::unaskable())
    }

    fn containment(&self, _column: (&str, &str), _key: (&str, &str)) -> Result<String, Problem> {
        Err(Problem::unaskable())
    }
}

/// The model that settings describe. A key that is kept goes only where it went before.
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
            (Err(_), _) => Err("is not a valid URL; write one like https://models.example.com/v1/".to_owned()),
            (Ok(_), Some(url)) => may_be_at(app, url).await,
            (Ok(_), None) => Ok(()),
        },
    );
    let numbers = [prices.map(|prices| prices.input), prices.map(|prices| prices.output), budgets.cost];
    let sound = numbers.into_iter().flatten().all(|number| number.is_finite() && number >= 0.0);
    problems.note("cost", if sound { Ok(()) } else { Err("and prices are not below 0".to_owned()) });
    let needs_prices = budgets.cost.is_some() && prices.is_none();
    problems.note("inputPrice", if needs_prices { Err("is needed for a budget in money".to_owned()) } else { Ok(()) });
    let same_place = |old: &ModelSettings| old.provider == provider && origin(old.address.as_ref()) == origin(url.as_ref());
    let kept = old.as_ref().filter(|old| same_place(&old.settings)).map(|old| old.settings.key.clone());
    let had_key = old.is_some_and(|old| !old.settings.key.expose_secret().is_empty());
    let lost = key.is_none() && kept.is_none() && had_key;
    problems.note("key", if lost { Err("is needed again: the address or provider is another one".to_owned()) } else { Ok(()) });
    problems.finish()?;
    let key = key.or(kept).unwrap_or_else(|| SecretString::from(String::new()));
    Ok(Model { settings: ModelSettings { provider, address: url, model, key, prices }, budgets })
}

fn origin(address: Option<&Url>) -> Option<String> {
    address.map(|url| url.origin().ascii_serialization())
}

/// Whether a model may be served at an address: where databases may be, too. Each call judges it again ([`super::reach`]).
async fn may_be_at(app: &App, url: &Url) -> Result<(), String> {
    is_address(url)?;
    match Outbound::new(app.settings.sources.allow_private_sources.clone()).look_up(url).await {
        Err(refused) if !refused.may_pass() => Err(format!("is refused: {refused}")),
        Ok(_) | Err(_) => Ok(()),
    }
}
