//! The keys of the caches for results and for prepared queries.

use crate::{
    catalog::Catalog,
    limits::Limits,
    property::SecurityContext,
    rewrite::{Query, Rewritten},
    source::Source,
};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::fmt::{Debug, Write};

/// A SHA-256 over everything that determines a result.
pub type Fingerprint = [u8; 32];

/// Increase it when the format of results changes, so that nodes of two versions share none.
const FORMAT: &[u8] = b"inlay answers, format 1";

/// A fingerprint in progress. Each part is prefixed with its length, so that two different lists of parts never look alike.
#[derive(Default)]
pub(crate) struct Digest {
    hash: Sha256,
    text: String,
}

impl Digest {
    /// Adds bytes.
    pub(crate) fn bytes(mut self, part: &[u8]) -> Self {
        self.hash.update(part.len().to_le_bytes());
        self.hash.update(part);
        self
    }

    /// Adds a value's derived `Debug` output. Not for types that hide something in it.
    pub(crate) fn debug(mut self, value: &impl Debug) -> Self {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        // Writing to a string cannot fail.
        let _ = write!(text, "{value:?}");
        let mut digest = self.bytes(text.as_bytes());
        digest.text = text;
        digest
    }

    /// Adds a value's JSON. `None` if it cannot be serialized.
    pub(crate) fn json(self, value: &impl Serialize) -> Option<Self> {
        serde_json::to_vec(value).ok().map(|json| self.bytes(&json))
    }

    pub(crate) fn end(self) -> Fingerprint {
        self.hash.finalize().into()
    }
}

/// One source at one address.
pub(crate) fn of_source(source: &Source) -> Fingerprint {
    Digest::default().bytes(source.id.0.as_bytes()).bytes(source.kind.name().as_bytes()).bytes(source.url.as_bytes()).end()
}

/// A query over a catalogue: the input of [`crate::rewrite::reading`].
pub(crate) fn of_sql(source: &Source, catalog: &Catalog, sql: &str) -> Fingerprint {
    Digest::default().bytes(source.kind.name().as_bytes()).bytes(catalog.fingerprint()).bytes(sql.as_bytes()).end()
}

/// The input of [`crate::rewrite::rewrite`] and [`of_answer`], except for the engine's own limits. `columns` are those of the
/// tables that the query reads. `None` if a part cannot be serialized: such a query is rewritten each time.
pub(crate) fn of_question(
    source: &Fingerprint,
    catalog: &Catalog,
    columns: &Fingerprint,
    viewer: &SecurityContext,
    setting: Option<&(String, String)>,
    query: &Query,
) -> Option<Fingerprint> {
    // A new field of these types must be considered here. The age of results does not change the query.
    let Query { sql, filters, behind, today, zone, max_age: _, refresh: _, stale: _, compiled } = query;
    let SecurityContext { organization, user, database_auth_token, share: _ } = viewer;
    let digest = Digest::default().bytes(source).bytes(catalog.fingerprint()).bytes(columns);
    let digest = digest.json(organization)?.json(user)?.json(database_auth_token)?.json(&setting)?;
    let digest = digest.bytes(sql.as_bytes()).debug(filters).debug(behind).debug(today).debug(zone).debug(compiled);
    Some(digest.end())
}

/// A viewer's query. Row rule, filters and hidden columns are in the SQL, properties and filter values are in the binds,
/// `dbAuthToken` is in the setting. So an equal key means equal rows.
pub(crate) fn of_answer(
    source: &Fingerprint,
    query: &Rewritten,
    setting: Option<&(String, String)>,
    limits: &Limits,
) -> Fingerprint {
    let limits = format!("{} {}", limits.rows, limits.bytes);
    Digest::default().bytes(FORMAT).bytes(source).debug(query).debug(&setting).bytes(limits.as_bytes()).end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bind::Bind,
        catalog::{RowAccess, Table},
        drill_down::{Compared, MarkCondition, MarkPlace},
        filters::Filter,
        source::SourceKind,
    };
    use chrono::NaiveDate;
    use chrono_tz::Tz;
    use inlay_contract::{data::ColumnType, filter::FilterValue, ids::ConnectionId};
    use serde_json::{Value, json};
    use std::collections::HashSet;

    #[test]
    fn everything_that_decides_an_answer_is_in_its_key() {
        let source = Source::new(ConnectionId::generate(), "warehouse", SourceKind::Sqlite, "sqlite:/a.db");
        let text = |text: &str| Bind::Text(text.to_owned());
        let query = |sql: &str, binds| Rewritten { sql: sql.to_owned(), binds, zone: Tz::UTC };
        let setting = |value: &str| ("app.tenant".to_owned(), value.to_owned());
        let few = Limits { rows: 1, ..Limits::default() };
        let narrow = Limits { bytes: 1, ..Limits::default() };
        let one = || query("select $1", vec![text("a")]);
        let keys = [
            of_answer(&of_source(&source), &one(), None, &Limits::default()),
            of_answer(&of_source(&source), &query("select $1 ", vec![text("a")]), None, &Limits::default()),
            of_answer(&of_source(&source), &query("select $1", vec![text("b")]), None, &Limits::default()),
            of_answer(&of_source(&source), &query("select $1", vec![text("a"), text("")]), None, &Limits::default()),
            of_answer(&of_source(&source), &query("select $1", vec![text("1")]), None, &Limits::default()),
            of_answer(&of_source(&source), &query("select $1", vec![Bind::Integer(1)]), None, &Limits::default()),
            of_answer(&of_source(&source), &query("select $1", vec![Bind::Real(1.0)]), None, &Limits::default()),
            of_answer(&of_source(&source), &one(), Some(&setting("a")), &Limits::default()),
            of_answer(&of_source(&source), &one(), Some(&setting("b")), &Limits::default()),
            of_answer(&of_source(&source), &one(), None, &few),
            of_answer(&of_source(&source), &one(), None, &narrow),
            of_answer(&of_source(&Source { id: ConnectionId::generate(), ..source.clone() }), &one(), None, &Limits::default()),
            of_answer(&of_source(&Source { url: "sqlite:/b.db".into(), ..source.clone() }), &one(), None, &Limits::default()),
            of_answer(&of_source(&Source { kind: SourceKind::Postgres, ..source.clone() }), &one(), None, &Limits::default()),
        ];
        assert_eq!(keys.iter().collect::<HashSet<_>>().len(), keys.len());
        assert_eq!(keys[0], of_answer(&of_source(&source), &one(), None, &Limits::default()));
    }

    type Question = (Catalog, Fingerprint, SecurityContext, Option<(String, String)>, Query);

    /// A viewer's query, and variants that each differ from it in one thing.
    fn questions() -> Vec<Question> {
        let table = |rule: &str, hidden: &[&str]| Table {
            name: "orders".to_owned(),
            rows: RowAccess::Rule(rule.to_owned()),
            hidden: hidden.iter().map(|&column| column.to_owned()).collect(),
        };
        let catalog = |rule: &str, hidden: &[&str]| Catalog::new(vec![table(rule, hidden)]);
        let properties = |json: Value| json.as_object().cloned();
        let day = |day| NaiveDate::from_ymd_opt(2024, 2, day).expect("a day");
        let filter = |value: Value| Filter {
            table: "orders".to_owned(),
            column: "id".to_owned(),
            value: FilterValue::from_json(value).expect("a filter"),
        };
        let viewer = SecurityContext {
            organization: properties(json!({ "company": "1" })),
            user: properties(json!({})),
            database_auth_token: Some("a".to_owned()),
            share: 0,
        };
        let query = Query { filters: vec![filter(json!("1"))], ..Query::new("select 1", day(1)) };
        let behind = MarkCondition {
            place: MarkPlace::Expression("id".to_owned()),
            compared: Compared::Answered(ColumnType::Number),
            value: None,
        };
        let setting = |value: &str| Some(("app.tenant".to_owned(), value.to_owned()));
        let one = || (catalog("id = 1", &["secret"]), [1; 32], viewer.clone(), setting("a"), query.clone());
        let by = |viewer: SecurityContext| (one().0, one().1, viewer, one().3, one().4);
        let asked = |query: Query| (one().0, one().1, one().2, one().3, query);
        vec![
            one(),
            (catalog("id = 2", &["secret"]), one().1, one().2, one().3, one().4),
            (catalog("id = 1", &[]), one().1, one().2, one().3, one().4),
            (one().0, [2; 32], one().2, one().3, one().4),
            (one().0, one().1, one().2, setting("b"), one().4),
            (one().0, one().1, one().2, None, one().4),
            by(SecurityContext { organization: properties(json!({ "company": 1 })), ..viewer.clone() }),
            by(SecurityContext { organization: properties(json!({ "company": ["1"] })), ..viewer.clone() }),
            by(SecurityContext { organization: properties(json!({ "company": "1", "more": null })), ..viewer.clone() }),
            by(SecurityContext { organization: properties(json!({})), user: viewer.organization.clone(), ..viewer.clone() }),
            by(SecurityContext { organization: None, ..viewer.clone() }),
            by(SecurityContext { user: properties(json!({ "company": "1" })), ..viewer.clone() }),
            by(SecurityContext { user: None, ..viewer.clone() }),
            by(SecurityContext { database_auth_token: Some("b".to_owned()), ..viewer.clone() }),
            by(SecurityContext { database_auth_token: None, ..viewer.clone() }),
            asked(Query { sql: "select 2".to_owned(), ..query.clone() }),
            asked(Query { filters: Vec::new(), ..query.clone() }),
            asked(Query { filters: vec![filter(json!(1))], ..query.clone() }),
            asked(Query { filters: vec![filter(json!({ "relative": "last_7_days" }))], ..query.clone() }),
            asked(Query { filters: vec![filter(json!("1")), filter(json!("1"))], ..query.clone() }),
            asked(Query { filters: vec![Filter { column: "no".to_owned(), ..filter(json!("1")) }], ..query.clone() }),
            asked(Query { filters: vec![Filter { table: "no".to_owned(), ..filter(json!("1")) }], ..query.clone() }),
            asked(Query { behind: vec![behind.clone()], ..query.clone() }),
            asked(Query { today: day(2), ..query.clone() }),
            asked(Query { zone: Tz::Asia__Tokyo, ..query.clone() }),
            asked(Query { compiled: true, ..query.clone() }),
        ]
    }

    #[test]
    fn everything_that_a_question_is_rewritten_from_is_in_its_key() {
        let key = |(catalog, columns, viewer, setting, query): &Question| {
            of_question(&[0; 32], catalog, columns, viewer, setting.as_ref(), query).expect("a key")
        };
        let questions = questions();
        let keys: HashSet<Fingerprint> = questions.iter().map(key).collect();
        assert_eq!(keys.len(), questions.len());
        let (catalog, columns, viewer, setting, query) = &questions[0];
        let elsewhere = of_question(&[1; 32], catalog, columns, viewer, setting.as_ref(), query);
        assert!(!keys.contains(&elsewhere.expect("a key")), "another source");
        let older = Query { max_age: Some(std::time::Duration::ZERO), refresh: true, ..query.clone() };
        let older = of_question(&[0; 32], &catalog.clone(), columns, viewer, setting.as_ref(), &older);
        assert_eq!(older.as_ref(), keys.get(&key(&questions[0])), "how old an answer may be is no part of the question");
    }
}
