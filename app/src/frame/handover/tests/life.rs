//! A token's lifetime: its clock, a machine that sleeps, a server that expires it first, expiry.

use super::{
    Effect, Event, InvalidToken, MINUTE, PageState, SessionExpired, SessionState, Verdict, World, check, good, keep, open,
    open_with, refused, resume_with, session, token_refused, viewer,
};

#[test]
fn the_clock_runs_by_the_token_s_own_claims_from_when_it_came() {
    let mut world = World::open();
    assert_eq!(world.pass(4.0 * MINUTE - 1.0), []);
    assert_eq!(world.pass(1.0), [session(SessionState::Expiring)]);
    world.hear("a");
    world.pass(MINUTE / 2.0);
    assert_eq!(world.checked(1, good(1)), [keep("a")]);
    assert_eq!(world.pass(3.5 * MINUTE - 1.0), []);
    assert_eq!(world.pass(1.0), [session(SessionState::Expiring)]);
    assert_eq!(world.pass(MINUTE), [Effect::Show(SessionExpired), session(SessionState::Expired)]);
    assert_eq!(world.pass(60.0 * MINUTE), []);
}

#[test]
fn the_token_in_use_sent_again_does_not_live_longer() {
    let mut world = World::open();
    world.pass(3.0 * MINUTE);
    world.hear("first");
    assert_eq!(world.checked(1, good(1)), [keep("first")]);
    assert_eq!(world.pass(MINUTE), [session(SessionState::Expiring)]);
}

#[test]
fn a_laptop_that_slept_past_the_end_says_so_once_when_it_wakes() {
    let both = [session(SessionState::Expiring), Effect::Show(SessionExpired), session(SessionState::Expired)];
    let mut world = World::open();
    world.sleep(60.0 * MINUTE);
    assert_eq!(world.on(Event::Woke), both);
    assert_eq!(world.pass(60.0 * MINUTE), [], "the timers that ring late find nothing to do");
    let mut world = World::open();
    world.sleep(60.0 * MINUTE);
    assert_eq!(world.pass(0.0), both, "a timer rings first");
    assert_eq!(world.on(Event::Woke), []);
}

#[test]
fn a_timer_that_rings_early_rings_again() {
    let mut world = World::open();
    let at = world.timers[0];
    world.now = at - 0.25;
    world.timers.clear();
    assert_eq!(world.on(Event::Rang(at)), []);
    assert_eq!(world.pass(1.0), [session(SessionState::Expiring)]);
}

#[test]
fn the_server_that_knows_first_that_a_token_expired_is_told_to_the_host_once() {
    let mut world = World::open();
    let expired = || Event::Shows(PageState::Message(SessionExpired));
    assert_eq!(world.on(expired()), [session(SessionState::Expired)]);
    assert_eq!(world.on(expired()), []);
    assert_eq!(world.pass(60.0 * MINUTE), [], "the clock has nothing to add");
}

#[test]
fn an_expired_page_that_shows_another_message_meanwhile_is_told_once() {
    let mut world = World::expired();
    assert_eq!(world.on(Event::Shows(PageState::Message(InvalidToken))), []);
    assert_eq!(world.on(Event::Shows(PageState::Message(SessionExpired))), []);
}

#[test]
fn a_page_that_shows_another_message_has_nothing_to_lose() {
    let mut world = World::open();
    assert_eq!(world.on(Event::Shows(PageState::Message(InvalidToken))), []);
    assert_eq!(world.pass(60.0 * MINUTE), []);
}

#[test]
fn a_good_token_revives_an_expired_page_and_can_expire_again() {
    let mut world = World::expired();
    assert_eq!(world.hear("a"), check(1, "a"));
    assert_eq!(world.checked(1, good(1)), resume_with(1, "a"), "the same user goes on");
    assert_eq!(world.opened(1, Verdict::Good(open(viewer()))), [keep("a"), Effect::Reveal, Effect::NameRefused]);
    let expired = Event::Shows(PageState::Message(SessionExpired));
    assert_eq!(world.on(expired), [session(SessionState::Expired)]);
}

#[test]
fn another_user_s_token_opens_an_expired_page_afresh() {
    let mut world = World::expired();
    world.hear("a");
    assert_eq!(world.checked(1, good(2)), open_with(1, "a"));
}

#[test]
fn a_token_of_another_project_is_refused_on_an_expired_page_too() {
    for mut world in [World::open(), World::expired()] {
        assert_eq!(world.hear("a"), check(1, "a"));
        assert_eq!(world.checked(1, refused()), [token_refused()], "the page stays as it is");
    }
}
