//! The settings without flags (docs/spec/contract.md, section 8).

use super::{SettingProblem, Settings, secret_key::SecretKeyProblem};
use clap::Parser;
use std::{env, process};

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    settings: Settings,
}

fn read(flags: &[&str]) -> Settings {
    Flags::parse_from(["inlay"].iter().chain(flags)).settings
}

#[test]
fn the_service_listens_on_this_machine_alone() {
    let settings = read(&[]);
    assert_eq!(settings.listen.to_string(), "127.0.0.1:3000");
    assert_eq!((settings.base_url(), settings.embed_url()), ("http://127.0.0.1:3000".into(), "http://127.0.0.1:3000".into()));
    let settings = read(&["--base-url", "https://api.example/"]);
    assert_eq!((settings.base_url(), settings.embed_url()), ("https://api.example".into(), "https://api.example".into()));
    let settings = read(&["--base-url", "https://api.example", "--embed-url", "https://embed.example"]);
    assert_eq!(settings.embed_url(), "https://embed.example");
}

#[tokio::test]
async fn the_store_is_in_the_data_folder_with_its_key() {
    let folder = env::temp_dir().join(format!("inlay-data-{}", process::id()));
    let settings = read(&["--data-dir", folder.to_str().expect("text")]);
    let (db, _) = settings.open_store().await.expect("a store");
    db.close().await;
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("a folder")
        .map(|entry| entry.expect("a file").file_name().into_string().expect("text"))
        .collect();
    names.retain(|name| !name.ends_with("-wal") && !name.ends_with("-shm"));
    names.sort();
    assert_eq!(names, ["inlay.db", "secret.key"]);
    std::fs::remove_dir_all(&folder).expect("removed");
}

/// Why a store on PostgreSQL is refused with these flags.
async fn refused(flags: &[&str]) -> Option<SettingProblem> {
    read(&[&["--database-url", "postgres://127.0.0.1:1/inlay"], flags].concat()).open_store().await.err()
}

#[tokio::test]
async fn postgres_needs_a_secret_key() {
    assert!(matches!(refused(&[]).await, Some(SettingProblem::SecretKey(SecretKeyProblem::Missing))));
    assert!(matches!(refused(&["--secret-key", "short"]).await, Some(SettingProblem::SecretKey(SecretKeyProblem::Weak))));
}
