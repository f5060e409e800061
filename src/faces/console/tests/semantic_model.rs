//! The pages of the semantic model: what they say, and what is seen as a user.

use super::Browser;
use crate::{
    concepts::organizations::MemberRole,
    testing::{ACME, GLOBEX, World, on_both_stores},
};
use serde_json::json;

/// The project file with another metric, and a chart of the library that queries the model.
fn text() -> String {
    let chart = "  - { name: Sales, connection: warehouse, type: bar, query: { measures: [mean_order], dimensions: [{ name: orders.place }] },\n      \
        encoding: { x: place, y: [mean_order] } }\n  - { name: Notes, connection";
    let metric = "label: Revenue of an order }";
    let text = World::project_file().replacen("  - { name: Notes, connection", chart, 1);
    text.replacen(metric, &format!("{metric}, so_far: {{ running: revenue }}"), 1)
}

/// The address of the model's pages.
async fn applied(world: &World) -> String {
    let applied = world.apply(&text()).await.unwrap_or_else(|problem| panic!("{problem}"));
    format!("/console/projects/{}/semantic-model", applied.project_id)
}

async fn user(world: &World, company: &str) -> String {
    world.sign_in_as(company, "ada", None).await["projectUserId"].as_str().expect("an id").to_owned()
}

on_both_stores! {
    async fn the_model_is_shown_with_its_uses(world) {
        let own = applied(&world).await;
        let mut browser = Browser::signed_in(&world, MemberRole::Viewer).await;
        let page = browser.get(&own).await.text;
        for shown in ["sum of amount", "number of rows", "revenue / order_count", "Revenue of an order", "Place (place)", "Currency (name)", "<svg"] {
            assert!(page.contains(shown), "{shown}: {page}");
        }
        assert!(!page.contains("notes"), "a table that declares nothing is no part: {page}");
        let revenue = browser.get(&format!("{own}/revenue")).await.text;
        assert!(revenue.contains("Sales") && revenue.contains("mean_order, so_far"), "{revenue}");
        assert!(!revenue.contains("name=\"user\""), "a viewer does not see rows as others");
        let unused = browser.get(&format!("{own}/mean_rate")).await.text;
        assert!(unused.contains("No chart, metric or example uses it"), "{unused}");
        for unknown in ["nothing", "id", "..%2Frevenue"] {
            assert_eq!(browser.get(&format!("{own}/{unknown}")).await.status, 404, "{unknown}");
        }
    }

    async fn an_example_of_a_workspace_is_a_use_and_is_told_before_its_measure_goes(world) {
        let old = r#"exampleQuestions: ["How many orders?"] }"#;
        let new = r#"examples: [{ question: "Cheapest rate?", query: { measures: [mean_rate] } }] }"#;
        assert!(World::project_file().contains(old));
        let applied = world.apply(&World::project_file().replace(old, new)).await.unwrap_or_else(|problem| panic!("{problem}"));
        let own = format!("/console/projects/{}/semantic-model", applied.project_id);
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let page = browser.get(&format!("{own}/mean_rate")).await.text;
        assert!(page.contains("example “Cheapest rate?” of workspace Ask"), "{page}");
        let refused = browser.submit(&format!("{own}/mean_rate/remove"), &[]).await;
        assert!(refused.status == 409 && refused.text.contains("example “Cheapest rate?” of workspace Ask: "), "{}", refused.text);
    }

    async fn a_number_is_seen_as_a_user_with_their_rows_alone(world) {
        let own = applied(&world).await;
        let (ada, grace) = (user(&world, ACME).await, user(&world, GLOBEX).await);
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let seen = async |browser: &mut Browser<'_>, number: &str, user: &str| browser.save(&format!("{own}/{number}"), &[("user", user)]).await;
        let acme = seen(&mut browser, "revenue", &ada).await;
        assert_eq!(acme.status, 200, "{}", acme.text);
        for shown in ["€30.50", "2024-02", ">€20<", ">Revenue<", "2024-01-15", "north", "rows behind it"] {
            assert!(acme.text.contains(shown), "{shown}: {}", acme.text);
        }
        for foreign in ["globex", "70.0", "80.0", "€70", "€80", "2024-12"] {
            assert!(!acme.text.split_once("data-result").expect("a result").1.contains(foreign), "{foreign}: {}", acme.text);
        }
        assert!(seen(&mut browser, "revenue", &grace).await.text.contains(">€150<"));
        let running = seen(&mut browser, "so_far", &ada).await.text;
        assert!(running.contains("2024-03") && running.contains("30.5"), "{running}");
        assert!(running.contains("computed along periods"), "why there is no value over all rows: {running}");
        let ratio = seen(&mut browser, "mean_order", &ada).await.text;
        assert!(ratio.contains("10.17"), "{ratio}");
        let audit = browser.get(&format!("/console/organizations/{}/audit", world.organization)).await.text;
        assert!(audit.contains("semanticModel.seenAs"), "{audit}");
    }

    async fn who_is_not_there_sees_nothing(world) {
        let own = applied(&world).await;
        user(&world, ACME).await;
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let nobody = browser.save(&format!("{own}/revenue"), &[("user", "")]).await;
        assert!(nobody.status == 400 && nobody.text.contains("rows depend on the user"), "{}", nobody.text);
        let (neighbours, key) = world.neighbour().await;
        let mut body = world.sign_in_body(ACME, "eve");
        body["projectId"] = json!(neighbours.project_id);
        let eve = world.post("/v1/api/projects/embed-token", &key, &body).await.data()["projectUserId"].as_str().expect("an id").to_owned();
        assert_eq!(browser.save(&format!("{own}/revenue"), &[("user", &eve)]).await.status, 404, "a user of another project");
    }
    async fn a_draft_is_a_project_file_to_be_read_and_applied(world) {
        let without = World::project_file().lines().map(|line| match line.split_once("connection: warehouse, table: orders") {
            Some((_, rest)) => format!("  - {{ connection: warehouse, table: orders{rest}\n"),
            None if line.starts_with("metrics:") => String::new(),
            None => format!("{line}\n"),
        });
        world.apply(&without.collect::<String>()).await.unwrap_or_else(|problem| panic!("{problem}"));
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let project = format!("/console/projects/{}", world.applied.project_id);
        let page = browser.save(&format!("{project}/file/draft"), &[("connection", "warehouse")]).await;
        assert_eq!(page.status, 200, "{}", page.text);
        for shown in ["Nothing is applied yet", "warehouse.orders", "key: id", "aggregate: sum"] {
            assert!(page.text.contains(shown), "{shown}: {}", page.text);
        }
        assert!(!browser.get(&format!("{project}/semantic-model")).await.text.contains("sum of amount"), "nothing is applied yet");
        let (_, rest) = page.text.split_once("name=\"file\"").expect("the text");
        let text = rest.split_once('>').expect("its begin").1.split_once("</textarea>").expect("its end").0;
        let text = text.replace("&quot;", "\"").replace("&#x27;", "'").replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&");
        let seen = page.text.split_once("name=\"seen\" value=\"").expect("a state").1.split('"').next().expect("its end").to_owned();
        let applied = browser.save(&format!("{project}/file"), &[("file", &text), ("seen", &seen)]).await;
        assert_eq!(applied.status, 303, "{}", applied.text);
        let model = browser.get(&format!("{project}/semantic-model")).await.text;
        assert!(model.contains("sum of amount") && model.contains("average of rate"), "{model}");
        let unknown = browser.save(&format!("{project}/file/draft"), &[("connection", "nowhere")]).await;
        assert!(unknown.status == 400 && unknown.text.contains("the project has no connection `nowhere`"), "{}", unknown.text);
    }
}
