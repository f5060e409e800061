//! `inlay demo`: the service on the embedded store with two projects, and two host products on another origin that embed them.

use super::{Failure, output::Output};
use crate::{
    concepts::organizations::{self, MemberRole, api_keys, links, sign_in},
    faces::{
        demo::{
            data,
            host::{self, Embedded, PRODUCTS, Product},
        },
        server,
    },
    flows::project_file::apply::{Target, apply},
    ground::{config::Settings, state::App, time::Timestamp},
};
use clap::Args;
use futures::FutureExt;
use inlay_contract::{calendar, ids::OrganizationId};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::{
    fs::{self, OpenOptions},
    io::Write,
    net::SocketAddr,
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Address and port of the host products
    #[arg(long, env = "INLAY_DEMO_HOST_LISTEN", default_value = "127.0.0.1:3001")]
    host_listen: SocketAddr,
}

/// Data that one start stores for the next. It holds the host's API key, so only its owner may read the file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Account {
    organization_id: OrganizationId,
    api_key: String,
}

const OPERATOR: &str = "operator@skyport.example";

pub async fn run(settings: Settings, arguments: Arguments, output: Output) -> Result<(), Failure> {
    let folder = settings.data_dir.join("demo");
    fs::create_dir_all(&folder)?;
    let folder = fs::canonicalize(&folder)?;
    let (listen, host_listen) = (settings.listen, arguments.host_listen);
    // Listen on both ports before the data is loaded, so that a port in use fails at once.
    let (service, host) = (server::listen(listen).await?, server::listen(host_listen).await?);
    // Yesterday is over, so its day is whole.
    let yesterday = calendar::civil(Timestamp::now().0 - calendar::DAY).date();
    data::load(&folder, yesterday).await?;
    let app = server::prepare(settings).await?;
    let account = account(&app, &folder).await?;
    let mut embedded = Vec::new();
    for product in PRODUCTS {
        embedded.push(embed(&app, &account, &folder, host_listen, product).await?);
    }
    app.refresh().await?;
    let console = console(&app, &account).await?;
    let (api_url, embed_url) = (app.base_url.parse()?, app.embed_url.parse()?);
    let hosts = host::router(&host::HostSettings { api_url, embed_url, api_key: account.api_key, embedded })?;
    let serving = tokio::spawn(server::serve(app, service, server::stopped()));
    let address = format!("http://localhost:{}", host_listen.port());
    output.print(&json!({ "open": address, "console": console }), || {
        format!("\n  Open {address}\n  (two host products; they embed Inlay from http://{listen})\n\n  The management console: {console}\n")
    })?;
    axum::serve(host, hosts).with_graceful_shutdown(server::stopped().map(drop)).await?;
    serving.await??;
    Ok(())
}

/// The demo's organization and API key, created at the first start.
async fn account(app: &App, folder: &Path) -> Result<Account, Failure> {
    let path = folder.join("account.json");
    if let Some(known) = fs::read(&path).ok().and_then(|text| serde_json::from_slice::<Account>(&text).ok())
        && organizations::find(&mut app.db.read().await?.conn(), known.organization_id).await.is_ok()
    {
        return Ok(known);
    }
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let organization_id = organizations::create(conn, "Skyport").await?;
    organizations::put_member(conn, organization_id, OPERATOR, MemberRole::Owner, None).await?;
    let owner = organizations::account_of_member(conn, organization_id, OPERATOR).await?;
    let key = api_keys::generate()?;
    organizations::insert_key(conn, &key, owner, Some(organization_id)).await?;
    tx.commit().await?;
    let account = Account { organization_id, api_key: key.text };
    fs::remove_file(&path).ok();
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
    file.write_all(&serde_json::to_vec(&account)?)?;
    Ok(account)
}

/// How the operator signs in to the console: a single-use link to set their password, until they have one.
async fn console(app: &App, account: &Account) -> Result<String, Failure> {
    let mut tx = app.db.write().await?;
    let known = sign_in::account(&mut tx.conn(), OPERATOR).await?;
    if known.is_some_and(|known| known.password_hash.is_some()) {
        return Ok(format!("{}/console (as {OPERATOR})", app.base_url));
    }
    let token = links::reset_link(&mut tx.conn(), account.organization_id, OPERATOR, None).await?;
    tx.commit().await?;
    Ok(format!("{}/console/reset/{token}", app.base_url))
}

/// Applies a product's project.
async fn embed(
    app: &App,
    account: &Account,
    folder: &Path,
    host: SocketAddr,
    product: &'static Product,
) -> Result<Embedded, Failure> {
    // The file names the default port of the host. This start may use another one.
    let text = product.project.file.replace(":3001", &format!(":{}", host.port()));
    let target = Target { db: &app.db, sealer: &app.sealer, engine: &app.engine, organization: account.organization_id };
    let applied = apply(&target, &text, folder, &|_| None)
        .await
        .map_err(|problem| format!("the demo's project was not applied:\n{problem}"))?;
    let application = applied.applications.get(product.project.application).ok_or("the demo's project has no application")?;
    let workspace = applied.workspaces.get(product.project.workspace).ok_or("the demo's project has no workspace")?;
    Ok(Embedded {
        product,
        project_id: applied.project_id.to_string(),
        application_id: application.id.to_string(),
        workspace_id: workspace.to_string(),
        roles: applied.roles.iter().map(|(name, id)| (name.clone(), id.to_string())).collect(),
    })
}
