//! Ctrl-C.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;

use rustix::process::{Pid, Signal, kill_process};
use tollgate_testkit::redis::until;

use crate::traffic::directory;
use crate::transcript::shell_in;

const POLICIES: &str = "
[[policy]]
name = \"all\"
key = [\"client.ip\"]
limits = [\"1/min\"]
";

fn begin(logs: &Path, command: &str) -> Child {
    let mut shell = shell_in(logs, &format!("exec tollgate {command}"));
    shell
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    shell.spawn().unwrap()
}

fn interrupt(child: &Child) {
    let id = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    kill_process(id, Signal::INT).unwrap();
}

/// True once the command handles Ctrl-C. A shell does too, until it has become the command.
fn listens(child: &Child) -> bool {
    let program = fs::read_link(format!("/proc/{}/exe", child.id()));
    if !program.is_ok_and(|program| program.ends_with("tollgate")) {
        return false;
    }
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let caught = status
        .lines()
        .find_map(|line| line.strip_prefix("SigCgt:\t"));
    let caught = caught.and_then(|mask| u64::from_str_radix(mask, 16).ok());
    caught.is_some_and(|mask| mask & 0b10 != 0)
}

#[test]
fn the_first_one_ends_it_early_with_what_was_read() {
    let logs = directory("interrupts");
    fs::write(logs.join("tollgate.toml"), POLICIES).unwrap();
    let lines = fs::read(logs.join("access.log")).unwrap();
    for command in ["replay --json", "diff --json tollgate.toml tollgate.toml"] {
        let mut child = begin(&logs, command);
        until("it handles Ctrl-C", || listens(&child));
        let mut input = child.stdin.take().unwrap();
        let lines = lines.clone();
        // More than it reads once it has heard, and no more than a disk has room for.
        let writing = thread::spawn(move || (0..100).all(|_| input.write_all(&lines).is_ok()));
        interrupt(&child);
        let output = child.wait_with_output().unwrap();
        // It has ended by itself, and did not read all.
        assert!(!writing.join().unwrap(), "{command}");
        assert_eq!(output.status.code(), Some(130), "{command}: {output:?}");
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["complete"], false, "{command}");
    }
}

#[test]
fn the_first_one_ends_what_waits_for_a_silent_pipe() {
    let logs = directory("interrupts-silent");
    fs::write(logs.join("tollgate.toml"), POLICIES).unwrap();
    fs::write(
        logs.join("trusting.toml"),
        format!("[client]\ntrusted_proxies = [\"10.0.0.1\"]\n{POLICIES}"),
    )
    .unwrap();
    let lines = fs::read(logs.join("access.log")).unwrap();
    for command in [
        "replay --json",
        "diff --json tollgate.toml tollgate.toml",
        "diff --json tollgate.toml trusting.toml",
        "suggest",
    ] {
        // Nothing, the begin of what might be packed, and lines with the begin of another.
        for sent in [0, 3, 1_000] {
            let mut child = begin(&logs, command);
            until("it handles Ctrl-C", || listens(&child));
            let mut input = child.stdin.take().unwrap();
            input.write_all(&lines[..sent]).unwrap();
            interrupt(&child);
            let output = child.wait_with_output().unwrap();
            drop(input);
            assert_eq!(output.status.code(), Some(130), "{command}: {output:?}");
            if command != "suggest" {
                let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
                assert_eq!(report["complete"], false, "{command}");
                let rejected = &report["input"]["rejected"];
                assert!(rejected.is_null() || rejected == 0, "{command}: {report}");
            }
        }
    }
}

#[test]
fn the_second_one_ends_it_at_once() {
    let logs = directory("interrupts-twice");
    fs::write(logs.join("tollgate.toml"), POLICIES).unwrap();
    let made = shell_in(&logs, "mkfifo page").status().unwrap();
    assert!(made.success());
    // Nobody reads the page, for which it waits.
    let mut child = begin(&logs, "replay --html page");
    let input = child.stdin.take();
    until("it handles Ctrl-C", || listens(&child));
    let mut ended = None;
    until("it ends", || {
        interrupt(&child);
        ended = child.try_wait().unwrap();
        ended.is_some()
    });
    assert_eq!(ended.unwrap().code(), Some(130));
    let mut printed = String::new();
    let mut output = child.stdout.take().unwrap();
    output.read_to_string(&mut printed).unwrap();
    assert_eq!(printed, "");
    drop(input);
}

#[test]
fn nothing_is_suggested_of_half_a_log() {
    let logs = directory("interrupts-suggest");
    let mut child = begin(&logs, "suggest");
    until("it handles Ctrl-C", || listens(&child));
    let mut input = child.stdin.take().unwrap();
    interrupt(&child);
    let lines = fs::read(logs.join("access.log")).unwrap();
    let _ = input.write_all(&lines);
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert_eq!(output.stdout, b"");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains("interrupted; nothing is suggested"),
        "{errors}"
    );
}
