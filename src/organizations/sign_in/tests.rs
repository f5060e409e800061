//! How long guessing has to wait.

use super::{FIRST_WAIT, FREE_OF_ACCOUNT, LONGEST_WAIT, wait};
use crate::time::Timestamp;

#[test]
fn each_further_guess_waits_twice_as_long() {
    let now = Timestamp(1_700_000_000_000);
    let wait = |failures| wait(failures, FREE_OF_ACCOUNT, now, now);
    assert_eq!(wait(0), None);
    assert_eq!(wait(FREE_OF_ACCOUNT - 1), None);
    assert_eq!(wait(FREE_OF_ACCOUNT), Some(FIRST_WAIT));
    assert_eq!(wait(FREE_OF_ACCOUNT + 1), Some(FIRST_WAIT * 2));
    assert_eq!(wait(FREE_OF_ACCOUNT + 40), Some(LONGEST_WAIT));
    assert_eq!(wait(i64::MAX), Some(LONGEST_WAIT));
}

#[test]
fn the_wait_is_over_when_its_time_has_passed() {
    let last = Timestamp(1_700_000_000_000);
    assert!(wait(FREE_OF_ACCOUNT, FREE_OF_ACCOUNT, last, last.plus(FIRST_WAIT / 2)).is_some());
    assert_eq!(wait(FREE_OF_ACCOUNT, FREE_OF_ACCOUNT, last, last.plus(FIRST_WAIT)), None);
}
