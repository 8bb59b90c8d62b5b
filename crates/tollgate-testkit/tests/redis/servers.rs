//! Servers as they are started.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Command, Stdio};

use tollgate_testkit::redis::{Engine, RedisServer};

use crate::client::Client;
use crate::on_every_engine;

/// True while there is a process of this id.
pub(crate) fn is_alive(process: u32) -> bool {
    Command::new("kill")
        .args(["-0", &process.to_string()])
        .stderr(Stdio::null())
        .status()
        .unwrap()
        .success()
}

#[test]
fn each_engine_is_of_the_version_that_its_name_says() {
    let versions: Vec<_> = Engine::all()
        .iter()
        .map(|engine| {
            let version = engine.version();
            let server = RedisServer::start_engine(engine.clone());
            // Valkey calls itself a Redis of the version from which it comes.
            let told = server
                .info("valkey_version")
                .or_else(|| server.info("redis_version"));
            assert_eq!(told.as_ref(), Some(&version), "{}", engine.name());
            version
        })
        .collect();
    assert!(versions[0].starts_with("7."), "{versions:?}");
    assert!(versions[1].starts_with("6.2."), "{versions:?}");
    assert!(versions[2].starts_with("9."), "{versions:?}");
}

#[test]
fn a_program_that_is_not_there_is_named_with_what_to_do() {
    let panic = catch_unwind(|| RedisServer::start_engine(Engine::at("/nowhere/redis-server")));
    let message = *panic.unwrap_err().downcast::<String>().unwrap();
    assert!(message.contains("/nowhere/redis-server"), "{message}");
    assert!(message.contains("name a server's program"), "{message}");
}

#[test]
fn a_server_that_does_not_start_is_heard() {
    let builder = RedisServer::builder().config("maxmemory", "much");
    let panic = catch_unwind(AssertUnwindSafe(|| builder.start()));
    let message = *panic.unwrap_err().downcast::<String>().unwrap();
    assert!(message.contains("maxmemory"), "{message}");
}

#[test]
fn nothing_is_left_of_a_server_after_a_panic_even_if_it_hangs() {
    let server = RedisServer::start();
    let process = server.process_id().unwrap();
    let directory = server.command(&["CONFIG", "GET", "dir"]).array()[1].text();
    server.hang();
    assert!(is_alive(process));
    let panic = catch_unwind(AssertUnwindSafe(move || {
        let _server = server;
        panic!("as a test that fails");
    }));
    assert!(panic.is_err());
    assert!(!is_alive(process));
    assert!(!std::path::Path::new(&directory).exists());
}

#[test]
fn a_password_is_asked_for() {
    on_every_engine(|engine| {
        let server = RedisServer::builder()
            .engine(engine)
            .password("s3cret")
            .start();
        assert_eq!(server.command(&["PING"]).text(), "PONG");
        let mut client = Client::connect(server.port()).unwrap();
        assert!(client.ask("PING").unwrap().starts_with("-NOAUTH"));
        assert_eq!(client.ask("AUTH s3cret").unwrap(), "+OK");
        assert_eq!(client.ask("PING").unwrap(), "+PONG");
        assert!(server.url().contains(":s3cret@"));
    });
}

#[test]
fn every_server_is_empty_and_on_a_port_of_its_own() {
    let servers = [RedisServer::start(), RedisServer::start()];
    assert_ne!(servers[0].port(), servers[1].port());
    servers[0].command(&["SET", "key", "value"]);
    assert_eq!(servers[0].command(&["DBSIZE"]).integer(), 1);
    assert_eq!(servers[1].command(&["DBSIZE"]).integer(), 0);
}
