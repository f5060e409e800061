//! Mail through a server on loopback.

use super::{Address, Attachment, Letter, MailProblem, Mailer, Message};
use crate::{ground::mail::settings::MailSettings, testing::MailServer};
use std::path::Path;

fn settings(url: &str) -> MailSettings {
    MailSettings {
        smtp_url: Some(url.to_owned().into()),
        smtp_from: Some("Flüge & Co <reports@example.test>".to_owned()),
        smtp_ca_file: None,
        smtp_timeout_seconds: 5,
    }
}

fn message(to: &str) -> Message {
    let letter = Letter {
        heading: "Figures of the week".to_owned(),
        paragraphs: vec!["Grüße.\n.\nA line that begins with a dot.".to_owned()],
        ..Letter::default()
    };
    Message {
        to: to.parse().expect("an address"),
        subject: "Zürich: 3 % more — see below".to_owned(),
        text: letter.text(),
        html: letter.html(),
        attachments: Vec::new(),
        id: Some("run-1".to_owned()),
        unsubscribe: Some("https://inlay.test/u?key=x".to_owned()),
    }
}

#[tokio::test]
async fn a_message_arrives_as_it_was_written() {
    let server = MailServer::start().await;
    let mailer = Mailer::new(&settings(&server.url())).expect("settings");
    let file = Attachment { name: "Überblick.csv".into(), media_type: "text/csv".into(), content: b"a,b\r\n1,2\r\n".to_vec() };
    mailer.send(&Message { attachments: vec![file], ..message("ada@example.test") }).await.expect("sent");
    let [taken] = &server.taken()[..] else { panic!("one message") };
    assert_eq!((taken.recipients.as_slice(), taken.user.as_deref()), (&["ada@example.test".to_owned()][..], Some("inlay")));
    assert_eq!(taken.subject(), "Zürich: 3 % more — see below");
    assert!(taken.text().contains("Grüße.\n.\nA line that begins with a dot."), "{}", taken.text());
    assert!(taken.html().contains("Grüße.<br>.<br>"), "{}", taken.html());
    assert_eq!(taken.header("Message-ID").as_deref(), Some("<run-1@example.test>"));
    assert_eq!(taken.header("Auto-Submitted").as_deref(), Some("auto-generated"));
    assert_eq!(taken.header("List-Unsubscribe").as_deref(), Some("<https://inlay.test/u?key=x>"));
    assert_eq!(taken.header("List-Unsubscribe-Post").as_deref(), Some("List-Unsubscribe=One-Click"));
    let [file] = &taken.files()[..] else { panic!("one file") };
    assert_eq!((file.name.as_str(), file.media_type.as_str()), ("Überblick.csv", "text/csv"));
    assert_eq!(file.content, b"a,b\r\n1,2\r\n");
}

#[tokio::test]
async fn refusals_for_good_and_for_now_differ() {
    let server = MailServer::start().await;
    let mailer = Mailer::new(&settings(&server.url())).expect("settings");
    server.refuse("gone@example.test", 550);
    server.refuse("full@example.test", 452);
    let problem = mailer.send(&message("gone@example.test")).await.expect_err("refused");
    assert_eq!((problem.clone(), problem.may_pass()), (MailProblem::Refused(550), false));
    let problem = mailer.send(&message("full@example.test")).await.expect_err("not now");
    assert!(problem.may_pass() && problem.to_string().contains("452"), "{problem}");
    let shut = Mailer::new(&settings("smtp://127.0.0.1:9?tls=none")).expect("settings");
    assert!(shut.send(&message("ada@example.test")).await.expect_err("nobody there").may_pass());
    let wrong = server.url().replace("s3%20cret", "guess");
    let problem = Mailer::new(&settings(&wrong)).expect("settings").send(&message("ada@example.test")).await;
    let problem = problem.expect_err("not let in");
    assert!(problem.may_pass() && problem.to_string().contains("535"), "settings can be mended: {problem}");
}

#[tokio::test]
async fn a_server_that_offers_no_tls_gets_no_password() {
    let server = MailServer::start().await;
    let wanted = server.url().replace("?tls=none", "");
    let mailer = Mailer::new(&settings(&wanted)).expect("settings");
    assert!(mailer.send(&message("ada@example.test")).await.is_err());
    assert!(server.taken().is_empty());
}

/// The settings for a server, with its certificate as a trusted authority.
fn trusting(server: &MailServer, folder: &Path) -> MailSettings {
    let file = folder.join("authority.pem");
    std::fs::write(&file, server.authority()).expect("written");
    MailSettings { smtp_ca_file: Some(file), ..settings(&server.url()) }
}

#[tokio::test]
async fn a_message_goes_behind_tls_from_the_start_or_on_demand() {
    let folder = tempfile::tempdir().expect("a folder");
    for server in [MailServer::start_with_tls().await, MailServer::start_with_tls_on_demand().await] {
        let mailer = Mailer::new(&trusting(&server, folder.path())).expect("settings");
        mailer.send(&message("ada@example.test")).await.expect("sent");
        let [taken] = &server.taken()[..] else { panic!("one message") };
        assert_eq!(taken.user.as_deref(), Some("inlay"), "{}", server.url());
    }
}

#[tokio::test]
async fn a_server_that_nobody_vouches_for_gets_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let another = MailServer::start_with_tls().await;
    for server in [MailServer::start_with_tls().await, MailServer::start_with_tls_on_demand().await] {
        let elsewhere = settings(&server.url().replace("localhost", "127.0.0.1"));
        let named_otherwise = MailSettings { smtp_ca_file: trusting(&server, folder.path()).smtp_ca_file, ..elsewhere };
        let strange = MailSettings { smtp_ca_file: trusting(&another, folder.path()).smtp_ca_file, ..settings(&server.url()) };
        for settings in [settings(&server.url()), strange] {
            let problem =
                Mailer::new(&settings).expect("settings").send(&message("ada@example.test")).await.expect_err("not trusted");
            assert!(problem.may_pass() && problem.to_string().contains("a trusted TLS connection"), "{problem}");
        }
        std::fs::write(folder.path().join("authority.pem"), server.authority()).expect("written");
        assert!(Mailer::new(&named_otherwise).expect("settings").send(&message("ada@example.test")).await.is_err());
        assert!(server.taken().is_empty());
    }
}

#[test]
fn authorities_that_cannot_be_read_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let told = |content: Option<&str>| {
        let file = folder.path().join("authorities.pem");
        if let Some(content) = content {
            std::fs::write(&file, content).expect("written");
        }
        let settings = MailSettings { smtp_ca_file: Some(file), ..settings("smtps://mail.example.test") };
        Mailer::new(&settings).expect_err("refused").to_string()
    };
    assert!(told(None).contains("INLAY_SMTP_CA_FILE cannot be read"), "{}", told(None));
    for none in ["", "x", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"] {
        assert!(told(Some(none)).contains("contains no certificate"), "{none}");
    }
    let broken = "-----BEGIN CERTIFICATE-----\n!!\n-----END CERTIFICATE-----\n";
    assert!(told(Some(broken)).contains("contains no valid certificate"), "{}", told(Some(broken)));
}

#[tokio::test]
async fn nothing_slips_into_the_headers() {
    let server = MailServer::start().await;
    let mailer = Mailer::new(&settings(&server.url())).expect("settings");
    for subject in ["Hi\r\nBcc: eve@example.test", "Hi\nX: y", "Hi\rX", "a\0b", "", " ", &"x".repeat(201)] {
        let problem = mailer.send(&Message { subject: subject.to_owned(), ..message("ada@example.test") }).await;
        assert!(matches!(problem, Err(MailProblem::Unfit(_))), "{subject:?}");
    }
    let unsubscribe = Some("https://x.test/\r\nBcc: eve@example.test".to_owned());
    assert!(mailer.send(&Message { unsubscribe, ..message("ada@example.test") }).await.is_err());
    let file = Attachment { name: "a\r\nBcc: eve@example.test".into(), media_type: "text/csv".into(), content: Vec::new() };
    mailer.send(&Message { attachments: vec![file], ..message("ada@example.test") }).await.expect("its name is mended");
    let [taken] = &server.taken()[..] else { panic!("one message") };
    assert!(taken.header("Bcc").is_none() && taken.recipients == ["ada@example.test"]);
}

#[test]
fn an_address_is_one_plain_address() {
    let read = |text: &str| text.parse::<Address>();
    assert_eq!(read(" Ada.Lovelace+x@Example.TEST ").expect("an address").to_string(), "ada.lovelace+x@example.test");
    assert_eq!(read("a@b.test").expect("an address").domain(), "b.test");
    for wrong in [
        "",
        "ada",
        "@example.test",
        "ada@",
        "a@b@c.test",
        "a b@c.test",
        "\"a b\"@c.test",
        "Ada <a@c.test>",
        "a@c.test,b@c.test",
        "a@c.test\r\nBcc: b@c.test",
        "a@c.test\nb",
        "a@[127.0.0.1]",
        "a@-c-.test",
        "a(x)@c.test",
        "ä@c.test",
        &format!("{}@c.test", "a".repeat(300)),
    ] {
        assert!(read(wrong).is_err(), "{wrong:?}");
    }
}

#[tokio::test]
async fn settings_that_cannot_be_used_are_refused_and_keep_their_password() {
    let made =
        |url: &str, from: Option<&str>| Mailer::new(&MailSettings { smtp_from: from.map(str::to_owned), ..settings(url) });
    assert!(made("smtp://u:p@h.test", Some("a@b.test")).is_ok_and(|mailer| mailer.is_set_up()));
    for (url, from) in [
        ("smtp://u:passw0rd@h.test", None),
        ("smtp://u:passw0rd@h.test", Some("nobody")),
        ("http://u:passw0rd@h.test", Some("a@b.test")),
        ("smtp://u:passw0rd@h.test?tls=maybe", Some("a@b.test")),
        ("smtps://u:passw0rd@h.test?tls=none", Some("a@b.test")),
        ("u:passw0rd", Some("a@b.test")),
    ] {
        let told = made(url, from).expect_err("refused").to_string();
        assert!(told.contains("INLAY_SMTP_") && !told.contains("passw0rd"), "{told}");
    }
    let none = Mailer::new(&MailSettings { smtp_url: None, ..settings("") }).expect("no server");
    assert!(!none.is_set_up());
}
