//! Connection URLs for the drivers of database servers. A driver would fill in missing parts from the server's own environment
//! (`PGPASSWORD`, `.pgpass`) and read the files that a parameter names. Both would send the operator's secrets to whatever host
//! was typed. So a URL must be complete, and only known parameters are accepted.

use super::RefusedAddress;
use sqlx_mysql::MySqlConnectOptions;
use sqlx_postgres::PgConnectOptions;
use std::str::FromStr;
use url::Url;

/// The allowed values of a URL's parameter.
enum Parameter {
    /// Any value.
    Plain,
    /// A certificate itself. The driver would read any other value as a file name.
    Certificate,
}

fn of_postgres(name: &str) -> Option<Parameter> {
    match name {
        "sslmode"
        | "ssl-mode"
        | "host"
        | "hostaddr"
        | "port"
        | "dbname"
        | "user"
        | "password"
        | "application_name"
        | "options"
        | "statement-cache-capacity" => Some(Parameter::Plain),
        "sslrootcert" | "ssl-root-cert" | "ssl-ca" => Some(Parameter::Certificate),
        name if name.starts_with("options[") => Some(Parameter::Plain),
        _ => None,
    }
}

fn of_mysql(name: &str) -> Option<Parameter> {
    match name {
        "sslmode" | "ssl-mode" | "charset" | "collation" | "socket" | "timezone" | "time-zone" | "statement-cache-capacity" => {
            Some(Parameter::Plain)
        }
        "sslca" | "ssl-ca" => Some(Parameter::Certificate),
        _ => None,
    }
}

/// Parses a URL with only known parameters and a user.
fn read(address: &str, known: impl Fn(&str) -> Option<Parameter>) -> Result<Url, RefusedAddress> {
    let url = Url::parse(address).map_err(|_| unreadable())?;
    for (name, value) in url.query_pairs() {
        match known(&name) {
            Some(Parameter::Plain) => {}
            Some(Parameter::Certificate) if value.starts_with("-----BEGIN CERTIFICATE-----") => {}
            Some(Parameter::Certificate) => {
                let reason = format!("its parameter {name} names a file; write the certificate itself there, in PEM");
                return Err(RefusedAddress::new(reason));
            }
            None => return Err(RefusedAddress::new(format!("its parameter {} is not known", printable(&name)))),
        }
    }
    Ok(url)
}

/// The name of a parameter, unless it may be a misplaced value.
fn printable(name: &str) -> &str {
    let is_name = name.len() <= 30 && name.bytes().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_'));
    if is_name { name } else { "with a strange name" }
}

fn has(url: &Url, names: &[&str]) -> bool {
    url.query_pairs().any(|(name, value)| names.contains(&&*name) && !value.is_empty())
}

/// Where a server listens that speaks PostgreSQL's protocol, if its address does not say.
fn usual_port(scheme: &str) -> u16 {
    match scheme {
        "redshift" => 5439,
        "cockroachdb" | "cockroach" => 26257,
        _ => 5432,
    }
}

/// PostgreSQL's connection options, from the URL alone.
pub(crate) fn postgres(address: &str) -> Result<PgConnectOptions, RefusedAddress> {
    let url = read(address, of_postgres)?;
    if url.host_str().is_none_or(str::is_empty) && !has(&url, &["host", "hostaddr"]) {
        return Err(RefusedAddress::new("it names no host"));
    }
    if url.username().is_empty() && !has(&url, &["user"]) {
        return Err(RefusedAddress::new("it names no user"));
    }
    let mut options = PgConnectOptions::from_str(address).map_err(|_| unreadable())?;
    if url.port().is_none() && !has(&url, &["port"]) {
        options = options.port(usual_port(url.scheme()));
    }
    if url.password().is_none() && !has(&url, &["password"]) {
        options = options.password("");
    }
    if url.path().trim_start_matches('/').is_empty() && !has(&url, &["dbname"]) {
        let user = options.get_username().to_owned();
        options = options.database(&user);
    }
    if !has(&url, &["sslmode", "ssl-mode"]) {
        options = options.ssl_mode(sqlx_postgres::PgSslMode::Prefer);
    }
    Ok(options)
}

/// MySQL's connection options, from the URL alone.
pub(crate) fn mysql(address: &str) -> Result<MySqlConnectOptions, RefusedAddress> {
    let url = read(address, of_mysql)?;
    if url.host_str().is_none_or(str::is_empty) && !has(&url, &["socket"]) {
        return Err(RefusedAddress::new("it names no host"));
    }
    if url.username().is_empty() {
        return Err(RefusedAddress::new("it names no user"));
    }
    MySqlConnectOptions::from_str(address).map_err(|_| unreadable())
}

pub(super) fn unreadable() -> RefusedAddress {
    RefusedAddress::new("its address cannot be read")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal<T>(read: Result<T, RefusedAddress>) -> String {
        read.err().expect("refused").to_string()
    }

    #[test]
    fn nothing_of_the_operators_fills_an_address() {
        let alone = postgres("postgres://reader@db.example").expect("read");
        assert_eq!((alone.get_port(), alone.get_database()), (5432, Some("reader")));
        // An explicit empty password keeps the driver from looking for another one.
        assert!(format!("{alone:?}").contains(r#"password: Some("")"#), "{alone:?}");
        for address in ["postgres://", "postgres:///sales", "mysql://", "mysql:///sales"] {
            assert!(postgres(address).is_err() && mysql(address).is_err(), "{address}");
        }
        assert_eq!(refusal(postgres("postgres://db.example/sales")), "it names no user");
        assert_eq!(refusal(mysql("mysql://db.example/sales")), "it names no user");
        assert_eq!(refusal(postgres("postgres://u@/sales")), "its address cannot be read");
    }

    #[test]
    fn no_parameter_reads_a_file_of_the_operators() {
        for name in ["sslkey", "ssl-key", "sslcert", "ssl-cert"] {
            assert!(refusal(postgres(&format!("postgres://u@h/d?{name}=/etc/ssl/own.key"))).contains(name));
            assert!(refusal(mysql(&format!("mysql://u@h/d?{name}=/etc/ssl/own.key"))).contains(name));
        }
        assert!(refusal(postgres("postgres://u@h/d?sslrootcert=/etc/passwd")).contains("names a file"));
        assert!(refusal(mysql("mysql://u@h/d?ssl-ca=/etc/passwd")).contains("names a file"));
        assert!(postgres("postgres://u@h/d?sslrootcert=-----BEGIN+CERTIFICATE-----%0AAA==").is_ok());
    }

    #[test]
    fn an_unknown_parameter_is_named_but_no_value() {
        let typo = refusal(postgres("postgres://u@h/d?pasword=hunter2"));
        assert!(typo.contains("pasword") && !typo.contains("hunter2"), "{typo}");
        assert!(!refusal(mysql("mysql://u@h/d?hunter2hunter2")).contains("hunter2"));
    }

    #[test]
    fn a_whole_address_is_taken_as_it_is() {
        let options = postgres("postgres://u:p%40ss@h:6432/d?sslmode=require&application_name=x").expect("read");
        assert_eq!((options.get_host(), options.get_port(), options.get_database()), ("h", 6432, Some("d")));
        let options = mysql("mysql://u:p@h/d?ssl-mode=required&charset=utf8mb4").expect("read");
        assert_eq!((options.get_host(), options.get_port(), options.get_database()), ("h", 3306, Some("d")));
    }
}
