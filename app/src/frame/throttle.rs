//! Limits messages between host and page: a page handles one message of each kind in a while, and posts no error repeatedly.
//! Pure.

use inlay_contract::frame::message::In;

/// How long the page rests after a message of a kind, in milliseconds. Messages that arrive in this time are handled
/// afterwards, one by one.
pub const REST: u32 = 100;

/// The most messages of each kind that wait; earlier ones are dropped. Every token is judged, because the host is told of each
/// that is refused. Of filters only the last ones matter.
const MOST_WAITING: [usize; 2] = [16, 1];

/// The waiting messages of each kind.
#[derive(Debug, Default)]
pub struct MessageThrottle([Resting; 2]);

#[derive(Debug, Default)]
struct Resting {
    rests: bool,
    waiting: Vec<In>,
}

impl MessageThrottle {
    const fn of(kind: &In) -> usize {
        match kind {
            In::SetToken { .. } => 0,
            In::SetParams { .. } => 1,
        }
    }

    /// A message arrived. Returns it to be handled now, or keeps it if the page rests from one of its kind.
    pub fn came(&mut self, message: In) -> Option<In> {
        let kind = Self::of(&message);
        let Resting { rests, waiting } = &mut self.0[kind];
        if *rests {
            waiting.retain(|other| *other != message);
            if waiting.len() == MOST_WAITING[kind] {
                waiting.remove(0);
            }
            waiting.push(message);
            return None;
        }
        *rests = true;
        Some(message)
    }

    /// The rest after a message is over. Returns the next message of its kind, to be handled now.
    pub fn rested(&mut self, after: &In) -> Option<In> {
        let Resting { rests, waiting } = &mut self.0[Self::of(after)];
        *rests = !waiting.is_empty();
        rests.then(|| waiting.remove(0))
    }
}

/// An error is not posted again within this many milliseconds.
const QUIET: f64 = 1000.0;
/// The most errors that are posted in that time.
const MOST: usize = 100;

/// The errors that were posted recently.
#[derive(Debug, Default)]
pub struct ErrorThrottle {
    told: Vec<(String, f64)>,
}

impl ErrorThrottle {
    /// Whether an error may be posted at a time, in milliseconds.
    pub fn admits(&mut self, message: &str, now: f64) -> bool {
        self.told.retain(|(_, at)| now - at < QUIET);
        let is_new = self.told.len() < MOST && !self.told.iter().any(|(told, _)| told == message);
        if is_new {
            self.told.push((message.to_owned(), now));
        }
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(search: &str) -> In {
        In::SetParams { search: search.to_owned() }
    }

    #[test]
    fn the_first_of_a_flood_is_heard_at_once_and_the_last_after_the_rest() {
        let mut throttle = MessageThrottle::default();
        assert_eq!(throttle.came(params("0")), Some(params("0")));
        for number in 1..10_000 {
            assert_eq!(throttle.came(params(&number.to_string())), None);
        }
        assert_eq!(throttle.rested(&params("0")), Some(params("9999")));
        assert_eq!(throttle.came(params("x")), None, "it rests from the last one, too");
        assert_eq!(throttle.rested(&params("9999")), Some(params("x")));
        assert_eq!(throttle.rested(&params("x")), None);
        assert_eq!(throttle.came(params("y")), Some(params("y")));
    }

    #[test]
    fn every_token_is_handled_and_of_a_flood_the_last_ones() {
        let token = |number: usize| In::SetToken { token: number.to_string() };
        let rested = |throttle: &mut MessageThrottle| std::iter::from_fn(|| throttle.rested(&token(0))).collect::<Vec<_>>();
        let mut throttle = MessageThrottle::default();
        let heard = [1, 2, 3, 2].map(|number| throttle.came(token(number)));
        assert_eq!(heard, [Some(token(1)), None, None, None]);
        assert_eq!(rested(&mut throttle), [token(3), token(2)], "each once, in the order of the last time");
        for number in 0..10_000 {
            throttle.came(token(number));
        }
        assert_eq!(rested(&mut throttle), (10_000 - MOST_WAITING[0]..10_000).map(token).collect::<Vec<_>>());
    }

    #[test]
    fn a_flood_of_one_kind_holds_up_no_other() {
        let mut throttle = MessageThrottle::default();
        let token = In::SetToken { token: "t".to_owned() };
        assert!(throttle.came(params("a")).is_some() && throttle.came(params("b")).is_none());
        assert_eq!(throttle.came(token.clone()), Some(token.clone()));
        assert_eq!(throttle.rested(&token), None);
        assert_eq!(throttle.rested(&params("a")), Some(params("b")));
    }

    #[test]
    fn an_error_is_told_once_a_second_and_not_too_many_of_them() {
        let mut told = ErrorThrottle::default();
        assert!(told.admits("a", 5000.0) && !told.admits("a", 5999.0) && told.admits("b", 5999.0));
        // Each error has its own rest: one that is posted late in another's second is not posted again when that second ends.
        assert!(told.admits("a", 6000.0) && !told.admits("b", 6001.0));
        let admitted = (0..10_000).filter(|number| told.admits(&number.to_string(), 6500.0)).count();
        assert_eq!(admitted, MOST - 2);
    }
}
