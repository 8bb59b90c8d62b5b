//! A log that nobody keeps.

use std::fs;
use std::io::Read as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tollgate_testkit::redis::until;

use crate::client::{ask, check};
use crate::process::{Daemon, POLICY, folder, path, serve, shell};

/// Over a socket whose name is known without the log.
const LISTEN: &str = "--http unix:here.sock --grpc off --redis off --workers 1 --drain-delay 0s";

fn connect(folder: &Path) -> UnixStream {
    let socket = folder.join("here.sock");
    let mut connected = None;
    until("it listens", || {
        connected = UnixStream::connect(&socket).ok();
        connected.is_some()
    });
    connected.unwrap()
}

fn terminate(mut daemon: Child) {
    let id = daemon.id().to_string();
    let told = Command::new("kill").arg(id).status().unwrap();
    assert!(told.success());
    assert!(daemon.wait().unwrap().success());
}

#[test]
fn a_disk_that_is_full_changes_no_answer() {
    let folder = folder();
    // So slow that nothing is given back during the test.
    let policy = POLICY.replace("10/min", "10/d");
    fs::write(path(&folder, "tollgate.toml"), policy).unwrap();
    let script = format!("exec \"$0\" serve {LISTEN} 2>/dev/full");
    let daemon = shell(folder.path(), &script).spawn().unwrap();
    let mut client = connect(folder.path());
    let body = r#"{"attributes": {"client.ip": "192.0.2.1"}}"#;
    for number in 0..15 {
        // Denials are logged.
        let answer = check(&mut client, body).unwrap();
        let allowed = format!(r#"{{"allowed":{},"#, number < 10);
        assert!(answer.contains(&allowed), "{number}: {answer}");
    }
    drop(client);
    terminate(daemon);
}

#[test]
fn a_reader_that_has_stopped_holds_up_no_answer_and_not_the_end() {
    let folder = folder();
    let script = format!("exec \"$0\" serve {LISTEN} --log trace");
    let mut command = shell(folder.path(), &script);
    let mut daemon = command.stderr(Stdio::piped()).spawn().unwrap();
    // Nobody reads it.
    let log = daemon.stderr.take().unwrap();
    let mut client = connect(folder.path());
    // More lines than wait, and more bytes than a pipe holds.
    for _ in 0..3_000 {
        let answer = ask(&mut client, "/livez").unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    drop(client);
    terminate(daemon);
    drop(log);
}

#[test]
fn the_last_lines_are_written_before_the_end() {
    let folder = folder();
    let mut command = serve(folder.path());
    command.args(["--policies", "/no/such/file"]);
    let mut daemon = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    let mut log = daemon.stderr.take().unwrap();
    log.read_to_string(&mut said).unwrap();
    assert!(!daemon.wait().unwrap().success());
    assert!(said.contains("/no/such/file"), "{said}");
}

#[test]
fn a_denial_for_want_of_a_client_tells_why_there_is_none() {
    let folder = folder();
    let client = "[client]\ntrust_unix_peer = true\n";
    fs::write(path(&folder, "tollgate.toml"), client.to_owned() + POLICY).unwrap();
    let mut command = serve(folder.path());
    command.env("TOLLGATE_HTTP", "unix:here.sock");
    let daemon = Daemon::start(&mut command);
    let mut client = connect(folder.path());
    let fields = "/v1/auth HTTP/1.1\r\nx-forwarded-method: GET\r\nx-forwarded-uri: /\r\n\
        x-forwarded-for: nonsense\r\nx-ignored:";
    let answer = ask(&mut client, fields).unwrap();
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    let line = daemon.await_line("a request is denied");
    assert!(line.contains("no_client=\"malformed\""), "{line}");
}
