use super::*;
use proptest::prelude::*;

const KINDS: [SourceKind; 4] = [SourceKind::Postgres, SourceKind::Mysql, SourceKind::Clickhouse, SourceKind::Trino];

fn text(text: &str) -> String {
    text.to_owned()
}

fn server(host: &str, user: &str, password: &str) -> AddressParts {
    AddressParts { host: text(host), user: text(user), password: text(password), ..AddressParts::default() }
}

fn of(kind: SourceKind, url: &str) -> AddressParts {
    AddressParts::of(kind, url).expect(url)
}

fn refused(parts: &AddressParts, kind: SourceKind) -> Vec<&'static str> {
    parts.join(kind, None).expect_err("refused").into_iter().map(|(part, _)| part).collect()
}

#[test]
fn an_address_is_joined_with_its_signs_encoded() {
    let parts = AddressParts {
        port: text("6432"),
        database: text("sh/op"),
        encrypted: true,
        ..server("db.example", "a@b", "p:@/#%? x")
    };
    let url = parts.join(SourceKind::Postgres, None).expect("joined");
    assert_eq!(url, "postgres://a%40b:p%3A%40%2F%23%25%3F%20x@db.example:6432/sh%2Fop?sslmode=require");
    assert_eq!(of(SourceKind::Postgres, &url), parts);
    let options = driver::postgres(&url).expect("read");
    assert_eq!((options.get_username(), options.get_database()), ("a@b", Some("sh/op")));
    let trino = AddressParts { catalog: text("hive"), schema: text("sales"), encrypted: true, ..server("t", "ada", "pw") };
    assert_eq!(trino.join(SourceKind::Trino, None), Ok(text("trino://ada:pw@t/hive/sales?secure=true")));
}

#[test]
fn ipv6_hosts_have_brackets_only_in_the_address() {
    for kind in KINDS {
        let parts = AddressParts { port: text("7000"), ..server("2001:db8::1", "u", "") };
        let url = parts.join(kind, None).expect("joined");
        assert!(url.contains("@[2001:db8::1]:7000/"), "{url}");
        assert_eq!(of(kind, &url), parts);
        assert_eq!(AddressParts { host: text("[2001:db8::1]"), ..parts }.join(kind, None), Ok(url));
    }
}

#[test]
fn what_is_missing_stays_empty() {
    let parts = of(SourceKind::Postgres, "postgres://reader@db.example");
    assert_eq!(parts, server("db.example", "reader", ""));
    assert_eq!(parts.join(SourceKind::Postgres, None), Ok(text("postgres://reader@db.example/")));
    assert_eq!(of(SourceKind::Mysql, "mysql://u:@h/d").password, "");
    assert_eq!(
        of(SourceKind::Clickhouse, "https://db.example"),
        AddressParts { encrypted: true, ..server("db.example", "", "") }
    );
    assert_eq!(server("h", "", "").join(SourceKind::Clickhouse, None), Ok(text("clickhouse://h/")));
}

#[test]
fn parameters_that_name_a_part_are_that_part() {
    let parts =
        of(SourceKind::Postgres, "postgresql://a@x/d?host=h&port=7000&user=b&password=s3cret&dbname=e&application_name=i");
    let port = text("7000");
    assert_eq!(
        parts,
        AddressParts { port, database: text("e"), parameters: text("application_name=i"), ..server("h", "b", "s3cret") }
    );
    let socket = of(SourceKind::Postgres, "postgres://u@%2Frun%2Fpostgresql/sales");
    assert_eq!(
        (&*socket.host, socket.join(SourceKind::Postgres, None)),
        ("/run/postgresql", Ok(text("postgres://u@%2Frun%2Fpostgresql/sales")))
    );
    for own in ["host=10.0.0.1", "hostaddr=10.0.0.1", "password=x", "sslkey=/etc/own.key", "nothing=1"] {
        let parts = AddressParts { parameters: text(own), ..server("h", "u", "") };
        assert_eq!(refused(&parts, SourceKind::Postgres), ["parameters"], "{own}");
    }
}

#[test]
fn encryption_is_a_box_and_stricter_modes_are_parameters() {
    for (kind, plain, strict) in [
        (SourceKind::Postgres, "postgres://u@h/d?sslmode=require", "postgres://u@h/d?sslmode=verify-full"),
        (SourceKind::Mysql, "mysql://u@h/d?ssl-mode=required", "mysql://u@h/d?ssl-mode=VERIFY_IDENTITY"),
    ] {
        let parts = of(kind, plain);
        assert_eq!((parts.encrypted, &*parts.parameters, parts.join(kind, None)), (true, "", Ok(text(plain))));
        let parts = of(kind, strict);
        assert_eq!((parts.encrypted, parts.join(kind, None)), (true, Ok(text(strict))));
        assert_eq!(refused(&AddressParts { encrypted: false, ..parts }, kind), ["parameters"]);
    }
    let parts = of(SourceKind::Postgres, "postgres://u@h/d?sslmode=disable");
    assert_eq!((parts.encrypted, &*parts.parameters), (false, "sslmode=disable"));
    assert_eq!(refused(&AddressParts { encrypted: true, ..parts }, SourceKind::Postgres), ["parameters"]);
}

#[test]
fn files_have_a_path() {
    let parts = AddressParts { path: text("/srv/a b?#%.db"), parameters: text("immutable=1"), ..AddressParts::default() };
    let url = parts.join(SourceKind::Sqlite, None).expect("joined");
    assert_eq!((&*url, of(SourceKind::Sqlite, &url)), ("sqlite:/srv/a%20b%3F%23%25.db?immutable=1", parts));
    assert_eq!(of(SourceKind::Sqlite, "sqlite:///srv/a.db").path, "/srv/a.db");
    assert_eq!(of(SourceKind::Duckdb, "duckdb:/srv/a%20b").path, "/srv/a%20b");
    let path = |path: &str| AddressParts { path: text(path), ..AddressParts::default() };
    assert_eq!(path("//srv/a.db").join(SourceKind::Sqlite, None), Ok(text("sqlite:/srv/a.db")));
    for wrong in ["", "a.db"] {
        assert_eq!(refused(&path(wrong), SourceKind::Sqlite), ["path"]);
    }
}

#[test]
fn each_invalid_part_is_named() {
    let parts = AddressParts { port: text("0"), ..server("db.example:5432", "", "") };
    assert_eq!(refused(&parts, SourceKind::Postgres), ["host", "port", "user"]);
    for host in ["", "postgres://u@h/d", "u@h", "h/d", "h?host=x", "h#", "a b", "[db]"] {
        assert_eq!(refused(&server(host, "u", ""), SourceKind::Postgres), ["host"], "{host}");
    }
    assert_eq!(refused(&server("/run/mysqld", "u", ""), SourceKind::Mysql), ["host"]);
    assert_eq!(refused(&AddressParts { schema: text("s"), ..server("h", "u", "") }, SourceKind::Trino), ["catalog"]);
    assert_eq!(refused(&server("h", "u", "s3cret"), SourceKind::Trino), ["encrypted"]);
}

#[test]
fn a_password_goes_only_where_it_went_before() {
    let keeps = |kind, stored: &str, next: &str| AddressParts::keep_password(kind, stored, next);
    let postgres = |stored, next| keeps(SourceKind::Postgres, stored, next);
    let stored = "postgres://u:p@db.example/sales";
    for next in ["postgres://v:p@DB.example:5432/other", "postgres://u:p@db.example/sales?sslmode=require", stored] {
        assert!(postgres(stored, next), "{next}");
    }
    for next in [
        "postgres://u:p@evil.example/sales",
        "postgres://u:p@db.example:6000/sales",
        "postgres://u:p@db.example/sales?hostaddr=10.0.0.1",
        "postgres://u:p@db.example/sales?sslmode=disable",
    ] {
        assert!(!postgres(stored, next), "{next}");
    }
    let checked = "postgres://u:p@db.example/sales?sslmode=verify-full";
    assert!(postgres(checked, checked) && !postgres(checked, stored));
    assert!(!postgres(checked, "postgres://u:p@db.example/sales?sslmode=require"));
    assert!(!postgres("postgres://u:p@%2Frun/d", "postgres://u:p@%2Frun:6000/d"), "another socket");
    assert!(!keeps(SourceKind::Clickhouse, "clickhouse://u:p@h:1/?secure=true", "clickhouse://u:p@h:1/"));
    assert!(!keeps(SourceKind::Clickhouse, "clickhouse://u:p@h", "clickhouse://u:p@h?secure=true"), "its port is another");
}

#[test]
fn a_host_is_written_in_ascii() {
    let problems = |host| server(host, "u", "p").join(SourceKind::Postgres, None).err();
    assert_eq!(problems("xn--mnchen-3ya.example"), None);
    assert_eq!(problems("münchen.example"), Some(vec![("host", "must be written in ASCII, as xn--…".to_owned())]));
}

#[test]
fn the_scheme_of_a_relative_stays() {
    let url = "cockroachdb://u@h/d";
    assert_eq!(of(SourceKind::Postgres, url).join(SourceKind::Postgres, Some(url)), Ok(text(url)));
    let trino = "https://u@h/hive";
    assert_eq!(of(SourceKind::Trino, trino).join(SourceKind::Trino, Some(trino)), Ok(text("trino://u@h/hive?secure=true")));
}

#[test]
fn a_port_that_is_the_default_of_https_is_still_named() {
    let parts = of(SourceKind::Clickhouse, "https://ada@db.example:443/sales");
    assert_eq!((&*parts.port, parts.encrypted), ("443", true));
    let joined = parts.join(SourceKind::Clickhouse, None).expect("joined");
    assert_eq!(joined, "clickhouse://ada@db.example:443/sales?secure=true");
    assert_eq!(of(SourceKind::Clickhouse, &joined), parts);
    assert!(AddressParts::keep_password(SourceKind::Clickhouse, "https://a:p@h:443", "clickhouse://a:p@h:443/?secure=true"));
    assert!(!AddressParts::keep_password(SourceKind::Clickhouse, "https://a:p@h:443", "https://a:p@h"), "that is port 8443");
}

#[test]
fn debug_shows_no_password() {
    let shown = format!("{:?}", server("db.example", "u", "s3cret"));
    assert!(shown.contains("db.example") && !shown.contains("s3cret"), "{shown}");
}

proptest! {
    #[test]
    fn any_text_survives(user in "\\PC{1,12}", password in "[\\PC\\s]{0,20}", name in "\\PC{0,12}", number in 1_u16.., encrypted: bool) {
        prop_assume!(!matches!(name.as_str(), "." | ".."));
        for kind in KINDS {
            let encrypted = encrypted || kind == SourceKind::Trino;
            let named = AddressParts { port: number.to_string(), encrypted, ..server("db.example", &user, &password) };
            let parts = match kind {
                SourceKind::Trino => AddressParts { catalog: name.clone(), ..named },
                _ => AddressParts { database: name.clone(), ..named },
            };
            let url = parts.join(kind, None).expect("joined");
            prop_assert_eq!(AddressParts::of(kind, &url), Some(parts), "{}", url);
        }
    }
}
