//! What a network does to a client.

use std::io::ErrorKind;
use std::time::Duration;

use tollgate_testkit::redis::{Proxy, RedisServer, until};

use crate::client::Client;

fn given() -> (RedisServer, Proxy, Client) {
    let server = RedisServer::start();
    let proxy = Proxy::to(&server);
    let mut client = Client::connect(proxy.port()).unwrap();
    assert_eq!(client.ask("PING").unwrap(), "+PONG");
    (server, proxy, client)
}

fn has_key(server: &RedisServer) -> bool {
    server.command(&["EXISTS", "key"]).integer() == 1
}

#[test]
fn requests_reach_the_server_whose_replies_are_held() {
    let (server, proxy, mut client) = given();
    proxy.hold_replies();
    client.send("SET key value").unwrap();
    until("the server has the key", || has_key(&server));
    assert!(client.hears_nothing());
    proxy.pass();
    assert_eq!(client.line().unwrap(), "+OK");
}

#[test]
fn requests_that_are_held_arrive_late() {
    let (server, proxy, mut client) = given();
    proxy.hold_requests();
    client.send("SET key value").unwrap();
    assert!(client.hears_nothing());
    assert!(!has_key(&server));
    proxy.pass();
    assert_eq!(client.line().unwrap(), "+OK");
    assert!(has_key(&server));
}

#[test]
fn what_was_held_is_lost_when_connections_are_cut() {
    let (server, proxy, mut client) = given();
    proxy.hold_requests();
    client.send("SET key value").unwrap();
    assert!(client.hears_nothing());
    proxy.cut();
    assert!(client.is_closed());
    proxy.pass();
    let mut client = Client::connect(proxy.port()).unwrap();
    assert_eq!(client.ask("PING").unwrap(), "+PONG");
    assert!(!has_key(&server));
}

#[test]
fn a_proxy_that_refuses_keeps_the_connections_that_there_are() {
    let (_server, proxy, mut client) = given();
    proxy.refuse();
    let error = Client::connect(proxy.port()).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::ConnectionRefused);
    assert_eq!(client.ask("PING").unwrap(), "+PONG");
    assert_eq!(proxy.accepted(), 1);
    proxy.accept();
    let mut other = Client::connect(proxy.port()).unwrap();
    assert_eq!(other.ask("PING").unwrap(), "+PONG");
    assert_eq!(client.ask("PING").unwrap(), "+PONG");
}

#[test]
fn connections_are_counted() {
    let (_server, proxy, client) = given();
    let mut other = Client::connect(proxy.port()).unwrap();
    assert_eq!(other.ask("PING").unwrap(), "+PONG");
    assert_eq!((proxy.accepted(), proxy.open()), (2, 2));
    drop(client);
    until("one is closed", || proxy.open() == 1);
    proxy.cut();
    assert_eq!((proxy.accepted(), proxy.open()), (2, 0));
}

#[test]
fn a_server_that_is_not_there_closes_the_connection() {
    let (mut server, proxy, mut client) = given();
    server.kill();
    assert!(client.is_closed());
    let mut other = Client::connect(proxy.port()).unwrap();
    assert!(other.is_closed());
    assert_eq!((proxy.accepted(), proxy.open()), (2, 0));
    server.start_again();
    let mut other = Client::connect(proxy.port()).unwrap();
    assert_eq!(other.ask("PING").unwrap(), "+PONG");
}

#[test]
fn requests_are_delayed() {
    let (_server, proxy, mut client) = given();
    proxy.delay_requests(Duration::from_secs(3600));
    client.send("PING").unwrap();
    assert!(client.hears_nothing());
    proxy.cut();
    proxy.delay_requests(Duration::from_millis(1));
    let mut client = Client::connect(proxy.port()).unwrap();
    assert_eq!(client.ask("PING").unwrap(), "+PONG");
}

#[test]
fn its_address_is_the_servers_but_for_the_port() {
    let server = RedisServer::builder().password("s3cret").start();
    let proxy = Proxy::to(&server);
    let expected = format!("redis://:s3cret@127.0.0.1:{}", proxy.port());
    assert_eq!(proxy.url(), expected);
}
