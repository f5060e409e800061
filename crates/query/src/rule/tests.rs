use super::*;
use crate::bind::Bind;
use serde_json::json;

const SQLITE: SourceKind = SourceKind::Sqlite;
const POSTGRES: SourceKind = SourceKind::Postgres;

fn columns() -> Vec<SourceColumn> {
    let column = |name: &str, class| SourceColumn::new(name.to_owned(), class);
    vec![
        column("id", Class::Integer),
        column("company_id", Class::Text),
        column("Region", Class::Text),
        column("amount", Class::Decimal),
        column("status", Class::ByText),
        column("day", Class::Date),
        column("active", Class::Boolean),
        column("blob", Class::Other),
    ]
}

fn viewer(organization: Value) -> SecurityContext {
    let user = json!({"region": "north", "level": 3, "regions": ["north", "south"], "none": [], "admin": true});
    SecurityContext {
        organization: organization.as_object().cloned(),
        user: user.as_object().cloned(),
        database_auth_token: None,
        share: 0,
    }
}

fn made(kind: SourceKind, rule: &str, organization: Value) -> Result<(String, Vec<Bind>), InvalidRule> {
    let mut binds = Binds::default();
    let condition = condition(rule, kind, &columns(), &viewer(organization), &mut binds)?;
    Ok((condition.expression.to_string(), binds.into_values()))
}

fn text(value: &str) -> Bind {
    Bind::Text(value.to_owned())
}

#[test]
fn placeholders_become_bound_values() {
    let acme = json!({"company": "x' OR '1'='1"});
    assert_eq!(
        made(SQLITE, "company_id = {{organization.company}}", acme.clone()),
        Ok((r#""inlay_row"."company_id" = $1"#.to_owned(), vec![text("x' OR '1'='1")]))
    );
    assert_eq!(
        made(POSTGRES, "company_id={{ organization.company }} AND id >= {{user.level}}", acme),
        Ok((
            r#"("inlay_row"."company_id" = CAST($1 AS TEXT)) AND ("inlay_row"."id" >= CAST($2 AS BIGINT))"#.to_owned(),
            vec![text("x' OR '1'='1"), text("3")]
        ))
    );
}

#[test]
fn lists_expand_and_an_empty_one_compares_with_nothing() {
    let (condition, binds) = made(SQLITE, "region in ({{user.regions}}, 'west')", json!({})).expect("a condition");
    assert_eq!(condition, r#""inlay_row"."Region" IN ($1, $2, 'west')"#);
    assert_eq!(binds, [text("north"), text("south")]);
    for rule in ["region in ({{user.none}})", "region not in ({{user.none}})"] {
        assert_eq!(made(SQLITE, rule, json!({})), Ok(("(1 = NULL)".to_owned(), vec![])));
    }
}

#[test]
fn a_property_that_cannot_be_compared_resolves_nothing() {
    let rule = "company_id = {{organization.company}}";
    for value in [json!(null), json!({"a": 1}), json!({}), json!([]), json!(["acme"]), json!("a\0b")] {
        assert!(made(SQLITE, rule, json!({ "company": value })).is_err(), "{value}");
    }
    assert!(made(SQLITE, rule, json!({})).is_err());
    assert!(made(SQLITE, "company_id in ({{organization.company}})", json!({"company": ["a", null]})).is_err());
    assert!(made(SQLITE, "company_id in ({{organization.company}})", json!({"company": [["a"]]})).is_err());
    // Text compared with a number would be greater than every number on SQLite, and an error on PostgreSQL.
    for kind in [SQLITE, POSTGRES] {
        assert!(made(kind, "amount < {{organization.company}}", json!({"company": "abc"})).is_err());
        assert!(made(kind, "amount <> {{organization.company}}", json!({"company": "abc"})).is_err());
    }
}

#[test]
fn text_null_and_the_empty_text_are_values() {
    let rule = "company_id = {{organization.company}}";
    assert_eq!(made(SQLITE, rule, json!({"company": "null"})).map(|made| made.1), Ok(vec![text("null")]));
    assert_eq!(made(SQLITE, rule, json!({"company": ""})).map(|made| made.1), Ok(vec![text("")]));
    assert_eq!(made(SQLITE, rule, json!({"company": 5})).map(|made| made.1), Ok(vec![text("5")]));
}

#[test]
fn rules_may_combine_compare_and_call_plain_functions() {
    for rule in [
        "not (company_id = {{organization.company}} or amount is null)",
        "orders.company_id = {{organization.company}} and active",
        "lower(company_id) = lower({{organization.company}})",
        "coalesce(company_id, 'public') = {{organization.company}}",
        "amount between 1 and {{user.level}} and company_id like 'a%'",
        r#"{{user.region}} = "Region""#,
        "{{user.admin}} = true or company_id = {{organization.company}}",
        "cast(blob as text) = {{organization.company}}",
        "status = {{user.region}} and day >= '2001-01-01'",
        "1 = 1",
    ] {
        for kind in [SQLITE, POSTGRES] {
            made(kind, rule, json!({"company": "acme"})).unwrap_or_else(|problem| panic!("{rule}: {problem}"));
        }
    }
}

#[test]
fn other_rules_are_refused() {
    for rule in [
        "",
        "company_id = {{organization.company",
        "company_id = {{company}}",
        "company_id = {{organization.}}",
        "company_id = '{{organization.company}}'",
        r#"company_id = "{{organization.company}}""#,
        "company_id = {{organization.company}}; drop table orders",
        "company_id = {{organization.company}} -- and more",
        "company_id = {{organization.company}} /* and more */",
        "company = {{organization.company}}",
        r#""company" = 'x'"#,
        "company_id = inlay_property_0",
        "company_id in (select company_id from orders)",
        "exists (select 1 from orders)",
        "{{organization.company}}",
        "{{organization.company}} = {{user.region}}",
        "{{organization.company}} is null",
        "company_id is {{organization.company}}",
        "company_id is not distinct from {{organization.company}}",
        "company_id || {{organization.company}} = 'x'",
        "company_id like {{organization.company}}",
        "coalesce({{organization.company}}, company_id) = company_id",
        "blob = {{organization.company}}",
        "count(*) = 1",
        "pg_sleep(1) is null",
        "load_extension('x') = company_id",
        "company_id = $1",
        "company_id = ?",
        "company_id = {{organization.company}} )",
        "other.orders.company_id = {{organization.company}}",
    ] {
        for kind in [SQLITE, POSTGRES] {
            assert!(made(kind, rule, json!({"company": "acme"})).is_err(), "{rule}");
        }
    }
}

#[test]
fn saving_a_rule_tells_what_is_wrong_with_it() {
    let columns = [Column { name: "origin".into(), kind: inlay_contract::data::ColumnType::Text }];
    let saved = |rule: &str| validate_rule(rule, SQLITE, &columns).map_err(|problem| problem.to_string());
    assert_eq!(saved("origin = {{organization.airport}}"), Ok(()));
    assert_eq!(saved("orgin = {{organization.airport}}"), Err("the table has no column orgin".into()));
    let quoted = "write placeholders without quotes: column = {{user.key}}";
    assert_eq!(saved("origin = '{{organization.airport}}'"), Err(quoted.into()));
    assert!(saved("origin in ({{user.airports}})").is_ok());
}
