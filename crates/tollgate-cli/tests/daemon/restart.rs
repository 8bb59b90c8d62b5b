//! One daemon after the other, while clients ask without end.

use std::fs;
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};

use tollgate_testkit::RedisServer;

use crate::client::Load;
use crate::process::{Daemon, folder, path, policies_in, serve, shell};

/// What one client may ask altogether.
const LIMIT: u64 = 300;

#[test]
fn the_next_daemon_begins_before_one_ends_no_answer_is_missing_and_what_was_used_stays_used() {
    let redis = RedisServer::start();
    let folder = folder();
    fs::write(path(&folder, "tollgate.toml"), policies_in(&redis, LIMIT)).unwrap();
    let first = Daemon::start(serve(folder.path()).arg("--reuse-port"));
    let address = first.port();
    let load = Load::start(address, 4);
    load.await_answers(100);

    let mut daemon = first;
    for _ in 0..2 {
        let next = Daemon::start(
            serve(folder.path())
                .arg("--reuse-port")
                .env("TOLLGATE_HTTP", address.to_string()),
        );
        daemon.signal("-TERM");
        assert!(daemon.end().success());
        load.await_answers(LIMIT);
        daemon = next;
    }
    load.await_answers(LIMIT);
    assert_eq!(load.admitted(), LIMIT);
    let connections = load.end().unwrap();
    assert!(connections > 4, "nobody was told to go: {connections}");
}

/// The socket stays with who made it, as systemd does.
fn activated(socket: &TcpListener) -> (tempfile::TempDir, Command) {
    let folder = folder();
    let script = "exec 3<&0; LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=http exec \"$0\" serve \
        --http systemd:http --grpc off --redis off --workers 1 --drain-delay 250ms";
    let mut command = shell(folder.path(), script);
    let socket = socket.try_clone().unwrap();
    command.stdin(Stdio::from(OwnedFd::from(socket)));
    (folder, command)
}

#[test]
fn what_connects_while_nobody_serves_waits_at_the_socket_of_the_service_manager() {
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    let (_first_folder, mut first) = activated(&socket);
    let daemon = Daemon::start(&mut first);
    assert_eq!(daemon.http, "systemd:http");
    let load = Load::start(address, 4);
    load.await_answers(500);
    let mut daemon = daemon;
    for _ in 0..2 {
        daemon.signal("-TERM");
        assert!(daemon.end().success());
        // Now nobody serves, and everybody waits.
        let (_folder, mut next) = activated(&socket);
        daemon = Daemon::start(&mut next);
        load.await_answers(500);
    }
    let connections = load.end().unwrap();
    assert!(connections >= 12, "{connections}");
}
