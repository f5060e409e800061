//! The first token, several tokens, and a server that is not reachable.

use super::{
    Effect, Event, InvalidToken, MINUTE, NoTokenReceived, Out, PATIENCE, PageState, SessionExpired, SessionState, State,
    Verdict, World, check, editor, good, keep, open, open_with, refused, session, token, token_refused, token_with, viewer,
};

#[test]
fn a_page_says_once_that_it_is_ready() {
    let ready = |awaiting_token| Effect::Post(Out::Ready { awaiting_token });
    let begins = |page_state| World::begins(true, page_state, Some(token("first"))).1;
    let expired = session(SessionState::Expired);
    assert_eq!(begins(PageState::Waiting), [ready(true), Effect::NameRefused]);
    assert_eq!(begins(open(viewer())), [ready(false), Effect::NameRefused]);
    assert_eq!(begins(PageState::Message(InvalidToken)), [ready(false), Effect::NameRefused]);
    assert_eq!(begins(PageState::Message(SessionExpired)), [ready(false), Effect::NameRefused, expired]);
}

#[test]
fn a_page_that_takes_over_opens_with_the_token_it_was_handed() {
    let mut world = World { state: Some(State::new(true)), now: 0.0, timers: Vec::new() };
    let handed = Some(token_with("a", editor()));
    let first = world.on(Event::Began { page_state: PageState::Waiting, token: None, handed });
    assert_eq!(first, [Effect::Open(1, token_with("a", editor()), true)]);
    assert_eq!(world.pass(PATIENCE * 2.0), []);
}

#[test]
fn a_token_after_fourteen_seconds_is_in_time() {
    let mut world = World::waiting();
    assert_eq!(world.pass(14_900.0), []);
    assert_eq!(world.hear("a"), open_with(1, "a"));
    // The server is slow, but a token has been received.
    assert_eq!(world.pass(5_000.0), []);
    let opened = world.opened(1, Verdict::Good(open(viewer())));
    assert_eq!(opened, [keep("a"), Effect::Reveal, Effect::NameRefused]);
    assert_eq!(world.pass(MINUTE), []);
}

#[test]
fn without_a_token_the_page_says_so_and_recovers() {
    let mut world = World::waiting();
    assert_eq!(world.pass(PATIENCE), [Effect::Show(NoTokenReceived)]);
    assert_eq!(world.hear("a"), open_with(1, "a"));
    assert_eq!(world.opened(1, Verdict::Good(open(viewer())))[..2], [keep("a"), Effect::Reveal]);
}

#[test]
fn a_first_token_that_is_refused_is_answered_on_the_page_too() {
    let mut world = World::waiting();
    world.hear("a");
    assert_eq!(world.opened(1, refused()), [token_refused(), Effect::Show(InvalidToken)]);
    assert_eq!(world.pass(PATIENCE * 2.0), [], "one message stands for good");
    assert_eq!(world.hear("b"), check(2, "b"));
    assert_eq!(world.checked(2, good(1)), open_with(2, "b"));
}

#[test]
fn a_refusal_makes_no_message_while_a_later_token_is_judged() {
    let mut world = World::waiting();
    world.hear("a");
    world.hear("b");
    assert_eq!(world.opened(1, refused()), [token_refused()]);
    assert_eq!(world.opened(2, Verdict::Good(open(viewer())))[0], keep("b"));
}

#[test]
fn a_later_token_that_is_refused_first_makes_no_message_while_an_earlier_one_is_judged() {
    let mut world = World::waiting();
    world.hear("a");
    world.hear("b");
    assert_eq!(world.opened(2, refused()), [token_refused()]);
    assert_eq!(world.opened(1, Verdict::OutOfReach), []);
    assert_eq!(world.pass(1_000.0), open_with(1, "a"));
    assert_eq!(world.opened(1, Verdict::Good(open(viewer()))), [keep("a"), Effect::Reveal, Effect::NameRefused]);

    let mut world = World::waiting();
    world.hear("a");
    world.hear("b");
    assert_eq!(world.opened(2, refused()), [token_refused()]);
    assert_eq!(world.opened(1, refused()), [token_refused(), Effect::Show(InvalidToken)], "none is left");
}

#[test]
fn of_two_tokens_the_later_one_wins_whichever_is_answered_last() {
    for later_first in [true, false] {
        let mut world = World::open();
        assert_eq!((world.hear("a"), world.hear("b")), (check(1, "a"), check(2, "b")));
        if later_first {
            assert_eq!(world.checked(2, good(1)), [keep("b")]);
            assert_eq!(world.checked(1, good(1)), []);
        } else {
            assert_eq!(world.checked(1, good(1)), [keep("a")]);
            assert_eq!(world.checked(2, good(1)), [keep("b")]);
        }
    }
}

#[test]
fn of_two_first_tokens_the_later_one_wins_and_the_page_opens_once() {
    for later_first in [true, false] {
        let mut world = World::waiting();
        world.hear("a");
        world.hear("b");
        let page = || Verdict::Good(open(viewer()));
        if later_first {
            assert_eq!(world.opened(2, page()), [keep("b"), Effect::Reveal, Effect::NameRefused]);
            assert_eq!(world.opened(1, page()), []);
        } else {
            assert_eq!(world.opened(1, page()), [keep("a"), Effect::Reveal, Effect::NameRefused]);
            assert_eq!(world.opened(2, page()), [keep("b")], "the same user: nothing moves");
        }
    }
}

#[test]
fn a_refused_token_leaves_the_one_in_use() {
    let mut world = World::open();
    world.hear("a");
    world.hear("b");
    assert_eq!(world.checked(1, good(1)), [keep("a")]);
    assert_eq!(world.checked(2, refused()), [token_refused()]);
    assert_eq!(world.pass(4.0 * MINUTE), [session(SessionState::Expiring)], "the clock of the token in use runs on");
}

#[test]
fn each_refused_token_is_told_and_one_sent_over_and_over_now_and_then() {
    let mut world = World::open();
    for (number, name) in (1..).zip(["a", "b", "c", "d"]) {
        world.hear(name);
        assert_eq!(world.checked(number, refused()), [token_refused()], "{name}");
    }
    let mut told = 0;
    for number in 5..55 {
        world.hear("e");
        told += world.checked(number, refused()).len();
        world.pass(100.0);
    }
    assert!((6..=7).contains(&told), "{told} in five seconds");
}

#[test]
fn a_token_that_is_being_judged_is_not_judged_twice() {
    let mut world = World::open();
    assert_eq!(world.hear("a"), check(1, "a"));
    assert_eq!(world.hear("a"), []);
    assert_eq!(world.hear("b"), check(2, "b"));
    assert_eq!(world.hear("a"), check(3, "a"), "the host went back to it");
}

#[test]
fn out_of_reach_refuses_nothing_and_asks_again_with_growing_waits() {
    let mut world = World::open();
    world.hear("a");
    for wait in [1, 2, 4, 8, 16, 32, 60, 60] {
        let wait = f64::from(wait) * 1000.0;
        assert_eq!(world.checked(1, Verdict::OutOfReach), []);
        assert_eq!(world.pass(wait - 1.0), [], "before {wait}");
        assert_eq!(world.pass(1.0), check(1, "a"), "after {wait}");
    }
    assert_eq!(world.checked(1, good(1)), [keep("a")]);
}

#[test]
fn out_of_reach_at_the_first_token_shows_no_message() {
    let mut world = World::waiting();
    assert_eq!(world.pass(14_900.0), []);
    world.hear("a");
    assert_eq!(world.opened(1, Verdict::OutOfReach), []);
    assert_eq!(world.pass(1_000.0), open_with(1, "a"));
    assert_eq!(world.opened(1, Verdict::Good(open(viewer())))[..2], [keep("a"), Effect::Reveal]);
}

#[test]
fn the_network_that_is_back_ends_the_wait() {
    let mut world = World::open();
    world.hear("a");
    for _ in 0..5 {
        world.checked(1, Verdict::OutOfReach);
        world.pass(MINUTE / 2.0);
    }
    world.checked(1, Verdict::OutOfReach);
    assert_eq!(world.on(Event::Woke), check(1, "a"));
    assert_eq!(world.on(Event::Woke), [], "it is being asked");
}

#[test]
fn a_later_token_takes_the_place_of_one_that_waits() {
    let mut world = World::open();
    world.hear("a");
    world.checked(1, Verdict::OutOfReach);
    assert_eq!(world.hear("b"), check(2, "b"));
    assert_eq!(world.pass(MINUTE), [], "the earlier one is not asked for again");
    world.hear("c");
    assert_eq!(world.checked(2, Verdict::OutOfReach), []);
    assert_eq!(world.pass(MINUTE), [], "nor one that failed after the later one came");
    assert_eq!(world.checked(3, good(1)), [keep("c")]);
}
