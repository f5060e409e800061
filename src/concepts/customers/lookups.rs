//! Lookups of repeated sign-ins in PostgreSQL. A few are on their way at once, each by a statement of its own. Those that come
//! meanwhile are found together by the next statement: a server that is asked by many then spends its time on rows instead of
//! round trips. The embedded store is asked by each alone: there are no round trips to save.
//!
//! Nothing is remembered: each statement begins after the calls that it answers.

use super::store::{self, Pair, Sought};
use crate::ground::{
    config::Settings,
    error::Result,
    state::{App, Part},
    store::Db,
};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{sync::oneshot, time::timeout};

/// How many statements are on their way at once before others wait for the next one.
const LANES: usize = 2;
/// The most pairs of one statement.
const MOST: usize = 64;
/// How many wait at most. Whoever comes then asks alone.
const MOST_WAITING: usize = 16 * MOST;
/// Whoever waits longer asks alone: the statements before hang.
const PATIENCE: Duration = Duration::from_millis(250);

/// The lookups of a node.
pub struct Lookups(Arc<Mutex<Line>>);

#[derive(Default)]
struct Line {
    running: usize,
    waiting: VecDeque<Waiting>,
}

struct Waiting {
    sought: Sought,
    answer: oneshot::Sender<Result<Option<Pair>>>,
}

impl Part for Lookups {
    fn new(_: &Settings) -> Self {
        Self(Arc::default())
    }
}

/// A customer with one of its users, as they are now.
pub async fn find(app: &App, sought: Sought) -> Result<Option<Pair>> {
    if matches!(app.db, Db::Sqlite { .. }) {
        return alone(app, &sought).await;
    }
    let found = match app.part::<Lookups>().enter(app, &sought) {
        Place::Lane(lane) => {
            let found = alone(app, &sought).await;
            drop(lane);
            return found;
        }
        Place::Line(found) => found,
        Place::Full => return alone(app, &sought).await,
    };
    match timeout(PATIENCE, found).await {
        Ok(Ok(found)) => found,
        Ok(Err(_)) | Err(_) => alone(app, &sought).await,
    }
}

async fn alone(app: &App, sought: &Sought) -> Result<Option<Pair>> {
    metrics::counter!("inlay_sign_in_lookups_total", "way" => "alone").increment(1);
    let mut lease = app.db.read().await?;
    store::find_pair(&mut lease.conn(), sought).await
}

enum Place {
    /// The caller asks at once, and holds this while it does.
    Lane(Lane),
    /// Another one asks for it.
    Line(oneshot::Receiver<Result<Option<Pair>>>),
    /// Too many wait.
    Full,
}

impl Lookups {
    fn enter(&self, app: &App, sought: &Sought) -> Place {
        let mut line = lock(&self.0);
        if line.running < LANES {
            line.running += 1;
            return Place::Lane(Lane { line: Arc::clone(&self.0), app: app.clone() });
        }
        if line.waiting.len() >= MOST_WAITING {
            return Place::Full;
        }
        let (answer, found) = oneshot::channel();
        line.waiting.push_back(Waiting { sought: sought.clone(), answer });
        Place::Line(found)
    }
}

fn lock(line: &Mutex<Line>) -> MutexGuard<'_, Line> {
    line.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A caller's own statement on its way. When it ends, by an answer or because the caller has left, those who wait come next.
struct Lane {
    line: Arc<Mutex<Line>>,
    app: App,
}

impl Drop for Lane {
    fn drop(&mut self) {
        let mut line = lock(&self.line);
        if line.waiting.is_empty() {
            line.running -= 1;
        } else {
            tokio::spawn(serve(self.app.clone(), Serving(Some(Arc::clone(&self.line)))));
        }
    }
}

/// The turn of those who wait. `None` once it has ended.
struct Serving(Option<Arc<Mutex<Line>>>);

impl Serving {
    /// Those who are answered by the next statement. `None` if nobody waits, which ends the turn.
    fn batch(&mut self) -> Option<Vec<Waiting>> {
        let kept = self.0.as_ref()?;
        let mut line = lock(kept);
        if line.waiting.is_empty() {
            line.running -= 1;
            drop(line);
            self.0 = None;
            return None;
        }
        let count = line.waiting.len().min(MOST);
        Some(line.waiting.drain(..count).collect())
    }
}

impl Drop for Serving {
    /// It was given up: the node stops. Whoever waits asks alone.
    fn drop(&mut self) {
        if let Some(line) = &self.0 {
            let mut line = lock(line);
            line.running -= 1;
            line.waiting.clear();
        }
    }
}

/// Answers those who wait until nobody does.
async fn serve(app: App, mut serving: Serving) {
    while let Some(batch) = serving.batch() {
        let here = batch.into_iter().filter(|one| !one.answer.is_closed());
        let (sought, answers): (Vec<_>, Vec<_>) = here.map(|one| (one.sought, one.answer)).unzip();
        if sought.is_empty() {
            continue;
        }
        metrics::counter!("inlay_sign_in_lookups_total", "way" => "together").increment(sought.len() as u64);
        match together(&app, &sought).await {
            // Whoever has left hears nothing.
            Ok(found) => answers.into_iter().zip(found).for_each(|(answer, found)| drop(answer.send(Ok(found)))),
            Err(problem) => answers.into_iter().for_each(|answer| drop(answer.send(Err(problem.clone())))),
        }
    }
}

async fn together(app: &App, sought: &[Sought]) -> Result<Vec<Option<Pair>>> {
    let mut lease = app.db.read().await?;
    store::find_pairs(&mut lease.conn(), sought).await
}

#[cfg(test)]
mod tests {
    use super::{LANES, Lookups, MOST, MOST_WAITING, Pair, Place, Result, Sought, find, store};
    use crate::{
        ground::state::Part,
        testing::{ACME, GLOBEX, StoreKind, World, on_both_stores},
    };
    use futures::future::join_all;
    use std::time::Duration;

    /// Pairs that exist, half exist and do not, in names that a careless statement would take for more than text.
    async fn known(world: &World) -> Vec<Sought> {
        let odd = ["o'neil \"x\" \\", "[\"a\"]", "ä%_😀", "1e5", "null"];
        let mut all = Vec::new();
        for company in [ACME, GLOBEX] {
            for user in odd {
                world.sign_in_as(company, user, None).await;
                for customer in [company, "nobody's"] {
                    for user in [user, "nobody"] {
                        let project = world.applied.project_id;
                        all.push(Sought { project, customer: customer.to_owned(), user: user.to_owned() });
                    }
                }
            }
        }
        let (neighbour, _) = world.neighbour().await;
        all.push(Sought { project: neighbour.project_id, ..all[0].clone() });
        all
    }

    fn ids(pair: Option<&Pair>) -> Option<(String, Option<String>)> {
        pair.map(|pair| (pair.customer.external_id.clone(), pair.user.as_ref().map(|user| user.external_id.clone())))
    }

    #[tokio::test]
    async fn whoever_finds_the_line_full_asks_alone() {
        let world = World::new(StoreKind::Sqlite).await;
        let lookups = Lookups::new(&world.app.settings);
        let sought = Sought { project: world.applied.project_id, customer: ACME.to_owned(), user: "one".to_owned() };
        let entered: Vec<Place> = (0..LANES + MOST_WAITING + 1).map(|_| lookups.enter(&world.app, &sought)).collect();
        let (lanes, others) = entered.split_at(LANES);
        assert!(lanes.iter().all(|place| matches!(place, Place::Lane(_))));
        let (last, waiting) = others.split_last().expect("one");
        assert!(waiting.iter().all(|place| matches!(place, Place::Line(_))) && matches!(last, Place::Full));
    }

    on_both_stores! {
        async fn several_pairs_are_found_as_each_alone(world) {
            let all = known(&world).await;
            let mut lease = world.app.db.read().await.expect("a lease");
            let together = store::find_pairs(&mut lease.conn(), &all).await.expect("found");
            assert_eq!(together.len(), all.len());
            for (sought, pair) in all.iter().zip(&together) {
                let alone = store::find_pair(&mut lease.conn(), sought).await.expect("found");
                assert_eq!(format!("{pair:?}"), format!("{alone:?}"), "{sought:?}");
            }
            assert_eq!(together.iter().flatten().filter(|pair| pair.user.is_some()).count(), 10);
            assert!(together.last().expect("one").is_none(), "another project's");
        }

        async fn whoever_asks_at_the_same_time_is_given_their_own(world) {
            let all = known(&world).await;
            let many: Vec<Sought> = all.iter().cycle().take(3 * MOST).cloned().collect();
            let found = join_all(many.iter().map(|sought| find(&world.app, sought.clone()))).await;
            for (sought, found) in many.iter().zip(found) {
                let found = ids(found.expect("found").as_ref());
                let is_known = sought.project == world.applied.project_id && sought.customer != "nobody's";
                let user = Some(sought.user.clone()).filter(|user| user != "nobody");
                assert_eq!(found, is_known.then(|| (sought.customer.clone(), user)), "{sought:?}");
            }
        }

        async fn whoever_leaves_holds_nobody_up(world) {
            let all = known(&world).await;
            for wait in 0..20 {
                let leavers = all.iter().map(|sought| {
                    tokio::time::timeout(Duration::from_micros(wait * 50), find(&world.app, sought.clone()))
                });
                let (_, stays): (_, Result<_>) = tokio::join!(join_all(leavers), async {
                    tokio::task::yield_now().await;
                    find(&world.app, all[0].clone()).await
                });
                assert_eq!(ids(stays.expect("found").as_ref()), Some((ACME.to_owned(), Some(all[0].user.clone()))));
            }
            // Nobody is counted as on their way any more.
            tokio::time::sleep(Duration::from_millis(50)).await;
            let lookups = world.app.part::<super::Lookups>();
            let line = super::lock(&lookups.0);
            assert_eq!((line.running, line.waiting.len()), (0, 0));
        }
    }
}
