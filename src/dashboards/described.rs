//! A chart that was made of its user's words, on its way to their dashboard. The page carries it sealed: it can neither read what
//! the chart asks nor change it, nobody else can use it, and nothing is stored before the user saves.

use super::writer::Writer;
use crate::{
    error::{Error, Result},
    state::App,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use inlay_contract::{
    chart::definition::ChartDefinition,
    ids::{ConnectionId, ProjectUserId},
};
use serde::{Deserialize, Serialize};

/// What is sealed.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Described {
    /// Where its query goes.
    pub connection: ConnectionId,
    /// What it is.
    pub definition: ChartDefinition,
}

/// Seals a chart for its user.
pub fn seal(app: &App, user: ProjectUserId, chart: &Described) -> Result<String> {
    let text = serde_json::to_vec(chart).map_err(Error::internal)?;
    Ok(URL_SAFE_NO_PAD.encode(app.sealer.seal(user.0, &text)?))
}

/// Opens what was sealed for the writer.
///
/// # Errors
/// 400 for anything else.
pub fn open(app: &App, writer: &Writer, sealed: &str) -> Result<Described> {
    let opened = || {
        let (user, _) = writer.user()?;
        let bytes = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let text = app.sealer.open(user.0, &bytes).ok()?;
        serde_json::from_slice(&text).ok()
    };
    opened().ok_or_else(|| Error::invalid("sealed", "is no chart that was made for this user. Describe the chart again."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        dashboards::writer::{Generation, Who},
        error::Code,
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
