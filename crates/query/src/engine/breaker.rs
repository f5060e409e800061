//! Asks a source that no longer answers less often. Without this, everybody who opens a page would wait for its time limit, and
//! hold a place and a connection meanwhile.

use crate::{error::QueryError, limits::Limits, source::Source, sources::patience};
use futures::future::BoxFuture;
use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// So many questions without any answer, …
const MOST_MISSED: usize = 3;
/// … within this time, …
const WITHIN: Duration = Duration::from_secs(10);
/// … and the source is not asked for this long. Then one question at a time tries.
const REST: Duration = Duration::from_secs(5);

/// What is known about whether a source answers.
#[derive(Default)]
pub(super) struct Breaker(Mutex<State>);

#[derive(Default)]
struct State {
    /// When questions ended without an answer.
    missed: VecDeque<Instant>,
    /// The last answer. An error of the database is one, too.
    heard: Option<Instant>,
    /// Set while the source does not answer.
    rests_until: Option<Instant>,
    /// Whether a question tries whether it answers again.
    probed: bool,
}

/// A question to the source.
struct Turn<'a> {
    breaker: &'a Breaker,
    begun: Instant,
    probes: bool,
}

impl Breaker {
    /// Asks the source, unless it has stopped answering.
    ///
    /// # Errors
    /// [`QueryError::SourceUnavailable`] at once while it rests. Otherwise the question's own.
    pub(super) async fn ask<T>(
        &self,
        source: &Source,
        limits: &Limits,
        question: BoxFuture<'_, Result<T, QueryError>>,
    ) -> Result<T, QueryError> {
        let turn = self.enter(Instant::now()).ok_or_else(|| {
            metrics::counter!("inlay_source_rests_total").increment(1);
            QueryError::unavailable(format!(
                "connection {} has stopped answering, and is asked again in a few seconds",
                source.name
            ))
        })?;
        let told = question.await;
        turn.ended(&told, limits, Instant::now());
        told
    }

    fn enter(&self, begun: Instant) -> Option<Turn<'_>> {
        let mut state = self.state();
        let probes = match state.rests_until {
            None => false,
            Some(until) if begun < until || state.probed => return None,
            Some(_) => true,
        };
        state.probed = probes;
        Some(Turn { breaker: self, begun, probes })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn<'_> {
    fn ended<T>(&self, told: &Result<T, QueryError>, limits: &Limits, now: Instant) {
        match told {
            Err(QueryError::SourceUnavailable(_) | QueryError::Refused(_)) => self.missed(now),
            // The database's own time limit comes before this one, and is an answer.
            Err(QueryError::Timeout(_)) if now.duration_since(self.begun) >= patience(limits) => self.missed(now),
            _ => *self.breaker.state() = State { heard: Some(now), ..State::default() },
        }
    }

    fn missed(&self, now: Instant) {
        let mut state = self.breaker.state();
        if self.probes {
            state.rests_until = Some(now + REST);
            return;
        }
        // It answered somebody else in the meantime, so it is slow or busy, and not gone.
        if state.rests_until.is_some() || state.heard.is_some_and(|heard| heard > self.begun) {
            return;
        }
        state.missed.retain(|missed| now.duration_since(*missed) < WITHIN);
        state.missed.push_back(now);
        if state.missed.len() >= MOST_MISSED {
            state.missed.clear();
            state.rests_until = Some(now + REST);
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if self.probes {
            self.breaker.state().probed = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// A breaker, and what time it is.
    struct Tried {
        breaker: Breaker,
        limits: Limits,
        now: Instant,
    }

    impl Tried {
        fn new() -> Self {
            let limits = Limits { timeout: 2 * SECOND, ..Limits::default() };
            Self { breaker: Breaker::default(), limits, now: Instant::now() }
        }

        /// Questions at the same time that end after some time. Returns how many reached the source.
        fn ask<const N: usize>(&mut self, questions: [(Duration, Result<(), QueryError>); N]) -> usize {
            let mut turns: Vec<_> =
                questions.into_iter().filter_map(|(takes, told)| Some((self.breaker.enter(self.now)?, takes, told))).collect();
            turns.sort_by_key(|(_, takes, _)| *takes);
            let (begun, reached) = (self.now, turns.len());
            for (turn, takes, told) in turns {
                self.now = begun + takes;
                turn.ended(&told, &self.limits, self.now);
            }
            reached
        }

        /// A question that the source does not answer.
        fn silence(&self) -> (Duration, Result<(), QueryError>) {
            (patience(&self.limits), Err(QueryError::timeout("the time limit was reached")))
        }

        fn rest(&mut self) {
            assert_eq!(self.ask([self.silence(), self.silence(), self.silence()]), 3);
            assert_eq!(self.ask([answer()]), 0, "it rests");
        }
    }

    fn answer() -> (Duration, Result<(), QueryError>) {
        (SECOND, Ok(()))
    }

    #[test]
    fn after_three_silences_it_rests_and_one_question_at_a_time_tries() {
        let mut tried = Tried::new();
        tried.rest();
        tried.now += REST - Duration::from_millis(1);
        assert_eq!(tried.ask([answer()]), 0);
        tried.now += Duration::from_millis(1);
        assert_eq!(tried.ask([tried.silence(), answer(), answer()]), 1, "one tries, the others are told at once");
        assert_eq!(tried.ask([answer()]), 0, "it rests again");
        tried.now += REST;
        assert_eq!(tried.ask([answer()]), 1);
        assert_eq!(tried.ask([answer(), answer(), answer()]), 3, "everybody asks again");
    }

    #[test]
    fn a_source_that_is_not_there_rests_too() {
        let mut tried = Tried::new();
        for _ in 0..3 {
            assert_eq!(tried.ask([(SECOND, Err(QueryError::unavailable("refused")))]), 1);
        }
        assert_eq!(tried.ask([answer()]), 0);
    }

    #[test]
    fn a_probe_that_its_caller_leaves_makes_room_for_another() {
        let mut tried = Tried::new();
        tried.rest();
        tried.now += REST;
        drop(tried.breaker.enter(tried.now).expect("it tries"));
        assert_eq!(tried.ask([answer()]), 1);
    }

    #[test]
    fn an_answer_to_an_earlier_question_ends_the_rest() {
        let mut tried = Tried::new();
        let begun = tried.now;
        assert_eq!(tried.ask([tried.silence(), tried.silence(), tried.silence(), (3 * SECOND, Ok(()))]), 4);
        assert_eq!((tried.now, tried.ask([answer()])), (begun + 3 * SECOND, 1));
    }

    #[test]
    fn a_slow_or_busy_source_does_not_rest() {
        let mut tried = Tried::new();
        for _ in 0..10 {
            // The database's own time limit, an error of the database, and questions that are answered while others are not.
            assert_eq!(tried.ask([(2 * SECOND, Err(QueryError::timeout("the statement timed out")))]), 1);
            assert_eq!(tried.ask([(SECOND, Err(QueryError::failed("no such column")))]), 1);
            assert_eq!(tried.ask([tried.silence(), tried.silence(), tried.silence(), answer()]), 4);
        }
        for _ in 0..5 {
            assert_eq!(tried.ask([tried.silence(), tried.silence()]), 2);
            tried.now += WITHIN;
        }
        assert_eq!(tried.ask([answer()]), 1);
    }
}
