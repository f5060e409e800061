//! One running node.

use super::wire::Caller;
use inlay_harness::{Binary, free_port};
use rustix::process::{Pid, Signal, kill_process};
use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use tokio::{
    process::Child,
    time::{sleep, timeout},
};

/// A process that serves. It is killed when this is dropped.
pub struct Node {
    child: Child,
    pub address: SocketAddr,
    /// How long it took from the start of the process to its first `ready`.
    pub ready_after: Duration,
    log: PathBuf,
}

impl Node {
    /// Starts a node and waits until it is ready.
    pub async fn start(binary: &Binary, log: &Path) -> Self {
        Self::try_start(binary, log).await.unwrap_or_else(|problem| panic!("{problem}"))
    }

    /// Starts a node. It comes up, or ends and says why.
    pub async fn try_start(binary: &Binary, log: &Path) -> Result<Self, String> {
        let address: SocketAddr = ([127, 0, 0, 1], free_port()).into();
        let file = fs::File::options().create(true).append(true).open(log).expect("a log");
        let mut command = binary.with("INLAY_LISTEN", address.to_string()).command();
        command.arg("serve").stdout(file.try_clone().expect("a log")).stderr(file);
        let begun = Instant::now();
        let mut child = command.spawn().expect("the node starts");
        let caller = Caller::new(address, "").afresh().patient(Duration::from_secs(5));
        while begun.elapsed() < Duration::from_secs(60) {
            if let Some(ended) = child.try_wait().expect("asked") {
                return Err(format!("the node ended with {ended}: {}", last_lines(log)));
            }
            if caller.get("/readyz").await.is_ok() {
                return Ok(Self { child, address, ready_after: begun.elapsed(), log: log.to_owned() });
            }
            sleep(Duration::from_millis(5)).await;
        }
        Err(format!("the node was not ready within a minute: {}", last_lines(log)))
    }

    pub fn caller(&self, credential: &str) -> Caller {
        Caller::new(self.address, credential)
    }

    pub fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Resident memory now and at most, in MiB.
    pub fn memory(&self) -> (u64, u64) {
        let status = fs::read_to_string(format!("/proc/{}/status", self.id())).unwrap_or_default();
        let of = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.trim().trim_end_matches(" kB").trim().parse::<u64>().ok()
        };
        (of("VmRSS:").unwrap_or(0) / 1024, of("VmHWM:").unwrap_or(0) / 1024)
    }

    /// Begins to count the most memory anew.
    pub fn forget_peak(&self) {
        fs::write(format!("/proc/{}/clear_refs", self.id()), "5").expect("the peak is set back");
    }

    fn id(&self) -> u32 {
        self.child.id().unwrap_or(0)
    }

    pub fn lives(&mut self) -> bool {
        self.child.try_wait().expect("asked").is_none()
    }

    /// Kills it at once.
    pub async fn kill(mut self) {
        self.child.kill().await.expect("killed");
    }

    /// Asks it to stop.
    pub fn terminate(&self) {
        if let Some(id) = self.child.id().and_then(|id| Pid::from_raw(id.cast_signed())) {
            kill_process(id, Signal::TERM).expect("told");
        }
    }

    /// Waits until it has ended by itself. Returns how long that took, unless it was too long and it was killed.
    pub async fn ended(mut self, patience: Duration) -> Option<Duration> {
        let begun = Instant::now();
        if timeout(patience, self.child.wait()).await.is_ok() {
            return Some(begun.elapsed());
        }
        self.kill().await;
        None
    }
}

fn last_lines(log: &Path) -> String {
    let text = fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<&str> = text.lines().rev().take(5).collect();
    lines.into_iter().rev().collect::<Vec<_>>().join(" | ")
}
