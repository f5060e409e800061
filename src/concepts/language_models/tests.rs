//! Models and their budgets, on both stores.

use super::{Budgets, Model, choose, count, manage, store};
use crate::{
    concepts::{
        access::Viewer,
        organizations::members::{Admin, Member, lock_organization},
    },
    ground::{error::Code, web::origin::Origin},
    testing::{ACME, GLOBEX, World, on_both_stores, overlapped},
};
use inlay_assistant::{ModelSettings, Prices, Provider, Usage};
use inlay_contract::ids::ProjectId;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use std::{io::ErrorKind, net::TcpListener};

fn model(name: &str, budgets: Budgets) -> Model {
    let settings = ModelSettings {
        provider: Provider::OpenAi,
        address: Some("https://models.example.test/v1/".parse().expect("an address")),
        model: name.to_owned(),
        key: SecretString::from("sk-secret".to_owned()),
        prices: Some(Prices { input: 2.0, output: 10.0 }),
    };
    Model { settings, budgets }
}

async fn put(world: &World, project: Option<ProjectId>, model: &Model) {
    let mut tx = world.app.db.write().await.expect("a transaction");
    store::put(&mut tx.conn(), &world.app.sealer, world.organization, project, model).await.expect("kept");
    tx.commit().await.expect("committed");
}

async fn viewer(world: &World, company: &str, user: &str) -> Viewer {
    let data = world.sign_in_as(company, user, None).await;
    Viewer::by_token(&world.app, data["token"].as_str().expect("a token")).await.expect("a viewer")
}

async fn chosen(world: &World, viewer: &Viewer) -> (Option<String>, bool) {
    let choice = choose(&world.app, viewer).await.expect("read");
    (choice.model.map(|model| model.model), choice.spent)
}

const USED: Usage = Usage { input_tokens: 600, output_tokens: 400 };

#[test]
fn an_address_holds_no_secret() {
    let fits = |text: &str| super::is_address(&text.parse().expect("an address")).is_ok();
    assert!(fits("https://models.example.com/v1/") && fits("http://127.0.0.1:8000/"));
    for bad in [
        "https://user:pw@models.example.com/",
        "https://user@models.example.com/",
        "https://models.example.com/?key=s3cret",
        "https://models.example.com/#s3cret",
        "ftp://models.example.com/",
        "data:s3cret",
    ] {
        assert!(!fits(bad), "{bad}");
    }
}

on_both_stores! {
    async fn a_key_that_is_set_meanwhile_is_not_put_back(world) {
        put(&world, None, &model("old", Budgets::default())).await;
        let member = Member::<Admin>::new(&world.membership(&world.key).await, Origin::default()).expect("an admin");
        let keeper = manage::Keeper::of_organization(&member);
        let settings = |key: Option<&str>| manage::Settings {
            provider: Provider::OpenAi,
            address: Some("https://models.example.test/v1/".to_owned()),
            model: "new".to_owned(),
            key: key.map(|key| SecretString::from(key.to_owned())),
            prices: None,
            budgets: Budgets::default(),
        };
        let mut first = world.app.db.write().await.expect("a transaction");
        lock_organization(&mut first.conn(), world.organization).await.expect("locked");
        let mut other = model("other", Budgets::default());
        other.settings.key = SecretString::from("sk-other".to_owned());
        store::put(&mut first.conn(), &world.app.sealer, world.organization, None, &other).await.expect("stored");
        let refused = overlapped(&world, first, manage::save(&world.app, &keeper, settings(None))).await.expect_err("refused");
        assert_eq!(refused.code, Code::ChangedMeanwhile);
        // Of any number of keys that are set at once, one model remains.
        let saved = futures::future::join_all((0..4).map(|_| manage::save(&world.app, &keeper, settings(Some("sk-new"))))).await;
        assert!(saved.iter().all(Result::is_ok), "{saved:?}");
        let mut lease = world.app.db.read().await.expect("a connection");
        let sql = "SELECT COUNT(*) FROM language_models";
        let count: i64 = crate::on!(&mut lease.conn(), |c| sqlx::query_scalar(sql).fetch_one(c).await).expect("counted");
        assert_eq!(count, 1);
    }

    async fn a_name_that_leads_to_this_machine_when_it_is_asked_is_not_reached(world) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.set_nonblocking(true).expect("set");
        let port = listener.local_addr().expect("an address").port();
        let token = world.token(ACME).await;
        let chat = format!("/v2/api/workspaces/{}/chat", world.applied.workspaces["Ask"]);
        for (host, provider) in [("localhost", Provider::OpenAi), ("127.0.0.1", Provider::Anthropic), ("[::ffff:127.0.0.1]", Provider::OpenAi)] {
            let mut kept = model("m", Budgets::default());
            kept.settings.provider = provider;
            kept.settings.address = Some(format!("http://{host}:{port}/v1/").parse().expect("an address"));
            put(&world, None, &kept).await;
            let answered = world.post(&chat, &token, &json!({"message": "How many orders?"})).await;
            assert!(answered.text.contains("cannot be reached at the moment"), "{host}: {}", answered.text);
            let refused = manage::ask_for_a_word(&world.app, kept.settings).await.expect_err("refused");
            assert_eq!(refused.code, Code::ModelRefused);
            assert!(!refused.message.contains(host), "{}", refused.message);
        }
        let came = listener.accept().map(drop).map_err(|problem| problem.kind());
        assert_eq!(came, Err(ErrorKind::WouldBlock), "nobody connected");
    }

    async fn a_project_s_model_comes_before_its_organization_s(world) {
        let viewer = viewer(&world, ACME, "one").await;
        assert_eq!(chosen(&world, &viewer).await, (None, false));
        put(&world, None, &model("small", Budgets::default())).await;
        put(&world, Some(viewer.project), &model("large", Budgets::default())).await;
        put(&world, None, &model("medium", Budgets::default())).await;
        let settings = choose(&world.app, &viewer).await.expect("read").model.expect("a model");
        assert_eq!((settings.model.as_str(), settings.key.expose_secret()), ("large", "sk-secret"));
        assert!(!format!("{settings:?}").contains("sk-secret"));
        let mut tx = world.app.db.write().await.expect("a transaction");
        store::remove(&mut tx.conn(), world.organization, Some(viewer.project)).await.expect("removed").expect("it was there");
        tx.commit().await.expect("committed");
        assert_eq!(chosen(&world, &viewer).await.0.as_deref(), Some("medium"));
    }

    async fn a_day_s_budget_ends(world) {
        let (one, colleague) = (viewer(&world, ACME, "one").await, viewer(&world, ACME, "two").await);
        let other = viewer(&world, GLOBEX, "one").await;
        count(&world.app, &one, USED, None).await.expect("counted");
        for (budgets, spent) in [
            (Budgets { user_tokens: Some(1_001), ..Budgets::default() }, [false, false, false]),
            (Budgets { user_tokens: Some(1_000), ..Budgets::default() }, [true, false, false]),
            (Budgets { customer_tokens: Some(1_000), ..Budgets::default() }, [true, true, false]),
            (Budgets { tokens: Some(1_000), ..Budgets::default() }, [true, true, true]),
            (Budgets { tokens: Some(0), ..Budgets::default() }, [true, true, true]),
            (Budgets { cost: Some(0.01), ..Budgets::default() }, [false, false, false]),
        ] {
            put(&world, None, &model("m", budgets)).await;
            for (viewer, spent) in [&one, &colleague, &other].into_iter().zip(spent) {
                let expected = ((!spent).then(|| "m".to_owned()), spent);
                assert_eq!(chosen(&world, viewer).await, expected, "{budgets:?}");
            }
        }
        // 600 × 2 + 400 × 10 millionths are 0.0052; twice that exceeds 0.01.
        for _ in 0..2 {
            count(&world.app, &other, USED, Some(Prices { input: 2.0, output: 10.0 })).await.expect("counted");
        }
        assert_eq!(chosen(&world, &one).await, (None, true));
    }
}
