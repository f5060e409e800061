//! The language model of an organization or a project.

use super::{
    answer::Page,
    submission::{Submission, Typed, with_status},
    visit::Visit,
};
use crate::{
    concepts::{
        language_models::{
            Budgets,
            manage::{self, Keeper, ModelOwner, Settings, Shown},
        },
        organizations::members::{Admin, Reads, Worker},
    },
    ground::{error::Result, problems::Problems},
};
use inlay_assistant::{Prices, Provider};
use inlay_console::{
    Draft, Section,
    pages::model::{self as views, ModelPage, Tried},
};
use secrecy::SecretString;
use std::str::FromStr;

fn place<R: Reads>(visit: &Visit<R>) -> ModelOwner {
    visit.project.as_ref().map_or(ModelOwner::Organization, |project| ModelOwner::Project(project.id))
}

/// `GET …/model`
pub async fn show(visit: Visit) -> Page {
    let set = manage::find(visit.app(), &visit.member, place(&visit)).await?;
    let draft = set.as_ref().map(draft_of).unwrap_or_default();
    draw(&visit, set, draft, None).await
}

fn draft_of(model: &Shown) -> Draft {
    let Budgets { user_tokens, customer_tokens, tokens, cost } = model.budgets;
    let whole = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
    let money = |number: Option<f64>| number.map(|number| number.to_string()).unwrap_or_default();
    Draft::of([("provider", model.provider.name()), ("model", &model.model)])
        .with("seen", super::seen(model))
        .with("address", model.address.as_ref().map(ToString::to_string).unwrap_or_default())
        .with("userTokens", whole(user_tokens))
        .with("customerTokens", whole(customer_tokens))
        .with("tokens", whole(tokens))
        .with("cost", money(cost))
        .with("inputPrice", money(model.prices.map(|prices| prices.input)))
        .with("outputPrice", money(model.prices.map(|prices| prices.output)))
}

async fn draw<R: Reads>(visit: &Visit<R>, set: Option<Shown>, draft: Draft, tried: Option<Tried>) -> Page {
    let app = visit.app();
    let inherited = match place(visit) {
        ModelOwner::Organization => None,
        ModelOwner::Project(_) => manage::find(app, &visit.member, ModelOwner::Organization).await?.map(|model| model.model),
    };
    let taken = manage::taken_today(app, &visit.member).await?;
    let back = visit.project.as_ref().map(|_| (visit.at("workspaces"), "Workspaces".to_owned()));
    let (section, may_change) = match place(visit) {
        ModelOwner::Organization => (Section::Model, visit.is::<Admin>()),
        ModelOwner::Project(_) => (Section::Workspaces, visit.is::<Worker>()),
    };
    let page = ModelPage {
        own: visit.at("model"),
        back,
        has_key: set.as_ref().is_some_and(|model| model.has_key),
        set: set.map(|model| model.model),
        inherited,
        taken: (taken.tokens, taken.cost),
        tried,
        may_change,
    };
    visit.page("Language model", section, || views::show(&page, &draft)).await
}

/// A number of a form. Invalid text becomes a problem.
fn number<T: FromStr>(typed: &Typed, name: &str, problems: &mut Problems) -> Option<T> {
    let read = typed.given(name).map(str::parse::<T>).transpose();
    problems.note(name, read.as_ref().map(drop).map_err(|_| "must be a number, 0 or more".to_owned()));
    read.unwrap_or_default()
}

fn settings(typed: &Typed) -> Result<Settings> {
    let mut problems = Problems::default();
    let provider = typed.get("provider").parse::<Provider>();
    problems.note("provider", provider.as_ref().map(drop).map_err(ToString::to_string));
    let budgets = Budgets {
        user_tokens: number(typed, "userTokens", &mut problems),
        customer_tokens: number(typed, "customerTokens", &mut problems),
        tokens: number(typed, "tokens", &mut problems),
        cost: number(typed, "cost", &mut problems),
    };
    let prices: [Option<f64>; 2] = ["inputPrice", "outputPrice"].map(|name| number(typed, name, &mut problems));
    let prices = match prices {
        [Some(input), Some(output)] => Some(Prices { input, output }),
        [None, None] => None,
        [input, _] => {
            let missing = if input.is_none() { "inputPrice" } else { "outputPrice" };
            problems.note(missing, Err("is required with the other price".to_owned()));
            None
        }
    };
    problems.finish()?;
    Ok(Settings {
        provider: provider.map_err(crate::ground::error::Error::internal)?,
        address: typed.given("address").map(str::to_owned),
        model: typed.get("model").to_owned(),
        key: typed.given("key").map(|key| SecretString::from(key.to_owned())),
        prices,
        budgets,
    })
}

async fn save<R: Reads>(visit: &Visit<R>, keeper: Keeper<'_, R>, typed: &Typed) -> Page {
    let app = visit.app();
    let set = manage::find(app, &visit.member, place(visit)).await?;
    let now = set.as_ref().map(super::seen).unwrap_or_default();
    if typed.ticked("try") {
        let tried = async { manage::attempt(app, &keeper, settings(typed)?).await };
        return match tried.await {
            Ok(tried) => {
                let tried = Tried { text: tried.text, tokens: tried.used.total(), milliseconds: tried.time.as_millis() };
                draw(visit, set, typed.draft(), Some(tried)).await
            }
            Err(problem) => {
                let (status, draft) = typed.refused(problem)?;
                Ok(with_status(draw(visit, set, draft, None).await?, status))
            }
        };
    }
    let saved = async {
        super::unchanged(typed.get("seen"), &now)?;
        manage::save(app, &keeper, settings(typed)?).await
    };
    match saved.await {
        Ok(()) => Ok(visit.done(&visit.at("model"), "Saved. The model answers from the next question on.")),
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            Ok(with_status(draw(visit, set, draft.with("seen", now), None).await?, status))
        }
    }
}

/// `POST /console/organizations/{organization}/model`
pub async fn save_organizations(Submission { visit, typed }: Submission<Visit<Admin>>) -> Page {
    save(&visit, Keeper::of_organization(&visit.member), &typed).await
}

/// `POST /console/projects/{project}/model`
pub async fn save_projects(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let keeper = Keeper::of_project(visit.app(), &visit.member, visit.project()?.id).await?;
    save(&visit, keeper, &typed).await
}

const REMOVED: &str = "Model removed, with its key.";
const GONE: &str = "The model has already been removed.";

/// `POST /console/organizations/{organization}/model/remove`
pub async fn remove_organizations(Submission { visit, .. }: Submission<Visit<Admin>>) -> Page {
    let removal = manage::remove(visit.app(), &Keeper::of_organization(&visit.member)).await;
    visit.removed("model", removal, REMOVED, GONE)
}

/// `POST /console/projects/{project}/model/remove`
pub async fn remove_projects(Submission { visit, .. }: Submission<Visit<Worker>>) -> Page {
    let keeper = Keeper::of_project(visit.app(), &visit.member, visit.project()?.id).await?;
    let removal = manage::remove(visit.app(), &keeper).await;
    visit.removed("model", removal, REMOVED, GONE)
}
