use serde_json::Value;
use std::{env, path::PathBuf, process::Stdio};
use tokio::{io::AsyncWriteExt, process::Command};

/// The real binary, with the environment of one installation.
#[derive(Clone, Debug)]
pub struct Binary {
    path: PathBuf,
    /// A command of the shell that limits the program before it starts.
    limit: Option<String>,
    environment: Vec<(String, String)>,
}

impl Binary {
    /// The program at a path, with settings.
    pub fn new(path: impl Into<PathBuf>, environment: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        let environment = environment.into_iter().map(|(name, value)| (name.to_owned(), value));
        Self { path: path.into(), limit: None, environment: environment.collect() }
    }

    /// The same with one more setting, which counts over an earlier one of its name.
    #[must_use]
    pub fn with(&self, name: &str, value: impl Into<String>) -> Self {
        let mut other = self.clone();
        other.environment.push((name.to_owned(), value.into()));
        other
    }

    /// The same without a setting.
    #[must_use]
    pub fn without(&self, name: &str) -> Self {
        let mut other = self.clone();
        other.environment.retain(|(set, _)| set != name);
        other
    }

    /// The same under a limit that a command of the shell sets, such as `ulimit -n 1024`.
    #[must_use]
    pub fn limited(&self, limit: &str) -> Self {
        Self { limit: Some(limit.to_owned()), ..self.clone() }
    }

    /// The program as a command, which sees no setting of the tests' own environment and ends with its handle.
    pub fn command(&self) -> Command {
        let mut command = match &self.limit {
            None => Command::new(&self.path),
            Some(limit) => {
                let mut shell = Command::new("sh");
                shell.arg("-c").arg(format!("{limit}; exec \"$0\" \"$@\"")).arg(&self.path);
                shell
            }
        };
        for (name, _) in env::vars().filter(|(name, _)| name.starts_with("INLAY_")) {
            command.env_remove(name);
        }
        command.envs(self.environment.iter().map(|(name, value)| (name, value))).kill_on_drop(true).stdin(Stdio::null());
        command
    }

    /// Runs a command of the program. Returns whether it succeeded, what it printed, and what it logged.
    pub async fn run(&self, arguments: &[&str], input: &str) -> (bool, String, String) {
        let mut command = self.command();
        command.args(arguments).arg("--json").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command starts");
        let mut stdin = child.stdin.take().expect("its input");
        stdin.write_all(input.as_bytes()).await.expect("written");
        drop(stdin);
        let done = child.wait_with_output().await.expect("the command ends");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (done.status.success(), text(done.stdout), text(done.stderr))
    }

    /// The JSON of a command that succeeds.
    pub async fn json(&self, arguments: &[&str], input: &str) -> Value {
        let (done, printed, logged) = self.run(arguments, input).await;
        assert!(done, "{arguments:?}: {printed} {logged}");
        serde_json::from_str(&printed).expect("one JSON object")
    }
}
