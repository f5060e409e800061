//! Each check's bad case, and a whole examination of a service that is well.

use super::{Finding, State, examine, keys, machine, network, storage, with_state, within};
use crate::{
    concepts::identity_providers,
    ground::{
        config::Settings,
        mail::settings::MailSettings,
        store::{health::Health, migrating::Standing, seal::Sealer},
        time::Timestamp,
    },
    on,
    testing::{MailServer, StoreKind, World, on_both_stores},
};
use clap::Parser;
use std::{fs, net::TcpListener, path::Path, time::Duration};
use tokio::io::AsyncReadExt;

const LIMIT: Duration = Duration::from_secs(20);

#[derive(Debug, Parser)]
struct Given {
    #[command(flatten)]
    settings: Settings,
}

fn settings(flags: &[&str]) -> Settings {
    Given::parse_from(["inlay"].iter().chain(flags)).settings
}

/// The finding of one check, of which there is just one.
#[track_caller]
fn only<'f>(findings: &'f [Finding], check: &str) -> &'f Finding {
    let found: Vec<_> = findings.iter().filter(|finding| finding.check == check).collect();
    assert_eq!(found.len(), 1, "{check}: {findings:?}");
    found[0]
}

#[track_caller]
fn told(finding: &Finding, state: State, word: &str) {
    assert!(finding.state == state && finding.found.contains(word), "{finding:?}");
    assert_eq!(finding.advice.is_some(), state != State::Ok, "{finding:?}");
}

fn health() -> Health {
    Health {
        version: "PostgreSQL 17.2".to_owned(),
        number: Some(170_002),
        clock: Timestamp::now(),
        latency: Duration::from_millis(1),
        unsafe_settings: Vec::new(),
        is_standby: false,
        connections: Some(100),
        bytes: 1 << 20,
    }
}

/// A port on which nobody listens.
fn closed_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port").port()
}

#[test]
fn a_machine_that_is_too_small_is_told() {
    told(&machine::descriptors(Some(1_024), 10_000), State::Warning, "INLAY_MAX_CONNECTIONS needs 10512");
    told(&machine::descriptors(Some(65_536), 10_000), State::Ok, "65536");
    told(&machine::descriptors(None, 10_000), State::Ok, "any number");
    let meminfo = "MemTotal:       24659600 kB\nMemFree:          100 kB\n";
    told(&machine::memory(meminfo, "max\n"), State::Ok, "24081 MiB");
    told(&machine::memory(meminfo, "268435456\n"), State::Warning, "256 MiB, by the limit of the control group");
    told(&machine::memory("", ""), State::Warning, "cannot be read");
    told(&machine::temporary(Path::new("/proc/nowhere")), State::Problem, "cannot be written");
    told(&machine::temporary(&std::env::temp_dir()), State::Ok, "can be written");
    told(&machine::callers(&settings(&["--base-url", "https://inlay.example.com"])), State::Warning, "count as one");
    told(&machine::callers(&settings(&[])), State::Ok, "");
}

#[test]
fn a_store_that_is_not_as_it_should_be_is_told() {
    told(&storage::state(&health()), State::Ok, "PostgreSQL 17.2, 1 MiB");
    told(&storage::state(&Health { is_standby: true, ..health() }), State::Problem, "standby");
    told(&storage::state(&Health { number: Some(110_022), ..health() }), State::Warning, "");
    told(&storage::state(&Health { latency: Duration::from_millis(80), ..health() }), State::Warning, "80.0 ms");
    told(&storage::durability(&health()), State::Ok, "survives");
    let off = Health { unsafe_settings: vec!["fsync = off".to_owned()], ..health() };
    told(&storage::durability(&off), State::Problem, "fsync = off");
    told(&storage::version(Standing::Older), State::Problem, "older");
    told(&storage::version(Standing::Empty), State::Problem, "nothing");
    let at = Timestamp(1_700_000_000_000);
    told(&storage::clock(at, Timestamp(at.0 + 400)), State::Ok, "0.4 s");
    told(&storage::clock(at, Timestamp(at.0 - 5_000)), State::Warning, "5.0 s");
    told(&storage::clock(Timestamp(at.0 - 90_000), at), State::Problem, "90.0 s");
    told(&storage::enough(10 << 20), State::Problem, "10 MiB");
    told(&storage::enough(10 << 30), State::Ok, "");
    told(&storage::room(Path::new("/nowhere/at/all/inlay.db")), State::Warning, "cannot be read");
}

#[tokio::test]
async fn what_does_not_answer_is_given_up() {
    told(&within(Duration::from_millis(20), "mail", std::future::pending()).await, State::Problem, "no answer within 0.02 s");
}

#[tokio::test]
async fn without_a_store_nothing_is_created() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let given = settings(&["--data-dir", data.to_str().expect("a path")]);
    let found = examine(&given, LIMIT).await;
    told(only(&found, "store"), State::Problem, "there is none in");
    assert!(!data.exists(), "nothing was created");
    // A store whose key is gone.
    fs::create_dir(&data).expect("a folder");
    fs::write(data.join("inlay.db"), "").expect("a file");
    told(only(&examine(&given, LIMIT).await, "sealing key"), State::Problem, "secret.key is missing");
    let closed = format!("postgres://inlay:s3cret@127.0.0.1:{}/inlay", closed_port());
    let given = settings(&["--database-url", &closed, "--secret-key", "0123456789abcdef0123456789abcdef"]);
    let found = examine(&given, LIMIT).await;
    told(only(&found, "store"), State::Problem, "cannot be reached");
    assert!(!format!("{found:?}").contains("s3cret"), "{found:?}");
}

fn mail(url: &str) -> MailSettings {
    let from = Some("inlay@example.test".to_owned());
    MailSettings { smtp_url: Some(url.to_owned().into()), smtp_from: from, smtp_ca_file: None, smtp_timeout_seconds: 2 }
}

#[tokio::test]
async fn the_mail_server_is_greeted() {
    let server = MailServer::start().await;
    told(&network::mail(&mail(&server.url())).await, State::Ok, "greets");
    assert!(server.taken().is_empty(), "nothing is sent");
    let closed = format!("smtp://inlay:s3cret@127.0.0.1:{}?tls=none", closed_port());
    let away = network::mail(&mail(&closed)).await;
    told(&away, State::Problem, "did not accept");
    assert!(!format!("{away:?}").contains("s3cret"), "{away:?}");
    told(&network::mail(&mail("ftp://somewhere")).await, State::Problem, "INLAY_SMTP_URL");
    told(&network::mail(&MailSettings { smtp_url: None, ..mail("") }).await, State::Warning, "no mail server");
}

on_both_stores! {
    async fn another_secret_key_is_told(world) {
        let other = Sealer::new("fedcba9876543210fedcba9876543210");
        told(&keys::sealing(&world.app.db, &other).await, State::Problem, "INLAY_SECRET_KEY");
        told(&keys::sealing(&world.app.db, &world.app.sealer).await, State::Ok, "opens");
    }

    async fn sources_that_are_away_and_providers_without_keys_are_told(world) {
        let gone = world.folder().join("warehouse.db");
        fs::rename(&gone, world.folder().join("elsewhere.db")).expect("moved");
        identity_providers::tests::fetched_from(&world, &format!("https://127.0.0.1:{}/keys", closed_port())).await;
        let found = with_state(&world.app.settings, &world.app.db, &world.app.sealer, LIMIT).await;
        told(only(&found, "source"), State::Problem, "");
        assert_eq!(only(&found, "source").subject.as_deref(), Some("Shop / warehouse"));
        told(only(&found, "identity provider"), State::Problem, "");
        told(only(&found, "public address"), State::Problem, "nothing answers");
        told(only(&found, "signing keys"), State::Ok, "one of them signs");
    }

    async fn a_store_without_keys_that_sign_is_told(world) {
        let mut tx = world.app.db.write().await.expect("a transaction");
        on!(&mut tx.conn(), |c| sqlx::query("DELETE FROM signing_keys").execute(c).await.map(drop)).expect("deleted");
        tx.commit().await.expect("committed");
        let found = examine(&world.app.settings, LIMIT).await;
        told(only(&found, "sealing key"), State::Warning, "nothing is sealed");
        let count = keys::sealing(&world.app.db, &world.app.sealer).await;
        told(&count, State::Warning, "nothing is sealed");
    }

    async fn a_service_that_is_well_has_no_problem_and_shows_no_secret(world) {
        let found = examine(&world.app.settings, LIMIT).await;
        let bad: Vec<_> = found.iter().filter(|finding| finding.state == State::Problem).collect();
        // Nobody listens in this test, and the cluster of the tests does not wait for its disk.
        let allowed = ["public address", "durability"];
        assert!(bad.iter().all(|finding| allowed.contains(&finding.check)), "{bad:?}");
        let all = serde_json::to_string(&found).expect("JSON");
        assert!(!all.contains("0123456789abcdef") && !all.contains("postgres://"), "{all}");
        for check in ["descriptors", "memory", "temporary files", "store", "store's version", "clock", "mail", "sealing key", "source"] {
            assert!(found.iter().any(|finding| finding.check == check), "{check}: {all}");
        }
    }
}

/// A neighbour that answers with other keys, or not at all.
#[tokio::test]
async fn a_name_that_leads_elsewhere_is_told() {
    let world = World::new(StoreKind::Sqlite).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let other = World::new(StoreKind::Sqlite).await;
    let router = crate::faces::router::router(other.app.clone());
    tokio::spawn(async move { axum::serve(listener, router).await });
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let mute = format!("http://{}", silent.local_addr().expect("an address"));
    tokio::spawn(async move {
        let (mut stream, _) = silent.accept().await.expect("a caller");
        let _ = stream.read_to_end(&mut Vec::new()).await;
    });
    for (address, state, word) in [(&address, State::Problem, "other keys"), (&mute, State::Problem, "no answer within")] {
        let given = Settings { base_url: address.parse().ok(), ..world.app.settings.clone() };
        let found = with_state(&given, &world.app.db, &world.app.sealer, Duration::from_secs(1)).await;
        told(only(&found, "public address"), state, word);
    }
    let given = Settings { base_url: address.parse().ok(), ..other.app.settings.clone() };
    let found = with_state(&given, &other.app.db, &other.app.sealer, LIMIT).await;
    told(only(&found, "public address"), State::Ok, "this service");
    told(only(&found, "source"), State::Ok, "queries end after 30 s");
}
