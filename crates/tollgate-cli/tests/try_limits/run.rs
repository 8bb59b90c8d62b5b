//! The command, run as programs run it.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::value::RawValue;

/// Runs `tollgate try` with a trace on its standard input.
pub(crate) fn run(arguments: &[&str], trace: impl AsRef<[u8]> + Send) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tollgate"))
        .arg("try")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        // Neither side waits for the other, however much there is to write. It ends at the first
        // line that is wrong, and reads no more.
        scope.spawn(move || drop(input.write_all(trace.as_ref())));
        child.wait_with_output().unwrap()
    })
}

pub(crate) fn lines(arguments: &[&str], trace: &str) -> Vec<String> {
    let output = run(arguments, trace);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// A field of an answer: a text, or anything else as it stands there.
pub(crate) fn field(line: &str, name: &str) -> String {
    let fields: BTreeMap<&str, &RawValue> = serde_json::from_str(line).unwrap();
    let value = fields.get(name).unwrap().get();
    serde_json::from_str(value).unwrap_or_else(|_| value.to_owned())
}

/// How many of each instant's requests are admitted.
pub(crate) fn admitted(limit: &str, instants: &[(&str, usize)]) -> Vec<usize> {
    let trace: String = instants
        .iter()
        .map(|(at, count)| format!("{at}\n").repeat(*count))
        .collect();
    let mut lines = lines(&[limit, "--format", "json"], &trace).into_iter();
    instants
        .iter()
        .map(|(_, count)| {
            let here = lines.by_ref().take(*count);
            here.filter(|line| field(line, "verdict") == "allow")
                .count()
        })
        .collect()
}
