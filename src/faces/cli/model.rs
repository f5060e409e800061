//! `inlay model set|remove|export|import|draft`

mod exchange;

use super::{Failure, output::Output};
use crate::{
    concepts::{
        language_models::{self, Budgets, Model},
        organizations, projects,
    },
    ground::{
        audit::{self, Actor, Deed},
        config::Settings,
        store::Conn,
    },
};
use clap::{Args, Subcommand};
use inlay_assistant::{ModelSettings, Prices, Provider};
use inlay_contract::ids::{OrganizationId, ProjectId};
use secrecy::SecretString;
use serde_json::json;
use std::io::{Read, stdin};
use url::Url;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Set the language model of the organization's workspaces, or of one project's. Replaces the previous one
    Set(Box<Setting>),
    /// Remove the language model: the built-in analyst answers again
    Remove(Whose),
    /// Print a project's semantic model as an Apache Ossie document
    Export(exchange::Named),
    /// Print a project's file with the semantic model of an Apache Ossie document in it, to be read and applied. Changes nothing
    Import(exchange::Importing),
    /// Print a project's file with a first model in it, from the database's keys, types and names, to be read and applied. Changes
    /// nothing
    Draft(exchange::Drafting),
}

#[derive(Args, Debug)]
pub(super) struct Whose {
    /// The organization's id
    #[arg(long)]
    organization: OrganizationId,
    /// Only this project, by its id
    #[arg(long)]
    project: Option<ProjectId>,
}

#[derive(Args, Debug)]
pub(super) struct Setting {
    #[command(flatten)]
    whose: Whose,
    /// The model's protocol: openai (many servers support it) or anthropic
    #[arg(long)]
    provider: Provider,
    /// The model's address, for example `https://models.example.com/v1/` [default: the provider's own address]
    #[arg(long)]
    address: Option<Url>,
    /// The model's name at this address
    #[arg(long)]
    model: String,
    /// Read its key from standard input. The store keeps it encrypted
    #[arg(long)]
    key_stdin: bool,
    /// Price of a million input tokens
    #[arg(long, requires = "output_price")]
    input_price: Option<f64>,
    /// Price of a million output tokens
    #[arg(long, requires = "input_price")]
    output_price: Option<f64>,
    /// Maximum tokens of a user per day (UTC). Above it, the built-in analyst answers
    #[arg(long)]
    user_tokens: Option<u64>,
    /// Maximum tokens of a customer's users per day
    #[arg(long)]
    customer_tokens: Option<u64>,
    /// Maximum tokens of all users per day
    #[arg(long)]
    tokens: Option<u64>,
    /// Maximum cost of all users per day, in the currency of the prices
    #[arg(long, requires = "input_price")]
    cost: Option<f64>,
}

impl Setting {
    fn model(&self) -> Result<Model, Failure> {
        if self.model.trim().is_empty() {
            return Err("the model's name must not be empty".into());
        }
        if let Some(Err(problem)) = self.address.as_ref().map(language_models::is_address) {
            return Err(format!("the model's address {problem}").into());
        }
        let mut key = String::new();
        if self.key_stdin {
            stdin().read_to_string(&mut key)?;
        }
        let prices = self.input_price.zip(self.output_price).map(|(input, output)| Prices { input, output });
        let numbers = [self.input_price, self.output_price, self.cost];
        if numbers.into_iter().flatten().any(|number| !number.is_finite() || number < 0.0) {
            return Err("prices and budgets must be 0 or more".into());
        }
        Ok(Model {
            settings: ModelSettings {
                provider: self.provider,
                address: self.address.clone(),
                model: self.model.trim().to_owned(),
                key: SecretString::from(key.trim().to_owned()),
                prices,
            },
            budgets: Budgets {
                user_tokens: self.user_tokens,
                customer_tokens: self.customer_tokens,
                tokens: self.tokens,
                cost: self.cost,
            },
        })
    }
}

pub async fn run(settings: &Settings, command: Command, output: Output) -> Result<(), Failure> {
    match command {
        Command::Set(setting) => set(settings, &setting, output).await,
        Command::Remove(whose) => remove(settings, &whose, output).await,
        Command::Export(named) => exchange::export(settings, &named, output).await,
        Command::Import(importing) => exchange::import(settings, &importing, output).await,
        Command::Draft(drafting) => exchange::draft(settings, &drafting, output).await,
    }
}

/// Checks that the organization and the project exist and belong together.
async fn check(conn: &mut Conn<'_>, whose: &Whose) -> Result<(), Failure> {
    organizations::find(conn, whose.organization).await?;
    if let Some(id) = whose.project {
        let found = projects::find(conn, id).await?.filter(|project| project.organization == whose.organization);
        found.ok_or_else(|| format!("the organization has no project with id {id}"))?;
    }
    Ok(())
}

async fn set(settings: &Settings, setting: &Setting, output: Output) -> Result<(), Failure> {
    let model = setting.model()?;
    let whose = &setting.whose;
    let (db, sealer) = settings.open_store().await?;
    let mut tx = db.write().await?;
    let conn = &mut tx.conn();
    check(conn, whose).await?;
    let id = language_models::put(conn, &sealer, whose.organization, whose.project, &model).await?;
    let deed = Deed::new("model.set", id.0).named(&model.settings.model).with("provider", setting.provider.name());
    audit::record(conn, &Actor::operator(whose.organization), deed.with("projectId", json!(whose.project))).await?;
    tx.commit().await?;
    output.print(&json!({ "modelId": id }), || format!("{} answers from now on: {id}", model.settings.model))
}

async fn remove(settings: &Settings, whose: &Whose, output: Output) -> Result<(), Failure> {
    let (db, _) = settings.open_store().await?;
    let mut tx = db.write().await?;
    let conn = &mut tx.conn();
    check(conn, whose).await?;
    let removed = language_models::remove(conn, whose.organization, whose.project).await?;
    if let Some(id) = removed {
        let deed = Deed::new("model.removed", id.0).with("projectId", json!(whose.project));
        audit::record(conn, &Actor::operator(whose.organization), deed).await?;
    }
    tx.commit().await?;
    output.print(&json!({ "modelId": removed }), || "The built-in analyst answers.".to_owned())
}
