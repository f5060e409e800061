//! The downloads of a chart of the page.

use super::{session::Session, wire::ChartRef};
use crate::{
    calls::{Refusal, client, workspace},
    tile::menu::Files,
};

/// The files of a chart.
#[derive(Clone, Copy)]
pub struct ChartFiles {
    /// The chart.
    pub chart: ChartRef,
    /// The page's state.
    pub session: Session,
}

impl Files for ChartFiles {
    async fn workbook(self) -> Result<String, Refusal> {
        workspace::workspace_chart_file(client::address(), self.chart).await
    }

    async fn picture(self) -> Option<String> {
        workspace::workspace_chart_picture(client::address(), self.chart).await.ok().flatten()
    }

    fn say(self, refusal: Refusal) {
        self.session.refuse(&refusal);
    }
}
