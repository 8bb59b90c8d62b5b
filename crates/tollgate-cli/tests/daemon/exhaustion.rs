//! Too few files.

use std::net::TcpStream;

use crate::client::ask;
use crate::process::{Daemon, folder, shell};

#[test]
fn without_free_files_it_waits_and_then_goes_on() {
    let folder = folder();
    let script = "ulimit -n 32; exec \"$0\" serve --http 127.0.0.1:0 --grpc off --redis off \
        --workers 1 --max-connections 100 --drain-delay 0s";
    let daemon = Daemon::start(&mut shell(folder.path(), script));
    let clients: Vec<_> = (0..40)
        .map(|_| TcpStream::connect(daemon.port()).unwrap())
        .collect();
    let line = daemon.await_line("connections cannot be accepted");
    assert!(line.contains("LimitNOFILE"), "{line}");
    let mut last = TcpStream::connect(daemon.port()).unwrap();
    drop(clients);
    let answer = ask(&mut last, "/livez").unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    daemon.signal("-TERM");
    assert!(daemon.end().success());
}

#[test]
fn too_low_a_limit_is_told_after_what_is_in_force() {
    let folder = folder();
    let script = "ulimit -n 99; exec \"$0\" serve --http 127.0.0.1:0 --grpc off --redis off";
    let daemon = Daemon::start(&mut shell(folder.path(), script));
    daemon.said("limits are in force");
    let line = daemon.await_line("raise the hard limit");
    assert!(line.contains("most=99"), "{line}");
}
