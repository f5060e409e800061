//! Versions of workspaces, on both stores.

use super::{
    Version,
    evaluation::{self, Evaluation},
    store, versions,
};
use crate::{
    chat::testing::{Act, Script},
    models::{self, Budgets, Whose},
    organizations::{
        self, MemberRole,
        members::{self, Member, Worker},
    },
    testing::{ACME, World, on_both_stores},
    web::origin::Origin,
};
use inlay_contract::ids::{ProjectUserId, WorkspaceId};

/// The project file with another workspace section.
fn file(section: &str) -> String {
    let old = r#"  - { name: Ask, connection: warehouse, publish: true, exampleQuestions: ["How many orders?"] }"#;
    assert!(World::project_file().contains(old));
    World::project_file().replace(old, section)
}

const FULL: &str = r#"  - name: Ask
    connection: warehouse
    publish: PUBLISH
    exampleQuestions: ["How many orders?"]
    instructions: Speak of revenue in euros.
    tables: [orders]
    placeholders: { inputPlaceholder: Ask away, assistantName: Ada }
    examples: [{ question: "Revenue?", sql: "select sum(amount) from orders" }]"#;

async fn all(world: &World, id: WorkspaceId) -> (Vec<Version>, Option<i64>) {
    let mut lease = world.app.db.read().await.expect("a connection");
    let conn = &mut lease.conn();
    let production = store::production(conn, id).await.expect("read").map(|version| version.number);
    (store::versions(conn, id).await.expect("read"), production)
}

/// A workspace with two examples; the second's SQL is given.
fn examples(second: &str) -> String {
    let second = format!(r#"{{ question: "Notes?", sql: "{second}" }}"#);
    let first = r#"{ question: "Revenue?", sql: "select sum(amount) from orders" }"#;
    file(&format!("  - {{ name: Ask, connection: warehouse, publish: true, examples: [{first}, {second}] }}"))
}

/// An evaluation of the newest version by a member, with what the user and the organization have taken after it.
async fn evaluated(world: &World, user: ProjectUserId) -> (Result<Evaluation, &'static str>, u64, u64) {
    let mut tx = world.app.db.write().await.expect("a transaction");
    let conn = &mut tx.conn();
    let email = "member@example.test";
    organizations::store::put_member(conn, world.organization, email, MemberRole::Member, None).await.expect("a member");
    let all = members::store::of_organization(conn, world.organization).await.expect("read");
    tx.commit().await.expect("committed");
    let membership = all.into_iter().find(|member| member.email == email).expect("there");
    let by = Member::<Worker>::new(&membership, Origin::default()).expect("a member");
    let (id, project) = (world.applied.workspaces["Ask"], world.applied.project_id);
    let number = self::all(world, id).await.0.last().expect("a version").number;
    let found = evaluation::evaluate(&world.app, &by, project, id, number, user).await.map_err(|problem| problem.code);
    let day = chrono::Utc::now().date_naive().to_string();
    let mut lease = world.app.db.read().await.expect("a connection");
    let conn = &mut lease.conn();
    let own = models::store::taken(conn, Whose::User(user), &day).await.expect("read").tokens;
    let whole = models::store::taken(conn, Whose::Organization(world.organization), &day).await.expect("read").tokens;
    (found, own, whole)
}

on_both_stores! {
    async fn an_evaluation_takes_of_the_organization_and_of_no_user(world) {
        let user = world.sign_in_as(ACME, "ada", None).await["projectUserId"].as_str().expect("an id").parse().expect("an id");
        Script::play(&world, vec![Act::Say("I do not know.")], Budgets { user_tokens: Some(0), ..Budgets::default() }).await;
        world.apply(&examples("select count(*) from orders")).await.expect("applied");
        let (found, own, whole) = evaluated(&world, user).await;
        let found = found.expect("evaluated");
        assert_eq!((found.answered_by.as_str(), found.of, own), ("scripted", 2, 0), "no user's budget is asked");
        assert!(whole > 0);
        world.apply(&examples("select note from notes")).await.expect("applied");
        let (found, own, more) = evaluated(&world, user).await;
        assert_eq!((found, own), (Err("EXAMPLE_FAILED"), 0));
        assert!(more > whole, "what was answered before counts");
        Script::play(&world, vec![Act::Say("I do not know.")], Budgets { tokens: Some(more), ..Budgets::default() }).await;
        world.apply(&examples("select count(*) from orders")).await.expect("applied");
        let (found, _, same) = evaluated(&world, user).await;
        assert_eq!((found.expect("evaluated").answered_by.as_str(), same), ("", more), "the organization's budget ends");
    }

    async fn the_project_file_makes_versions_and_repeats_none(world) {
        let id = world.applied.workspaces["Ask"];
        assert_eq!(all(&world, id).await.1, Some(1));
        let draft = file(&FULL.replace("PUBLISH", "false"));
        world.apply(&draft).await.expect("applied");
        world.apply(&draft).await.expect("applied");
        let (versions, production) = all(&world, id).await;
        assert_eq!((versions.len(), production, versions[1].published), (2, None, false));
        let settings = &versions[1].settings;
        assert_eq!(settings.tables.as_deref(), Some(&["orders".to_owned()][..]));
        assert_eq!(settings.placeholders.assistant_name.as_deref(), Some("Ada"));
        assert_eq!((settings.examples[0].question.as_str(), settings.instructions.is_some()), ("Revenue?", true));
        world.apply(&file(&FULL.replace("PUBLISH", "true"))).await.expect("applied");
        let (versions, production) = all(&world, id).await;
        assert_eq!((versions.len(), production, versions[1].published), (2, Some(2), true));
    }

    async fn an_export_says_the_same(world) {
        let text = file(&FULL.replace("PUBLISH", "true")).replace(
            "rowRule: \"company = {{organization.company}}\"",
            "description: What was bought, synonyms: [sales, purchases], columns: { amount: { synonyms: [revenue] } }, \
             rowRule: \"company = {{organization.company}}\"",
        );
        world.apply(&text).await.expect("applied");
        let app = &world.app;
        let exported = crate::project_file::export::export(&app.db, &app.sealer, world.organization, "Shop").await;
        let text = exported.expect("exported").to_yaml().expect("YAML");
        world.apply(&text).await.expect("what was exported applies");
        let (versions, production) = all(&world, world.applied.workspaces["Ask"]).await;
        assert_eq!((versions.len(), production), (2, Some(2)), "nothing changed: {text}");
        for told in ["sales", "revenue", "What was bought", "Ask away", "Speak of revenue"] {
            assert!(text.contains(told), "{told}: {text}");
        }
    }

    async fn a_table_that_is_not_listed_is_told(world) {
        let bad = file(&FULL.replace("PUBLISH", "true").replace("[orders]", "[orders, secrets]"));
        let told = world.apply(&bad).await.expect_err("refused").to_string();
        assert!(told.contains("workspaces[0].tables[1]") && told.contains("secrets"), "{told}");
    }

    async fn drafts_are_published_promoted_and_rolled_back(world) {
        let id = world.applied.workspaces["Ask"];
        world.apply(&file(&FULL.replace("PUBLISH", "false"))).await.expect("applied");
        let mut tx = world.app.db.write().await.expect("a transaction");
        let conn = &mut tx.conn();
        assert_eq!(versions::promote(conn, id, Some(2)).await.expect_err("a draft").code, "VERSION_NOT_PUBLISHED");
        assert_eq!(versions::promote(conn, id, Some(9)).await.expect_err("none").code, "NOT_FOUND");
        assert_eq!(versions::promote(conn, id, None).await.expect("promoted"), 1, "the newest that is published");
        assert_eq!(versions::roll_back(conn, id).await.expect_err("the first").code, "NO_EARLIER_VERSION");
        assert_eq!(versions::publish(conn, id, None).await.expect("published"), 2);
        assert_eq!(versions::promote(conn, id, None).await.expect("promoted"), 2);
        assert_eq!(versions::roll_back(conn, id).await.expect("rolled back"), 1);
        assert_eq!(store::production(conn, id).await.expect("read").map(|version| version.number), Some(1));
    }
}
