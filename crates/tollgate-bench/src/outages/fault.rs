//! The faults, and how each is measured.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use tokio::runtime::{Builder, Runtime};
use tollgate_testkit::redis::RedisServer;

use super::figures::Figures;
use super::load::Load;
use super::process::Watch;
use super::subject::Subject;
use super::world::{Behind, Clustered, Watched, World};
use crate::stopwatch::wall;

/// How long the load runs before the fault: so long that everything has been allocated once.
const BEFORE: Duration = Duration::from_secs(2);
/// How long it runs after the store's return.
const AFTER: Duration = Duration::from_secs(3);

/// What is known of a fault before it happens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fault {
    pub(super) name: &'static str,
    /// How long it lasts, if it does not end by itself.
    pub(super) lasting: Duration,
}

/// What becomes of the counts in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counts {
    /// They stay.
    Stay,
    /// They are lost when the fault begins.
    Lost,
    /// The last of them may be lost, as what takes the store's place did not know them yet.
    LastLost,
}

/// A fault by its name.
pub(super) struct Named {
    pub(super) name: &'static str,
    /// Starts servers, breaks them, and tells what was seen; nothing if the store cannot be opened
    /// on such servers.
    pub(super) measure: fn(Fault) -> Result<Option<Figures>>,
}

/// Every fault, in the order in which they are measured.
pub(super) fn all() -> Vec<Named> {
    vec![
        named("none", |fault| {
            once(fault, RedisServer::start, Counts::Stay, |_| {})
        }),
        named("killed: connections are refused", |fault| {
            let (kill, start) = (RedisServer::kill, RedisServer::start_again);
            lasting(fault, RedisServer::start, Counts::Lost, kill, start)
        }),
        named("hangs", |fault| {
            let (hang, resume) = (
                |it: &mut _| RedisServer::hang(it),
                |it: &mut _| {
                    RedisServer::resume(it);
                },
            );
            lasting(fault, RedisServer::start, Counts::Stay, hang, resume)
        }),
        named("black hole: requests get lost", |fault| {
            let hold = |it: &mut Behind| it.proxy.hold_requests();
            lasting(fault, Behind::start, Counts::Stay, hold, pass)
        }),
        named("black hole: replies get lost", |fault| {
            let hold = |it: &mut Behind| it.proxy.hold_replies();
            lasting(fault, Behind::start, Counts::Stay, hold, pass)
        }),
        named("restarted, empty", |fault| {
            let restart = RedisServer::start_again;
            once(fault, RedisServer::start, Counts::Lost, restart)
        }),
        named("SCRIPT FLUSH", |fault| {
            let flush = |it: &mut RedisServer| it.flush_scripts();
            once(fault, RedisServer::start, Counts::Stay, flush)
        }),
        named("CLIENT KILL", |fault| {
            let kill = |it: &mut RedisServer| it.kill_clients();
            once(fault, RedisServer::start, Counts::Stay, kill)
        }),
        named("maxmemory reached", |fault| {
            let fill = |it: &mut RedisServer| it.set_max_memory(1);
            let free = |it: &mut RedisServer| it.set_max_memory(0);
            lasting(fault, RedisServer::start, Counts::Stay, fill, free)
        }),
        named("Sentinel: master killed", |fault| {
            let (begin, end) = (Watched::kill, Watched::await_promotion);
            promoting(fault, Watched::start, begin, end)
        }),
        named("Sentinel: master hangs", |fault| {
            let (begin, end) = (Watched::hang, Watched::await_promotion);
            promoting(fault, Watched::start, begin, end)
        }),
        named("Cluster: a master killed", |fault| {
            let (begin, end) = (Clustered::kill, Clustered::await_promotion);
            promoting(fault, Clustered::start, begin, end)
        }),
        named("Cluster: a master hangs", |fault| {
            let (begin, end) = (Clustered::hang, Clustered::await_promotion);
            promoting(fault, Clustered::start, begin, end)
        }),
        named("Cluster: slots moved", |fault| {
            let moving = Clustered::move_slots;
            once(fault, Clustered::start, Counts::Stay, moving)
        }),
    ]
}

fn named(name: &'static str, measure: fn(Fault) -> Result<Option<Figures>>) -> Named {
    Named { name, measure }
}

fn pass(behind: &mut Behind) {
    behind.proxy.pass();
}

/// A fault that is over as soon as it has happened.
fn once<W: World>(
    fault: Fault,
    start: impl FnOnce() -> W,
    counts: Counts,
    happen: impl FnOnce(&mut W),
) -> Result<Option<Figures>> {
    measure(fault, start(), counts, happen)
}

/// A fault that lasts until it is ended.
fn lasting<W: World>(
    fault: Fault,
    start: impl FnOnce() -> W,
    counts: Counts,
    begin: impl FnOnce(&mut W),
    end: impl FnOnce(&mut W),
) -> Result<Option<Figures>> {
    measure(fault, start(), counts, |world| {
        begin(world);
        pause(fault.lasting);
        end(world);
    })
}

/// A fault that lasts until a replica takes the master's place.
fn promoting<W: World>(
    fault: Fault,
    start: impl FnOnce() -> W,
    begin: impl FnOnce(&mut W),
    end: impl FnOnce(&mut W),
) -> Result<Option<Figures>> {
    measure(fault, start(), Counts::LastLost, |world| {
        begin(world);
        end(world);
    })
}

fn measure<W: World>(
    fault: Fault,
    mut world: W,
    counts: Counts,
    happen: impl FnOnce(&mut W),
) -> Result<Option<Figures>> {
    let Ok(subject) = Subject::open(&world.url()) else {
        return Ok(None);
    };
    let (subject, runtime) = (Arc::new(subject), runtime()?);
    // More than there will be, so that the memory they take is there before anything is measured.
    let lasts = BEFORE + fault.lasting + AFTER + Duration::from_secs(60);
    let load = Load::start(&subject, runtime.handle(), lasts);
    pause(BEFORE);
    let watch = Watch::start(world.ports())?;
    let began = wall();
    happen(&mut world);
    let returned = wall();
    pause(AFTER);
    let watched = watch.finish()?;
    let seen = load.finish(&runtime)?;
    let fault_time = began..returned;
    let stats = subject.stats();
    let counted = runtime.block_on(Subject::counted(&subject))?;
    Ok(Some(Figures::new(
        fault.name,
        counts,
        &seen,
        &fault_time,
        stats,
        counted,
        watched,
    )))
}

fn runtime() -> Result<Runtime> {
    Ok(Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?)
}

#[expect(
    clippy::disallowed_methods,
    reason = "the load goes on meanwhile, in real time"
)]
pub(super) fn pause(time: Duration) {
    thread::sleep(time);
}
