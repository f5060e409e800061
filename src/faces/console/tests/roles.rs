//! The form of a role: its templates, and the settings of flags.

use super::{Browser, browser::target};
use crate::{
    concepts::organizations::MemberRole,
    testing::{World, on_both_stores},
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
}
