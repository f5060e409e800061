//! The visitor of a page: a session, and for an organization's or project's address a membership.

use super::{
    answer::{self, Page, Refused},
    cookie,
};
use crate::{
    concepts::{
        access::rate_limit::RateLimits,
        organizations::{
            members::{self, Member, Membership, Reader, Reads},
            secret,
            sessions::{self, Session},
        },
        projects::{self, Project},
    },
    faces::embeds::{assets, headers::nonce},
    ground::{
        error::{Error, Kind, Result},
        state::App,
        web::origin::Origin,
    },
};
use axum::{
    extract::{FromRequestParts, Query, RawPathParams},
    http::{HeaderMap, Method, request::Parts},
};
use futures::FutureExt as _;
use inlay_console::{Html, NamedId, Section, Shell};
use inlay_contract::ids::{OrganizationId, ProjectId};
use std::{collections::HashMap, str::FromStr, sync::Arc};

/// A signed-in person.
#[derive(Clone)]
pub struct Person {
    /// The service.
    pub app: App,
    /// Their session.
    pub session: Session,
    /// Their memberships.
    pub memberships: Vec<Membership>,
    /// The origin of the request.
    pub origin: Origin,
    /// The CSRF token of the session's forms.
    pub csrf: String,
    notice: Option<String>,
    params: HashMap<String, String>,
    query: HashMap<String, String>,
}

/// The CSRF token of a session.
pub(super) fn csrf_of(secret: &str) -> String {
    secret::derived("form", secret)
}

impl FromRequestParts<App> for Person {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Refused> {
        async move {
            let next = (parts.method == Method::GET)
                .then(|| parts.uri.path_and_query().map(|path| path.as_str().to_owned()))
                .flatten();
            let secret = cookie::session_of(app, &parts.headers).ok_or_else(|| Refused::signed_out(next.clone()))?;
            let person = Self::of_session(app, &parts.headers, &secret, Origin::of(parts, &app.settings)).await?;
            let person = person.ok_or_else(|| Refused::signed_out(next))?;
            let params = RawPathParams::from_request_parts(parts, app).await.map_err(|_| Error::not_found("Page"))?;
            let params = params.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            let query = Query::<HashMap<String, String>>::try_from_uri(&parts.uri).map(|query| query.0).unwrap_or_default();
            Ok(Self { params, query, ..person })
        }
        .boxed()
        .await
    }
}

impl Person {
    /// The person of a session. An error when the session has ended.
    pub(super) async fn of_session(app: &App, headers: &HeaderMap, secret: &str, origin: Origin) -> Result<Option<Self>> {
        let Some(session) = sessions::find(app, secret).await? else { return Ok(None) };
        let mut memberships = members::of_account(&mut app.db.read().await?.conn(), session.account).await?;
        memberships.retain(|place| session.within.is_none_or(|within| within == place.organization));
        Ok(Some(Self {
            app: app.clone(),
            session,
            memberships,
            origin,
            csrf: csrf_of(secret),
            notice: cookie::notice_of(headers),
            params: HashMap::new(),
            query: HashMap::new(),
        }))
    }

    /// An id in the path.
    ///
    /// # Errors
    /// 404 when it is not an id.
    pub fn id<T: FromStr>(&self, name: &str) -> Result<T> {
        self.params.get(name).and_then(|text| text.parse().ok()).ok_or_else(|| Error::not_found("Page"))
    }

    /// A text in the path.
    pub fn param(&self, name: &str) -> &str {
        self.params.get(name).map_or("", String::as_str)
    }

    /// A parameter of the query. Empty when it is missing.
    pub fn query(&self, name: &str) -> &str {
        self.query.get(name).map_or("", String::as_str)
    }

    /// Their membership of an organization.
    ///
    /// # Errors
    /// 404 when they have none, as for an organization that does not exist.
    pub fn membership(&self, organization: OrganizationId) -> Result<&Membership> {
        let found = self.memberships.iter().find(|membership| membership.organization == organization);
        found.ok_or_else(|| Error::not_found("Organization"))
    }

    pub(super) fn shell(&self, title: &str, section: Section) -> Result<Shell> {
        let place = |one: &Membership| NamedId { id: one.organization.to_string(), name: one.organization_name.clone() };
        Ok(Shell {
            title: title.to_owned(),
            section,
            assets: assets::base(""),
            nonce: nonce()?,
            csrf: self.csrf.clone(),
            person: Some(self.session.email.clone()),
            organization: self.memberships.first().map(place),
            organizations: self.memberships.iter().map(place).collect(),
            project: None,
            projects: Vec::new(),
            notice: self.notice.clone(),
        })
    }

    /// A page outside organizations.
    pub fn page(&self, title: &str, section: Section, body: impl FnOnce() -> Html) -> Page {
        self.finish(&self.shell(title, section)?, "", body)
    }

    fn finish(&self, shell: &Shell, frames: &str, body: impl FnOnce() -> Html) -> Page {
        let page = answer::page(shell, frames, body)?;
        Ok(if self.notice.is_some() { answer::with_cookie(page, cookie::no_notice(&self.app)) } else { page })
    }
}

/// A member who visits a page of their organization, or of one of its projects.
#[derive(Clone)]
pub struct Visit<R = Reader> {
    /// The signed-in person.
    pub person: Person,
    /// Their membership, of at least this rank.
    pub member: Member<R>,
    /// The project, if the path names one.
    pub project: Option<Arc<Project>>,
}

impl<R: Reads> FromRequestParts<App> for Visit<R> {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Refused> {
        async move {
            let person = Person::from_request_parts(parts, app).await?;
            let project = match person.params.get("project") {
                Some(_) => Some(project(app, person.id("project")?).await?),
                None => None,
            };
            let organization = match &project {
                Some(project) => project.organization,
                None => person.id("organization")?,
            };
            let mut member = Member::new(person.membership(organization)?, person.origin.clone())?;
            member.confined = person.session.within.is_some();
            app.part::<RateLimits>().check(crate::ground::audit::Who::Member(member.id))?;
            Ok(Self { person, member, project })
        }
        .boxed()
        .await
    }
}

/// Adds an organization, and a project of it, to a page's navigation.
pub(super) async fn place(app: &App, shell: &mut Shell, organization: OrganizationId, project: Option<&Project>) -> Result<()> {
    shell.organization = shell.organizations.iter().find(|place| place.id == organization.to_string()).cloned();
    if let Some(project) = project {
        shell.project = Some(NamedId { id: project.id.to_string(), name: project.name.clone() });
        let all = projects::list(app, organization).await?;
        shell.projects = all.iter().map(|one| NamedId { id: one.id.to_string(), name: one.name.clone() }).collect();
    }
    Ok(())
}

async fn project(app: &App, id: ProjectId) -> Result<Arc<Project>> {
    projects::by_id(app, id).await?.ok_or_else(|| Error::not_found("Project"))
}

impl<R: Reads> Visit<R> {
    /// The service.
    pub const fn app(&self) -> &App {
        &self.person.app
    }

    /// The project of the path.
    ///
    /// # Errors
    /// 404 when the path names none.
    pub fn project(&self) -> Result<&Project> {
        self.project.as_deref().ok_or_else(|| Error::not_found("Project"))
    }

    /// An address within the project, or within the organization if there is none.
    pub fn at(&self, rest: &str) -> String {
        let place = match &self.project {
            Some(project) => format!("/console/projects/{}", project.id),
            None => format!("/console/organizations/{}", self.member.organization),
        };
        if rest.is_empty() { place } else { format!("{place}/{rest}") }
    }

    /// Whether the member has this rank's rights.
    pub fn is<S: Reads>(&self) -> bool {
        self.member.role.rank() >= S::LEAST.rank()
    }

    /// A page.
    pub async fn page(&self, title: &str, section: Section, body: impl FnOnce() -> Html) -> Page {
        self.framing(title, section, "", body).await
    }

    /// A page that may load frames from this source.
    pub async fn framing(&self, title: &str, section: Section, frames: &str, body: impl FnOnce() -> Html) -> Page {
        let mut shell = self.person.shell(title, section)?;
        place(self.app(), &mut shell, self.member.organization, self.project.as_deref()).await?;
        self.person.finish(&shell, frames, body)
    }

    /// Redirects to a page that shows a notice.
    pub fn done(&self, address: &str, notice: &str) -> axum::response::Response {
        answer::done(self.app(), address, notice)
    }

    /// Ends a removal: where to redirect, the notice for it, and the notice when the object is already gone. An object that
    /// never existed is treated the same.
    ///
    /// # Errors
    /// Any error except 404.
    pub fn removed(&self, rest: &str, removal: Result<()>, told: &str, before: &str) -> Page {
        match removal {
            Ok(()) => Ok(self.done(&self.at(rest), told)),
            Err(problem) if problem.kind() == Kind::NotFound => Ok(self.done(&self.at(rest), before)),
            Err(problem) => Err(problem.into()),
        }
    }
}
