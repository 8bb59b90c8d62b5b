//! The program itself, as a process.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use tempfile::TempDir;

/// The command that runs the program with these variables and no others.
pub(crate) fn taskflow(variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taskflow"));
    command.env_clear().envs(variables.iter().copied());
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// The program, running over a database of its own.
#[derive(Debug)]
pub(crate) struct Program {
    child: Child,
    /// Where it answers.
    pub(crate) api: String,
    log: Option<JoinHandle<String>>,
    dir: Arc<TempDir>,
}

impl Program {
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// With these variables too.
    pub(crate) fn start_with(variables: &[(&str, &str)]) -> Self {
        Self::start_over(Arc::new(tempfile::tempdir().unwrap()), variables)
    }

    /// Another one, over the same database.
    pub(crate) fn start_again(&self, variables: &[(&str, &str)]) -> Self {
        Self::start_over(Arc::clone(&self.dir), variables)
    }

    fn start_over(dir: Arc<TempDir>, variables: &[(&str, &str)]) -> Self {
        let url = format!("sqlite://{}/test.db", dir.path().display());
        let mut command = taskflow(variables);
        command.envs([
            ("DATABASE_URL", url.as_str()),
            ("APP_PORT", "0"),
            ("RUST_LOG", "debug"),
        ]);
        let mut child = command.spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let (address, mut text) = listening_address(&mut log);
        let api = format!("http://{address}");
        // Read on while it runs, so that the pipe never fills.
        let log = thread::spawn(move || {
            log.read_to_string(&mut text).unwrap();
            text
        });
        Self {
            child,
            api,
            log: Some(log),
            dir,
        }
    }

    /// Sends it the signal to stop; its exit code, and what it logged.
    pub(crate) fn terminate(&mut self) -> (Option<i32>, String) {
        let pid = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-TERM", &pid])
                .status()
                .unwrap()
                .success()
        );
        let code = self.child.wait().unwrap().code();
        (code, self.log.take().unwrap().join().unwrap())
    }
}

impl Drop for Program {
    /// Leaves nothing running behind a test that failed.
    fn drop(&mut self) {
        // Both fail if it has ended, and then nothing is left to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The address in the line that says where the program listens, and all lines up to it.
fn listening_address(log: &mut impl BufRead) -> (String, String) {
    let mut seen = String::new();
    loop {
        let start = seen.len();
        assert_ne!(
            log.read_line(&mut seen).unwrap(),
            0,
            "it ended without listening:\n{seen}"
        );
        let line = &seen[start..];
        if let Some((_, rest)) = line.split_once("listening address=") {
            let address = rest.split_whitespace().next().unwrap().to_owned();
            return (address, seen);
        }
    }
}
