//! Stopping: what runs is finished.

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::{Engine, PASSWORD, TestApp, on_each_engine};

on_each_engine!(a_request_in_flight_is_finished);

async fn a_request_in_flight_is_finished(engine: Engine) {
    let mut app = TestApp::start(engine).await;
    let new = json!({"email": "ann@example.com", "password": PASSWORD, "name": "Ann"}).to_string();
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    let head = format!(
        "POST /auth/register HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nExpect: 100-continue\r\n\r\n",
        new.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // Sent when the handler first reads the body: RFC 9110, section 10.1.1.
    let mut answer = [0; 25];
    stream.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 100 Continue\r\n\r\n");

    app.stop();
    stream.write_all(new.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 201 Created\r\n"), "{answer}");
    (&mut app.server).await.unwrap().unwrap();
    assert!(
        TcpStream::connect(app.address).await.is_err(),
        "nobody listens any more"
    );
}
