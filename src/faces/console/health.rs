//! What needs attention in a project.

use super::{answer::Page, visit::Visit};
use crate::flows::health::{self, Finding, Fine, Level, Moment, Place};
use inlay_console::{
    Section,
    pages::health::{self as views, Checked, HealthPage, Problem},
};

/// `GET /console/projects/{project}/health`
pub async fn show(visit: Visit) -> Page {
    let health = health::look(visit.app(), &visit.member, visit.project()?.id).await?;
    let of = |level: Level| health.findings.iter().filter(move |finding| finding.level == level);
    let problem = |finding: &Finding| problem(&visit, finding);
    let page = HealthPage {
        own: visit.at("health"),
        broken: of(Level::Broken).map(problem).collect(),
        warnings: of(Level::Warning).map(problem).collect(),
        notes: of(Level::Note).map(problem).collect(),
        checked: health.fine.iter().map(checked).collect(),
        looked_at: visit.app().now().to_string(),
    };
    visit.page("Health", Section::Health, || views::draw(&page)).await
}

fn moment(moment: Option<Moment>) -> Option<(&'static str, String)> {
    moment.map(|(what, at)| (what, at.to_string()))
}

fn checked(Fine { text, moment: at }: &Fine) -> Checked {
    Checked { text: text.clone(), moment: moment(*at) }
}

fn problem(visit: &Visit, finding: &Finding) -> Problem {
    let (address, action) = link(visit, finding.place);
    let also = finding.also.map(|place| link(visit, place));
    Problem { text: finding.text.clone(), moment: moment(finding.moment), address, action, also }
}

/// A place in the console: its address, and the name of a link to it.
fn link(visit: &Visit, place: Place) -> (String, &'static str) {
    let organization = |rest: &str| format!("/console/organizations/{}/{rest}", visit.member.organization);
    match place {
        Place::Connections => (visit.at("connections"), "Open the connections"),
        Place::Connection(id) => (visit.at(&format!("connections/{id}")), "Open the connection"),
        Place::Table(connection, id) => (visit.at(&format!("connections/{connection}/tables/{id}")), "Open the table"),
        Place::SemanticModel => (visit.at("semantic-model"), "Open the semantic model"),
        Place::Isolation => (visit.at("isolation"), "Open the isolation checks"),
        Place::Usage => (visit.at("usage?days=7"), "Open the usage"),
        Place::User(id) => (visit.at(&format!("users/{id}")), "Open its owner"),
        Place::Dashboard(application, id) => {
            (visit.at(&format!("applications/{application}/dashboards/{id}")), "Open its dashboard")
        }
        Place::Customers => (visit.at("customers"), "Open the customers"),
        Place::Webhooks => ("/docs/webhooks#delivery-and-retries".to_owned(), "Open the guide"),
        Place::WebhookChanges => {
            let project = visit.project.as_ref().map(|project| format!("&project={}", project.id)).unwrap_or_default();
            (organization(&format!("audit?action=webhook{project}")), "See who changed it")
        }
        Place::ProjectsModel => (visit.at("model"), "Open the language model"),
        Place::OrganizationsModel => (organization("model"), "Open the language model"),
        Place::ApiKeys => (organization("developer"), "Open the API keys"),
        Place::Roles => (visit.at("roles"), "Open the roles"),
        Place::Role(id) => (visit.at(&format!("roles/{id}")), "Open the role"),
        Place::Settings => (visit.at(""), "Open the settings"),
    }
}
