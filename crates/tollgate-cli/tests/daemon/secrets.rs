//! Secrets out of files that change.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;

use crate::process::{Daemon, folder, path, serve};

const FIRST: &str = "the-first-0123456789";
const SECOND: &str = "the-second-0123456789";

/// Puts a text in a file's place in one step: the daemon, which looks by itself from time to time, never
/// sees half of it.
fn replace(file: &Path, text: &str) {
    let new = file.with_extension("new");
    fs::write(&new, text).unwrap();
    fs::rename(new, file).unwrap();
}

/// The status that an administrator gets.
fn status(daemon: &Daemon, token: &str) -> String {
    let mut stream = TcpStream::connect(daemon.port()).unwrap();
    let request = format!(
        "GET /v1/policies HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\
         authorization: Bearer {token}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer[9..12].to_owned()
}

/// What the Redis protocol answers to a password.
fn auth(address: &str, password: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let commands = format!("AUTH {password}\r\nQUIT\r\n");
    stream.write_all(commands.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split("\r\n").next().unwrap().to_owned()
}

#[test]
fn the_admin_token_and_the_password_are_those_that_the_files_have_now() {
    let folder = folder();
    let (token, password) = (path(&folder, "token"), path(&folder, "password"));
    fs::write(&token, FIRST).unwrap();
    fs::write(&password, FIRST).unwrap();
    let daemon = Daemon::start(
        serve(folder.path())
            .args(["--redis", "127.0.0.1:0"])
            .args(["--admin-token-file", "token"])
            .args(["--redis-password-file", "password"]),
    );
    let redis = daemon.redis.clone();
    assert_eq!(status(&daemon, FIRST), "200");
    assert_eq!(auth(&redis, FIRST), "+OK");

    // Asked for.
    replace(&token, SECOND);
    daemon.signal("-HUP");
    daemon.await_line("the admin token was read again");
    assert_eq!(status(&daemon, SECOND), "200");
    assert_eq!(status(&daemon, FIRST), "401");

    // By itself.
    replace(&password, SECOND);
    daemon.await_line("the password of the Redis protocol was read again");
    assert_eq!(auth(&redis, SECOND), "+OK");
    assert!(auth(&redis, FIRST).starts_with("-WRONGPASS"));

    // What cannot be used changes nothing, and is not told.
    replace(&token, "short");
    daemon.signal("-HUP");
    let line = daemon.await_line("the admin token cannot be used; what was in use stays");
    assert!(
        line.contains("5 bytes") && !line.contains("short"),
        "{line}"
    );
    fs::remove_file(&password).unwrap();
    daemon.await_line("the password of the Redis protocol cannot be used");
    assert_eq!(status(&daemon, SECOND), "200");
    assert_eq!(auth(&redis, SECOND), "+OK");
}
