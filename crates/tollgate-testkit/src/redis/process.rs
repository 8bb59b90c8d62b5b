//! A server's process: started, signalled, and never left behind.

use std::io::{self, BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;

use super::wait::until;

/// A process that is killed with this value.
#[derive(Debug)]
pub(super) struct Process(Child);

impl Process {
    /// Runs a server until its output has a line with `ready`, or gives back all that it said
    /// before it ended.
    ///
    /// # Panics
    ///
    /// If it cannot be run, with the advice `install`.
    pub(super) fn start(command: &mut Command, ready: &str, install: &str) -> Result<Self, String> {
        let (output, input) = io::pipe().expect("a pipe");
        let both = input
            .try_clone()
            .expect("both ends of a pipe can be shared");
        let child = command
            .stdin(Stdio::null())
            .stdout(input)
            .stderr(both)
            .spawn();
        // The pipe ends with the server only if nobody else here can write to it.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let process = match child {
            Ok(child) => Self(child),
            Err(error) => {
                let program = command.get_program().display();
                panic!("cannot run {program} ({error}); {install}");
            }
        };
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        let mut said = String::new();
        for line in lines.by_ref() {
            if line.contains(ready) {
                // A full pipe would stop it. The thread ends with the server.
                thread::spawn(move || lines.for_each(drop));
                return Ok(process);
            }
            said += &line;
            said.push('\n');
        }
        Err(said)
    }

    /// By what the system knows it.
    pub(super) fn id(&self) -> u32 {
        self.0.id()
    }

    /// Ends it as a crash would. Works on one that is held too.
    pub(super) fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    /// Asks it to end, and waits until it has.
    pub(super) fn terminate(&mut self) {
        self.signal("-TERM");
        until("the server has ended", || {
            matches!(self.0.try_wait(), Ok(Some(_)))
        });
    }

    /// Holds it: its sockets stay open, and nobody answers. Returns when it stands still.
    pub(super) fn hang(&self) {
        self.signal("-STOP");
        until("the server stands still", || self.is_held());
    }

    /// Lets it go on.
    pub(super) fn resume(&self) {
        self.signal("-CONT");
    }

    /// True after [`Self::hang`], until it goes on.
    pub(super) fn is_held(&self) -> bool {
        self.state().starts_with('T')
    }

    fn signal(&self, signal: &str) {
        let status = Command::new("kill")
            .args([signal, &self.id().to_string()])
            .status()
            .unwrap_or_else(|error| {
                panic!("cannot run kill ({error}); install it with: apt-get install procps")
            });
        assert!(status.success(), "kill {signal} failed");
    }

    /// The letter by which `ps` says what it does.
    fn state(&self) -> String {
        let output = Command::new("ps")
            .args(["-o", "state=", "-p", &self.id().to_string()])
            .output()
            .unwrap_or_else(|error| {
                panic!("cannot run ps ({error}); install it with: apt-get install procps")
            });
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
