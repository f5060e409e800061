//! The lists of customers and of their users, page by page.

use super::{Browser, audit::turn};
use crate::{
    concepts::organizations::MemberRole,
    ground::paging,
    testing::{ACME, on_both_stores},
};
use uuid::Uuid;

on_both_stores! {
    async fn customers_come_page_by_page_and_none_twice(world) {
        for number in 0..104 {
            world.token(&format!("firm {number:03}")).await;
        }
        let mut browser = Browser::signed_in(&world, MemberRole::Viewer).await;
        let list = format!("/console/projects/{}/customers", world.applied.project_id);
        let first = browser.get(&list).await.text;
        let has = |page: &str, number: u32| page.contains(&format!(">firm {number:03}</a>"));
        assert!(has(&first, 0) && has(&first, 99) && !has(&first, 100) && !first.contains("rel=\"prev\""), "{first}");
        // Who comes meanwhile moves no page.
        world.token("firm 0005").await;
        let second = browser.get(&turn(&first, "next")).await.text;
        assert!(has(&second, 100) && has(&second, 103) && !has(&second, 99) && !second.contains("rel=\"next\""), "{second}");
        let back = browser.get(&turn(&second, "prev")).await.text;
        // Back at the beginning, which is one longer now: it ends one earlier, and the next page begins there.
        assert!(has(&back, 0) && back.contains(">firm 0005</a>") && has(&back, 98) && !has(&back, 99), "{back}");
        assert!(has(&browser.get(&turn(&back, "next")).await.text, 99));
        let found = browser.get(&format!("{list}?q=RM%20103")).await.text;
        assert!(has(&found, 103) && !has(&found, 102) && !found.contains("rel=\"next\""), "{found}");
        assert!(!found.contains("type the beginning"), "few are searched whole: {found}");
        let end = paging::cursor("customers", &("zz", Uuid::max())).expect("a cursor");
        let beyond = browser.get(&format!("{list}?page=7&after={end}")).await.text;
        assert!(beyond.contains("No more customers.") && beyond.contains(&format!("href=\"{list}\"")), "{beyond}");
        for bad in ["after=x", "before=W10"] {
            assert_eq!(browser.get(&format!("{list}?{bad}")).await.status, 400, "{bad}");
        }
    }

    async fn a_customer_s_users_come_page_by_page(world) {
        let mut customer = String::new();
        for number in 0..102 {
            let signed = world.sign_in_as(ACME, &format!("user {number:03}"), None).await;
            signed["projectOrganizationId"].as_str().expect("an id").clone_into(&mut customer);
        }
        let mut browser = Browser::signed_in(&world, MemberRole::Viewer).await;
        let page = format!("/console/projects/{}/customers/{customer}", world.applied.project_id);
        let first = browser.get(&page).await.text;
        assert!(first.contains("user 000") && first.contains("user 099") && !first.contains("user 100"), "{first}");
        let second = browser.get(&turn(&first, "next")).await.text;
        assert!(second.contains("user 101") && !second.contains("user 099"), "{second}");
        assert!(browser.get(&turn(&second, "prev")).await.text.contains("user 000"));
    }
}
