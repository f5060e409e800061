//! Finds jobs and runs them.

use super::{Handler, Job, LEASE, MOST_ATTEMPTS, Outcome, backoff, store};
use crate::ground::{error::Result, state::App, time::Timestamp};
use std::{sync::Arc, time::Duration};
use tokio::{sync::watch, task::JoinSet};

/// How often a node looks for jobs.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// How long running jobs may take to finish when the service stops. Another node takes over the others.
const FAREWELL: Duration = Duration::from_secs(20);

/// A node's worker.
#[derive(Clone)]
pub struct Worker {
    app: App,
    handlers: Vec<Arc<dyn Handler>>,
}

impl Worker {
    /// A worker with these handlers.
    pub fn new(app: App, handlers: Vec<Arc<dyn Handler>>) -> Self {
        Self { app, handlers }
    }

    /// Works until it is stopped, then waits for the running jobs.
    pub async fn run(self, mut stop: watch::Receiver<bool>) {
        let mut running = JoinSet::new();
        let mut ticks = tokio::time::interval(LOOK_EVERY);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = ticks.tick() => self.look(&mut running).await,
                _ = running.join_next(), if !running.is_empty() => {}
                // Stopped, or the sender is gone.
                _ = stop.changed() => break,
            }
        }
        let ends = async { while running.join_next().await.is_some() {} };
        if tokio::time::timeout(FAREWELL, ends).await.is_err() {
            tracing::info!(jobs = running.len(), "unfinished jobs remain for another node");
        }
    }

    /// Plans jobs and starts those that may run.
    async fn look(&self, running: &mut JoinSet<()>) {
        for handler in &self.handlers {
            if let Err(problem) = handler.plan(&self.app).await {
                tracing::warn!(kind = handler.kind().name(), context = problem.context, "jobs could not be planned");
            }
            loop {
                match store::claim(&self.app.db, handler.kind(), handler.at_once(&self.app), Timestamp::now()).await {
                    Ok(Some(job)) => {
                        let (worker, handler) = (self.clone(), Arc::clone(handler));
                        running.spawn(async move { worker.hold(handler, job).await });
                    }
                    Ok(None) => break,
                    Err(problem) => {
                        tracing::warn!(context = problem.context, "jobs could not be claimed");
                        break;
                    }
                }
            }
        }
    }

    /// Runs everything that is due now, one after another. For tests, which must not wait.
    #[cfg(test)]
    pub(crate) async fn work_off(&self) -> Result<usize> {
        let mut done = 0;
        for handler in &self.handlers {
            handler.plan(&self.app).await?;
            while let Some(job) =
                store::claim(&self.app.db, handler.kind(), handler.at_once(&self.app), Timestamp::now()).await?
            {
                self.work(handler.as_ref(), &job).await?;
                done += 1;
            }
        }
        Ok(done)
    }

    /// Runs a job and renews its claim. Stops when the claim is lost.
    async fn hold(&self, handler: Arc<dyn Handler>, job: Job) {
        let mut pulse = tokio::time::interval(LEASE / 3);
        pulse.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let work = self.work(handler.as_ref(), &job);
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
                _ = pulse.tick() => if let Ok(false) = store::renew(&self.app.db, &job, Timestamp::now()).await {
                    tracing::warn!(job = %job.id, "another node has taken a job over");
                    return;
                },
            }
        }
    }

    /// Runs one attempt of a job and stores its result.
    async fn work(&self, handler: &dyn Handler, job: &Job) -> Result<()> {
        let label = [("kind", job.kind.name())];
        let problem = if job.attempt > MOST_ATTEMPTS {
            "The job was interrupted too often.".to_owned()
        } else {
            match handler.attempt(&self.app, job).await {
                Ok(Outcome::Done) => {
                    metrics::counter!("inlay_jobs_total", "kind" => job.kind.name(), "outcome" => "done").increment(1);
                    return store::finish(&self.app.db, job).await;
                }
                Ok(Outcome::Again(problem)) => problem,
                Err(problem) => {
                    tracing::warn!(job = %job.id, code = problem.code.as_str(), context = problem.context, "a job failed");
                    problem.message
                }
            }
        };
        if job.attempt >= MOST_ATTEMPTS {
            metrics::counter!("inlay_jobs_total", "kind" => job.kind.name(), "outcome" => "failed").increment(1);
            handler.give_up(&self.app, job, &problem).await?;
            return store::finish(&self.app.db, job).await;
        }
        metrics::counter!("inlay_jobs_retried_total", &label).increment(1);
        store::put_off(&self.app.db, job, Timestamp::now(), backoff(job.attempt)).await
    }
}
