//! An application whose users and members have made many dashboards: what a viewer sees is read, and no more.

use super::{create, dashboards_of, everything, listed, names, overview, sign_in};
use crate::{
    on,
    testing::{
        ACME, Asked, GLOBEX, Statements, StoreKind, World, on_both_stores,
        rows::{id_in_sql, run},
    },
};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How many dashboards others have.
const MANY: usize = 10_000;

/// Fills the application Orders with dashboards: of as many users of another customer, or shared ones.
async fn fill(world: &World, shared: bool) {
    sign_in(world, GLOBEX, "stranger", &Value::Null).await;
    let mut tx = world.app.db.write().await.expect("a transaction");
    let conn = &mut tx.conn();
    let in_sqlite = matches!(conn, crate::ground::store::Conn::Sqlite(_));
    let id = if in_sqlite { "randomblob(16)" } else { "gen_random_uuid()" };
    let numbers = format!("WITH RECURSIVE n (g) AS (SELECT 1 UNION ALL SELECT g + 1 FROM n WHERE g < {MANY})");
    let application = id_in_sql(conn, world.applied.applications["Orders"].id.0);
    if shared {
        let values = format!("{id}, {application}, 'Shared ' || g, '[]', {}, 100 + g, 0", i64::MAX);
        let columns = "id, application_id, name, filters, position, created_at, updated_at";
        run(conn, format!("{numbers} INSERT INTO dashboards ({columns}) SELECT {values} FROM n")).await;
    } else {
        let users = "id, project_id, customer_id, external_id, name, properties, created_at, updated_at";
        let stranger = "FROM n JOIN project_users u ON u.external_id = 'stranger'";
        run(
            conn,
            format!(
                "{numbers} INSERT INTO project_users ({users}) SELECT {id}, u.project_id, u.customer_id, 'other ' || g, 'Other', '{{}}', 0, 0 {stranger}"
            ),
        )
        .await;
        let columns = "id, application_id, name, owner_id, filters, position, created_at, updated_at";
        let values = format!("{id}, {application}, 'Theirs', u.id, '[]', {}, 0, 0", i64::MAX);
        run(conn, format!("INSERT INTO dashboards ({columns}) SELECT {values} FROM project_users u WHERE u.name = 'Other'"))
            .await;
    }
    tx.commit().await.expect("committed");
    let mut tx = world.app.db.write().await.expect("a transaction");
    // As PostgreSQL does by itself.
    run(&mut tx.conn(), "ANALYZE".to_owned()).await;
    tx.commit().await.expect("committed");
}

/// The addresses that read a viewer's dashboards: the page, the lists of both generations, the applications.
fn addresses(world: &World, token: &str) -> [String; 4] {
    let application = world.applied.applications["Orders"].id;
    [
        format!("/share/application/{application}?jwt={token}"),
        dashboards_of(world, "Orders"),
        "/v2/api/applications".to_owned(),
        format!("/v1/api/dashboard/list-workspace-dashboards?workspaceId={}", world.applied.workspaces["Ask"]),
    ]
}

async fn get(world: &World, path: &str, token: &str) -> String {
    let credential = if path.contains("jwt=") { "" } else { token };
    let reply = world.get(path, credential).await;
    assert_eq!(reply.status.as_u16(), 200, "{path}: {}", reply.text);
    reply.text
}

/// How much longer a request takes in one world than in another: the shortest time in each of many, by turns, so that what else the
/// machine does meets both alike.
async fn ratio(one: &World, other: &World, path: &[String; 2], token: &[String; 2]) -> f64 {
    let mut shortest = [Duration::MAX; 2];
    for _ in 0..40 {
        for (place, world) in [one, other].into_iter().enumerate() {
            let begun = Instant::now();
            get(world, &path[place], &token[place]).await;
            shortest[place] = shortest[place].min(begun.elapsed());
        }
    }
    shortest[1].as_secs_f64() / shortest[0].as_secs_f64()
}

/// The statements of a request once two requests in a row send the same: caches are warm, and no answer is being stored in the background.
async fn asked(world: &World, path: &str, token: &str, statements: &Statements) -> Asked {
    get(world, path, token).await;
    let mut last = statements.take();
    for _ in 0..10 {
        get(world, path, token).await;
        let now = statements.take();
        if now == last {
            break;
        }
        last = now;
    }
    last
}

#[tokio::test]
async fn no_row_of_others_is_read() {
    let world = World::new(StoreKind::Postgres).await;
    let ada = sign_in(&world, ACME, "ada", &everything()).await;
    create(&world, &ada, "Mine").await;
    let statements = Statements::recorded();
    let mut before = Vec::new();
    for path in addresses(&world, &ada) {
        before.push(asked(&world, &path, &ada, &statements).await);
    }
    fill(&world, false).await;
    for (path, before) in addresses(&world, &ada).into_iter().zip(before) {
        let mut after = Asked::new();
        // Now and then something that was remembered is read anew. The rows of others would be read every time.
        for _ in 0..3 {
            after = asked(&world, &path, &ada, &statements).await;
            if after == before {
                break;
            }
        }
        let (path, lost, new) =
            (path.split('?').next().unwrap_or_default(), missing(&before, &after), missing(&after, &before));
        assert!(after == before, "{path} no longer asks {lost:#?}, but asks {new:#?}");
    }
}

/// What the other does not have, or has with other numbers of rows.
fn missing<'a>(all: &'a Asked, other: &Asked) -> Vec<(&'a String, &'a Vec<u64>)> {
    all.iter().filter(|(sql, rows)| other.get(*sql) != Some(*rows)).collect()
}

async fn dashboards_of_others_cost_nothing(kind: StoreKind) {
    let mut worlds = Vec::new();
    for filled in [false, true] {
        // A fast machine asks more often than a user may.
        let world = World::with(kind, &["--user-requests-per-second", "0"]).await;
        let ada = sign_in(&world, ACME, "ada", &everything()).await;
        create(&world, &ada, "Mine").await;
        if filled {
            fill(&world, false).await;
        }
        worlds.push((world, ada));
    }
    let [(empty, there), (full, here)] = worlds.try_into().unwrap_or_else(|_| unreachable!());
    let tokens = [there, here];
    let paths = addresses(&empty, &tokens[0]).into_iter().zip(addresses(&full, &tokens[1]));
    for paths in paths.map(|(there, here)| [there, here]) {
        let mut least = f64::MAX;
        for _ in 0..5 {
            least = least.min(ratio(&empty, &full, &paths, &tokens).await);
            if least <= 1.2 {
                break;
            }
        }
        let path = paths[1].split('?').next().unwrap_or_default();
        assert!(least <= 1.2, "{path}: {least:.2} times as long as without the {MANY} dashboards of others");
    }
    assert_eq!(names(&listed(&full, &tokens[1]).await), ["Overview", "More", "Mine"]);
}

#[tokio::test]
async fn dashboards_of_others_cost_nothing_on_sqlite() {
    dashboards_of_others_cost_nothing(StoreKind::Sqlite).await;
}

#[tokio::test]
async fn dashboards_of_others_cost_nothing_on_postgres() {
    dashboards_of_others_cost_nothing(StoreKind::Postgres).await;
}

on_both_stores! {
    async fn a_long_list_comes_in_parts_and_the_page_names_its_first_dashboards(world) {
        let ada = sign_in(&world, ACME, "ada", &everything()).await;
        let mine = create(&world, &ada, "Mine").await;
        fill(&world, true).await;
        let list = world.get(&dashboards_of(&world, "Orders"), &ada).await;
        assert!(list.text.len() < 200_000, "{} bytes", list.text.len());
        let first = list.data();
        assert_eq!((first["dashboards"].as_array().map(Vec::len), first["next"].is_string()), (Some(500), true));
        let (mut all, mut next) = (0, Some(String::new()));
        while let Some(after) = next {
            let after = if after.is_empty() { after } else { format!("?after={after}") };
            let data = world.get(&format!("{}{after}", dashboards_of(&world, "Orders")), &ada).await.data();
            all += data["dashboards"].as_array().expect("a list").len();
            next = data["next"].as_str().map(str::to_owned);
        }
        assert_eq!(all, MANY + 3);
        let [page, .., v1] = addresses(&world, &ada);
        let v1: Value = serde_json::from_str(&get(&world, &v1, &ada).await).expect("JSON");
        assert_eq!(v1["data"]["dashboards"].as_array().map(Vec::len), Some(MANY + 3), "a list of v1 is whole");
        let text = get(&world, &page, &ada).await;
        let named = text.matches("href=\"#").count();
        assert!(named == 200 && text.len() < 1_000_000, "{named} dashboards in {} bytes", text.len());
        assert!(text.contains("Find a dashboard"), "the others are found by a search");
        let application = world.applied.applications["Orders"].id;
        let scope = json!({"application": application, "timezone": "UTC", "locale": "en"});
        let find = async |search: &str| {
            let body = json!({"scope": scope, "search": search});
            let reply = world.post("/share/fn/find-dashboards", &ada, &body).await;
            assert_eq!(reply.status.as_u16(), 200, "{}", reply.text);
            reply.json()
        };
        let found = find("shared 7001").await;
        assert_eq!((found.as_array().map(Vec::len), &found[0]["name"]), (Some(1), &json!("Shared 7001")));
        assert_eq!(find("mine").await[0]["id"], json!(mine));
        assert_eq!(find("OVERVIEW").await[0]["isDefault"], json!(true));
        assert_eq!(find("s").await.as_array().map(Vec::len), Some(200));
        assert_eq!(find("nothing at all").await, json!([]));
        // The open one is named, wherever it is in the list.
        let last = find("shared 9999").await[0]["id"].clone();
        let chosen = json!({"target": {"scope": scope, "dashboard": last}});
        assert_eq!(world.post("/share/fn/default-dashboard", &ada, &chosen).await.status.as_u16(), 200);
        let opened = get(&world, &page, &ada).await;
        assert_eq!(opened.matches("href=\"#").count(), 201);
        assert!(opened.contains(&format!("href=\"#{}\"", last.as_str().expect("an id"))), "{last}");
        assert!(opened.contains(&overview(&world)), "and the first ones");
    }

    async fn an_owner_s_customer_is_kept_by_the_store(world) {
        let ada = sign_in(&world, ACME, "ada", &everything()).await;
        let colleague = sign_in(&world, ACME, "colleague", &Value::Null).await;
        create(&world, &ada, "Mine").await;
        let mut tx = world.app.db.write().await.expect("a transaction");
        let conn = &mut tx.conn();
        let unset = "UPDATE dashboards SET customer_id = NULL";
        on!(&mut *conn, |c| sqlx::query(unset).execute(c).await.map(drop)).expect("unset");
        // As a node of the version before writes it, and as the migration hands a tenant's over.
        let columns = "id, application_id, name, filters, position, created_at, updated_at";
        let id = if matches!(conn, crate::ground::store::Conn::Sqlite(_)) { "randomblob(16)" } else { "gen_random_uuid()" };
        let copy = format!(
            "INSERT INTO dashboards ({columns}, owner_id) SELECT {id}, application_id, 'Before', filters, position, created_at, updated_at, owner_id \
            FROM dashboards WHERE name = 'Mine'"
        );
        run(conn, copy).await;
        let owner = "(SELECT owner_id FROM dashboards WHERE name = 'Before')";
        run(conn, "UPDATE dashboards SET owner_id = NULL WHERE name = 'Mine'".to_owned()).await;
        run(conn, format!("UPDATE dashboards SET owner_id = {owner} WHERE name = 'Mine'")).await;
        tx.commit().await.expect("committed");
        let mut seen = names(&listed(&world, &colleague).await).into_iter().map(str::to_owned).collect::<Vec<_>>();
        seen.sort_unstable();
        assert_eq!(seen, ["Before", "Mine", "More", "Overview"]);
    }
}
