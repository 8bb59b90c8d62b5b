//! What is done to a single server.

use tollgate_testkit::redis::{RedisServer, Reply};

use crate::client::Client;
use crate::on_every_engine;
use crate::servers::is_alive;

#[test]
fn a_server_that_was_killed_or_stopped_is_gone_until_it_starts_again_empty() {
    for end in [RedisServer::kill, RedisServer::stop] {
        let mut server = RedisServer::start();
        let process = server.process_id().unwrap();
        let mut client = Client::connect(server.port()).unwrap();
        assert_eq!(client.ask("SET key value").unwrap(), "+OK");
        end(&mut server);
        assert!(!is_alive(process));
        assert!(!server.is_running());
        assert!(client.is_closed());
        assert!(Client::connect(server.port()).is_err());
        server.start_again();
        let mut client = Client::connect(server.port()).unwrap();
        assert_eq!(client.ask("GET key").unwrap(), "$-1");
    }
}

#[test]
fn a_server_that_hangs_accepts_and_does_not_answer_until_it_goes_on() {
    on_every_engine(|engine| {
        let server = RedisServer::start_engine(engine);
        let mut before = Client::connect(server.port()).unwrap();
        server.hang();
        let mut meanwhile = Client::connect(server.port()).unwrap();
        for client in [&mut before, &mut meanwhile] {
            client.send("PING").unwrap();
            assert!(client.hears_nothing());
        }
        server.resume();
        for client in [&mut before, &mut meanwhile] {
            assert_eq!(client.line().unwrap(), "+PONG");
        }
    });
}

#[test]
fn a_server_that_hangs_can_be_killed_and_started_again() {
    let mut server = RedisServer::start();
    server.hang();
    server.start_again();
    assert_eq!(server.command(&["PING"]).text(), "PONG");
}

#[test]
fn scripts_are_forgotten() {
    let server = RedisServer::start();
    let digest = server.command(&["SCRIPT", "LOAD", "return 7"]).text();
    let run = || server.try_command(&["EVALSHA", &digest, "0"]);
    assert_eq!(run(), Ok(Reply::Integer(7)));
    server.flush_scripts();
    assert!(run().unwrap_err().starts_with("NOSCRIPT"));
}

#[test]
fn clients_are_cut_off_and_may_come_back() {
    let server = RedisServer::start();
    let mut client = Client::connect(server.port()).unwrap();
    assert_eq!(client.ask("PING").unwrap(), "+PONG");
    server.kill_clients();
    assert!(client.is_closed());
    let mut client = Client::connect(server.port()).unwrap();
    assert_eq!(client.ask("PING").unwrap(), "+PONG");
}

#[test]
fn a_server_without_room_refuses_to_write() {
    let server = RedisServer::builder().max_memory(1).start();
    let write = || server.try_command(&["SET", "key", "value"]);
    assert!(write().unwrap_err().starts_with("OOM"));
    server.set_max_memory(0);
    assert!(write().is_ok());
    server.set_max_memory(1);
    assert!(write().unwrap_err().starts_with("OOM"));
}

#[test]
fn a_read_only_server_answers_and_refuses_to_write() {
    let server = RedisServer::start();
    let write = || server.try_command(&["SET", "key", "value"]);
    assert!(write().is_ok());
    server.make_read_only();
    assert!(write().unwrap_err().starts_with("READONLY"));
    assert_eq!(server.command(&["GET", "key"]).text(), "value");
    server.make_writable();
    assert!(write().is_ok());
}

#[test]
fn a_server_is_busy_with_a_script_until_it_is_ended() {
    on_every_engine(|engine| {
        let server = RedisServer::builder()
            .engine(engine)
            .password("s3cret")
            .start();
        server.run_endless_script();
        let mut client = Client::connect(server.port()).unwrap();
        assert!(client.ask("AUTH s3cret").is_ok());
        assert!(client.ask("GET key").unwrap().starts_with("-BUSY"));
        server.end_script();
        assert_eq!(client.ask("GET key").unwrap(), "$-1");
    });
}
