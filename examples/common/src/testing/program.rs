//! A service's own program, running.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};

/// A program that says `listening address=…` on standard error. It is ended with the value.
#[derive(Debug)]
pub struct Program {
    child: Child,
    api: String,
    log: Option<JoinHandle<String>>,
}

impl Program {
    /// Runs `command`, and waits until it listens.
    pub fn start(mut command: Command) -> Self {
        command.stdout(Stdio::null()).stderr(Stdio::piped());
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
        }
    }

    /// Where it answers: `http://ADDRESS`.
    pub fn api(&self) -> &str {
        &self.api
    }

    /// Sends it a signal by its name, such as `HUP`.
    pub fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        let kill = Command::new("kill").args(["-s", name, &pid]).status();
        assert!(kill.unwrap().success());
    }

    /// Sends it the signal to stop; its exit code, and what it logged.
    pub fn terminate(&mut self) -> (Option<i32>, String) {
        self.signal("TERM");
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

/// Runs the blocks of a README that are marked `sh`, one after the other, against the API at the
/// address `api`; what they print. Fails with the first command that fails.
pub fn run_readme(readme: &str, api: &str) -> String {
    for tool in ["curl", "jq"] {
        let there = Command::new(tool).arg("--version").output().is_ok();
        assert!(
            there,
            "{tool} is not installed; install it with: apt-get install {tool}"
        );
    }
    let blocks = readme.split("```sh\n").skip(1);
    let script: String = blocks
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    assert!(script.contains("/auth/login"), "the walk was found");
    let mut shell = Command::new("bash");
    shell.args(["-euo", "pipefail", "-c", &script]);
    let output = shell.env("API", api).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}
