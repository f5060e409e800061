//! What needs attention in a project: what is broken, what may become so, and what was looked at and found fine. It tests the
//! connections now; everything else is what the store knows. Texts hold names and counts, allowed origins and
//! the hosts of webhooks: no address of a database, no row, and no error of a database beyond what the page of its connection tells.

mod access;
mod checks;
mod connections;
mod data;
mod words;
mod work;

#[cfg(test)]
mod tests;

use crate::{
    concepts::{
        organizations::members::{Member, Reads},
        projects::{self, Project},
    },
    flows::{catalogues::Catalogues, model_checks::Described},
    ground::{error::Result, state::App, time::Timestamp},
};
use inlay_contract::ids::{ApplicationId, ConnectionId, DashboardId, ProjectId, ProjectUserId, RoleId, TableId};
use std::{collections::BTreeMap, sync::Arc};

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Users or hosts do not get what they should.
    Broken,
    /// It may be meant so, or becomes a problem.
    Warning,
    /// Worth knowing. No problem.
    Note,
}

/// Where a finding is mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The list of connections.
    Connections,
    /// A connection.
    Connection(ConnectionId),
    /// A table of a connection.
    Table(ConnectionId, TableId),
    /// The semantic model, with its key checks.
    SemanticModel,
    /// The isolation checks.
    Isolation,
    /// The charts that fail.
    Usage,
    /// The owner of a report.
    User(ProjectUserId),
    /// The shared dashboard of a report.
    Dashboard(ApplicationId, DashboardId),
    /// Customers with their users.
    Customers,
    /// Webhooks, which the API manages.
    Webhooks,
    /// Who changed webhooks.
    WebhookChanges,
    /// The project's own language model.
    ProjectsModel,
    /// The organization's language model.
    OrganizationsModel,
    /// The organization's API keys.
    ApiKeys,
    /// The list of roles.
    Roles,
    /// A role.
    Role(RoleId),
    /// The project's settings.
    Settings,
}

/// A time with what happened then: `Last failed`.
pub type Moment = (&'static str, Timestamp);

/// Something that needs attention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How much it matters.
    pub level: Level,
    /// What is wrong, in a sentence.
    pub text: String,
    /// Since when, or when it was seen, where that is known.
    pub moment: Option<Moment>,
    /// Where it is mended.
    pub place: Place,
    /// Where more about it is shown.
    pub also: Option<Place>,
}

/// Something that was looked at and found fine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fine {
    /// What was found.
    pub text: String,
    /// When it was checked, unless that was now.
    pub moment: Option<Moment>,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// What needs attention, the worst first.
    pub findings: Vec<Finding>,
    /// What was found fine.
    pub fine: Vec<Fine>,
}

impl Health {
    fn find(&mut self, level: Level, text: impl Into<String>, moment: Option<Moment>, place: Place) {
        self.findings.push(Finding { level, text: text.into(), moment, place, also: None });
    }

    /// Names a place with more about what was found last.
    fn shown_also_at(&mut self, also: Option<Place>) {
        if let Some(last) = self.findings.last_mut() {
            last.also = also;
        }
    }

    fn fine(&mut self, text: impl Into<String>, moment: Option<Moment>) {
        self.fine.push(Fine { text: text.into(), moment });
    }

    fn add(&mut self, Self { findings, fine }: Self) {
        self.findings.extend(findings);
        self.fine.extend(fine);
    }

    /// Adds what was read. What could not be read is never taken for fine.
    fn add_read(&mut self, what: &str, place: Place, found: Result<Self>) {
        match found {
            Ok(found) => self.add(found),
            Err(problem) => {
                tracing::warn!(what, %problem, context = problem.context, "a project's health could not be read");
                self.find(
                    Level::Broken,
                    format!("{what} could not be checked. The service's log has the reason."),
                    None,
                    place,
                );
            }
        }
    }

    /// The worst first. What matters alike stays in the order in which it was looked at.
    fn sorted(mut self) -> Self {
        self.findings.sort_by_key(|finding| finding.level);
        self
    }

    /// How many findings are of a level.
    #[must_use]
    pub fn count(&self, level: Level) -> usize {
        self.findings.iter().filter(|finding| finding.level == level).count()
    }
}

/// A look at a project for one of its members.
struct Look<'a, R> {
    app: &'a App,
    by: &'a Member<R>,
    project: Arc<Project>,
    now: Timestamp,
}

impl<'a, R: Reads> Look<'a, R> {
    async fn begin(app: &'a App, by: &'a Member<R>, project: ProjectId) -> Result<Self> {
        let project = projects::of_organization(app, by.organization, project).await?;
        Ok(Self { app, by, project, now: app.now() })
    }

    /// The project's tables, by connection. None where they cannot be read, which is a finding.
    async fn catalogues(&self, health: &mut Health) -> Catalogues {
        let read = async {
            let mut lease = self.app.db.read().await?;
            Catalogues::read(&mut lease.conn(), &self.app.sealer, self.project.id).await
        };
        match read.await {
            Ok(catalogues) => catalogues,
            Err(problem) => {
                health.add_read("The connections", Place::Connections, Err(problem));
                Catalogues { connections: Vec::new(), metrics: BTreeMap::new() }
            }
        }
    }

    /// What can break a project and is in the store.
    async fn stored(&self, catalogues: &Catalogues, described: &Described) -> Health {
        let mut health = data::model(catalogues, described);
        health.add_read("The isolation checks", Place::Isolation, checks::isolation(self).await);
        health.add_read("The key checks", Place::SemanticModel, checks::keys(self, catalogues).await);
        health.add_read("The charts", Place::Usage, work::charts(self).await);
        health.add_read("Reports and alerts", Place::Customers, work::reports(self).await);
        health.add_read("The webhooks", Place::Webhooks, work::webhooks(self).await);
        health
    }
}

/// What needs attention in a project. Waits a limited time for its connections, whatever they do.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn look(app: &App, by: &Member<impl Reads>, project: ProjectId) -> Result<Health> {
    let look = Look::begin(app, by, project).await?;
    let mut health = Health::default();
    let catalogues = look.catalogues(&mut health).await;
    let (tested, described) = connections::test(app, &catalogues).await;
    health.add(tested);
    health.add(data::tables(&catalogues));
    health.add(look.stored(&catalogues, &described).await);
    health.add_read("The language model", Place::OrganizationsModel, work::language_model(&look).await);
    health.add_read("The API keys", Place::ApiKeys, access::api_keys(&look).await);
    health.add_read("The roles", Place::Roles, access::roles(&look).await);
    health.add(access::origins(&look.project.allowed_origins));
    Ok(health.sorted())
}

/// How many things are broken in a project as far as the store knows. Asks no connection.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn broken(app: &App, by: &Member<impl Reads>, project: ProjectId) -> Result<usize> {
    let look = Look::begin(app, by, project).await?;
    let mut health = Health::default();
    let catalogues = look.catalogues(&mut health).await;
    health.add(look.stored(&catalogues, &Described::new()).await);
    Ok(health.count(Level::Broken))
}
