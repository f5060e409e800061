//! The calls of the workspace page.

use super::{
    drawn,
    page::{self, Visit},
};
use crate::{
    concepts::chat::{
        Feedback, Thread, convert,
        pins::{self, Source},
        threads,
    },
    faces::embeds::{
        backend::Pages,
        frame::{FramePage, message_of},
    },
    flows::{canvas, viewing::export},
    ground::{
        audit::Actor,
        error::{Code, Error, Result},
    },
};
use async_trait::async_trait;
use inlay_app::{
    calls::{PageAddress, Refusal, embed::TokenCheck, workspace::WorkspaceCalls},
    chat::wire::{AnswerChart, ChartSource, Shown},
    workspace::{
        ssr,
        wire::{ChartRef, OpenedWorkspace, PinCollection, PinView, ThreadEntry, ThreadView, Turns},
    },
};
use inlay_contract::{
    chart::definition::ChartType,
    ids::{MessageId, PinId, ThreadId},
    page::PageMessage,
    permissions::Flag,
};
use inlay_query::Answered;

impl Pages {
    async fn visit(&self, token: &str, address: &PageAddress) -> Result<Visit> {
        page::enter(&self.app, token, &page::address(&self.app, address)?).await
    }

    fn visitor(&self, visit: &Visit) -> Actor {
        let who = visit.viewer.acting();
        Actor { who, organization: visit.viewer.organization, origin: self.origin.clone() }
    }
}

#[async_trait]
impl WorkspaceCalls for Pages {
    async fn open_workspace(&self, token: &str, address: PageAddress) -> Result<OpenedWorkspace, Refusal> {
        let address = page::address(&self.app, &address)?;
        let admitted = page::admit(&self.app, token, &address).await?;
        let shown = match page::opened(&self.app, admitted, &address).await {
            Ok(shown) => shown,
            // A missing workspace is a page with a message. A refused token is an error.
            Err(refused) => match message_of(&refused, PageMessage::WorkspaceNotFound) {
                message @ (PageMessage::WorkspaceNotFound | PageMessage::WorkspaceNotPublished) => {
                    address.bare(None, Some(message))
                }
                _ => return Err(refused.into()),
            },
        };
        Ok(ssr::opened(shown.page, &shown.theme))
    }

    async fn check_workspace_token(&self, token: &str, address: PageAddress) -> Result<TokenCheck, Refusal> {
        let admitted = page::admit(&self.app, token, &page::address(&self.app, &address)?).await?;
        Ok(TokenCheck { viewer: admitted.viewer.user, permissions: page::offered(&admitted.viewer) })
    }

    async fn list_threads(&self, token: &str, address: PageAddress, search: String) -> Result<Vec<ThreadEntry>, Refusal> {
        let Visit { viewer, open_workspace, .. } = self.visit(token, &address).await?;
        let found =
            threads::list(&self.app, &viewer, open_workspace.workspace.id, &search, None, threads::MOST_THREADS).await?;
        let entry = |thread: Thread| ThreadEntry {
            id: thread.id,
            title: thread.title,
            day: drawn::day(thread.updated_at, &open_workspace.data_scope.timezone, open_workspace.data_scope.today.day),
        };
        Ok(found.entries.into_iter().map(entry).collect())
    }

    async fn open_thread(&self, token: &str, address: PageAddress, thread: ThreadId) -> Result<ThreadView, Refusal> {
        Ok(drawn::thread(&self.app, &self.visit(token, &address).await?, thread).await?)
    }

    async fn earlier_turns(
        &self,
        token: &str,
        address: PageAddress,
        thread: ThreadId,
        before: MessageId,
    ) -> Result<Turns, Refusal> {
        let visit = self.visit(token, &address).await?;
        Ok(drawn::turns(&self.app, &visit, thread, Some(before)).await?)
    }

    async fn rename_thread(&self, token: &str, address: PageAddress, thread: ThreadId, title: String) -> Result<(), Refusal> {
        let Visit { viewer, open_workspace, .. } = self.visit(token, &address).await?;
        Ok(threads::rename(&self.app, &viewer, open_workspace.workspace.id, thread, &title).await.map(drop)?)
    }

    async fn delete_thread(&self, token: &str, address: PageAddress, thread: ThreadId) -> Result<(), Refusal> {
        let Visit { viewer, open_workspace, .. } = self.visit(token, &address).await?;
        Ok(threads::delete(&self.app, &viewer, open_workspace.workspace.id, thread).await?)
    }

    async fn rate(&self, token: &str, address: PageAddress, answer: MessageId, helpful: Option<bool>) -> Result<(), Refusal> {
        let feedback = helpful.map(|helpful| if helpful { Feedback::Good } else { Feedback::Bad });
        let Visit { viewer, open_workspace, .. } = self.visit(token, &address).await?;
        Ok(threads::rate(&self.app, &viewer, open_workspace.workspace.id, answer, feedback).await?)
    }

    async fn save_chart(&self, token: &str, address: PageAddress, source: ChartSource) -> Result<String, Refusal> {
        let visit = self.visit(token, &address).await?;
        let Visit { viewer, open_workspace, .. } = &visit;
        let definition = pins::chart(&self.app, open_workspace, viewer, of(source)).await?;
        let actor = self.visitor(&visit);
        Ok(canvas::save_chart(&self.app, &actor, viewer, open_workspace.workspace.id, definition).await?.name)
    }

    async fn edit_chart(
        &self,
        token: &str,
        address: PageAddress,
        source: ChartSource,
        title: String,
        kind: ChartType,
    ) -> Result<AnswerChart, Refusal> {
        let Visit { viewer, open_workspace, style } = self.visit(token, &address).await?;
        if !viewer.permissions.allows(Flag::CanEditChartFromSession) {
            return Err(Error::new(Code::PermissionDenied, "Your role does not let you change charts here.").into());
        }
        let definition = pins::chart(&self.app, &open_workspace, &viewer, of(source)).await?;
        let definition = convert::convert_chart(definition, &title, kind)?;
        let rows = open_workspace.data_scope.chart_rows(&self.app, &definition).await;
        let described = open_workspace.data_scope.described(definition.clone());
        let chart = drawn::drawn(&style, described, rows.map(Answered::into_data));
        if matches!(chart.shown, Shown::Rows { drawing: None, .. }) {
            return Err(convert::unfit().into());
        }
        threads::change_chart(&self.app, &viewer, open_workspace.workspace.id, of(source), &definition).await?;
        Ok(AnswerChart { source, chart, offer: None })
    }

    async fn workspace_chart_file(&self, token: &str, address: PageAddress, chart: ChartRef) -> Result<String, Refusal> {
        let visit = self.visit(token, &address).await?;
        let (definition, rows) = drawn::current(&self.app, &visit, chart).await?;
        Ok(export::book(&self.app, definition.title.clone(), rows, Some(definition), &visit.style.locale).await?)
    }

    async fn workspace_chart_picture(
        &self,
        token: &str,
        address: PageAddress,
        chart: ChartRef,
    ) -> Result<Option<String>, Refusal> {
        let visit = self.visit(token, &address).await?;
        let (definition, rows) = drawn::current(&self.app, &visit, chart).await?;
        Ok(drawn::picture(&self.app, &visit, definition, rows).await)
    }

    async fn list_pins(&self, token: &str, address: PageAddress, place: PinCollection) -> Result<Vec<PinView>, Refusal> {
        let visit = self.visit(token, &address).await?;
        let found = pins::list(&self.app, &visit.viewer, visit.open_workspace.workspace.id, place_of(place)).await?;
        Ok(drawn::kept(&self.app, &visit, found).await)
    }

    async fn pin(&self, token: &str, address: PageAddress, place: PinCollection, source: ChartSource) -> Result<(), Refusal> {
        let Visit { viewer, open_workspace, .. } = self.visit(token, &address).await?;
        pins::add(&self.app, &viewer, &open_workspace, place_of(place), of(source)).await?;
        Ok(())
    }

    async fn unpin(&self, token: &str, address: PageAddress, pin: PinId) -> Result<(), Refusal> {
        let Visit { viewer, open_workspace, .. } = self.visit(token, &address).await?;
        Ok(pins::remove(&self.app, &viewer, open_workspace.workspace.id, pin).await?)
    }

    async fn arrange(&self, token: &str, address: PageAddress, order: Vec<(PinId, bool)>) -> Result<(), Refusal> {
        let Visit { viewer, open_workspace, .. } = self.visit(token, &address).await?;
        Ok(pins::arrange(&self.app, &viewer, open_workspace.workspace.id, &order).await?)
    }

    async fn save_canvas(&self, token: &str, address: PageAddress, name: String) -> Result<(), Refusal> {
        let name = canvas::name(&name)?;
        let visit = self.visit(token, &address).await?;
        let workspace = visit.open_workspace.workspace.id;
        Ok(canvas::to_dashboard(&self.app, &self.visitor(&visit), &visit.viewer, workspace, name).await?)
    }
}

const fn of(source: ChartSource) -> Source {
    Source { message: source.message, result: source.result }
}

const fn place_of(place: PinCollection) -> pins::PinCollection {
    match place {
        PinCollection::Favorites => pins::PinCollection::Favorites,
        PinCollection::Canvas => pins::PinCollection::Canvas,
    }
}
