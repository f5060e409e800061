//! Pictures of charts. Organizations take turns at the engines that draw, so that one with many or slow charts does not hold up the others.

use crate::ground::{
    config::Settings,
    memory::Shares,
    state::{App, Part},
};
use inlay_contract::ids::OrganizationId;
use inlay_query::{Lanes, NoPlace, Sizes};
use inlay_render::RenderError;
use std::time::Duration;

/// How many charts have a place for each engine: one is drawn, and one comes next.
const FOR_EACH_ENGINE: usize = 2;

/// The most charts that wait for a place, half of them of one organization.
const WAITING: usize = 512;

/// The longest wait for a place.
const PATIENCE: Duration = Duration::from_secs(10);

/// The places for charts that are drawn or come next. One organization has half of them: it can keep every engine busy, and
/// another's chart is the next one.
struct Turns(Lanes);

impl Part for Turns {
    fn new(settings: &Settings) -> Self {
        let engines = Shares::of_settings(settings).renderer().threads;
        Self(Lanes::new(Sizes::half(engines * FOR_EACH_ENGINE, WAITING)))
    }
}

/// The picture of an option of the chart library, with a size in CSS pixels. A picture that was drawn before is returned at
/// once, any other when it is its organization's turn.
///
/// # Errors
/// As [`inlay_render::Renderer::svg_of`].
pub async fn svg(
    app: &App,
    organization: OrganizationId,
    option: &str,
    (width, height): (u32, u32),
) -> Result<String, RenderError> {
    let turns = app.part::<Turns>();
    let turn = async { turns.0.enter(organization.0.as_u128(), PATIENCE).await.map_err(|NoPlace| RenderError::Busy) };
    app.renderer.svg_of(option, width, height, turn).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{StoreKind, World};
    use inlay_contract::{
        chart::{self, definition::ChartDefinition},
        data::ChartData,
        theme::ChartTheme,
    };
    use serde_json::{from_value, json};
    use std::sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    };

    const MANY: u32 = 60;

    fn option() -> String {
        let definition: ChartDefinition =
            from_value(json!({"title": "T", "type": "bar", "encoding": {"x": "day", "y": ["n"]}})).expect("a definition");
        let columns = json!([{"name": "day", "type": "text"}, {"name": "n", "type": "number"}]);
        let rows: Vec<_> = (0..200).map(|day| json!([format!("day {day}"), day])).collect();
        let data: ChartData =
            from_value(json!({"columns": columns, "rows": rows, "truncated": false, "cached": false, "durationMs": 1}))
                .expect("rows");
        chart::option(&definition, &data, &ChartTheme::default(), "en").expect("an option").to_string()
    }

    #[tokio::test]
    async fn one_organization_s_many_charts_hold_up_another_s_by_few() {
        let world = World::new(StoreKind::Sqlite).await;
        let (greedy, other) = (OrganizationId::generate(), OrganizationId::generate());
        let (option, drawn) = (option(), Arc::new(AtomicU32::new(0)));
        // The engines load first.
        svg(&world.app, other, &option, (299, 200)).await.expect("a picture");
        let charts: Vec<_> = (0..MANY)
            .map(|number| {
                let (app, option, drawn) = (world.app.clone(), option.clone(), Arc::clone(&drawn));
                tokio::spawn(async move {
                    // One that finds no place in time counts as well.
                    let _ = svg(&app, greedy, &option, (300 + number, 200)).await;
                    drawn.fetch_add(1, Ordering::SeqCst);
                })
            })
            .collect();
        tokio::task::yield_now().await;
        svg(&world.app, other, &option, (298, 200)).await.expect("a picture");
        let before = drawn.load(Ordering::SeqCst);
        assert!(before < MANY / 2, "{before} charts of the other organization came first");
        for chart in charts {
            chart.await.expect("no panic");
        }
        // A remembered picture waits for nobody.
        let _held: Vec<_> = futures::future::join_all(
            (0..64).map(async |_| world.app.part::<Turns>().0.enter(other.0.as_u128(), Duration::from_millis(10)).await),
        )
        .await;
        let known = tokio::time::timeout(Duration::from_secs(1), svg(&world.app, other, &option, (298, 200))).await;
        assert!(known.expect("at once").is_ok());
    }
}
