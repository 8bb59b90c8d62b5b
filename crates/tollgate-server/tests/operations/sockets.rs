//! Sockets of several kinds.

use std::os::unix::fs::PermissionsExt as _;

use tollgate_server::{ListenAddress, Server, ServerError};

use crate::support::{Daemon, ask, engine, settings, within};

#[tokio::test]
async fn a_unix_socket_lets_in_whom_its_mode_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    for mode in [0o600, 0o666] {
        let settings = settings(|it| {
            it.http = Some(ListenAddress::Unix(path.clone()));
            it.unix_mode = Some(mode);
        });
        let (_folder, engine) = engine();
        let server = Server::bind(engine, settings).await.unwrap();
        let found = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(found & 0o777, mode);
        drop(server);
        assert!(!path.exists());
    }
}

#[tokio::test]
async fn a_port_is_shared_only_by_those_who_say_so() {
    let first = Daemon::start(settings(|it| it.reuse_port = true)).await;
    let address = first.http();
    let again = |reuse_port| {
        settings(|it| {
            it.http = Some(ListenAddress::Tcp(address));
            it.reuse_port = reuse_port;
        })
    };
    let (_folder, engine) = engine();
    let error = Server::bind(engine, again(false)).await.unwrap_err();
    assert!(matches!(error, ServerError::Listen { .. }), "{error}");

    let second = Daemon::start(again(true)).await;
    let (_hurry, ended, _folder) = first.stop();
    assert!(within(ended).await.unwrap());
    let mut client = second.connect().await;
    let answer = ask(&mut client, "/readyz").await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[tokio::test]
async fn a_socket_that_nobody_has_passed_is_missing() {
    let settings = settings(|it| it.http = Some("systemd:http".parse().unwrap()));
    let (_folder, engine) = engine();
    let error = Server::bind(engine, settings).await.unwrap_err();
    let source = std::error::Error::source(&error).unwrap().to_string();
    assert!(source.contains("has passed no socket"), "{source}");
}
