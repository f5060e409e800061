//! The two made-up customers of a check, and the project's connections as they meet them. The customers exist in memory only:
//! nothing is stored, listed or counted. Each property that a row rule reads has a random value that no row has.

use crate::{
    concepts::{
        catalog,
        connections::{self, OpenConnection},
        isolation::{Finding, Findings, Tables},
        projects::Project,
    },
    ground::{error::Result, state::App},
};
use inlay_query::{Catalog, DatabaseAuth, Holder, PropertyPath, SecurityContext, Sees, Wanted, unseen_value};
use serde_json::{Map, Value};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use uuid::Uuid;

/// The number of made-up customers.
pub(super) const STRANGERS: usize = 2;

/// A connection as a made-up customer meets it.
pub(super) struct Scene {
    /// The connection as pages use it, with the catalogue that this node remembers.
    pub open: Arc<OpenConnection>,
    /// The catalogue as the store holds it now.
    pub listed: Catalog,
    /// The same, in which the tables with a rule are empty.
    pub emptied: Catalog,
    /// What a stranger sees of each table. Tables whose source did not describe them are missing.
    pub sees: BTreeMap<String, Sees>,
    /// Whether the source does not answer.
    pub away: bool,
}

impl Scene {
    /// A made-up customer with the token that a host would send for this connection.
    pub fn context(&self, stranger: &SecurityContext) -> SecurityContext {
        let token = match &self.open.source.database_auth {
            Some(DatabaseAuth::Equals { property, .. }) => value(stranger, property).map(text),
            Some(DatabaseAuth::VerifiedByDatabase { .. }) | None => None,
        };
        SecurityContext { database_auth_token: token, ..stranger.clone() }
    }

    /// Whether the database itself verifies tokens. A made-up customer has none, so every query is refused.
    pub fn needs_token(&self) -> bool {
        matches!(self.open.source.database_auth, Some(DatabaseAuth::VerifiedByDatabase { .. }))
    }

    /// A table's name with its connection.
    pub fn place(&self, table: &str) -> String {
        format!("{}.{table}", self.open.source.name)
    }

    /// The tables of which a stranger sees no row.
    pub fn ruled(&self) -> impl Iterator<Item = &String> {
        self.sees.iter().filter(|(_, sees)| **sees == Sees::NoRow).map(|(table, _)| table)
    }
}

fn value<'a>(stranger: &'a SecurityContext, path: &PropertyPath) -> Option<&'a Value> {
    let properties = match path.holder {
        Holder::Organization => stranger.organization.as_ref(),
        Holder::User => stranger.user.as_ref(),
    };
    properties?.get(&path.key)
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// What rules compare each property with.
type Reads = BTreeMap<(bool, String), BTreeSet<Wanted>>;

/// The project's connections, and the made-up customers whose values fit all their rules.
pub(super) async fn enter(
    app: &App,
    project: &Project,
    findings: &mut Findings,
) -> Result<(Vec<Arc<Scene>>, [SecurityContext; STRANGERS])> {
    let listed = {
        let mut lease = app.db.read().await?;
        let conn = &mut lease.conn();
        let mut listed = Vec::new();
        for source in connections::list(conn, &app.sealer, project.id).await? {
            let tables = catalog::of_connection(conn, source.id).await?;
            listed.push((source.id, Catalog::new(tables.iter().map(catalog::CatalogTable::as_queried).collect())));
        }
        listed
    };
    let (mut scenes, mut reads) = (Vec::new(), Reads::new());
    for (id, listed) in listed {
        let open = connections::open(app, id).await?;
        scenes.push(Arc::new(scene(app, open, listed, findings, &mut reads).await));
    }
    let strangers = std::array::from_fn(|_| stranger(project, &reads));
    Ok((scenes, strangers))
}

async fn scene(app: &App, open: Arc<OpenConnection>, listed: Catalog, findings: &mut Findings, reads: &mut Reads) -> Scene {
    let (source, share) = (&open.source, open.project.0.as_u128());
    let mut wants = |path: &PropertyPath, wanted: Wanted| {
        reads.entry((path.holder == Holder::User, path.key.clone())).or_default().insert(wanted);
    };
    if let Some(DatabaseAuth::Equals { property, .. }) = &source.database_auth {
        wants(property, Wanted::Text);
    }
    let away = app.engine.check(source).await.is_err();
    let mut sees = BTreeMap::new();
    for table in listed.tables().iter().filter(|_| !away) {
        match app.engine.strangers_table(source, table, share).await {
            Ok(met) => {
                met.reads.iter().for_each(|(path, wanted)| wants(path, *wanted));
                sees.insert(table.name.clone(), met.sees);
            }
            Err(problem) => {
                let what = if problem.may_pass() { SILENT } else { "Its columns or its rule cannot be read." };
                let place = format!("{}.{}", source.name, table.name);
                findings.gap(Finding { way: "table".to_owned(), place, what: what.to_owned() });
            }
        }
    }
    if away {
        let (way, place) = ("table".to_owned(), source.name.clone());
        findings.gap(Finding { way, place, what: SILENT.to_owned() });
    }
    tell(&mut findings.tables, &source.name, &sees);
    let ruled = sees.iter().filter(|(_, sees)| **sees == Sees::NoRow).map(|(table, _)| table.clone()).collect();
    let emptied = listed.emptied(&ruled);
    Scene { open, listed, emptied, sees, away }
}

/// The gap of a source that does not answer.
pub(super) const SILENT: &str = "The database did not answer.";

fn tell(tables: &mut Tables, connection: &str, sees: &BTreeMap<String, Sees>) {
    for (table, sees) in sees {
        let list = match sees {
            Sees::Everything => &mut tables.open,
            Sees::Perhaps => &mut tables.partly,
            Sees::NoRow => &mut tables.ruled,
            Sees::Closed => &mut tables.closed,
        };
        list.push(format!("{connection}.{table}"));
    }
}

/// A made-up customer with one user. Its queries take a share of a source's places of their own, not a customer's.
fn stranger(project: &Project, reads: &Reads) -> SecurityContext {
    let (mut organization, mut user) = (Map::new(), Map::new());
    for ((of_user, key), wanted) in reads {
        let holder = if *of_user { &mut user } else { &mut organization };
        holder.insert(key.clone(), unseen_value(wanted, Uuid::new_v4().as_u128()));
    }
    let share = project.id.0.as_u128();
    SecurityContext { organization: Some(organization), user: Some(user), database_auth_token: None, share }
}
