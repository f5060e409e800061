//! `inlay webhook add|list|remove`

use super::{Failure, output::Output};
use crate::{
    concepts::{
        projects,
        webhooks::{EventKind, manage},
    },
    faces::server,
    ground::{audit::Actor, config::Settings},
};
use clap::{Args, Subcommand, builder::PossibleValuesParser};
use inlay_contract::ids::{OrganizationId, ProjectId, WebhookId};
use serde_json::json;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Create a webhook for a project. Prints the secret that signs its messages, once
    Add(Addition),
    /// List a project's webhooks
    List(Whose),
    /// Remove a webhook and its messages
    Remove {
        /// The webhook's id
        id: WebhookId,
        #[command(flatten)]
        whose: Whose,
    },
}

#[derive(Args, Debug)]
pub(super) struct Whose {
    /// The organization's id
    #[arg(long)]
    organization: OrganizationId,
    /// The project's id
    #[arg(long)]
    project: ProjectId,
}

#[derive(Args, Debug)]
pub(super) struct Addition {
    #[command(flatten)]
    whose: Whose,
    /// Address that receives the messages: https, on the internet
    #[arg(long)]
    url: String,
    /// Event to send. Repeat the flag for several events
    #[arg(long, required = true, value_parser = PossibleValuesParser::new(EventKind::CHOICES.map(EventKind::name)))]
    event: Vec<String>,
}

pub async fn run(settings: Settings, command: Command, output: Output) -> Result<(), Failure> {
    let app = server::prepare(settings).await?;
    match command {
        Command::Add(Addition { whose: Whose { organization, project }, url, event }) => {
            projects::of_organization(&app, organization, project).await?;
            let events = event.iter().filter_map(|name| EventKind::named(name)).collect();
            let made = manage::create(&app, &Actor::operator(organization), project, &url, events).await;
            let (webhook, secret) = made.map_err(|problem| problem.message)?;
            let answer = json!({ "webhookId": webhook.id, "secret": secret });
            output.print(&answer, || {
                format!("Webhook {}. It signs its messages with {secret}. The secret is shown once.", webhook.id)
            })
        }
        Command::List(Whose { organization, project }) => {
            projects::of_organization(&app, organization, project).await?;
            let webhooks = manage::list(&app, project).await?;
            output.print(&json!({ "webhooks": webhooks }), || {
                let line = |webhook: &crate::concepts::webhooks::Webhook| {
                    let events: Vec<&str> = webhook.events.iter().map(|event| event.name()).collect();
                    format!(
                        "{}  {}  {}  {}",
                        webhook.id,
                        if webhook.active { "on " } else { "off" },
                        webhook.url,
                        events.join(" ")
                    )
                };
                webhooks.iter().map(line).collect::<Vec<_>>().join("\n")
            })
        }
        Command::Remove { id, whose: Whose { organization, project } } => {
            projects::of_organization(&app, organization, project).await?;
            manage::remove(&app, &Actor::operator(organization), project, id).await?;
            output.print(&json!({ "webhookId": id, "removed": true }), || format!("Webhook {id} is removed."))
        }
    }
}
