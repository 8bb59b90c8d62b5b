//! A command, run to its end.

use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::transcript::shell_in;

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) output: String,
    pub(crate) errors: String,
}

impl Ended {
    /// What a program reads.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.output).unwrap()
    }
}

/// Runs `tollgate` with arguments as a shell reads them, with nothing to read.
pub(crate) fn tollgate(directory: &Path, arguments: &str) -> Ended {
    shell(directory, &format!("tollgate {arguments}"))
}

/// Runs a command of a shell, with nothing to read.
pub(crate) fn shell(directory: &Path, command: &str) -> Ended {
    let mut shell = shell_in(directory, command);
    let output = shell.stdin(Stdio::null()).output().unwrap();
    Ended {
        code: output.status.code().unwrap(),
        output: String::from_utf8(output.stdout).unwrap(),
        errors: String::from_utf8(output.stderr).unwrap(),
    }
}
