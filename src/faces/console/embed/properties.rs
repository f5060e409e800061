//! The properties that a sign-in must send, for the code samples and test users of the Embed page.

use super::super::visit::Visit;
use crate::{
    concepts::{connections, customers::properties::Properties, organizations::members::Reads},
    flows::management::people,
    ground::error::Result,
};
use inlay_console::pages::embed::samples::{Example, Property};
use inlay_query::{DatabaseAuth, Holder, RowAccess, properties_read};
use serde_json::Value;
use std::collections::BTreeSet;

/// The properties that the project's row rules and connections read, the customers' first, each with a value of the newest user.
pub(super) async fn read<R: Reads>(visit: &Visit<R>) -> Result<Vec<Property>> {
    let (app, project) = (visit.app(), visit.project()?.id);
    let mut read = BTreeSet::new();
    for source in crate::flows::management::connections::list(app, &visit.member, project).await? {
        let open = connections::open(app, source.id).await?;
        for table in &open.tables {
            if let RowAccess::Rule(rule) = &table.rows {
                let paths = properties_read(rule, open.source.kind);
                read.extend(paths.into_iter().map(|path| (path.holder == Holder::User, path.key)));
            }
        }
        if let Some(DatabaseAuth::Equals { property, .. }) = &open.source.database_auth {
            read.insert((property.holder == Holder::User, property.key.clone()));
        }
    }
    let (organization, user) = newest(visit).await?;
    let property = |(of_user, key): (bool, String)| {
        let known = if of_user { &user } else { &organization }.get(&key);
        let example = known
            .and_then(example)
            .unwrap_or_else(|| Example::Text(format!("the {key} of this {}", if of_user { "user" } else { "customer" })));
        Property { of_user, key, example }
    };
    Ok(read.into_iter().map(property).collect())
}

/// The properties of the newest user and of their customer.
async fn newest<R: Reads>(visit: &Visit<R>) -> Result<(Properties, Properties)> {
    let (app, member, project) = (visit.app(), &visit.member, visit.project()?.id);
    let Some(listed) = people::newest(app, member, project, 1).await?.pop() else { return Ok(Default::default()) };
    let user = people::user(app, member, project, listed.id).await?;
    let organization = match user.project_organization_id {
        Some(id) => people::customer(app, member, project, id).await?.properties,
        None => Properties::default(),
    };
    Ok((organization, user.properties))
}

/// A value as code. `None` for a value that is not a single one.
fn example(value: &Value) -> Option<Example> {
    match value {
        Value::String(text) => Some(Example::Text(text.clone())),
        Value::Number(number) => Some(Example::Number(number.to_string())),
        Value::Bool(on) => Some(Example::Flag(*on)),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}
