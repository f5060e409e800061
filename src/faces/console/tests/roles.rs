//! The form of a role: its templates, and the settings of flags.

use super::{Browser, audit::turn, browser::target};
use crate::{
    concepts::organizations::MemberRole,
    testing::{ACME, GLOBEX, World, on_both_stores},
};
use inlay_contract::permissions::{Flag, Template};

fn roles(world: &World, rest: &str) -> String {
    format!("/console/projects/{}/roles{rest}", world.applied.project_id)
}

/// The fields of the flags that a browser would send: the name and value of each checked radio button.
fn checked(page: &str) -> Vec<(&str, &str)> {
    let inputs = page.split("<input").skip(1).filter_map(|rest| rest.split_once('>')).map(|(input, _)| input);
    inputs
        .filter(|input| input.contains("name=\"flag.") && input.contains(" checked"))
        .filter_map(|input| Some((attribute(input, "name")?, attribute(input, "value")?)))
        .collect()
}

fn attribute<'p>(input: &'p str, name: &str) -> Option<&'p str> {
    input.split_once(&format!("{name}=\""))?.1.split('"').next()
}

/// The fields of a template.
fn fields(template: Template) -> Vec<(String, &'static str)> {
    let permissions = template.permissions();
    let word = |flag| match permissions.get(flag) {
        None => "",
        Some(true) => "on",
        Some(false) => "off",
    };
    let shown = Flag::ALL.into_iter().filter(|flag| *flag != Flag::EditMarketplace);
    shown.map(|flag| (format!("flag.{flag}"), word(flag))).collect()
}

/// Whether the page's form has a template's permissions.
fn has(page: &str, template: Template) -> bool {
    let mut found = checked(page);
    let expected = fields(template);
    let mut expected: Vec<_> = expected.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    found.sort_unstable();
    expected.sort_unstable();
    found == expected
}

on_both_stores! {
    async fn a_new_role_starts_from_a_template_without_a_script(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let plain = browser.get(&roles(&world, "/new")).await.text;
        assert!(checked(&plain).iter().all(|(_, value)| value.is_empty()) && plain.contains("Start from a template"), "{plain}");
        for template in Template::ALL {
            assert!(plain.contains(&roles(&world, &format!("/new?template={}", template.key()))), "{template:?}: {plain}");
            let page = browser.get(&roles(&world, &format!("/new?template={}", template.key()))).await.text;
            assert!(has(&page, template), "{template:?}: {page}");
            assert!(page.contains(&format!("value=\"{}\"", template.name())), "{page}");
            assert!(page.contains(&format!("Same as the template {}.", template.name())), "{page}");
            let name = format!("Our {}", template.key());
            let sent = [&[("name", name.as_str())], &checked(&page)[..]].concat();
            let made = browser.submit(&roles(&world, ""), &sent).await;
            assert!(has(&browser.get(target(&made)).await.text, template), "{template:?}");
            let list = browser.get(&roles(&world, "")).await.text;
            assert!(list.contains(&format!(">{}</span>", template.name())), "the list names it: {list}");
        }
        let unknown = browser.get(&roles(&world, "/new?template=king")).await.text;
        assert!(checked(&unknown).iter().all(|(_, value)| value.is_empty()), "{unknown}");
    }

    async fn a_template_on_an_existing_role_saves_nothing_until_its_form_is_sent(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let own = roles(&world, &format!("/{}", world.applied.roles["Analyst"]));
        let before = browser.get(&own).await.text;
        assert!(before.contains(&format!("{own}?template=viewer")) && !has(&before, Template::Viewer), "{before}");
        let filled = browser.get(&format!("{own}?template=viewer")).await.text;
        assert!(has(&filled, Template::Viewer) && filled.contains("value=\"Analyst\""), "the name stays: {filled}");
        assert_eq!(checked(&browser.get(&own).await.text), checked(&before));
        let sent = [&[("name", "Analyst")], &checked(&filled)[..]].concat();
        assert_eq!(browser.save(&own, &sent).await.status, 303);
        assert!(has(&browser.get(&own).await.text, Template::Viewer));
    }

    async fn a_legacy_flag_and_unset_flags_come_back_as_they_were(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let fields = [("name", "Old"), ("flag.editMarketplace", "on"), ("flag.addChart", "on"), ("flag.editCharts", "off")];
        let made = browser.submit(&roles(&world, ""), &fields).await;
        let page = browser.get(target(&made)).await.text;
        for field in &fields[1..] {
            assert!(checked(&page).contains(field), "{field:?}: {page}");
        }
        assert_eq!(checked(&page).len(), Flag::ALL.len());
        assert!(checked(&page).contains(&("flag.createChart", "")), "{page}");
        let preview = browser.submit(&roles(&world, "/preview"), &fields).await.text;
        assert!(preview.contains("A shared dashboard stays as it is") && !preview.contains("Same as the template"), "{preview}");
    }

    async fn who_may_not_change_a_role_reads_it(world) {
        let mut viewer = Browser::signed_in(&world, MemberRole::Viewer).await;
        let own = roles(&world, &format!("/{}", world.applied.roles["Analyst"]));
        let page = viewer.get(&format!("{own}?template=viewer")).await.text;
        assert!(checked(&page).is_empty() && !page.contains("?template="), "{page}");
        for told in ["Add charts", "addChart", "Default (off)", "A shared dashboard stays as it is"] {
            assert!(page.contains(told), "{told}: {page}");
        }
        assert_eq!(viewer.get(&roles(&world, "/new?template=editor")).await.status, 403);
    }

    async fn a_role_s_users_come_page_by_page(world) {
        for number in 0..102 {
            world.sign_in_as(ACME, &format!("user {number:03}"), Some("Analyst")).await;
        }
        world.sign_in_as(ACME, "user 050 roleless", None).await;
        let mut browser = Browser::signed_in(&world, MemberRole::Viewer).await;
        let own = roles(&world, &format!("/{}", world.applied.roles["Analyst"]));
        let first = browser.get(&own).await.text;
        assert!(first.contains("user 000") && first.contains("user 099") && !first.contains("user 100"), "{first}");
        assert!(!first.contains("roleless") && !first.contains("Take out"), "{first}");
        let second = browser.get(&turn(&first, "next")).await.text;
        assert!(second.contains("user 101") && !second.contains("user 099") && !second.contains("rel=\"next\""), "{second}");
        assert!(browser.get(&turn(&second, "prev")).await.text.contains("user 000"));
        for bad in ["after=x", "before=W10"] {
            assert_eq!(browser.get(&format!("{own}?{bad}")).await.status, 400, "{bad}");
        }
        let found = browser.get(&format!("{own}?q=R+05")).await.text;
        assert!(found.contains("user 050") && found.contains("user 059") && !found.contains("user 060") && !found.contains("roleless"), "{found}");
    }

    async fn a_role_is_assigned_to_a_found_user_and_taken_from_them(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let ada = world.sign_in_as(ACME, "ada", None).await;
        let id = ada["projectUserId"].as_str().expect("an id");
        world.sign_in_as(GLOBEX, "bob", Some("Analyst")).await;
        let analyst = roles(&world, &format!("/{}", world.applied.roles["Analyst"]));
        let shown = browser.get(&analyst).await.text;
        assert!(shown.contains("bob") && !shown.contains(id), "{shown}");
        let found = browser.get(&format!("{analyst}?q=AD")).await.text;
        let button = format!("name=\"user\" value=\"{id}\" aria-label=\"Assign Analyst to ada\"");
        assert!(found.contains(&button) && found.contains("No user with this role matches") && !found.contains("bob"), "{found}");
        assert!(found.contains("View only"), "their role now: {found}");

        let assigned = browser.submit(&format!("{analyst}/users"), &[("user", id), ("q", "a d&x")]).await;
        assert_eq!(target(&assigned), format!("{analyst}?q=a+d%26x"), "the search is kept");
        assert!(browser.get(target(&assigned)).await.text.contains("ada now has the role Analyst."));
        let shown = browser.get(&analyst).await.text;
        assert!(shown.contains("aria-label=\"Take out ada\"") && shown.contains("aria-label=\"Take out bob\""), "{shown}");
        let again = browser.submit(&format!("{analyst}/users"), &[("user", id)]).await;
        assert!(browser.get(target(&again)).await.text.contains("ada has this role already."));

        let made = browser.submit(&roles(&world, ""), &[("name", "Reader")]).await;
        let reader = target(&made).to_owned();
        let reader_id = reader.rsplit('/').next().expect("an id");
        let offered = browser.get(&analyst).await.text;
        let other = format!("<option value=\"{reader_id}\">");
        assert!(offered.contains(&other) && offered.contains("<option value=\"\" selected"), "chosen by a member alone: {offered}");
        let moved = browser.submit(&format!("{analyst}/users/move"), &[("user", id), ("to", reader_id)]).await;
        assert!(browser.get(target(&moved)).await.text.contains("ada now has the role Reader."));
        assert!(browser.get(&reader).await.text.contains("Take out ada"));
        let late = browser.submit(&format!("{analyst}/users/move"), &[("user", id), ("to", "")]).await;
        assert!(browser.get(target(&late)).await.text.contains("ada no longer has this role."));
        assert!(browser.get(&reader).await.text.contains("Take out ada"), "who was moved meanwhile stays there");
        let out = browser.submit(&format!("{reader}/users/move"), &[("user", id), ("to", "")]).await;
        assert!(browser.get(target(&out)).await.text.contains("ada has no role now and can only view."));
        assert!(browser.get(&reader).await.text.contains("No user has this role."));

        let log = browser.get(&format!("/console/organizations/{}/audit?action=projectUser.changed&resource={id}", world.organization)).await.text;
        assert_eq!(log.matches(">projectUser.changed<").count(), 3, "each change, and nothing that changed nothing: {log}");
    }

    async fn nobody_of_another_project_gets_a_role_and_no_role_of_another_is_given(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let ada = world.sign_in_as(ACME, "ada", Some("Analyst")).await;
        let id = ada["projectUserId"].as_str().expect("an id");
        let (neighbour, _) = world.neighbour().await;
        let analyst = roles(&world, &format!("/{}", world.applied.roles["Analyst"]));
        let foreign = neighbour.roles["Analyst"].to_string();
        for (path, fields) in [
            (format!("{analyst}/users"), vec![("user", "nobody")]),
            (format!("{analyst}/users"), vec![("user", foreign.as_str())]),
            (roles(&world, &format!("/{foreign}/users")), vec![("user", id)]),
            (format!("{analyst}/users/move"), vec![("user", id), ("to", foreign.as_str())]),
            (format!("{analyst}/users/move"), vec![("user", id), ("to", "nothing")]),
        ] {
            assert_eq!(browser.submit(&path, &fields).await.status, 404, "{path}: {fields:?}");
        }
        assert!(browser.get(&analyst).await.text.contains("Take out ada"), "nothing has changed");
    }
}
