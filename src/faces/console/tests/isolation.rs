//! Isolation checks in the console.

use super::{Browser, browser::target};
use crate::{
    concepts::organizations::MemberRole,
    faces::background::worker,
    flows::isolation::report,
    testing::{World, on_both_stores},
};

on_both_stores! {
    async fn a_member_allows_checks_starts_one_reads_its_result_and_downloads_the_report(world) {
        let (own, page) = addresses(&world);
        let mut member = Browser::signed_in(&world, MemberRole::Member).await;
        assert!(member.get(&own).await.text.contains(&page), "the project's page leads there");
        let empty = member.get(&page).await.text;
        assert!(empty.contains("Allow checks") && !empty.contains("Check now"), "{empty}");
        assert_eq!(member.submit(&format!("{page}/check"), &[]).await.status, 409);

        assert_eq!(target(&member.submit(&page, &[("allowed", "on")]).await), page);
        let none = member.get(&page).await.text;
        assert!(none.contains("No check has run yet") && none.contains("Check now") && none.contains("02:00 UTC"), "{none}");
        assert_eq!(target(&member.submit(&format!("{page}/check"), &[]).await), page);
        worker(world.app.clone()).work_off().await.expect("worked off");
        let shown = member.get(&page).await.text;
        for told in ["Passed", "warehouse.orders", "warehouse.rates", "Drill-down", "Signed report"] {
            assert!(shown.contains(told), "{told}: {shown}");
        }
        let download = shown.split('"').find(|part| part.starts_with(&page) && part.ends_with("/download")).expect("a link");
        let file = member.get(download).await;
        let read = report::verify(&file.text, &report::published_keys(&world.app)).expect("a valid report");
        assert_eq!((read.project.as_str(), read.outcome.as_str()), ("Shop", "passed"));

        assert_eq!(target(&member.submit(&page, &[("allowed", "off")]).await), page);
        let kept = member.get(&page).await.text;
        assert!(kept.contains("Not allowed") && kept.contains("Signed report"), "{kept}");
        let mut stranger = Browser::stranger(&world).await;
        assert_eq!(stranger.get(download).await.status, 404);
        let mut viewer = Browser::signed_in(&world, MemberRole::Viewer).await;
        let read = viewer.get(&page).await.text;
        assert!(read.contains("Signed report") && !read.contains("Allow checks"), "{read}");
    }
}

fn addresses(world: &World) -> (String, String) {
    let own = format!("/console/projects/{}", world.applied.project_id);
    (own.clone(), format!("{own}/isolation"))
}
