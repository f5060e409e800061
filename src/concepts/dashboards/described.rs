//! A chart from its user's description, before it is saved to their dashboard. The page holds it encrypted: it can neither read
//! nor change the chart's query, nobody else can use it, and the server stores nothing until the user saves.

use super::writer::Writer;
use crate::ground::{
    error::{Error, Result},
    state::App,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use inlay_contract::{
    chart::definition::ChartDefinition,
    ids::{ConnectionId, ProjectUserId},
};
use serde::{Deserialize, Serialize};

/// The encrypted content.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Described {
    /// The connection that its query runs on.
    pub connection: ConnectionId,
    /// The chart's definition.
    pub definition: ChartDefinition,
}

/// Encrypts a chart for its user.
pub fn seal(app: &App, user: ProjectUserId, chart: &Described) -> Result<String> {
    let text = serde_json::to_vec(chart).map_err(Error::internal)?;
    Ok(URL_SAFE_NO_PAD.encode(app.sealer.seal(user.0, &text)?))
}

/// Decrypts a chart for the writer.
///
/// # Errors
/// 400 for text that was not encrypted for this writer.
pub fn open(app: &App, writer: &Writer, sealed: &str) -> Result<Described> {
    let opened = || {
        let (user, _) = writer.user()?;
        let bytes = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let text = app.sealer.open(user.0, &bytes).ok()?;
        serde_json::from_slice(&text).ok()
    };
    opened().ok_or_else(|| Error::invalid("sealed", "is not a chart that was created for this user. Describe the chart again."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        concepts::dashboards::writer::{Generation, Who},
        ground::error::Code,
        testing::{World, on_both_stores},
    };
    use serde_json::json;

    fn writer(world: &World, user: ProjectUserId) -> Writer {
        let project = world.applied.project_id;
        Writer {
            who: Who::User { user, customer: None, project },
            organization: world.organization,
            generation: Generation::V2,
        }
    }

    on_both_stores! {
        async fn a_described_chart_opens_for_its_user_alone(world) {
            let definition = json!({"title": "T", "type": "number", "sqlOverride": "select 1 as n", "encoding": {"value": "n"}});
            let chart = Described {
                connection: world.applied.connections["warehouse"],
                definition: serde_json::from_value(definition).expect("a definition"),
            };
            let (own, other) = (ProjectUserId::generate(), ProjectUserId::generate());
            let sealed = seal(&world.app, own, &chart).expect("sealed");
            assert!(!sealed.contains("select"));
            assert_eq!(open(&world.app, &writer(&world, own), &sealed).expect("opens"), chart);
            let host = Writer { who: Who::Host, organization: world.organization, generation: Generation::V2 };
            for refused in [
                open(&world.app, &writer(&world, other), &sealed),
                open(&world.app, &host, &sealed),
                open(&world.app, &writer(&world, own), &sealed[1..]),
                open(&world.app, &writer(&world, own), "no base64!"),
            ] {
                assert_eq!(refused.expect_err("refused").code, Code::ValidationFailed);
            }
        }
    }
}
