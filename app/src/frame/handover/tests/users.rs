//! Tokens of another user or another role.

use super::{
    Effect, Event, MINUTE, PATIENCE, PageMessage, PageState, SessionState, Verdict, Visitor, World, drills, editor, good,
    good_with, keep, open, open_with, refused, session, token, token_refused, token_with, user, viewer,
};

#[test]
fn a_token_of_another_user_starts_the_page_afresh() {
    let mut world = World::open();
    world.hear("a");
    assert_eq!(world.checked(1, good(2)), open_with(1, "a"));
    let other = PageState::Open(Visitor { viewer: user(2), permissions: viewer() });
    assert_eq!(world.opened(1, Verdict::Good(other)), [keep("a"), Effect::Reveal, Effect::NameRefused]);
}

#[test]
fn another_user_whose_page_comes_too_late_is_not_shown() {
    let mut world = World::open();
    world.hear("a");
    world.checked(1, good(2));
    world.hear("b");
    assert_eq!(world.checked(2, good(1)), [keep("b")]);
    let other = PageState::Open(Visitor { viewer: user(2), permissions: viewer() });
    assert_eq!(world.opened(1, Verdict::Good(other)), []);
}

#[test]
fn a_page_of_another_user_that_cannot_be_opened_leaves_the_old_one() {
    let mut world = World::open();
    world.hear("a");
    world.checked(1, good(2));
    assert_eq!(world.opened(1, Verdict::OutOfReach), []);
    assert_eq!(world.pass(1_000.0), open_with(1, "a"));
    assert_eq!(world.opened(1, refused()), [token_refused()]);
    assert_eq!(world.pass(4.0 * MINUTE), [session(SessionState::Expiring)], "the old token is still in use");
}

#[test]
fn what_a_first_token_opens_may_be_a_message() {
    let mut world = World::waiting();
    world.hear("a");
    let missing = PageState::Message(PageMessage::DashboardNotFound);
    assert_eq!(world.opened(1, Verdict::Good(missing)), [keep("a"), Effect::Reveal, Effect::NameRefused]);
    assert_eq!(world.pass(60.0 * MINUTE), [], "nothing to lose");
}

#[test]
fn a_renewed_token_with_other_permissions_changes_the_tools_in_place() {
    let mut world = World::open();
    world.hear("a");
    assert_eq!(world.checked(1, good_with(editor())), [keep("a"), Effect::Apply(editor())]);
    world.hear("b");
    assert_eq!(world.checked(2, good_with(editor())), [keep("b")], "nothing changed");
    world.hear("c");
    assert_eq!(world.checked(3, good_with(drills())), [keep("c"), Effect::Apply(drills())]);
}

#[test]
fn a_wasm_without_tools_gives_way_to_the_one_that_has_them() {
    let begins = |page_state| World::begins(false, page_state, Some(token("first"))).0;
    let mut world = begins(open(viewer()));
    world.hear("a");
    assert_eq!(world.checked(1, good_with(editor())), [Effect::GiveWay(token("a"), true)]);
    assert_eq!(world.hear("b"), [Effect::PassOn(token("b"))], "the other one judges it");
    assert_eq!(world.pass(60.0 * MINUTE), []);

    let mut world = begins(open(viewer()));
    world.on(Event::TokenHeard(token_with("a", editor())));
    let other = Effect::GiveWay(token_with("a", editor()), false);
    assert_eq!(world.checked(1, good(2)), [other], "another user starts afresh there too");

    let mut world = begins(open(viewer()));
    world.hear("a");
    assert_eq!(world.checked(1, good_with(drills())), [keep("a"), Effect::Apply(drills())], "no tools are needed for that");

    let mut world = begins(PageState::Waiting);
    let tools = token_with("a", editor());
    assert_eq!(world.on(Event::TokenHeard(tools.clone())), [Effect::GiveWay(tools, false)]);
    assert_eq!(world.pass(PATIENCE * 2.0), []);
}

#[test]
fn answers_that_nobody_waits_for_change_nothing() {
    let mut world = World::open();
    assert_eq!(world.checked(7, good(2)), []);
    assert_eq!(world.opened(7, refused()), []);
    world.hear("a");
    assert_eq!(world.checked(1, good(1)), [keep("a")]);
    assert_eq!(world.checked(1, good(2)), [], "answered before");
}
