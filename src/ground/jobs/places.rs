//! Who gets the next place: the organization that has the fewest, so that nobody's jobs wait for another's slow ones.

use super::store::Pending;
use inlay_contract::ids::OrganizationId;
use std::collections::HashMap;

/// How many jobs of a kind run at once, on all nodes together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// Of everybody.
    pub all: i64,
    /// Of one organization while others wait.
    pub beside_others: i64,
    /// Of one organization while nobody else waits. The rest stays free for whoever comes next.
    pub alone: i64,
    /// Of one queue.
    pub of_queue: i64,
}

/// The jobs of a queue that fails have one place: it is tried, and not worked off.
const OF_FAILING_QUEUE: i64 = 1;

impl Places {
    /// At most a quarter for an organization while others wait, and three quarters otherwise.
    pub fn quarter(all: i64, of_queue: i64) -> Self {
        Self { all, beside_others: (all / 4).max(1), alone: (all - all / 4).max(1), of_queue }
    }

    /// At most half for an organization.
    pub fn half(all: i64) -> Self {
        let half = (all / 2).max(1);
        Self { all, beside_others: half, alone: half, of_queue: half }
    }
}

/// The places of a kind while a node claims jobs.
#[derive(Debug)]
pub(super) struct Taken {
    places: Places,
    all: i64,
    of_organizations: HashMap<OrganizationId, i64>,
}

impl Taken {
    /// The running jobs: organization, and how many.
    pub(super) fn new(places: Places, running: impl IntoIterator<Item = (OrganizationId, i64)>) -> Self {
        let mut taken = Self { places, all: 0, of_organizations: HashMap::new() };
        for (organization, count) in running {
            taken.all += count;
            *taken.of_organizations.entry(organization).or_default() += count;
        }
        taken
    }

    fn of(&self, organization: OrganizationId) -> i64 {
        self.of_organizations.get(&organization).copied().unwrap_or_default()
    }

    /// The queue whose first job runs next. `None` if there is no place for any of them.
    pub(super) fn next(&self, queues: &[Pending]) -> Option<usize> {
        if self.all >= self.places.all {
            return None;
        }
        let open = |queue: &Pending| {
            let most = if queue.fails { OF_FAILING_QUEUE } else { self.places.of_queue };
            queue.running < most
        };
        let candidates = queues.iter().enumerate().filter(|(_, queue)| open(queue));
        let (next, first) =
            candidates.min_by_key(|(_, queue)| (self.of(queue.organization), queue.running, queue.first_due))?;
        let others = queues.iter().any(|queue| open(queue) && queue.organization != first.organization);
        let most = if others { self.places.beside_others } else { self.places.alone };
        (self.of(first.organization) < most).then_some(next)
    }

    /// Counts a job that was claimed.
    pub(super) fn add(&mut self, organization: OrganizationId) {
        self.all += 1;
        *self.of_organizations.entry(organization).or_default() += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::time::Timestamp;
    use uuid::Uuid;

    fn queue(organization: OrganizationId, first_due: i64) -> Pending {
        Pending { id: Uuid::now_v7(), organization, first_due: Timestamp(first_due), running: 0, fails: false }
    }

    /// How many places each organization gets, if every queue has any number of jobs.
    fn given(places: Places, running: &[(OrganizationId, i64)], queues: &mut [Pending]) -> HashMap<OrganizationId, i64> {
        let mut taken = Taken::new(places, running.iter().copied());
        while let Some(next) = taken.next(queues) {
            queues[next].running += 1;
            taken.add(queues[next].organization);
        }
        taken.of_organizations
    }

    #[test]
    fn an_organization_alone_leaves_a_quarter_of_the_places_to_who_comes_next() {
        let one = OrganizationId::generate();
        let mut queues: Vec<Pending> = (0..20).map(|_| queue(one, 0)).collect();
        assert_eq!(given(Places::quarter(16, 2), &[], &mut queues), [(one, 12)].into());
        let (other, mut both) = (OrganizationId::generate(), queues);
        both.push(queue(other, 9));
        assert_eq!(given(Places::quarter(16, 2), &[(one, 12)], &mut both)[&other], 2, "there is a place at once");
    }

    #[test]
    fn organizations_that_wait_together_get_equally_many() {
        let all: Vec<OrganizationId> = (0..3).map(|_| OrganizationId::generate()).collect();
        let mut queues: Vec<Pending> = (0..30).map(|number| queue(all[number % 3], 0)).collect();
        assert_eq!(given(Places::quarter(16, 2), &[], &mut queues), all.iter().map(|id| (*id, 4)).collect());
        let mut queues: Vec<Pending> = (0..30).map(|number| queue(all[number % 3], 0)).collect();
        let mut counts: Vec<i64> = given(Places::half(4), &[], &mut queues).into_values().collect();
        counts.sort_unstable();
        assert_eq!(counts, [1, 1, 2]);
    }

    #[test]
    fn a_queue_has_few_places_and_one_that_fails_has_one() {
        let one = OrganizationId::generate();
        let mut queues = [queue(one, 0), Pending { fails: true, ..queue(one, 0) }];
        given(Places::quarter(16, 2), &[], &mut queues);
        assert_eq!(queues.map(|queue| queue.running), [2, 1]);
    }

    #[test]
    fn few_places_are_given_too_and_none_if_there_is_none() {
        let one = OrganizationId::generate();
        for (places, count) in [
            (Places::quarter(0, 2), 0),
            (Places::quarter(1, 2), 1),
            (Places::quarter(2, 2), 2),
            (Places::half(0), 0),
            (Places::half(1), 1),
            (Places::half(3), 1),
            (Places::half(4), 2),
        ] {
            let given = given(places, &[], &mut [queue(one, 0), queue(one, 0)]);
            assert_eq!(given.values().sum::<i64>(), count, "{places:?}");
        }
    }
}
