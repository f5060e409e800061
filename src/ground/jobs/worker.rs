//! Finds jobs and runs them.

use super::{Handler, Job, LEASE, MOST_ATTEMPTS, Outcome, backoff, store};
use crate::ground::{error::Result, state::App, store::holding::watched, time::Timestamp};
use futures::future::join_all;
use std::{sync::Arc, time::Duration};
use tokio::{sync::watch, task::JoinSet, time::MissedTickBehavior};

/// How often a node looks for jobs, beside each time that one ends or is added here.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// How long a node waits after a job was added: for the end of its transaction, and for further ones.
const AFTER_ADDING: Duration = Duration::from_millis(20);

/// How long a node waits while another one claims, and how often.
const FOR_ANOTHER: (Duration, usize) = (Duration::from_millis(15), 4);

/// How often the waiting jobs are measured.
const MEASURE_EVERY: Duration = Duration::from_secs(10);

/// How long running jobs may take to finish when the service stops. Another node takes over the others.
const FAREWELL: Duration = Duration::from_secs(20);

/// A node's worker.
#[derive(Clone)]
pub struct Worker {
    app: App,
    handlers: Vec<Arc<dyn Handler>>,
}

/// The work on one kind of job.
#[derive(Clone)]
struct Line {
    app: App,
    handler: Arc<dyn Handler>,
}

impl Worker {
    /// A worker with these handlers.
    pub fn new(app: App, handlers: Vec<Arc<dyn Handler>>) -> Self {
        Self { app, handlers }
    }

    fn lines(&self) -> impl Iterator<Item = Line> + '_ {
        self.handlers.iter().map(|handler| Line { app: self.app.clone(), handler: Arc::clone(handler) })
    }

    /// Works until it is stopped, then waits for the running jobs. No kind waits for another.
    pub async fn run(self, stop: watch::Receiver<bool>) {
        join_all(self.lines().map(|line| line.run(stop.clone()))).await;
    }

    /// Runs everything that is due now, one after another. For tests, which must not wait.
    #[cfg(test)]
    pub(crate) async fn work_off(&self) -> Result<usize> {
        let mut done = 0;
        for line in self.lines() {
            watched(line.handler.plan(&line.app)).await?;
            loop {
                let jobs = line.claim().await?;
                if jobs.is_empty() {
                    break;
                }
                for job in jobs {
                    line.work(&job).await?;
                    done += 1;
                }
            }
        }
        Ok(done)
    }
}

impl Line {
    async fn run(self, mut stop: watch::Receiver<bool>) {
        let every = |period: Duration| {
            let mut ticks = tokio::time::interval(period);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            ticks
        };
        let (mut running, mut ticks, mut measures) = (JoinSet::new(), every(LOOK_EVERY), every(MEASURE_EVERY));
        let added = self.handler.kind().added();
        loop {
            tokio::select! {
                _ = ticks.tick() => {
                    self.plan().await;
                    self.look(&mut running).await;
                }
                _ = running.join_next(), if !running.is_empty() => {
                    while running.try_join_next().is_some() {}
                    self.look(&mut running).await;
                }
                () = added.notified() => {
                    tokio::time::sleep(AFTER_ADDING).await;
                    self.look(&mut running).await;
                }
                _ = measures.tick() => self.measure().await,
                // Stopped, or the sender is gone.
                _ = stop.changed() => break,
            }
        }
        let ends = async { while running.join_next().await.is_some() {} };
        if tokio::time::timeout(FAREWELL, ends).await.is_err() {
            tracing::info!(jobs = running.len(), "unfinished jobs remain for another node");
        }
    }

    async fn plan(&self) {
        if let Err(problem) = watched(self.handler.plan(&self.app)).await {
            tracing::warn!(kind = self.handler.kind().name(), context = problem.context, "jobs could not be planned");
        }
    }

    /// Starts the jobs that may run.
    async fn look(&self, running: &mut JoinSet<()>) {
        match self.claim().await {
            Ok(jobs) => {
                for job in jobs {
                    let line = self.clone();
                    running.spawn(async move { line.hold(job).await });
                }
            }
            Err(problem) => tracing::warn!(context = problem.context, "jobs could not be claimed"),
        }
    }

    async fn claim(&self) -> Result<Vec<Job>> {
        let (wait, times) = FOR_ANOTHER;
        for _ in 0..times {
            let claim = store::claim(&self.app.db, self.handler.kind(), self.handler.places(&self.app));
            if let Some(jobs) = watched(claim).await? {
                return Ok(jobs);
            }
            tokio::time::sleep(wait).await;
        }
        Ok(Vec::new())
    }

    async fn measure(&self) {
        let kind = self.handler.kind();
        let Ok((waiting, oldest)) = store::backlog(&self.app.db, kind).await else { return };
        let age = oldest.map_or(0, |due| (Timestamp::now().0 - due.0).max(0));
        #[expect(clippy::cast_precision_loss, reason = "a measurement")]
        let (waiting, age) = (waiting as f64, age as f64 / 1000.0);
        metrics::gauge!("inlay_jobs_waiting", "kind" => kind.name()).set(waiting);
        metrics::gauge!("inlay_jobs_oldest_age_seconds", "kind" => kind.name()).set(age);
    }

    /// Runs a job and renews its claim. Stops when the claim is lost.
    async fn hold(&self, job: Job) {
        let mut pulse = tokio::time::interval(LEASE / 3);
        pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // The first tick is at once, and the claim is fresh.
        pulse.tick().await;
        let work = self.work(&job);
        tokio::pin!(work);
        loop {
            tokio::select! {
                ended = &mut work => {
                    if let Err(problem) = ended {
                        tracing::warn!(job = %job.id, context = problem.context, "the result of a job could not be stored");
                    }
                    return;
                }
                // A short outage of the store is no reason to stop: the claim lasts a while longer.
                _ = pulse.tick() => if let Ok(false) = store::renew(&self.app.db, &job).await {
                    tracing::warn!(job = %job.id, "another node has taken a job over");
                    return;
                },
            }
        }
    }

    /// Runs one attempt of a job and stores its result. The claim is renewed beside it.
    async fn work(&self, job: &Job) -> Result<()> {
        watched(self.attempt(job)).await
    }

    async fn attempt(&self, job: &Job) -> Result<()> {
        let label = [("kind", job.kind.name())];
        let problem = if job.attempt > MOST_ATTEMPTS {
            "The job was interrupted too often.".to_owned()
        } else {
            let outcome = self.handler.attempt(&self.app, job).await;
            if matches!(outcome, Ok(Outcome::Done | Outcome::Finished)) {
                metrics::counter!("inlay_jobs_total", "kind" => job.kind.name(), "outcome" => "done").increment(1);
            }
            match outcome {
                Ok(Outcome::Finished) => return Ok(()),
                Ok(Outcome::Done) => return self.finish(job).await,
                Ok(Outcome::Again(problem)) => problem,
                Err(problem) => {
                    tracing::warn!(job = %job.id, code = problem.code.as_str(), context = problem.context, "a job failed");
                    problem.message
                }
            }
        };
        if job.attempt >= MOST_ATTEMPTS {
            metrics::counter!("inlay_jobs_total", "kind" => job.kind.name(), "outcome" => "failed").increment(1);
            self.handler.give_up(&self.app, job, &problem).await?;
            return self.finish(job).await;
        }
        metrics::counter!("inlay_jobs_retried_total", &label).increment(1);
        store::put_off(&self.app.db, job, backoff(job.attempt)).await
    }

    async fn finish(&self, job: &Job) -> Result<()> {
        let mut tx = self.app.db.write().await?;
        store::finish(&mut tx.conn(), job).await?;
        tx.commit().await
    }
}
