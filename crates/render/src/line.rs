//! The line of charts to draw, and who comes to draw them. An engine takes memory also while it draws nothing: one is always ready, the
//! others start when there is more to draw than those that are ready take, and end after a rest.

use std::{
    collections::VecDeque,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Jobs in their order.
#[derive(Debug)]
pub(crate) struct Line<J> {
    state: Mutex<State<J>>,
    /// For those who are ready: a job is there.
    arrived: Condvar,
    /// For those who rest: there are more jobs than those who are ready take.
    needed: Condvar,
    most: usize,
}

#[derive(Debug)]
struct State<J> {
    jobs: VecDeque<J>,
    /// How many are ready and wait for a job.
    ready: usize,
    closed: bool,
}

/// Why a job is not in the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// As many wait as may.
    Full,
    /// Nobody draws any more.
    Closed,
}

/// What comes next for somebody who is ready.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next<J> {
    /// To do this.
    Job(J),
    /// To rest: there was nothing to do for a while.
    Rest,
    /// To end.
    End,
}

impl<J> Line<J> {
    /// A line in which at most this many wait.
    pub(crate) fn new(most: usize) -> Self {
        let state = State { jobs: VecDeque::new(), ready: 0, closed: false };
        Self { state: Mutex::new(state), arrived: Condvar::new(), needed: Condvar::new(), most: most.max(1) }
    }

    /// Adds a job at the end.
    pub(crate) fn push(&self, job: J) -> Result<(), Refused> {
        let mut state = self.lock();
        if state.closed {
            return Err(Refused::Closed);
        }
        if state.jobs.len() >= self.most {
            return Err(Refused::Full);
        }
        state.jobs.push_back(job);
        if state.jobs.len() > state.ready {
            self.needed.notify_one();
        }
        self.arrived.notify_one();
        Ok(())
    }

    /// Waits for a job, as somebody who is ready; for `patience` at most, if given.
    pub(crate) fn next(&self, patience: Option<Duration>) -> Next<J> {
        let end = patience.map(|patience| Instant::now() + patience);
        let mut state = self.lock();
        state.ready += 1;
        let next = loop {
            if let Some(job) = state.jobs.pop_front() {
                break Next::Job(job);
            }
            if state.closed {
                break Next::End;
            }
            let Some(end) = end else {
                state = self.arrived.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break Next::Rest;
            }
            state = self.arrived.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        };
        state.ready -= 1;
        next
    }

    /// Waits until there are more jobs than those who are ready take. `false`: the line is closed.
    pub(crate) fn rest(&self) -> bool {
        let mut state = self.lock();
        loop {
            if state.jobs.len() > state.ready {
                return true;
            }
            if state.closed {
                return false;
            }
            state = self.needed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes no more jobs. Those in the line are still done.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.arrived.notify_all();
        self.needed.notify_all();
    }

    /// How many are ready and wait for a job.
    #[cfg(test)]
    pub(crate) fn ready(&self) -> usize {
        self.lock().ready
    }

    fn lock(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{sync::Arc, thread};

    const SOON: Duration = Duration::from_millis(20);

    #[test]
    fn jobs_come_in_their_order_up_to_a_number() {
        let line = Line::new(2);
        assert_eq!((line.push(1), line.push(2), line.push(3)), (Ok(()), Ok(()), Err(Refused::Full)));
        assert_eq!((line.next(None), line.next(None), line.next(Some(SOON))), (Next::Job(1), Next::Job(2), Next::Rest));
        assert_eq!(line.push(4), Ok(()), "there is room again");
    }

    #[test]
    fn a_closed_line_is_worked_off_and_ends() {
        let line = Line::new(2);
        line.push(1).expect("room");
        line.close();
        assert_eq!(line.push(2), Err(Refused::Closed));
        assert!(line.rest(), "one is left");
        assert_eq!((line.next(None), line.next(None)), (Next::Job(1), Next::End));
        assert!(!line.rest());
    }

    #[test]
    fn who_rests_is_called_when_more_is_there_than_is_taken_and_not_before() {
        let line = Arc::new(Line::new(8));
        let ready = {
            let line = Arc::clone(&line);
            thread::spawn(move || line.next(None))
        };
        while line.ready() == 0 {
            thread::yield_now();
        }
        let rests = {
            let line = Arc::clone(&line);
            thread::spawn(move || line.rest())
        };
        line.push(1).expect("room");
        assert_eq!(ready.join().expect("no panic"), Next::Job(1));
        thread::sleep(SOON);
        assert!(!rests.is_finished(), "one that was ready took the only job");
        line.push(2).expect("room");
        assert!(rests.join().expect("no panic"), "nobody is ready now");
    }
}
