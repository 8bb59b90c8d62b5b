//! The servers that tests of the Redis store run against: they are what they are said to be, and
//! fail as they are told to.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod client;
mod cluster;
mod faults;
mod lifetimes;
mod proxy;
mod sentinel;
mod servers;
mod tls;

use std::thread;

use tollgate_testkit::redis::Engine;

/// Runs a test on each engine, all at the same time: most of it is waiting.
fn on_every_engine(test: impl Fn(Engine) + Sync) {
    thread::scope(|scope| {
        for engine in Engine::all() {
            let test = &test;
            let name = engine.name().to_owned();
            let thread = thread::Builder::new().name(name);
            thread.spawn_scoped(scope, move || test(engine)).unwrap();
        }
    });
}
