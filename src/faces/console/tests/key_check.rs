//! Key checks on the page of the semantic model.

use super::{Browser, browser::target};
use crate::{
    concepts::organizations::MemberRole,
    faces::background::worker,
    testing::{World, on_both_stores},
};

/// The world with visits that refer to clients by an id and to guests by a name.
async fn applied(world: &World) -> String {
    let sql = "create table clients (id integer, name text); create table visits (client_id integer); \
        create table guests (id integer, client text); insert into clients values (1, 'a'), (2, 'b'), (2, 'b'), (3, 'c'), (3, 'c')";
    world.change_source(sql).await;
    let tables = "tables:\n  - { connection: warehouse, table: clients, rows: all, key: id, columns: { name: {} } }\n  \
        - { connection: warehouse, table: visits, rows: all, columns: { client_id: { references: clients.id } }, measures: { visits: { aggregate: count } } }\n  \
        - { connection: warehouse, table: guests, rows: all, key: id, columns: { client: { references: clients.name } } }\n";
    let applied = world.apply(&World::project_file().replacen("tables:\n", tables, 1)).await.expect("applied");
    format!("/console/projects/{}", applied.project_id)
}

/// The text of a page without its tags.
fn text(html: &str) -> String {
    html.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect()
}

on_both_stores! {
    async fn a_member_allows_checks_and_reads_at_each_table_which_key_is_not_unique(world) {
        let own = applied(&world).await;
        let (page, choice) = (format!("{own}/semantic-model"), format!("{own}/key-check"));
        let mut member = Browser::signed_in(&world, MemberRole::Member).await;
        let empty = member.get(&page).await.text;
        assert!(empty.contains("Allow checks") && !empty.contains("Check now") && !empty.contains("not unique"), "{empty}");
        assert_eq!(member.submit(&format!("{choice}/check"), &[]).await.status, 409);

        assert_eq!(target(&member.submit(&choice, &[("allowed", "on")]).await), page);
        let none = text(&member.get(&page).await.text);
        assert!(none.contains("None yet") && none.contains("Check now") && none.contains("03:00 UTC"), "{none}");
        let check = async |member: &mut Browser<'_>| {
            assert_eq!(target(&member.submit(&format!("{choice}/check"), &[]).await), page);
            worker(world.app.clone()).work_off().await.expect("worked off");
            text(&member.get(&page).await.text)
        };
        let shown = check(&mut member).await;
        for told in [
            "The key id is not unique: 2 values are each on several rows (counted 20",
            "visits.client_id refers to it: a number that is grouped or filtered along this reference counts a row once for each row that has its key.",
            "client refers to clients.name is not unique: 2 values",
            "Not unique 4 keys counted",
        ] {
            assert!(shown.contains(told), "{told}: {shown}");
        }
        let mut viewer = Browser::signed_in(&world, MemberRole::Viewer).await;
        let read = viewer.get(&page).await.text;
        assert!(read.contains("is not unique") && !read.contains("Forbid checks"), "{read}");

        world.change_source("delete from clients where rowid in (3, 5)").await;
        let mended = check(&mut member).await;
        assert!(mended.contains("Unique 4 keys counted") && !mended.contains("not unique:"), "{mended}");
        assert_eq!(target(&member.submit(&choice, &[("allowed", "off")]).await), page);
        assert!(member.get(&page).await.text.contains("Not allowed"));
    }
}
