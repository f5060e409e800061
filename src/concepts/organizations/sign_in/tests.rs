//! How long attempts have to wait, and who is affected.

use super::{FIRST_WAIT, FROM_EVERYWHERE, OF_ACCOUNT, OF_NETWORK, attempt, device, sign_in, store, wait};
use crate::{
    concepts::organizations::{self, MemberRole, password},
    ground::{time::Timestamp, web::origin::Origin},
    testing::{World, on_both_stores},
};

const PASSWORD: &str = "correct horse battery";

fn from(address: &str) -> Origin {
    Origin { address: Some(address.to_owned()), request: None }
}

async fn member(world: &World, email: &str) {
    let hash = password::hash(PASSWORD).expect("hashed");
    let mut tx = world.app.db.write().await.expect("a transaction");
    organizations::store::put_member(&mut tx.conn(), world.organization, email, MemberRole::Member, Some(&hash))
        .await
        .expect("a member");
    tx.commit().await.expect("committed");
}

/// The result of a sign-in attempt.
async fn guess(world: &World, email: &str, from: &Origin) -> &'static str {
    sign_in(&world.app, email, "not the password", from, None, None).await.expect_err("refused").code.as_str()
}

async fn failures(world: &World, subject: &[u8]) -> i64 {
    let mut tx = world.app.db.write().await.expect("a transaction");
    store::locked(&mut tx.conn(), subject).await.expect("read").0
}

#[test]
fn each_further_guess_waits_twice_as_long() {
    let now = Timestamp(1_700_000_000_000);
    let wait = |failures| wait(failures, OF_ACCOUNT, now, now);
    let free = OF_ACCOUNT.free;
    assert_eq!(wait(0), None);
    assert_eq!(wait(free - 1), None);
    assert_eq!(wait(free), Some(FIRST_WAIT));
    assert_eq!(wait(free + 1), Some(FIRST_WAIT * 2));
    assert_eq!(wait(free + 40), Some(OF_ACCOUNT.longest));
    assert_eq!(wait(i64::MAX), Some(OF_ACCOUNT.longest));
}

#[test]
fn the_wait_is_over_when_its_time_has_passed() {
    let last = Timestamp(1_700_000_000_000);
    assert!(wait(OF_ACCOUNT.free, OF_ACCOUNT, last, last.plus(FIRST_WAIT / 2)).is_some());
    assert_eq!(wait(OF_ACCOUNT.free, OF_ACCOUNT, last, last.plus(FIRST_WAIT)), None);
}

#[test]
fn an_owner_gets_in_while_others_guess_from_everywhere() {
    let last = Timestamp(1_700_000_000_000);
    assert_eq!(wait(1_000_000, FROM_EVERYWHERE, last, last.plus(FROM_EVERYWHERE.longest)), None);
}

#[test]
fn a_network_of_ipv6_is_one_place() {
    let network = |address| from(address).network();
    assert_eq!(network("2001:db8:1:2:3:4:5:6"), network("2001:db8:1:2:ffff::1"));
    assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
    assert_eq!((network("192.0.2.7"), network("::ffff:192.0.2.7")), ("192.0.2.7".to_owned(), "192.0.2.7".to_owned()));
    assert_ne!(network("192.0.2.7"), network("192.0.2.8"));
}

on_both_stores! {
    async fn whoever_knows_the_password_is_no_guesser(world) {
        member(&world, "ada@example.test").await;
        let office = from("192.0.2.7");
        for _ in 0..=OF_NETWORK.free {
            sign_in(&world.app, "ada@example.test", PASSWORD, &office, None, None).await.expect("signed in");
        }
        assert_eq!(failures(&world, &store::subject(&["address", "192.0.2.7"])).await, 0);
        assert_eq!(failures(&world, &store::subject(&["account", "ada@example.test"])).await, 0);
    }

    async fn many_addresses_of_one_network_guess_as_one(world) {
        let mut told = Vec::new();
        for number in 0..60 {
            told.push(guess(&world, &format!("{number}@example.test"), &from(&format!("2001:db8::{number:x}"))).await);
        }
        let free = usize::try_from(OF_NETWORK.free).expect("few");
        assert!(told[..free].iter().all(|code| *code == "WRONG_CREDENTIALS"), "{told:?}");
        assert!(told[free..].iter().all(|code| *code == "TOO_MANY_ATTEMPTS"), "{told:?}");
        assert_eq!(guess(&world, "1@example.test", &from("2001:db8:0:1::1")).await, "WRONG_CREDENTIALS");
    }

    async fn an_account_that_is_guessed_at_from_everywhere_is_slowed_down(world) {
        member(&world, "ada@example.test").await;
        let everywhere = [(store::subject(&["account", "ada@example.test"]), FROM_EVERYWHERE)];
        for _ in 0..FROM_EVERYWHERE.free {
            attempt(&world.app, &everywhere).await.expect("free");
        }
        assert_eq!(guess(&world, "ada@example.test", &from("198.51.100.1")).await, "TOO_MANY_ATTEMPTS");
        assert_eq!(guess(&world, "bob@example.test", &from("198.51.100.1")).await, "WRONG_CREDENTIALS");
    }

    async fn a_browser_of_before_gets_in_while_others_guess_and_guesses_no_faster_itself(world) {
        for email in ["ada@example.test", "bob@example.test"] {
            member(&world, email).await;
        }
        let everywhere = [(store::subject(&["account", "ada@example.test"]), FROM_EVERYWHERE)];
        for _ in 0..FROM_EVERYWHERE.free {
            attempt(&world.app, &everywhere).await.expect("free");
        }
        let now = Timestamp::now();
        let known = device::mark(&world.app, " Ada@example.test", now);
        let tried = async |password: &str, network: u8, mark: &str| {
            let origin = from(&format!("198.51.100.{network}"));
            let tried = sign_in(&world.app, "ada@example.test", password, &origin, None, Some(mark)).await;
            tried.map(drop).map_err(|problem| problem.code.as_str())
        };
        let late = device::mark(&world.app, "ada@example.test", Timestamp(now.0 - 181 * 24 * 3_600_000));
        let foreign = device::mark(&world.app, "bob@example.test", now);
        let forged = format!("{}0", &known[..known.len() - 1]);
        let forged = if forged == known { format!("{}1", &known[..known.len() - 1]) } else { forged };
        for bad in [late.as_str(), &foreign, &forged, "", "a.b", &format!("{known}.x")] {
            assert_eq!(tried(PASSWORD, 1, bad).await, Err("TOO_MANY_ATTEMPTS"), "{bad}");
        }
        for _ in 0..3 {
            assert_eq!(tried("mistyped", 2, &known).await, Err("WRONG_CREDENTIALS"));
        }
        assert_eq!(tried(PASSWORD, 2, &known).await, Ok(()));
        // Who has the mark alone waits as everybody does, from whatever network.
        for network in 3..8 {
            assert_eq!(tried("guessed", network, &known).await, Err("WRONG_CREDENTIALS"), "{network}");
        }
        assert_eq!(tried(PASSWORD, 9, &known).await, Err("TOO_MANY_ATTEMPTS"));
    }
}
