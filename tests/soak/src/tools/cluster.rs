//! A PostgreSQL server of the suite's own, which scenarios may stop and start.

use inlay_harness::free_port;
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};
use tempfile::TempDir;
use tokio::{net::TcpStream, task::spawn_blocking, time::sleep};

/// A server. It is stopped when this is dropped.
pub struct Cluster {
    home: TempDir,
    binaries: PathBuf,
    port: u16,
}

impl Cluster {
    /// Makes and starts a server. Commits wait for the log, so that a stop at once loses nothing.
    pub async fn start() -> Self {
        let home = tempfile::Builder::new().prefix("inlay-soak-postgres.").tempdir().expect("a folder");
        let this = Self { home, binaries: binaries(), port: free_port() };
        if is_root() {
            let mut owner = Command::new("chown");
            assert!(owner.arg("-R").arg("postgres").arg(this.home.path()).status().is_ok_and(|done| done.success()));
        }
        let data = this.data();
        let made = ["--username=inlay", "--no-sync", "--auth=trust", "--encoding=UTF8", "--locale=C"];
        this.run("initdb", &[&format!("--pgdata={data}")], &made).await;
        this.up().await;
        this
    }

    /// The address of a database of it.
    pub fn url(&self, database: &str) -> String {
        format!("postgres://inlay@127.0.0.1:{}/{database}", self.port)
    }

    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Stops it as a crash does, and starts it again. Returns how long it took no connections.
    pub async fn restart(&self) -> Duration {
        let begun = Instant::now();
        self.run("pg_ctl", &[&format!("--pgdata={}", self.data())], &["--mode=immediate", "--silent", "--wait", "stop"]).await;
        self.up().await;
        while TcpStream::connect(("127.0.0.1", self.port)).await.is_err() {
            sleep(Duration::from_millis(5)).await;
        }
        begun.elapsed()
    }

    async fn up(&self) {
        let options = format!(
            "--options=-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=300 \
             -c timezone=UTC -c fsync=off -c full_page_writes=off",
            self.port
        );
        let log = format!("--log={}", self.home.path().join("log").display());
        self.run("pg_ctl", &[&format!("--pgdata={}", self.data()), &log, &options], &["--silent", "--wait", "start"]).await;
    }

    fn data(&self) -> String {
        self.home.path().join("data").display().to_string()
    }

    async fn run(&self, program: &str, first: &[&str], then: &[&str]) {
        let mut command = as_server(&self.binaries.join(program), self.home.path());
        command.args(first).args(then);
        let done = spawn_blocking(move || command.status()).await.expect("a thread").expect("the program starts");
        assert!(done.success(), "{program}: {}", fs::read_to_string(self.home.path().join("log")).unwrap_or_default());
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let mut command = as_server(&self.binaries.join("pg_ctl"), self.home.path());
        command.arg(format!("--pgdata={}", self.data())).args(["--mode=immediate", "--silent", "stop"]);
        drop(command.status());
    }
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// A program of the server, which refuses to run as root.
fn as_server(program: &Path, folder: &Path) -> Command {
    let mut command = if is_root() {
        let mut command = Command::new("runuser");
        command.args(["-u", "postgres", "--"]).arg(program);
        command
    } else {
        Command::new(program)
    };
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The folder of PostgreSQL's server programs: `PG_BINDIR`, or the newest of the system's.
fn binaries() -> PathBuf {
    let named = env::var_os("PG_BINDIR").map(PathBuf::from);
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten().map(|entry| entry.path().join("bin"));
    let mut found: Vec<PathBuf> = versions.collect();
    found.sort();
    let found = named.into_iter().chain(found.into_iter().rev()).find(|folder| folder.join("initdb").exists());
    found.expect("no PostgreSQL server here: run scripts/setup postgres, or set PG_BINDIR")
}
