//! What a workspace's page asks for.

use super::{
    address::Address,
    drawn,
    page::{self, Visit},
    pages,
};
use crate::{
    access::{HostOrViewer, TenantOrHost},
    audit::Actor,
    charts::save::{ConnectionHint, SavedChart, save},
    chat::{
        Feedback,
        pins::{self, Source},
        threads,
    },
    dashboards::{
        writer::Writer,
        writes::{self, Home, Named, Pick},
    },
    embeds::backend::problem,
    error::{Code, Error, Kind, Result},
    state::App,
    web::origin::Origin,
};
use async_trait::async_trait;
use inlay_app::{
    backend::PageAddress,
    chat::wire::{AnswerChart, ChartSource, Shown},
    workspace::{
        WorkspaceBackend, ssr,
        wire::{OpenedWorkspace, PinView, Place, ThreadEntry, ThreadView, WorkspaceContent},
    },
};
use inlay_contract::{
    chart::definition::{ChartDefinition, ChartType},
    ids::{MessageId, PinId, ProjectUserId, ThreadId, WorkspaceId},
    page::Problem,
    permissions::Flag,
};

/// The server, as workspaces' pages see it.
pub(super) struct Workspaces {
    /// The service.
    pub app: App,
    /// Where the request comes from, for the audit log.
    pub origin: Origin,
}

impl Workspaces {
    async fn enter(&self, token: &str, address: &PageAddress) -> Result<Visit> {
        let address = Address::read(&address.path, &address.search).ok_or_else(|| Error::not_found("Workspace"))?;
        page::enter(&self.app, token, &address).await
    }

    fn actor(&self, visit: &Visit) -> Actor {
        let who = visit.viewer.acting();
        Actor { who, organization: visit.viewer.organization, origin: self.origin.clone() }
    }

    /// The page as the first `GET` would show it: what is not there is a page that says so, a refused token is not.
    async fn read_page(&self, token: &str, address: &PageAddress) -> Result<OpenedWorkspace> {
        let address = Address::read(&address.path, &address.search).ok_or_else(|| Error::not_found("Workspace"))?;
        match pages::opened(&self.app, token, &address).await {
            Ok((page, theme)) => Ok(ssr::opened(page, &theme)),
            Err(refused) if matches!(refused.kind(), Kind::NotFound | Kind::Conflict) => {
                let page = page::bare(&address, WorkspaceContent::Message(page::message_of(&refused)));
                Ok(ssr::opened(page, &pages::ground(address.dark)))
            }
            Err(refused) => Err(refused),
        }
    }

    async fn list(&self, token: &str, address: &PageAddress, search: &str) -> Result<Vec<ThreadEntry>> {
        let Visit { viewer, subject, .. } = self.enter(token, address).await?;
        let found = threads::list(&self.app, &viewer, subject.workspace.id, search).await?;
        let entry = |thread: crate::chat::Thread| ThreadEntry {
            id: thread.id,
            title: thread.title,
            day: drawn::day(thread.updated_at, &subject.ground.timezone, subject.ground.today.day),
        };
        Ok(found.into_iter().map(entry).collect())
    }

    async fn keep(&self, token: &str, address: &PageAddress, thread: ThreadId, title: Option<String>) -> Result<()> {
        let Visit { viewer, subject, .. } = self.enter(token, address).await?;
        match title {
            Some(title) => threads::rename(&self.app, &viewer, subject.workspace.id, thread, &title).await.map(drop),
            None => threads::delete(&self.app, &viewer, subject.workspace.id, thread).await,
        }
    }

    /// Saves a chart to the library under its own title.
    async fn save_definition(&self, visit: &Visit, definition: ChartDefinition) -> Result<crate::charts::Chart> {
        let connection = ConnectionHint { connection: None, workspace: Some(visit.subject.workspace.id) };
        let saved = SavedChart { name: definition.title.clone(), definition, thumbnail: None, connection };
        let caller = TenantOrHost::Viewer(Box::new(visit.viewer.clone()));
        save(&self.app, &self.actor(visit), &caller, saved).await
    }

    async fn save_answer_chart(&self, token: &str, address: &PageAddress, source: ChartSource) -> Result<String> {
        let visit = self.enter(token, address).await?;
        let definition = pins::chart(&self.app, &visit.subject, &visit.viewer, of(source)).await?;
        Ok(self.save_definition(&visit, definition).await?.name)
    }

    async fn edit(
        &self,
        token: &str,
        address: &PageAddress,
        source: ChartSource,
        title: String,
        kind: ChartType,
    ) -> Result<AnswerChart> {
        let visit = self.enter(token, address).await?;
        if !visit.viewer.permissions.allows(Flag::CanEditChartFromSession) {
            return Err(Error::new(Code::PermissionDenied, "Your role does not let you change charts here."));
        }
        let definition = pins::chart(&self.app, &visit.subject, &visit.viewer, of(source)).await?;
        let definition = crate::chat::recast::recast(definition, &title, kind)?;
        let rows = visit.subject.ground.rows(&self.app, definition.sql_override.as_deref().unwrap_or_default()).await;
        let chart = drawn::drawn(&visit.style, definition.clone(), rows);
        if matches!(chart.shown, Shown::Rows { picture: None, .. }) {
            return Err(crate::chat::recast::unfit());
        }
        threads::change_chart(&self.app, &visit.viewer, visit.subject.workspace.id, of(source), &definition).await?;
        Ok(AnswerChart { source, chart, offer: None })
    }

    async fn canvas_to_dashboard(&self, token: &str, address: &PageAddress, name: &str) -> Result<()> {
        let name = name.trim();
        if name.is_empty() || name.chars().count() > 200 {
            return Err(Error::invalid("name", "must have 1 to 200 characters"));
        }
        let visit = self.enter(token, address).await?;
        let workspace: WorkspaceId = visit.subject.workspace.id;
        let (actor, writer) = (self.actor(&visit), Writer::v2(&HostOrViewer::Viewer(Box::new(visit.viewer.clone()))));
        let kept = pins::list(&self.app, &visit.viewer, workspace, pins::Place::Canvas).await?;
        let made = writes::create(&self.app, &actor, &writer, Home::Workspace(workspace), name).await?;
        let mut picks = Vec::with_capacity(kept.len());
        for pin in kept {
            picks.push(Pick { chart: self.save_definition(&visit, pin.definition).await?.id, version: None });
        }
        let target = Named { application: Some(made.application), dashboard: made.id };
        writes::add_charts(&self.app, &actor, &writer, target, &picks).await.map(drop)
    }
}

const fn of(source: ChartSource) -> Source {
    Source { message: source.message, result: source.result }
}

const fn place_of(place: Place) -> pins::Place {
    match place {
        Place::Favorites => pins::Place::Favorites,
        Place::Canvas => pins::Place::Canvas,
    }
}

#[async_trait]
impl WorkspaceBackend for Workspaces {
    async fn open(&self, token: &str, address: PageAddress) -> Result<OpenedWorkspace, Problem> {
        self.read_page(token, &address).await.map_err(problem)
    }

    async fn check_token(&self, token: &str, address: PageAddress) -> Result<ProjectUserId, Problem> {
        self.enter(token, &address).await.map(|visit| visit.viewer.user).map_err(problem)
    }

    async fn threads(&self, token: &str, address: PageAddress, search: String) -> Result<Vec<ThreadEntry>, Problem> {
        self.list(token, &address, &search).await.map_err(problem)
    }

    async fn thread(&self, token: &str, address: PageAddress, thread: ThreadId) -> Result<ThreadView, Problem> {
        let opened = async { drawn::thread(&self.app, &self.enter(token, &address).await?, thread).await };
        opened.await.map_err(problem)
    }

    async fn keep_thread(
        &self,
        token: &str,
        address: PageAddress,
        thread: ThreadId,
        title: Option<String>,
    ) -> Result<(), Problem> {
        self.keep(token, &address, thread, title).await.map_err(problem)
    }

    async fn rate(&self, token: &str, address: PageAddress, answer: MessageId, helpful: Option<bool>) -> Result<(), Problem> {
        let feedback = helpful.map(|helpful| if helpful { Feedback::Good } else { Feedback::Bad });
        let rated = async {
            let Visit { viewer, subject, .. } = self.enter(token, &address).await?;
            threads::rate(&self.app, &viewer, subject.workspace.id, answer, feedback).await
        };
        rated.await.map_err(problem)
    }

    async fn save_chart(&self, token: &str, address: PageAddress, source: ChartSource) -> Result<String, Problem> {
        self.save_answer_chart(token, &address, source).await.map_err(problem)
    }

    async fn edit_chart(
        &self,
        token: &str,
        address: PageAddress,
        source: ChartSource,
        title: String,
        kind: ChartType,
    ) -> Result<AnswerChart, Problem> {
        self.edit(token, &address, source, title, kind).await.map_err(problem)
    }

    async fn pins(&self, token: &str, address: PageAddress, place: Place) -> Result<Vec<PinView>, Problem> {
        let kept = async {
            let visit = self.enter(token, &address).await?;
            let found = pins::list(&self.app, &visit.viewer, visit.subject.workspace.id, place_of(place)).await?;
            Ok(drawn::kept(&self.app, &visit, found).await)
        };
        kept.await.map_err(problem)
    }

    async fn pin(&self, token: &str, address: PageAddress, place: Place, source: ChartSource) -> Result<(), Problem> {
        let kept = async {
            let visit = self.enter(token, &address).await?;
            pins::add(&self.app, &visit.viewer, &visit.subject, place_of(place), of(source)).await.map(drop)
        };
        kept.await.map_err(problem)
    }

    async fn unpin(&self, token: &str, address: PageAddress, pin: PinId) -> Result<(), Problem> {
        let removed = async {
            let Visit { viewer, subject, .. } = self.enter(token, &address).await?;
            pins::remove(&self.app, &viewer, subject.workspace.id, pin).await
        };
        removed.await.map_err(problem)
    }

    async fn arrange(&self, token: &str, address: PageAddress, order: Vec<(PinId, bool)>) -> Result<(), Problem> {
        let arranged = async {
            let Visit { viewer, subject, .. } = self.enter(token, &address).await?;
            pins::arrange(&self.app, &viewer, subject.workspace.id, &order).await
        };
        arranged.await.map_err(problem)
    }

    async fn save_canvas(&self, token: &str, address: PageAddress, name: String) -> Result<(), Problem> {
        self.canvas_to_dashboard(token, &address, &name).await.map_err(problem)
    }
}
