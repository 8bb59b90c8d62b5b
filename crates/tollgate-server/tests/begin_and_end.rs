//! A daemon begins, serves, and ends.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on")]

use std::fs;

use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpStream, UnixStream};
use tokio::sync::oneshot;
use tollgate_engine::Engine;
use tollgate_server::{ListenAddress, Server, ServerError, ServerSettings};

const POLICY: &str = "[[policy]]\nname = 'all'\nkey = ['client.ip']\nlimits = ['10/min']\n";

fn engine(folder: &TempDir) -> Engine {
    let path = folder.path().join("tollgate.toml");
    fs::write(&path, POLICY).unwrap();
    Engine::open(path).unwrap()
}

const REQUEST: &[u8] = b"GET /livez HTTP/1.1\r\nhost: tollgate\r\nconnection: close\r\n\r\n";

#[tokio::test]
async fn it_serves_until_it_is_told_to_stop_and_ends_then() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = ServerSettings::default();
    settings.http = Some("127.0.0.1:0".parse().unwrap());
    let server = Server::bind(engine(&folder), settings).await.unwrap();
    let Some(ListenAddress::Tcp(address)) = server.addresses().http else {
        panic!("no address");
    };
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(server.run(async move { drop(stopped.await) }));

    let mut connection = TcpStream::connect(address).await.unwrap();
    connection.write_all(REQUEST).await.unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");

    // A connection that asks nothing does not keep it from ending.
    let mut idle = TcpStream::connect(address).await.unwrap();
    stop.send(()).unwrap();
    assert!(
        running.await.unwrap().unwrap(),
        "all connections have ended"
    );
    assert_eq!(idle.read(&mut [0]).await.unwrap_or(0), 0);
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn a_unix_socket_goes_when_it_ends_and_one_left_behind_is_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    let mut settings = ServerSettings::default();
    settings.http = Some(ListenAddress::Unix(path.clone()));
    let server = Server::bind(engine(&folder), settings.clone())
        .await
        .unwrap();
    let in_use = Server::bind(engine(&folder), settings).await.unwrap_err();
    assert!(matches!(in_use, ServerError::Listen { .. }), "{in_use}");

    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(server.run(async move { drop(stopped.await) }));
    let mut connection = UnixStream::connect(&path).await.unwrap();
    connection.write_all(REQUEST).await.unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    stop.send(()).unwrap();
    assert!(running.await.unwrap().unwrap());
    assert!(!path.exists());
}

#[tokio::test]
async fn what_is_no_socket_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    fs::write(&path, "important").unwrap();
    let mut settings = ServerSettings::default();
    settings.http = Some(ListenAddress::Unix(path.clone()));
    let error = Server::bind(engine(&folder), settings).await.unwrap_err();
    assert!(error.to_string().contains("notes.txt"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "important");
}

#[tokio::test]
async fn without_an_address_it_does_not_begin() {
    let folder = tempfile::tempdir().unwrap();
    let error = Server::bind(engine(&folder), ServerSettings::default())
        .await
        .unwrap_err();
    assert!(matches!(error, ServerError::NoListener), "{error}");
}
