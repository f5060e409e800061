//! The tables and metrics of a project, for comparing them before and after a change.

use crate::{
    concepts::{
        catalog::{self, CatalogTable, modelled},
        connections, projects,
    },
    ground::{
        error::Result,
        store::{Conn, seal::Sealer},
    },
};
use inlay_contract::{
    ids::{ConnectionId, ProjectId},
    model::{Measure, Metric},
};
use inlay_query::{Model, RowAccess, Source};
use std::collections::BTreeMap;

/// What a project's queries may name.
#[derive(Clone, Debug)]
pub struct Catalogues {
    /// The tables, by connection.
    pub connections: Vec<(Source, Vec<CatalogTable>)>,
    /// The metrics of the semantic model.
    pub metrics: BTreeMap<String, Metric>,
}

impl Catalogues {
    /// Those in the store.
    pub async fn read(conn: &mut Conn<'_>, sealer: &Sealer, project: ProjectId) -> Result<Self> {
        let mut connections = Vec::new();
        for source in connections::list(conn, sealer, project).await? {
            let tables = catalog::of_connection(conn, source.id).await?;
            connections.push((source, tables));
        }
        let metrics = projects::find(conn, project).await?.map(|project| project.metrics).unwrap_or_default();
        Ok(Self { connections, metrics })
    }

    /// A measure by its name, with its connection and table.
    pub fn measure(&self, name: &str) -> Option<(&Source, &CatalogTable, &Measure)> {
        self.connections
            .iter()
            .find_map(|(source, tables)| tables.iter().find_map(|table| Some((source, table, table.model.measures.get(name)?))))
    }

    /// The connection to whose model all parts of a measure or metric belong. Closed tables are not part of it.
    pub fn holding(&self, number: &str) -> Option<ConnectionId> {
        let holds = |source: &&Source| self.model(source.id).holds(source.kind, number);
        self.connections.iter().map(|(source, _)| source).find(holds).map(|source| source.id)
    }

    /// The model of a connection as queries see it, without closed tables.
    pub fn model(&self, connection: ConnectionId) -> Model {
        let own = self.connections.iter().find(|(source, _)| source.id == connection);
        visible(own.map(|(_, tables)| tables.as_slice()).unwrap_or_default(), &self.metrics)
    }
}

/// The model of tables and metrics as queries see it, without closed tables.
pub fn visible(tables: &[CatalogTable], metrics: &BTreeMap<String, Metric>) -> Model {
    modelled(tables.iter().filter(|table| table.rows != RowAccess::Nothing), metrics)
}
