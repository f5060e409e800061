//! Load, faults and growth over the real binary: what is promised, and what was seen.
//!
//!   `inlay-soak [--whole] [--list] [--write FILE] [NAME…]`
//!
//! Quick, as `make test` runs it: the scenarios that hold on a busy machine, with generous limits of time, in less than three
//! minutes. Whole, as `make soak` runs it: all of them, half an hour at most. Names pick scenarios that contain one of them.
//! The binary is `INLAY_BIN`, or the one beside this program. Fails when a promise is not held.
#![expect(clippy::print_stdout, reason = "its result is a table")]

mod report;
mod scenarios;
mod tools;

use futures::future::{BoxFuture, join_all};
use report::{Part, Row, counts, show, table, write};
use std::{
    env,
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
    thread::available_parallelism,
    time::{Duration, Instant},
};
use tokio::{
    signal::{
        ctrl_c,
        unix::{SignalKind, signal},
    },
    time::timeout,
};
use tools::{cluster::Cluster, site::Context};

/// Which suite holds a scenario.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Suite {
    /// Both.
    Quick,
    /// Both. It mostly waits, so that in the quick suite several of them run at the same time.
    Waiting,
    /// The whole one alone.
    Whole,
}

/// A scenario: a name, the suite that holds it, how long it may take, and what it does.
pub struct Scenario {
    name: &'static str,
    suite: Suite,
    patience: Duration,
    run: fn(Context) -> BoxFuture<'static, Vec<Row>>,
}

struct Arguments {
    whole: bool,
    list: bool,
    file: Option<PathBuf>,
    names: Vec<String>,
}

impl Arguments {
    fn read() -> Self {
        let mut this = Self { whole: false, list: false, file: None, names: Vec::new() };
        let mut all = env::args().skip(1);
        while let Some(argument) = all.next() {
            match argument.as_str() {
                "--whole" => this.whole = true,
                "--list" => this.list = true,
                "--write" => this.file = all.next().map(PathBuf::from),
                _ => this.names.push(argument),
            }
        }
        this
    }

    fn picks(&self, scenario: &Scenario) -> bool {
        let named = self.names.iter().any(|name| scenario.name.contains(name.as_str()));
        if self.names.is_empty() { self.whole || scenario.suite != Suite::Whole } else { named }
    }

    /// How long all may take.
    const fn longest(&self) -> Duration {
        Duration::from_secs(if self.whole { 30 * 60 } else { 5 * 60 })
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::read();
    let all = scenarios::all();
    let picked: Vec<&Scenario> = all.iter().filter(|scenario| arguments.picks(scenario)).collect();
    if arguments.list {
        for scenario in &picked {
            println!("{}{}", scenario.name, if scenario.suite == Suite::Whole { "" } else { " (quick)" });
        }
        return ExitCode::SUCCESS;
    }
    tokio::select! {
        kept = run(&arguments, picked) => kept,
        // Returning ends every node and the databases: whatever holds them is dropped.
        () = told_to_stop() => ExitCode::from(130),
    }
}

async fn told_to_stop() {
    let mut terminate = signal(SignalKind::terminate()).expect("a signal");
    tokio::select! {
        _ = ctrl_c() => {}
        _ = terminate.recv() => {}
    }
}

async fn run(arguments: &Arguments, picked: Vec<&Scenario>) -> ExitCode {
    let context = Context::new(arguments.whole, Arc::new(Cluster::start().await));
    let begun = Instant::now();
    let left = || arguments.longest().saturating_sub(begun.elapsed());
    let together = |scenario: &&Scenario| scenario.suite == Suite::Waiting && !context.whole;
    let (waiting, others): (Vec<&Scenario>, Vec<&Scenario>) = picked.into_iter().partition(together);
    let waiting = waiting.into_iter().map(|scenario| tried(scenario, &context, left()));
    let mut parts: Vec<Part> = join_all(waiting).await;
    for scenario in others {
        parts.push(tried(scenario, &context, left()).await);
        // After each, so that a run that is ended early has shown what it saw.
        if let Some(file) = &arguments.file {
            write(file, &machine(&context), &parts).expect("the table is written");
        }
    }
    let (held, failed) = counts(&parts);
    println!("\n{}", table(&parts));
    println!("Soak: {held} passed, {failed} failed, 0 skipped, in {}", show(begun.elapsed()));
    ExitCode::from(u8::from(failed > 0))
}

/// Runs a scenario, a second time if the quick suite missed nothing but limits of time.
async fn tried(scenario: &Scenario, context: &Context, left: Duration) -> Part {
    let begun = Instant::now();
    let rows = once(scenario, context, left).await;
    let late = rows.iter().any(|row| !row.held) && rows.iter().all(|row| row.held || row.timed);
    let rows = if late && !context.whole { once(scenario, context, left).await } else { rows };
    println!("… {} took {}", scenario.name, show(begun.elapsed()));
    for row in &rows {
        println!("{}", row.line(scenario.name));
    }
    (scenario.name, rows)
}

async fn once(scenario: &Scenario, context: &Context, left: Duration) -> Vec<Row> {
    let failed = |seen: String| vec![Row::fact(scenario.name, "the scenario runs to its end", seen, false)];
    let patience = scenario.patience.min(left);
    if patience.is_zero() {
        return failed("not run: the time for all of them was over".to_owned());
    }
    let task = tokio::spawn((scenario.run)(context.clone()));
    let stop = task.abort_handle();
    match timeout(patience, task).await {
        Ok(Ok(rows)) => rows,
        Ok(Err(problem)) => failed(said(problem)),
        Err(_) => {
            stop.abort();
            failed(format!("not at its end after {}", show(patience)))
        }
    }
}

fn said(problem: tokio::task::JoinError) -> String {
    let panic = problem.into_panic();
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}

/// What the figures were measured with.
fn machine(context: &Context) -> String {
    let build = if context.binary.components().any(|part| part.as_os_str() == "release") { "release" } else { "debug" };
    let commit = env::var("INLAY_SOAK_COMMIT").unwrap_or_else(|_| "unknown".to_owned());
    let cores = available_parallelism().map_or(1, usize::from);
    let day = chrono::Utc::now().format("%-d %B %Y");
    format!(
        "{day}, commit {commit}, {build} build, {cores} cores, which the program, PostgreSQL and the load share, {}.",
        if context.whole { "all scenarios" } else { "the quick scenarios, with limits of time five times as long" }
    )
}
