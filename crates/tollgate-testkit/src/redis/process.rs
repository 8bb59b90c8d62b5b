//! A server's process: started, signalled, and never left behind.

use std::io::{self, BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;

use super::nursery;
use super::wait::until;

/// The exit status if there is no such program.
const NO_PROGRAM: i32 = 127;

/// A process that is killed with this value.
#[derive(Debug)]
pub struct Process(Child);

impl Process {
    /// Runs a server until its output has a line with `ready`. It is killed with this value, or else
    /// with this process, however that ends. Of `command`, only the program and its arguments count.
    ///
    /// # Errors
    ///
    /// All that it said, if it ended before.
    ///
    /// # Panics
    ///
    /// If it cannot be run, with the advice `install`.
    pub fn start(command: &Command, ready: &str, install: &str) -> Result<Self, String> {
        let program = command.get_program().display();
        let (output, input) = io::pipe().expect("a pipe");
        let both = input
            .try_clone()
            .expect("both ends of a pipe can be shared");
        let child = nursery::run(command, |command| {
            command.stdin(Stdio::null()).stdout(input).stderr(both);
        });
        let mut process = Self(child.unwrap_or_else(|error| {
            panic!("cannot run setpriv ({error}); install it with: apt-get install util-linux")
        }));
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
        let status = process.0.wait().ok().and_then(|status| status.code());
        assert_ne!(status, Some(NO_PROGRAM), "cannot run {program}; {install}");
        Err(said)
    }

    /// By what the system knows it.
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// Ends it as a crash would. Works on one that is held too.
    pub fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    /// Asks it to end, and waits until it has.
    ///
    /// # Panics
    ///
    /// If it does not end.
    pub fn terminate(&mut self) {
        self.signal("-TERM");
        until("the server has ended", || {
            matches!(self.0.try_wait(), Ok(Some(_)))
        });
    }

    /// Holds it: its sockets stay open, and nobody answers. Returns when it stands still.
    ///
    /// # Panics
    ///
    /// If it does not stand still.
    pub fn hang(&self) {
        self.signal("-STOP");
        until("the server stands still", || self.is_held());
    }

    /// Lets it go on.
    pub fn resume(&self) {
        self.signal("-CONT");
    }

    /// True after [`Self::hang`], until it goes on.
    pub fn is_held(&self) -> bool {
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
